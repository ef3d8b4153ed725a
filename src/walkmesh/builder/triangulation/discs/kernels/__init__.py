"""Kernels that triangulate discs by ears, and with the least surface."""
