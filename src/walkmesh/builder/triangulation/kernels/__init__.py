"""Kernels of triangulations on an integer grid, where every turn is known exactly."""
