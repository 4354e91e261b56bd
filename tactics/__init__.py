"""Intuitionistic propositional logic: formulas, goals, the twelve rules, proof scripts."""
