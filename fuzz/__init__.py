"""Fuzzers: files, builds and queries with hostile input, each case alone against crash and hang.

``python -m fuzz files --minutes 30`` runs cases from a seed on; a case is made of its number alone,
so ``python -m fuzz files --case 1234`` runs one again, in this process.
"""
