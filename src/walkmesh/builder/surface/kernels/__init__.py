"""Kernels of the surface method."""
