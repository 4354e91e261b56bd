"""What is said of proofs in the same words on a screen and in lines of text."""

from __future__ import annotations


def moves(number: int) -> str:
    """So many moves."""
    return "one move" if number == 1 else f"{number:,} moves"
