"""Kernels of the exact method."""
