"""A short look at every prover: does it answer, does a proof go through it, how long does a step take?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Final, Literal

from oasis.backends.base import Backend, BackendError, BackendMissing
from oasis.backends.connect import ConnectPlusPlus
from oasis.backends.registry import backend
from oasis.ground.names import PROVERS, REFUTERS
from tactics.claims import Claim
from tactics.parser import parse
from tactics.script import parse_script

_CLAIM: Final = Claim(
    parse("A /\\ (B \\/ C) -> (A /\\ B) \\/ (A /\\ C)"),
    parse_script(
        "intro; destruct_and H; destruct_or H0; "
        "left; split; assumption; assumption; right; split; assumption; assumption"
    ),
)


Outcome = Literal["accepted", "only stepped", "only refutes", "not installed", "not set up", "failed"]


@dataclass(frozen=True)
class Checkup:
    """The result of trying a prover.

    Attributes:
        prover: its name.
        version: what answered, or None if nothing did.
        outcome: "accepted" if a small proof was stepped through to its end and certified; "only stepped" if it came to
            its end with a prover that certifies none; "only refutes" if a classical prover refuted what it should
            and nothing else; "not installed"; "not set up" if a setting is missing; "failed".
        step_milliseconds: median time of a move with its goals, or None.
        remark: how to install it, what failed, or what else should be known; may be empty.
    """

    prover: str
    version: str | None
    outcome: Outcome
    step_milliseconds: float | None
    remark: str

    @property
    def accepted(self) -> bool:
        """Whether the proof was certified."""
        return self.outcome == "accepted"


def checkups() -> Iterator[Checkup]:
    """Try every prover in turn."""
    for name in PROVERS:
        with backend(name) as prover:
            yield look(prover)
    for name in REFUTERS:
        yield look_at_refuter(REFUTERS.make(name))


def look_at_refuter(prover: ConnectPlusPlus) -> Checkup:
    """Try one that knows classical logic alone."""
    try:
        version = prover.version()
        verdicts = [prover.judge(parse(text)).status for text in ("A \\/ ~A", "A -> B")]
    except BackendError as error:
        outcome: Outcome = "not installed" if isinstance(error, BackendMissing) else "failed"
        return Checkup(prover.name, None, outcome, None, str(error))
    works = verdicts == ["Theorem", "CounterSatisfiable"]
    remark = "It is classical: what it refutes has no proof, and what it proves may have none here."
    said = f"It says {verdicts[0]} of A \\/ ~A and {verdicts[1]} of A -> B, which is not so."
    return Checkup(prover.name, version, "only refutes" if works else "failed", None, remark if works else said)


def look(prover: Backend) -> Checkup:
    """Try one."""
    try:
        version = prover.version()
    except BackendError as error:
        outcome: Outcome = "not installed" if isinstance(error, BackendMissing) else "failed"
        return Checkup(prover.name, None, outcome, None, f"{prover.remark} {error}".strip())
    try:
        prover.start(_CLAIM.formula)
        times = []
        for move in _CLAIM.script:
            began = perf_counter()
            prover.apply(move)
            left = prover.goals()
            times.append(perf_counter() - began)
        (certificate,) = prover.certify([_CLAIM])
    except BackendMissing as error:
        return Checkup(prover.name, version, "not set up", None, f"{prover.remark} {error}".strip())
    except (BackendError, ValueError) as error:
        return Checkup(prover.name, version, "failed", None, str(error))
    is_proved = not left and (certificate.accepted or (not prover.certifies and certificate.step is None))
    proved: Outcome = "accepted" if prover.certifies else "only stepped"
    remark = certificate.reason or prover.remark
    return Checkup(prover.name, version, proved if is_proved else "failed", median(times) * 1000, remark)
