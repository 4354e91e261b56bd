"""Evolutionary proof search: a population of drafts, rated against each other and developed further."""
