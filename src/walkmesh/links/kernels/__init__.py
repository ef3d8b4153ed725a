"""Kernels that find links, compiled the first time that someone looks for some."""
