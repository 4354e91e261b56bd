"""Passphrases: made up for somebody, hashed, and compared; a hash is salted scrypt (RFC 7914).

Whose they are, who is let in with them, and how guessing is slowed is not known here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import Final

from tactics.errors import InputError

SHORTEST: Final = 8

_COST: Final = 2**15
_CONSONANTS: Final = "bdfghkmnprstvwxyz"
_VOWELS: Final = "aeiou"
_GROUP: Final = (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS)
"""Syllables can be read aloud; no c, j, l and q, and no digits, so that nothing sounds or looks like something else."""
_GROUPS: Final = 3
_MADE_UP: Final = re.compile("".join(f"[{letters}]" for letters in _GROUP) * _GROUPS)
"""The letters of a passphrase that was made up."""


def made_up() -> str:
    """A passphrase that nobody has thought of, as in `bamik-tuzor-wegan`: one of 17⁹·5⁶, which is 50.7 bits."""
    return "-".join("".join(map(secrets.choice, _GROUP)) for _ in range(_GROUPS))


def check_new(passphrase: str) -> None:
    """Raises InputError for a passphrase that is too short to be chosen."""
    if len(passphrase) < SHORTEST:
        raise InputError(f"A passphrase has at least {SHORTEST} characters; choose a longer one.")


def hashed(passphrase: str) -> tuple[bytes, bytes]:
    """A salt and the hash; some 0.1 seconds of work."""
    salt = secrets.token_bytes(16)
    return salt, _scrypt(passphrase, salt)


def is_right(passphrase: str, salt: bytes, digest: bytes) -> bool:
    """Whether this is the passphrase that was hashed; as much work again."""
    return hmac.compare_digest(_scrypt(passphrase, salt), digest)


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same, found out in a time that does not tell where they differ."""
    return hmac.compare_digest(_normal(one), _normal(other))


def tries_of(student_id: int) -> str:
    """The key under which the wrong passphrases for a student are counted."""
    return f"student {student_id}"


def _scrypt(passphrase: str, salt: bytes) -> bytes:
    """With 32 MiB of memory."""
    return hashlib.scrypt(_normal(passphrase), salt=salt, n=_COST, r=8, p=1, maxmem=2**26)


def _normal(text: str) -> bytes:
    """However the keyboard composes accents; what was made up also in capitals, and with other signs between groups."""
    text = unicodedata.normalize("NFKC", text)
    letters = re.sub(r"[\W_]", "", text.lower())
    if _MADE_UP.fullmatch(letters):
        text = "-".join(letters[at : at + len(_GROUP)] for at in range(0, len(letters), len(_GROUP)))
    return text.encode(errors="surrogatepass")
