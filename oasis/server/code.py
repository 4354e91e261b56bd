"""The code of the class: what it has to be like, who has typed it, and how guessing it is slowed."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from time import monotonic
from typing import Final

from oasis.classroom.people.guessing import MustWait, NotAdmitted, is_apart, wait_after
from oasis.classroom.people.passphrases import is_same
from tactics.errors import InputError

SHORTEST_CODE: Final = 8

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is read as another
_MOST: Final = 10_000
"""Addresses that are remembered; the one where a code was typed least lately is forgotten first."""
_FORGOTTEN: Final = 3600.0
"""Seconds after which a wrong code is no longer counted."""
_NONCE: Final = 16
"""Characters of a pass that make it another; the rest proves that it was given here."""


def made_up_code() -> str:
    """A code that nobody has thought of: one of 31⁸, which is 39.6 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(SHORTEST_CODE))


class ClassCode:
    """What has to be typed before anything is started.

    A pass is a nonce with its HMAC under a key of this run, so none has to be remembered.

    Args:
        code: the code; empty if everybody may come in.

    Raises InputError for a code that is too short.
    """

    def __init__(self, code: str) -> None:
        if code and len(code.strip()) < SHORTEST_CODE:
            raise InputError(f"The code of a class has at least {SHORTEST_CODE} characters; choose a longer one.")
        self._code, self._key = code.strip(), secrets.token_bytes(32)
        self._wrong: OrderedDict[str, dict[str, tuple[int, float]]] = OrderedDict()

    @property
    def is_needed(self) -> bool:
        """Whether there is a code."""
        return bool(self._code)

    def is_known_to(self, given: str) -> bool:
        """Whether a pass was given here; without a code nobody needs one."""
        expected = self._pass(given[:_NONCE])
        return not self.is_needed or hmac.compare_digest(given.encode(errors="replace"), expected.encode())

    def give_pass(self, typed: str, address: str, browser: str = "") -> str:
        """A pass for whoever has typed the code, in capitals or not.

        Wrong ones are counted for the browser; from an address where they came from many browsers, and without
        a browser that is known, for the address.

        Raises NotAdmitted for a wrong one, and MustWait after several.
        """
        now = monotonic()
        wrong = {key: each for key, each in self._wrong.pop(address, {}).items() if now - each[1] < _FORGOTTEN}
        key = browser if is_apart(browser, wrong) else ""
        count, last = wrong.get(key, (0, 0.0))
        seconds = wait_after(count, now - last)
        is_right = seconds <= 0 and is_same(typed.strip().casefold(), self._code.casefold())
        if is_right:
            wrong.pop(key, None)
        elif seconds <= 0:
            wrong[key] = count + 1, now
        if wrong:
            self._wrong[address] = wrong
            while len(self._wrong) > _MOST:
                self._wrong.popitem(last=False)
        if seconds > 0:
            raise MustWait(seconds)
        if not is_right:
            raise NotAdmitted("That is not the code of this class; try again.")
        return self._pass(secrets.token_urlsafe(12))

    def _pass(self, nonce: str) -> str:
        """The pass with a nonce."""
        content = nonce.encode(errors="replace")
        return content.decode() + hmac.digest(self._key, content, "sha256").hex()
