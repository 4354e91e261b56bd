"""Comparing ladders: what is proved by a table, a search, a network, or one after the other, in the same time."""
