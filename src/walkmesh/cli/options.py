"""Options that several commands have."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walkmesh.builder import METHODS
from walkmesh.errors import FormatError, SettingsError
from walkmesh.extras import require
from walkmesh.files import check_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.builder import Method
    from walkmesh.navmesh import NavMesh

# Flags of the agent that are shorter than the names of its settings.
AGENT_FLAGS = {"height": "height", "radius": "radius", "max_slope": "slope", "max_step": "step"}


_FIRST, _LAST = ", ".join(list(METHODS)[:-1]), list(METHODS)[-1]
METHOD_HELP = f"How to build: {_FIRST} or {_LAST}."


class _Number(click.ParamType):  # type: ignore[type-arg]
    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)


NUMBER = _Number()


def setting_options(*kinds: type[Any]) -> Callable[..., Callable[..., None]]:
    """Give a command an option for every setting of some classes of settings."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        # A setting that several methods have is one option, with the words of the first.
        fields: dict[str, dict[type, dataclasses.Field[Any]]] = {}
        for kind in kinds:
            for field in dataclasses.fields(kind):
                fields.setdefault(field.name, {})[kind] = field
        for name, by_kind in reversed(fields.items()):
            flag = AGENT_FLAGS.get(name, name).replace("_", "-")
            metadata = next(iter(by_kind.values())).metadata
            option = click.option(
                f"--{flag}",
                name,
                type=NUMBER if "limits" in metadata else str,
                metavar="x,y,z" if "place" in metadata else None,
                help=_help_of(by_kind),
            )
            command = option(command)
        return command

    return decorate


def _help_of(fields: dict[type, dataclasses.Field[Any]]) -> str:
    """Return the help of a setting that one or more classes have."""
    first = next(iter(fields.values()))
    choices = first.metadata.get("choices")
    if choices is not None:
        return f"{choices.help}: {', '.join(choices.words)}.  [default: {first.default}]"
    place = first.metadata.get("place")
    if place is not None:
        return f"{place.help}, in {place.unit}.  [default: none]"
    if len({field.metadata["limits"].unit for field in fields.values()}) == 1:
        unit = f", in {first.metadata['limits'].unit}"
        defaults = [_default_of(field) for field in fields.values()]
    else:
        unit = ""
        defaults = [f"{_default_of(f)} {f.metadata['limits'].unit}" for f in fields.values()]
    if len(set(defaults)) == 1:
        default = defaults[0]
    else:
        names = [kind.__name__.lower() for kind in fields]
        default = ", ".join(f"{n} {d}" for n, d in zip(names, defaults, strict=True))
    return f"{first.metadata['limits'].help}{unit}.  [default: {default}]"


def _default_of(field: dataclasses.Field[Any]) -> str:
    """Return the default of a setting that is a number."""
    if field.default is None:
        return str(field.metadata["limits"].derived)
    return f"{field.default:g}"


def scale_option(text: str = "Metres for a unit of the scene.") -> Callable[..., Any]:
    """Return the option for how long a unit of a file is."""
    return click.option("--scale", type=NUMBER, default=1.0, show_default=True, help=text)


def up_option(text: str = "Up of the scene, as for build.") -> Callable[..., Any]:
    """Return the option for the direction against gravity in a file."""
    return click.option("--up", default="y", show_default=True, help=text)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


output_option = click.option(
    "-o",
    "--output",
    multiple=True,
    required=True,
    help="Navmesh to write: .walkmesh .obj .glb .ply; may be repeated.",
)


polygons_option = click.option(
    "--polygons",
    is_flag=True,
    help="OBJ files hold polygons, which lack the heights inside, not triangles.",
)


workers_option = click.option(
    "--workers", type=int, help="Threads to use.  [default: as many as cores]"
)


def save_all(navmesh: NavMesh, targets: tuple[str, ...], polygons: bool) -> None:
    """Write a navmesh to all targets, OBJ files with polygons if asked for."""
    for target in targets:
        navmesh.save(target, polygons=polygons and target.lower().endswith(".obj"))


def check_polygons(targets: tuple[str, ...], polygons: bool) -> None:
    """Refuse --polygons without a target that can hold any."""
    if polygons and not any(target.lower().endswith(".obj") for target in targets):
        raise SettingsError("--polygons is for .obj files; pass one with -o")


def check_outputs(targets: tuple[str, ...], polygons: bool, scene: str | None) -> None:
    """Refuse targets that cannot be written to, and the scene itself."""
    from walkmesh.io.navmeshes import SUFFIXES

    check_polygons(targets, polygons)
    for target in targets:
        check_target(target, SUFFIXES)
        if scene is not None and Path(target).resolve() == Path(scene).resolve():
            raise FormatError(f"cannot write {target}: it is the scene itself")


def chosen_settings(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of the agent that were given, and all other ones that were."""
    chosen = {name: value for name, value in settings.items() if value is not None}
    return {name: chosen.pop(name) for name in AGENT_FLAGS if name in chosen}, chosen


def chosen_method(name: str, settings: dict[str, Any]) -> Method:
    """Return the method of a name with settings, which must be its own; points are texts."""
    if name not in METHODS:
        raise SettingsError(f"--method is {name!r}; it must be one of {', '.join(METHODS)}")
    fields = {field.name: field for field in dataclasses.fields(METHODS[name])}
    values: dict[str, Any] = {}
    for setting, value in settings.items():
        flag = f"--{setting.replace('_', '-')}"
        if setting not in fields:
            raise SettingsError(f"{flag} is not a setting of the {name} method")
        is_place = "place" in fields[setting].metadata
        values[setting] = read_point(flag, value) if is_place else value
    return METHODS[name](**values)


def check_image(image: str | None, shows: str | None, known: tuple[str, ...]) -> str:
    """Check where a picture is to go and what it is to show, and return the latter."""
    from walkmesh.viewer.plan import SUFFIXES

    if shows is not None and shows not in known:
        raise SettingsError(f"--image-shows is {shows!r}; it must be one of {', '.join(known)}")
    if image is not None:
        check_target(image, SUFFIXES)
        require("matplotlib", "pictures")
    elif shows is not None:
        raise SettingsError("--image-shows is given without --image; there is no picture to draw")
    return shows or known[0]


def read_point(flag: str, text: str) -> tuple[float, ...]:
    """Return three numbers that are typed as a value of a flag."""
    try:
        place = tuple(float(part) for part in text.split(","))
    except ValueError:
        place = ()
    if len(place) != 3:
        raise SettingsError(f"{flag} is {text!r}; it must be like 1,0,2.5")
    return place
