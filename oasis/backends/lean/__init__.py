"""Lean: running it, scripts as its terms, the referee, and an adapter over LeanDojo."""
