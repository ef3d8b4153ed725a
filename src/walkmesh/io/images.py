"""Images of floors: white is free, everything darker is blocked."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.extras import require
from walkmesh.io.drawing import Drawing
from walkmesh.io.occupancy import free_shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image


# What is known to be free, and what is not known counts as blocked: the value of ROS's map_saver,
# which writes the unknown as 205 of 255.
FREE_THRESHOLD = 0.196

# By suffix, what Pillow is to expect; it knows others that run programs to be read.
_FORMATS = {
    ".png": "PNG",
    ".pgm": "PPM",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
}
IMAGE_SUFFIXES = tuple(_FORMATS)


class GreyImage(NamedTuple):
    """An image in shades of grey.

    Attributes
    ----------
    shades : (rows, columns) float32
        From 0 for black to 1 for white; the first row is the highest.
    opaque : (rows, columns) bool
        What is not transparent in the least.
    """

    shades: NDArray[np.float32]
    opaque: NDArray[np.bool_]


def read_image(data: bytes, scale: float) -> Drawing:
    """Read the free pixels of an image, each `scale` metres wide, from (0, 0) at the lower left."""
    picture = read_picture(data)
    free = picture.opaque & (1.0 - picture.shades < FREE_THRESHOLD)
    return Drawing(free_shapes(free[::-1], scale))


def read_picture(data: bytes) -> GreyImage:
    """Read an image of any kind that is known, whatever the file is called."""
    require("PIL", "images")
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Pillow can mend, and large images
            with Image.open(io.BytesIO(data), formats=sorted({*_FORMATS.values()})) as image:
                return _picture(image)
    except SceneError:
        raise
    except UnidentifiedImageError:
        kinds = ", ".join(sorted({*_FORMATS.values()}))
        raise SceneError(f"it is cut off, or not a supported image ({kinds})") from None
    except Image.DecompressionBombError:
        most = 2 * (Image.MAX_IMAGE_PIXELS or 0)
        raise SceneError(f"it claims more pixels than the {most} that are read") from None
    except MemoryError:
        raise
    except Exception as error:  # Pillow's formats raise many kinds for what is damaged
        raise SceneError(f"its image cannot be read: {' '.join(str(error).split())}") from None


def _picture(image: Image.Image) -> GreyImage:
    if image.mode == "F":
        raise SceneError("its pixels are of floating point, without a black and a white")
    if image.mode.startswith("I"):  # 16 bits a pixel
        values = np.asarray(image)
        return GreyImage(_shades(values, 65535.0), values != _transparent(image))
    if image.mode in ("1", "L"):
        transparent = _transparent(image)
        values = np.asarray(image.convert("L"))
        return GreyImage(_shades(values), values != transparent)
    pixels = np.asarray(image.convert("RGBA"))
    return GreyImage(_shades(pixels[..., :3].mean(axis=2, dtype=np.float32)), pixels[..., 3] == 255)


def _transparent(image: Image.Image) -> int:
    """Return the shade of grey that is transparent, as PNG has it; -1 for none."""
    shade = image.info.get("transparency")
    if not isinstance(shade, int):
        return -1
    # Pillow spreads shades of 2 and 4 bits over 8, but not this one.
    tiles = getattr(image, "tile", ())
    packing = str(tiles[0][3]) if tiles else ""
    return shade * {"L;2": 85, "L;4": 17}.get(packing, 1)


def _shades(
    values: NDArray[np.integer[Any]] | NDArray[np.float32], white: float = 255.0
) -> NDArray[np.float32]:
    shades: NDArray[np.float32] = values.astype(np.float32) / np.float32(white)
    return np.clip(shades, np.float32(0.0), np.float32(1.0))
