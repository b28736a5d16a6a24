"""Programs to begin with: each is complete, and shares nothing with the host."""
