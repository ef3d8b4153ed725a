"""A real browser, without a window, for tests of the page."""

import io
import os
import re
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

# Where screenshots for the documentation go; nowhere unless told.
SCREENSHOTS = os.environ.get("WALKMESH_SCREENSHOTS")

NAMES = ("chromium", "google-chrome")
# Without a graphics card the browser draws by itself.
FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
)
# A browser that draws by itself beside other tests takes its time. [s]
PATIENCE = float(os.environ.get("WALKMESH_PATIENCE", "90"))


def find_browser():
    """Return the path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched():
    """Give a browser, or skip."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium is installed; `make test` installs one")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


class Tab:
    """A page of a viewer in a tab of the browser.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    viewer : walkmesh.viewer.view.Viewer
    size : tuple of int
        Small pages are drawn faster. [Unit: pixels]
    """

    def __init__(self, browser, viewer, size=(1000, 640)):
        self.viewer = viewer
        self.errors = []
        before = set(viewer._server.get_clients())
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(viewer.url)
        self.page.get_by_role("button", name="Generate").wait_for(timeout=1000 * PATIENCE)
        self.page.get_by_text("Software WebGL").first.wait_for(timeout=1000 * PATIENCE)
        self.page.locator(".mantine-Notification-closeButton").first.click()
        wait_until(lambda: set(viewer._server.get_clients()) - before)
        self.client = viewer._server.get_clients()[max(set(viewer._server.get_clients()) - before)]

    def close(self):
        self.page.close()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def open_tab(self, name):
        self.page.get_by_role("tab", name=name, exact=True).click()

    def open_folder(self, name, button):
        """Open a folder, and wait until a button in it has come to rest."""
        self.page.get_by_text(name, exact=True).click()
        self.button(button).wait_for(timeout=1000 * PATIENCE)
        places = [None]

        def at_rest():
            self.page.wait_for_timeout(300)
            places.append(self.button(button).bounding_box())
            return places[-1] is not None and places[-1] == places[-2]

        wait_until(at_rest)

    def words(self, name):
        """Return the text that the page shows under a name."""
        found = self.page.locator(f'[data-walkmesh="{name}"]')
        return found.first.inner_text() if found.count() else ""

    def wait_for(self, name, pattern):
        """Wait until the text under a name matches a pattern, and return it."""
        wait_until(lambda: re.search(pattern, self.words(name)), lambda: self.words(name))
        return self.words(name)

    def control(self, label):
        """Return the input that a label is for."""
        found = self.page.locator(f'label:text-is("{label}"):visible')
        return self.page.locator(f'[id="{found.get_attribute("for")}"]')

    def set_slider(self, label, value):
        """Type a number into the box beside a slider."""
        box = self.control(label).locator("xpath=following-sibling::*//input")
        box.fill(str(value))
        box.press("Enter")

    def set_number(self, label, value):
        """Type a number into a box."""
        self.control(label).fill(str(value))

    def choose(self, label, word):
        """Choose a word from a list."""
        self.control(label).click()
        self.page.get_by_role("option", name=word, exact=True).click()

    def upload(self, path):
        """Open a file through the page."""
        self.open_tab("File")
        self.page.locator("input[type=file]").set_input_files(str(path))

    def drop(self, path):
        """Drop a file onto the middle of the page, as from a folder of the desktop."""
        content = list(Path(path).read_bytes())
        files = self.page.evaluate_handle(
            """([content, name]) => {
                const files = new DataTransfer();
                files.items.add(new File([new Uint8Array(content)], name));
                return files;
            }""",
            [content, Path(path).name],
        )
        for event in ("dragover", "drop"):
            self.page.dispatch_event("canvas", event, {"dataTransfer": files})

    def download(self, button):
        """Click a button, and return the file that it saves."""
        with self.page.expect_download(timeout=1000 * PATIENCE) as download:
            self.button(button).click()
        return download.value

    def canvas_size(self):
        """Return width and height of what the browser draws the scene on, in pixels."""

        def boxes():
            found = (canvas.bounding_box() for canvas in self.page.locator("canvas").all())
            return list(filter(None, found))

        wait_until(boxes, lambda: "no canvas")  # a page that was just opened has none yet
        box = max(boxes(), key=lambda box: box["width"] * box["height"])
        return box["width"], box["height"]

    def picture(self):
        """Return the page left of its panel and above its axes, (h, w, 3) from 0 to 255."""
        width, height = self.canvas_size()
        clip = {"x": 0, "y": 0, "width": width - 10, "height": height - 80}
        pixels = imread(io.BytesIO(self.page.screenshot(clip=clip)), format="png")
        return np.round(pixels[:, :, :3] * 255.0).astype(int)

    def wait_for_pixels(self, kind, least, most=None):
        """Wait until so many pixels are of a kind, and return how many there are."""

        def found():
            count = int(kind(*np.moveaxis(self.picture(), 2, 0)).sum())
            return least <= count and (most is None or count <= most)

        wait_until(found, lambda: int(kind(*np.moveaxis(self.picture(), 2, 0)).sum()))
        return int(kind(*np.moveaxis(self.picture(), 2, 0)).sum())

    def screen(self, place):
        """Return where on the screen a place of the world is, in pixels."""
        page_frame = self.viewer.page.document.page_frame
        camera = self.client.camera
        to_camera = _rotation(camera.wxyz).T @ (
            page_frame.to_page(np.array(place, dtype=float)) - camera.position
        )
        width, height = self.canvas_size()
        focal = height / 2.0 / np.tan(camera.fov / 2.0)
        x, y = focal * to_camera[:2] / to_camera[2]
        return x + width / 2.0, y + height / 2.0

    def click(self, place):
        """Click a place of the world."""
        self.page.mouse.click(*self.screen(place))

    def screenshot(self, name):
        """Save the whole page for the documentation, if someone wants it."""
        if SCREENSHOTS:
            self.page.screenshot(path=str(Path(SCREENSHOTS) / name))


def _rotation(wxyz):
    w, x, y, z = wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def wait_until(condition, tell=lambda: ""):
    """Wait until something is so; fail, telling what is, if that takes too long."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, tell()
        time.sleep(0.1)


def is_blue(red, green, blue):
    """Tell which pixels are of the navmesh: its largest component."""
    return (blue > red + 60) & (green > red + 30) & (blue >= green)


def is_vermilion(red, green, blue):
    """Tell which pixels are of paths, and of missed ground."""
    return (red > blue + 90) & (red > green + 50)


def is_grey(red, green, blue):
    """Tell which pixels are of the scene, and not of the white page."""
    spread = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return (spread < 12) & (red < 240)
