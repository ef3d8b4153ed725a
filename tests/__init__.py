"""Tests of walkmesh, in folders as src/walkmesh has them."""
