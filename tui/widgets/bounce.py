"""Fingers that slip: a key that comes twice in a moment where it was meant once."""

from __future__ import annotations

from typing import Final

from textual.events import Key

MOMENT: Final = 0.3
"""Seconds, by the times of the keys themselves, which do not depend on how busy the machine is."""


class Bounce:
    """The last key that did something, and when it was pressed."""

    def __init__(self) -> None:
        self._key, self._when = "", 0.0

    def is_one(self, event: Key, *, does: bool, means: bool, runs: bool = False) -> bool:
        """Whether a key is the last one once more within a moment, and nobody can mean its second time.

        Args:
            event: the key.
            does: whether it would do something now; if so it is noted.
            means: whether somebody can have wanted just that so soon.
            runs: whether it is pressed again and again, so that once too often is a slip of the finger at any time.
        """
        again = event.key == self._key and (runs or event.time - self._when <= MOMENT) and not means
        if again or does:
            self._key, self._when = event.key, event.time  # of a key that is held down, one after the other
        else:
            self._key = ""
        return again
