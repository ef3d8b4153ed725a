"""Kernels of the bridges; numpy and numba only."""
