"""A claim that a script proves a formula, and what a prover says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tactics.formula import Formula
from tactics.script import Script


class Claim(NamedTuple):
    """A formula, and a script that is said to prove it."""

    formula: Formula
    script: Script


@dataclass(frozen=True)
class Certificate:
    """The verdict of a prover on one claim.

    Attributes:
        prover: name of the backend.
        version: of the prover that answered.
        accepted: whether it accepted exactly this formula by this script, without axioms and without open goals.
        reason: why not, in one sentence that names the step; empty if accepted.
        step: number of the first move that was refused, from 1; None if accepted, or if the script ends too early.
        renamed: atoms that had to get other names in the prover, as pairs of ours and its.
    """

    prover: str
    version: str
    accepted: bool
    reason: str = ""
    step: int | None = None
    renamed: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        """Whether it was accepted."""
        return self.accepted

    def __repr__(self) -> str:
        said = f"{'accepted' if self.accepted else 'rejected'} by {self.prover} ({self.version})"
        return said if self.accepted else f"{said}: {self.reason}"

    def kept(self) -> dict[str, str | bool]:
        """Return what a database keeps of it, in the form that `--json` prints."""
        return {"prover": self.prover, "version": self.version, "accepted": self.accepted, "reason": self.reason}
