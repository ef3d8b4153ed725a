"""Kernels of the queries, compiled at the first question to a navmesh."""
