"""Points, lines, polygons and planes: which side, how far, what is left of them."""
