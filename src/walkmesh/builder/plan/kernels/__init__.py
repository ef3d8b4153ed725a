"""Kernels of floor plans."""
