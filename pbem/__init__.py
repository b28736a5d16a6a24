"""A play-by-email game host."""
