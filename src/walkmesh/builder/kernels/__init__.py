"""Kernels that several ways to build share."""
