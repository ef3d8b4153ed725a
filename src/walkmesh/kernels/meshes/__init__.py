"""Meshes: which corners are one vertex, which edges are one edge, and what hangs together."""
