"""Files: one module for each format, scenes in, navmeshes in and out."""
