"""Level regions: the ground partitioned into slices, with links where there are steps."""
