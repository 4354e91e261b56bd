"""A short look at every prover: does it answer, does a proof go through it, how long does a step take?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Final

from oasis.backends.base import Backend, BackendError, Claim
from oasis.backends.registry import BACKENDS, backend
from tactics.parser import parse
from tactics.script import parse_script

_CLAIM: Final = Claim(
    parse("A /\\ (B \\/ C) -> (A /\\ B) \\/ (A /\\ C)"),
    parse_script(
        "intro; destruct_and H; destruct_or H0; "
        "left; split; assumption; assumption; right; split; assumption; assumption"
    ),
)


@dataclass(frozen=True)
class Checkup:
    """The result of trying a prover.

    Attributes:
        prover: its name.
        version: what answered, or None if nothing did.
        accepted: whether a small proof was stepped through to its end and certified.
        step_milliseconds: median time of a move with its goals, or None.
        remark: how to install it, what failed, or what else should be known; may be empty.
    """

    prover: str
    version: str | None
    accepted: bool
    step_milliseconds: float | None
    remark: str


def checkups() -> Iterator[Checkup]:
    """Try every backend in turn."""
    for name in BACKENDS:
        with backend(name) as prover:
            yield _look(prover)


def _look(prover: Backend) -> Checkup:
    try:
        version = prover.version()
    except BackendError as error:
        return Checkup(prover.name, None, False, None, f"{prover.remark} {error}".strip())
    try:
        prover.start(_CLAIM.formula)
        times = []
        for move in _CLAIM.script:
            began = perf_counter()
            prover.apply(move)
            left = prover.goals()
            times.append(perf_counter() - began)
        (certificate,) = prover.certify([_CLAIM])
    except (BackendError, ValueError) as error:
        return Checkup(prover.name, version, False, None, str(error))
    return Checkup(
        prover.name,
        version,
        certificate.accepted and not left,
        median(times) * 1000,
        certificate.reason or prover.remark,
    )
