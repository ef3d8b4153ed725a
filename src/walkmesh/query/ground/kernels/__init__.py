"""Kernels of queries on the ground."""
