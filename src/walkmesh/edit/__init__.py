"""What makes a new navmesh of another: painted areas, further links, only what can be reached."""
