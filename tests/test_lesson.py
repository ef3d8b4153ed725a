"""The lesson prints what it says, and its pictures are those that its code makes.

With WALKMESH_LESSON the pictures are written to that directory first: `make lesson`.
"""

import contextlib
import io
import os
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.image import imread
from PIL import Image

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "lesson.md").read_text()
PICTURES = re.findall(r"!\[[^]]+\]\(images/(lesson_\w+\.png)\)", PAGE)
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, flags=re.DOTALL)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """Run the page; return what its blocks printed, and the directory of its pictures."""
    made = tmp_path_factory.mktemp("lesson")
    names, printed = {}, []
    with contextlib.chdir(made):
        for code, _ in BLOCKS:
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(code, "lesson.md", "exec"), names)
            printed.append(output.getvalue())
    plt.close("all")
    if target := os.environ.get("WALKMESH_LESSON"):
        for picture in sorted(made.glob("*.png")):
            reduce(picture, Path(target) / picture.name)
    return printed, made


def reduce(source, target):
    """Write a picture with few colours, because it should be small."""
    with Image.open(source) as image:
        few = image.convert("RGB").quantize(64, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=0)
    few.save(target, optimize=True)


def test_the_lesson_prints_what_it_says(lesson):
    assert lesson[0] == [shown for _, shown in BLOCKS]


def test_the_lesson_shows_every_picture_that_it_makes(lesson):
    assert len(PICTURES) == 8
    assert sorted(PICTURES) == sorted(picture.name for picture in lesson[1].iterdir())
    assert sorted(PICTURES) == sorted(p.name for p in (DOCS / "images").glob("lesson_*"))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_that_the_code_makes(lesson, name):
    image = DOCS / "images" / name
    assert image.stat().st_size < 60_000
    shown, expected = imread(image)[:, :, :3], imread(lesson[1] / name)[:, :, :3]
    assert shown.shape == expected.shape
    assert np.abs(shown - expected).mean() < 0.01
