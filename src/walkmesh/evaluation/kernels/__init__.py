"""Kernels of the ground truth, apart from all others: they share nothing with the build."""
