import math

import pytest

import walkmesh as wm


def test_defaults_are_a_person():
    assert wm.Agent() == wm.Agent(height=1.8, radius=0.3, max_slope=45, max_step=0.4)
    assert isinstance(wm.Agent(max_slope=30).max_slope, float)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"radius": -1}, ["Agent.radius", "-1", "at least 0 m"]),
        ({"height": 0}, ["Agent.height", "0", "above 0 m"]),
        ({"max_slope": 90}, ["Agent.max_slope", "90", "below 90 degrees"]),
        ({"max_slope": 120.5}, ["Agent.max_slope", "120.5", "below 90 degrees"]),
        ({"max_slope": -1}, ["Agent.max_slope", "-1", "at least 0"]),
        ({"max_step": 2.5}, ["Agent.max_step", "2.5", "height, 1.8 m"]),
        ({"max_step": -0.1}, ["Agent.max_step", "-0.1", "at least 0 m"]),
        ({"height": math.nan}, ["Agent.height", "nan", "above 0 m"]),
        ({"radius": math.inf}, ["Agent.radius", "inf", "finite"]),
        ({"radius": "wide"}, ["Agent.radius", "'wide'"]),
        ({"radius": "0.3"}, ["Agent.radius", "'0.3'"]),
        ({"radius": None}, ["Agent.radius", "None"]),
        ({"radius": True}, ["Agent.radius", "True"]),
        ({"height": [1.8]}, ["Agent.height", "[1.8]"]),
        ({"height": 10**400}, ["Agent.height"]),
    ],
)
def test_impossible_agent_is_named(settings, words):
    with pytest.raises(wm.SettingsError) as caught:
        wm.Agent(**settings)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [-0.1, math.nan, "much"])
def test_impossible_method_setting_is_named(value):
    with pytest.raises(wm.SettingsError, match=r"Exact\.height_tolerance"):
        wm.Exact(height_tolerance=value)


def test_settings_are_frozen_and_keyword_only():
    with pytest.raises(AttributeError):
        wm.Agent().radius = 1.0
    with pytest.raises(TypeError):
        wm.Agent(1.8)


@pytest.mark.parametrize("step", [0.0, 1.8])
def test_limits_themselves_are_allowed(step):
    assert wm.Agent(max_step=step, radius=0.0, max_slope=0.0).max_step == step
