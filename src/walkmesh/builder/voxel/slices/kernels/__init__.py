"""Kernels of level regions: within a tile, merged over tiles, and joined."""
