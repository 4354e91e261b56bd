"""What is said of proofs and times in the same words on a screen and in lines of text."""

from __future__ import annotations

from datetime import datetime


def moves(number: int) -> str:
    """So many moves."""
    return "one move" if number == 1 else f"{number:,} moves"


def proved(made: int) -> str:
    """That a lemma is proved, in so many moves."""
    return f"Proved in {moves(made)}."


def compared(made: int, shortest: int | None) -> list[str]:
    """What a proof of so many moves is beside the shortest; nothing as long as that is not known."""
    if shortest is None:
        return []
    return ["No proof is shorter." if made == shortest else f"The shortest proof has {moves(shortest)}."]


def clock(seconds: float) -> str:
    """A length of time, as 5:02 or 1:05:02."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def when(stamp: str) -> str:
    """A time that was kept, to the second, as clocks here show it."""
    return f"{datetime.fromisoformat(stamp).astimezone():%Y-%m-%d %H:%M:%S}"
