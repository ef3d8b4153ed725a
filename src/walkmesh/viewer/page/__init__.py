"""The page: a scene and its navmesh in the browser, to build, look at, walk on and save."""
