"""Kernels of queries on surfaces, apart from all others: they are compiled when first needed."""
