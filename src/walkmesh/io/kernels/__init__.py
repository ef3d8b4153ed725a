"""Kernels of file formats."""
