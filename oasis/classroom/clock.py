"""The time, as everything that happens in a classroom is stamped with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def utc() -> datetime:
    """The time."""
    return datetime.now(UTC)


def now() -> str:
    """The time to the millisecond, as events are stamped with it."""
    return utc().isoformat(timespec="milliseconds")


def is_stamp(text: str) -> bool:
    """Whether this is a time as `now` writes it, from 1970 to tomorrow: clocks differ, but not by years."""
    try:
        time = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return False
    return time.isoformat(timespec="milliseconds") == text and _FIRST <= time <= utc() + timedelta(days=1)
