"""Queries on navmeshes of ground, whose polygons are seen from above."""
