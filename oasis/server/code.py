"""The code of the class: what it has to be like, who has typed it, and how guessing it is slowed."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from time import monotonic
from typing import Final

from oasis.classroom.people.guessing import MustWait, NotAdmitted, delay_after, is_apart, wait_after
from oasis.classroom.people.passphrases import is_same
from tactics.errors import InputError

SHORTEST_CODE: Final = 8

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is read as another
_MOST: Final = 10_000
"""Addresses that are remembered; the one where a code was typed least lately is forgotten first."""
LONGEST_DELAY: Final = 5.0
"""Seconds after which a code is looked at where others have typed wrong ones; with 100 connections, 20 a second."""
_FORGOTTEN: Final = 3600.0
"""Seconds after which a wrong code is no longer counted."""
_NONCE: Final = 16
"""Characters of a pass that make it another; the rest proves that it was given here."""


def made_up_code(secret: bytes) -> str:
    """A code that nobody has thought of: one of 31⁸, which is 39.6 bits, and of a class always the same.

    Args:
        secret: of the file of the class.
    """
    number = int.from_bytes(hmac.digest(secret, b"the code of the class", "sha256"), "big")
    return "".join(_LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] for place in range(SHORTEST_CODE))


def check_code(code: str) -> None:
    """Raises InputError for a code that is too short."""
    if code and len(code.strip()) < SHORTEST_CODE:
        raise InputError(f"The code of a class has at least {SHORTEST_CODE} characters; choose a longer one.")


class ClassCode:
    """What has to be typed before anything is started.

    A pass is a nonce with its HMAC under a key of this class and this code, so none has to be remembered, and it is
    good for the next server of the class, too. By the nonce a browser is known as long as it runs.

    Args:
        code: the code; empty if everybody may come in.
        secret: of the file of the class.

    Raises InputError for a code that is too short.
    """

    def __init__(self, code: str, secret: bytes) -> None:
        check_code(code)
        self._code = code.strip()
        self._key = hmac.digest(secret, f"passes for {self._code.casefold()}".encode(errors="surrogatepass"), "sha256")
        self._wrong: OrderedDict[str, dict[str, tuple[int, float]]] = OrderedDict()

    @property
    def is_needed(self) -> bool:
        """Whether there is a code."""
        return bool(self._code)

    def is_known_to(self, given: str) -> bool:
        """Whether who has this pass may come in; without a code nobody needs one."""
        return not self.is_needed or bool(self.session_of(given))

    def session_of(self, given: str) -> str:
        """By what a browser with this pass is known; empty if it was not given for this class and this code."""
        nonce = given[:_NONCE]
        is_ours = hmac.compare_digest(given.encode(errors="replace"), self._pass(nonce).encode(errors="replace"))
        return nonce if is_ours else ""

    def fresh_pass(self) -> str:
        """A pass that nobody has."""
        return self._pass(secrets.token_urlsafe(12))

    def delay(self, address: str, browser: str = "") -> float:
        """After how many seconds a code from there is looked at, right or wrong, if others may have typed wrong ones.

        A browser that is counted by itself is told to wait instead, by `give_pass`.
        """
        wrong, now = self._wrong_at(address), monotonic()
        if is_apart(browser, wrong) and browser:
            return 0.0
        count, last = wrong.get("", (0, now))
        return delay_after(count, now - last, LONGEST_DELAY)

    def give_pass(self, typed: str, address: str, browser: str = "") -> str:
        """A pass for whoever has typed the code, in capitals or not.

        Wrong ones are counted for the browser; from an address where they came from many browsers, and without a
        browser that is known, for the address: there nobody is refused, but each code is looked at after a `delay`.

        Raises NotAdmitted for a wrong one, and MustWait after several in this browser.
        """
        wrong, now = self._wrong_at(address), monotonic()
        key = browser if is_apart(browser, wrong) else ""
        count, last = wrong.get(key, (0, 0.0))
        seconds = wait_after(count, now - last) if key else 0.0
        if seconds > 0:
            raise MustWait(seconds)
        is_right = is_same(typed.strip().casefold(), self._code.casefold())
        if is_right:
            wrong.pop(key, None)
        else:
            wrong[key] = count + 1, now
        self._wrong.pop(address, None)
        if wrong:
            self._wrong[address] = wrong
            while len(self._wrong) > _MOST:
                self._wrong.popitem(last=False)
        if not is_right:
            raise NotAdmitted("That is not the code of this class; try again.")
        return self.fresh_pass()

    def _wrong_at(self, address: str) -> dict[str, tuple[int, float]]:
        """How many wrong codes each browser at an address has typed, and when the last, as far as that counts still."""
        now = monotonic()
        return {key: each for key, each in self._wrong.get(address, {}).items() if now - each[1] < _FORGOTTEN}

    def _pass(self, nonce: str) -> str:
        """The pass with a nonce."""
        content = nonce.encode(errors="replace")
        return content.decode() + hmac.digest(self._key, content, "sha256").hex()
