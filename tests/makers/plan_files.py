"""Files of floor plans for tests."""

import json

from walkmesh.io.plans import load_plan

ROOM = [[0, 0], [8, 0], [8, 5], [0, 5], [0, 0]]
BLOCK = [[2, 1], [4, 1], [4, 3], [2, 3], [2, 1]]
YARD = [[20, 0], [26, 0], [26, 5], [20, 5], [20, 0]]
MAP = "type octile\nheight 3\nwidth 4\nmap\n.G@T\nSS@W\n..O.\n"


def load(tmp_path, name, data, **options):
    file = tmp_path / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_plan(file, **options)


def polygon(*rings):
    return {"type": "Polygon", "coordinates": list(rings)}


def feature(geometry, **properties):
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features):
    return json.dumps({"type": "FeatureCollection", "features": list(features)})


def svg(body, attributes='viewBox="0 0 100 50"'):
    spaces = (
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    )
    return f"<svg {spaces} {attributes}>{body}</svg>"
