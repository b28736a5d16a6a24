"""A host that is left alone while many games are played: its memory and its open files may not grow."""
