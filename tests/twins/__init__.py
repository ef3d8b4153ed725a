"""Slow, obvious twins of what walkmesh does fast, and referees that share no code with it."""
