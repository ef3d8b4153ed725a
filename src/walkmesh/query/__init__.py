"""Questions to a navmesh: where am I, and how do I get there."""
