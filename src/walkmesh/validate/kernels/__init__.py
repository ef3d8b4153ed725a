"""Kernels that validate navmeshes of surfaces, compiled the first time that one is validated."""
