"""Looking at scenes, navmeshes and paths."""
