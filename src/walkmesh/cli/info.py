"""``walkmesh info``: what is in a file."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from walkmesh import NavMesh, Scene, load_navmesh, load_scene
from walkmesh.cli.app import app
from walkmesh.cli.options import json_option, up_option
from walkmesh.frame import read_up


@app.command()
@click.argument("file")
@json_option
@up_option("Up of a scene, as for build.")
def info(file: str, as_json: bool, up: str) -> None:
    """Tell what is in FILE: a navmesh, with everything that is wrong with it, or a scene."""
    from walkmesh.io.navmeshes import is_navmesh

    content = (
        _describe_navmesh(load_navmesh(file))
        if is_navmesh(file)
        else _describe_scene(load_scene(file, up=read_up(up)))
    )
    if as_json:
        print(json.dumps(content, indent=2))
        return
    for key, value in content.items():
        if key == "violations":
            print(f"{key.replace('_', ' ')}: {len(value)}")
            for line in value[:20]:
                print(f"  {line}")
            if len(value) > 20:
                print(f"  and {len(value) - 20} more; --json lists all")
        else:
            print(f"{key.replace('_', ' ')}: {value}")


def _describe_navmesh(navmesh: NavMesh) -> dict[str, Any]:
    report = navmesh.report
    return {
        "kind": "navmesh",
        "polygons": navmesh.polygon_count,
        "vertices": len(navmesh.vertices),
        "triangles": len(navmesh.triangles),
        "components": navmesh.component_count,
        "links": len(navmesh.links),
        "area_m2": navmesh.area,
        "bounds": [navmesh.vertices.min(axis=0).tolist(), navmesh.vertices.max(axis=0).tolist()]
        if len(navmesh.vertices)
        else None,
        "up": list(navmesh.up),
        "surface": navmesh.surface,
        "agent": dataclasses.asdict(navmesh.agent),
        "method": None if report is None else report.method,
        "settings": None if report is None else report.settings,
        "built_by": None if report is None else f"walkmesh {report.version}",
        "notes": [] if report is None else list(report.notes),
        "violations": [str(violation) for violation in navmesh.validate()],
    }


def _describe_scene(scene: Scene) -> dict[str, Any]:
    return {
        "kind": "scene",
        "triangles": len(scene.faces),
        "vertices": len(scene.vertices),
        "left_out": dataclasses.asdict(scene.left_out),
        "bounds": scene.bounds.tolist(),
        "up": list(scene.up),
    }
