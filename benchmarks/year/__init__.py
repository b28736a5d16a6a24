"""A year of a host: what happens in it, who plays, and a judge who counts from mails and records alone."""
