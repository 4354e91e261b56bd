"""The time, as everything that happens in a classroom is stamped with it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time to the millisecond, as events are stamped with it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def is_stamp(text: str) -> bool:
    """Whether this is a time as `now` writes it."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds") == text
    except (ValueError, OverflowError):
        return False
