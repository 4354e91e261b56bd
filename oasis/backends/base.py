"""The interface of every prover: it holds one lemma and steps through it, and certifies scripts in bulk.

A prover is asked in the words of the calculus (formulas, moves) and answers in its own text. How it is spoken to is
known to its module alone.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple, Self

from tactics.claims import Certificate, Claim
from tactics.formula import Formula
from tactics.goal import Goal, Move
from tactics.parser import parse
from tactics.printer import PROVERS, show
from tactics.script import parse_script


class BackendError(Exception):
    """A prover that died, hangs or answers nonsense; the text is one plain sentence with what to do now."""


class BackendMissing(BackendError):
    """A prover that is not installed or not set up; the text ends with the command or setting that it takes."""


def check_system() -> None:
    """Raise BackendMissing on Windows, where pipes cannot be waited for as processes of provers are."""
    if sys.platform == "win32":
        raise BackendMissing(
            "Coq and Lean are not asked from Windows itself; run Oasis in its Linux, which comes with: wsl --install"
        )


class ShownGoal(NamedTuple):
    """A goal as a prover prints it, in Coq's notation and without `~` and `<->`; hypotheses oldest first.

    The text is compared with what `tactics.printer.show(formula, PROVERS, sugar=False)` writes.
    """

    hypotheses: tuple[tuple[str, str], ...]
    conclusion: str

    @classmethod
    def of(cls, goal: Goal) -> Self:
        """A goal of the calculus as provers print it."""
        named = ((name, show(formula, PROVERS, sugar=False)) for name, formula in goal.hypotheses)
        return cls(tuple(named), show(goal.conclusion, PROVERS, sugar=False))


PLAIN: Final = Claim(parse("A -> A"), parse_script("intro; assumption"))
"""A claim that every working prover accepts; it tells a broken prover from a claim that is too large."""


def no_verdict(error: BackendError) -> str:
    """The reason of a certificate for a claim at which a prover failed that works otherwise."""
    return f"There is no verdict, the claim is probably too large to certify here: {error}"


class Backend(ABC):
    """One prover, holding at most one lemma at a time; a context manager that closes it.

    A prover is started when it is first needed. If it dies in the middle of a lemma it is started again and brought
    back to where it was, once; if that fails too, or it does not answer in time, a BackendError says so and no process
    is left behind.
    """

    name: ClassVar[str]
    """The name by which a person chooses this backend."""
    install: ClassVar[str]
    """The command that installs the prover."""
    remark: ClassVar[str] = ""
    """A sentence on what else a person should know, such as that it was never run against the real prover."""
    certifies: ClassVar[bool] = True
    """Whether it can accept a proof; one that cannot only steps through it."""

    @abstractmethod
    def version(self) -> str:
        """Name and version of the prover that answers, such as `Coq 8.16.1`. Raises BackendMissing."""

    @abstractmethod
    def start(self, formula: Formula) -> None:
        """Begin a proof of `formula`: its atoms introduced, `~` and `<->` unfolded, no move made."""

    @abstractmethod
    def apply(self, move: Move) -> None:
        """Make a move on the focused goal. Raises IllegalMove, and leaves the goals as they are, if it is refused."""

    @abstractmethod
    def goals(self) -> tuple[ShownGoal, ...]:
        """All open goals, the focused one first; none when the lemma is proved."""

    @abstractmethod
    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""

    @abstractmethod
    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """One certificate for each claim, in order; a bad claim never changes what is said of another."""

    @abstractmethod
    def close(self) -> None:
        """End the prover's process; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
