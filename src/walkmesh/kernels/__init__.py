"""The loops that numba compiles: numpy and numba only, no Python objects, no exceptions.

Arrays come in C-contiguous and are never changed unless they are declared as output; ids are
int32, coordinates float64. A kernel that can fail returns a status code. Everything else about
kernels (declaring, caching, compiling ahead) is in :mod:`walkmesh.kernels.kernel` and
:mod:`walkmesh.kernels.warmup`.
"""
