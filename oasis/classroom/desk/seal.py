"""Seals: by which the file of a class knows an attempt again that was made in it and not changed since.

A seal is an HMAC-SHA256 (RFC 2104) by the key of that file, over the number of the student there, which another name
does not change, and everything that is told of the attempt. Nobody makes one without the key, and whoever can read
the file itself has it: in a served classroom no student, on a machine where all open the same file everybody who looks
for it. Which attempts get one, and what comes of those without, is the business of `oasis.classroom.desk.work`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping


def seal(key: bytes, student: int, attempt: Mapping[str, object]) -> str:
    """The seal of an attempt, as JSON tells it, by a student: 64 hexadecimal digits.

    The order of the names in it and how the JSON was written make no difference; every value does.
    """
    text = json.dumps([student, attempt], sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def is_sealed(key: bytes, student: int, attempt: Mapping[str, object], tag: str) -> bool:
    """Whether this is the seal of an attempt; how long it takes to tell says nothing about the right one."""
    return hmac.compare_digest(tag.encode(), seal(key, student, attempt).encode())
