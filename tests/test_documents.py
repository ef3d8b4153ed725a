"""README, documentation and examples say what is true: their code runs, their links lead on."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
EXAMPLES = sorted(ROOT.glob("examples/*.py"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_code_in_documents_runs(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", document.read_text(), flags=re.DOTALL):
        exec(compile(block, str(document), "exec"), names)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        if not target.startswith("https://"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
def test_examples_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")


def test_the_readme_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    exec(block, {})
    assert block.strip().endswith(f"# {capsys.readouterr().out.strip()}")


def test_commands_and_flags_in_documents_exist():
    import click

    from walkmesh.cli import app

    text = "\n".join(document.read_text() for document in DOCUMENTS)
    shell = "\n".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))
    lines = re.findall(r"^walkmesh (\w+.*)$", shell, flags=re.MULTILINE)
    assert len(lines) >= 2
    for line in lines:
        command, *words = line.partition("#")[0].split()
        known = {
            flag
            for option in app.get_command(click.Context(app), command).params
            for flag in option.opts
        }
        assert {word for word in words if word.startswith("-")} <= known, line


@pytest.mark.parametrize(
    "target", ["demo", "test", "bench", "bench-quick", "lesson", "lint", "fuzz"]
)
def test_make_targets_exist(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
