"""What tests are made of: scenes, plans, navmeshes, files, and a browser."""
