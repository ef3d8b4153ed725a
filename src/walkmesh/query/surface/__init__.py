"""Queries on navmeshes of surfaces, whose polygons lie at any angle, each with its own up."""
