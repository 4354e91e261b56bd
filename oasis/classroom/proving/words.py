"""What is said of proofs and times in the same words on a screen and in lines of text."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Final

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import POINTS, SLIPS

_NUMBERS: Final = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def moves(number: int) -> str:
    """So many moves."""
    return "one move" if number == 1 else f"{number:,} moves"


def stopped(number: int, count: int) -> str:
    """Which of several moves was not made, from 1; empty where it was the only one."""
    before = ("", "; the move before it stands")[number - 1] if number < 3 else f"; the {number - 1:,} before it stand"
    return f"Stopped at move {number:,} of {count:,}{before}." if count > 1 else ""


def attempts(number: int) -> str:
    """So many attempts."""
    return "one attempt" if number == 1 else f"{number:,} attempts"


def proved(made: int) -> str:
    """That a lemma is proved, in so many moves."""
    return f"Proved in {moves(made)}."


def compared(made: int, shortest: int | None) -> list[str]:
    """What a proof of so many moves is beside the shortest; nothing as long as that is not known."""
    if shortest is None:
        return []
    return ["No proof is shorter." if made == shortest else f"The shortest proof has {moves(shortest)}."]


def worth(points: int, attempt: Attempt, helped: int, slips: int, *, listed: bool, late: datetime | None = None) -> str:
    """What an exercise is worth by now, and what points were lost for.

    Args:
        points: that it is worth.
        attempt: the one that is worked on.
        helped: how much help was taken in all attempts, also those before.
        slips: how many there were in all of them.
        listed: whether the list of moves was asked for in any.
        late: when it was due, if it is late.
    """
    lost = [
        _counted(attempt.hints_counted, "hint"),
        _counted(attempt.wrong_claims, "wrong claim"),
        _counted(attempt.given, "move of somebody else's", "moves of somebody else's"),
        "earlier help" if helped > attempt.helped else "",
        _counted(slips, "slip"),
        "the list" if listed else "",
    ]
    told = ", ".join(filter(None, lost))
    missed = "" if late is None else f"; late, as it was due {minute(late)}"
    return f"{points} of {POINTS} points{f': {told}' if told else ''}{missed}"


def cost(points: int, *, is_done: bool = False) -> str:
    """So many points as what something costs; where that is none it is told whether the lemma is done already."""
    if not points:
        return "nothing, as this lemma is done" if is_done else "nothing"
    return "a point" if points == 1 else f"{_number(points)} points"


def slip(now: int, later: int) -> str:
    """What is said of a slip.

    Args:
        now: the points that it costs.
        later: the points that as many slips would cost as cost one, where points can be lost.
    """
    if not later:
        return "That is a slip, which costs nothing any more."
    told = f"every {'second' if SLIPS == 2 else f'{SLIPS}th'} one costs a point"
    return f"That is a slip, and {told}: this one does." if now else f"That is a slip; {told}."


def _number(number: int) -> str:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else f"{number:,}"


def _counted(number: int, one: str, more: str = "") -> str:
    """So many of something, empty for none."""
    return "" if number <= 0 else f"a {one}" if number == 1 else f"{_number(number)} {more or f'{one}s'}"


def clock(seconds: float) -> str:
    """A length of time, as 5:02 or 1:05:02."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def day(stamp: str | None) -> str:
    """The day of a time that was kept, as calendars here have it; empty for none."""
    return "" if stamp is None else when(stamp)[:10]


def minute(time: datetime) -> str:
    """A time to the minute, as clocks here show it."""
    return f"{time.astimezone():%Y-%m-%d %H:%M}"


def when(stamp: str) -> str:
    """A time that was kept, to the second, as clocks here show it; as it was kept where no clock here gets that far."""
    time = datetime.fromisoformat(stamp)
    with suppress(OverflowError):
        time = time.astimezone()
    return time.replace(tzinfo=None).isoformat(" ", "seconds")
