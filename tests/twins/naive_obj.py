"""Slow, obvious twins of the fast kernels."""

import re


def read_obj(text):
    """Return the vertices and the faces (lists of vertex ids from 0) of an OBJ file."""
    vertices, faces = [], []
    lines = re.split("[\r\n]", re.sub(r"\\(\r\n|\r|\n)", " ", text))
    for line in lines:
        words = line.split("#")[0].split()
        if words and words[0] == "v":
            vertices.append([float(word) for word in words[1:4]])
        elif words and words[0] == "f":
            indices = [int(word.split("/")[0]) for word in words[1:]]
            faces.append([i - 1 if i > 0 else len(vertices) + i for i in indices])
    return vertices, faces
