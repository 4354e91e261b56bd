"""Reinforcement: networks that practise lemmas and learn from how their own plays end."""
