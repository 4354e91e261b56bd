"""Whoever plays: what may be done in a state, who proposes moves, and what that proves."""
