"""Oasis: an artificial student that learns to prove theorems of intuitionistic propositional logic."""
