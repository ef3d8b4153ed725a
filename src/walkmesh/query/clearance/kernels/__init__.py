"""Kernels of paths with clearance, apart from all others: they are compiled when first needed."""
