"""Finding things: trees of boxes, hash tables, heaps."""
