"""Patience with those who do not know a passphrase: wrong ones are counted in the store, and guessing is slowed.

They are counted for whom they were typed and for where they came from, so starting again, another tab, or asking in
many processes at once does not make guessing faster. A browser in which somebody came in before is counted by itself:
whoever types wrong passphrases for Ada elsewhere never keeps Ada waiting where she works. Of the other browsers at an
address the first few are counted by themselves, too, and whoever is has to wait after wrong ones. All other browsers
there are counted together, for somebody who makes up browsers would otherwise never wait; but it need not be they who
typed what was wrong, so nobody of them is refused: each passphrase is looked at some seconds later, right or wrong. So
guessing is slowed, and who types the right one at the same address comes in. The teacher's are counted so for the whole
class instead of an address.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from time import sleep
from typing import Final, NamedTuple, Self

from oasis.classroom.clock import now
from oasis.classroom.people.names import name_key
from oasis.classroom.people.passphrases import is_right
from oasis.store import Secret, Store
from tactics.errors import InputError

TEACHER: Final = "teacher"

BROWSERS_APART: Final = 5
"""Browsers at one address that are counted by themselves."""
LONGEST_DELAY: Final = 20.0
"""Seconds after which a passphrase is looked at where others have typed wrong ones; with 30 tabs, 3 in 2 seconds."""
_FREE_TRIES: Final = 3
_LONGEST_WAIT: Final = 60.0
_FORGOTTEN: Final = timedelta(days=1)
"""After which nobody has to wait any more for what is still counted."""


class NotAdmitted(InputError):
    """Somebody who may not come in, or not yet; the text says what to do."""


class MustWait(NotAdmitted):
    """Too many wrong passphrases; `seconds` says for how long none is looked at."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        unit = "second" if self.seconds == 1 else "seconds"
        super().__init__(f"There were too many wrong tries; wait {self.seconds} {unit}, and try again.")


class Origin(NamedTuple):
    """From where somebody comes.

    Attributes:
        address: of their machine, as it is counted.
        browser: what their browser is known by, of no other; empty if it is not.
        session: what it is known by as long as it runs, which nobody else can know; empty at a terminal.
        tab: what the tab is known by in it, empty if it is not.
    """

    address: str = ""
    browser: str = ""
    session: str = ""
    tab: str = ""

    @classmethod
    def of_account(cls, account: str | None) -> Self:
        """The account of a user of this machine, who is known by it; None for nobody in particular."""
        return cls() if account is None else cls(f"account {account}", f"account {account}")


UNKNOWN: Final = Origin()
"""From where nobody says."""


def nobody(store: Store, name: str) -> tuple[str, Secret]:
    """For whom wrong passphrases for a name that is not on the list are counted, and a hash of none.

    These are a few, so that strange names do not fill the store, and say nothing about a name, which may be a
    passphrase that was typed in the wrong line.
    """
    drawn = lot(store, name_key(name))
    return f"nobody {drawn[:2].hex()}", Secret(drawn[:16], bytes(64))


def check(store: Store, person: str, origin: Origin, passphrase: str, kept: Secret, otherwise: str) -> None:
    """Raises NotAdmitted unless a passphrase is the right one.

    Args:
        store: where wrong ones are counted.
        person: for whom.
        origin: from where.
        passphrase: as typed.
        kept: of the right one.
        otherwise: what is said of a wrong one, without a full stop.
    """
    key, is_shared = _key(store, person, origin)
    refusals = store.refusals(key)
    if is_shared and refusals is not None:
        sleep(delay_after(refusals[0], _elapsed(refusals[1]), LONGEST_DELAY))
    if not is_shared:
        wait(store, key)  # so that guessing does not keep the machine busy either
    right = is_right(passphrase, kept.salt, kept.hash)
    store.forget_refusals((datetime.now(UTC) - _FORGOTTEN).isoformat(timespec="milliseconds"))
    with store.together():  # else many who ask at once would each be among the first browsers
        key, is_shared = _key(store, person, origin)
        seconds = store.settle(key, right=right, at=now(), wait=_no_seconds if is_shared else _seconds_left)
    if seconds > 0:
        raise MustWait(seconds)
    if not right:
        raise NotAdmitted(f"{otherwise}.")
    know(store, person, origin)


def wait(store: Store, key: str) -> None:
    """Raises MustWait while no answer is looked at."""
    refusals = store.refusals(key)
    if refusals is not None and (seconds := _seconds_left(*refusals)) > 0:
        raise MustWait(seconds)


def know(store: Store, person: str, origin: Origin) -> None:
    """Remember that somebody has come in from there, if the browser can be known again."""
    if origin.browser:
        store.know_browser(person, _browser(store, origin), now())


def wait_after(wrong: int, elapsed: float) -> float:
    """How many seconds no answer is looked at: 1, 2, 4, … up to 60 from the third wrong one in a row on.

    Args:
        wrong: how many in a row were wrong.
        elapsed: seconds since the last of them; below 0 if a clock was put back, which keeps nobody out.
    """
    if wrong < _FREE_TRIES or elapsed < 0:
        return 0.0
    return max(0.0, min(2.0 ** min(wrong - _FREE_TRIES, 16), _LONGEST_WAIT) - elapsed)


def delay_after(wrong: int, elapsed: float, longest: float) -> float:
    """How many seconds later an answer is looked at where not only this person may have given wrong ones.

    Args:
        wrong: how many in a row were wrong there.
        elapsed: seconds since the last of them; after a minute nobody is slowed.
        longest: the most that it may be.
    """
    return min(wait_after(wrong, 0.0), longest) if 0 <= elapsed < _LONGEST_WAIT else 0.0


def is_apart(browser: str, wrong: Collection[str]) -> bool:
    """Whether a browser is counted by itself, if there are wrong ones of these at its address."""
    return browser in wrong or len(wrong) < BROWSERS_APART


def _elapsed(last: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(last)).total_seconds()


def _seconds_left(wrong: int, last: str) -> float:
    return wait_after(wrong, _elapsed(last))


def _no_seconds(wrong: int, last: str) -> float:
    return 0.0


def _key(store: Store, person: str, origin: Origin) -> tuple[str, bool]:
    """Under which key a wrong passphrase for somebody is counted if it comes from there; whether others' are, too."""
    browser = _browser(store, origin)
    if browser and store.knows_browser(person, browser):
        return f"{person} in {browser}", False
    is_anywhere = person == TEACHER or not origin.address
    place = person if is_anywhere else f"{person} from {lot(store, origin.address)[:12].hex()}"
    key = f"{place} by {browser}"
    if browser and is_apart(key, store.refused(f"{place} by ")):
        return key, False
    return place, bool(origin.address)


def _browser(store: Store, origin: Origin) -> str:
    """By what the store knows a browser; empty for none."""
    return lot(store, origin.browser)[:12].hex() if origin.browser else ""


def lot(store: Store, text: str) -> bytes:
    """32 bytes for a text, from which nobody finds the text who has not the file."""
    return hmac.digest(store.secret(), text.encode(errors="surrogatepass"), "sha256")
