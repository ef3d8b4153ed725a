"""Paths that keep any distance from the boundary, on one navmesh for all agents."""
