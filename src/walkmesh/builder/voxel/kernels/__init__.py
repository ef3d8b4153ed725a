"""Kernels of the voxel method."""
