"""Rules of games as pure values: no clock, no chance of their own, no input or output."""
