"""Where the real scenes are, which are too large to be part of the repository."""

from pathlib import Path

import pytest

SCENES = Path(__file__).resolve().parents[3] / "shared" / "scenes"

needs_scenes = pytest.mark.skipif(
    not SCENES.is_dir(), reason=f"the real scenes are not there: {SCENES}"
)
