"""What must hold of results, and ways into the stages that make them."""
