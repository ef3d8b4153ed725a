"""walkmesh: navigation meshes from any triangle soup, and paths on them.

>>> import walkmesh as wm
>>> scene = wm.samples.house()
>>> navmesh = wm.build(scene, wm.Agent(height=1.8, radius=0.3))
>>> navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL).status
'complete'
"""

import lazy_loader

__version__ = "0.1.0"

# What `walkmesh --help` or a path needs is imported, and no more. __init__.pyi is the list.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
