"""The embedded calculus as a backend, with which the others are compared; it needs no installation."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.backends.base import Backend, ShownGoal
from oasis.ground.plural import counted
from tactics.claims import Certificate, Claim
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.rules import apply
from tactics.script import ScriptError, replay


class Native(Backend):
    """Dyckhoff's calculus as `tactics` implements it."""

    name = "native"
    install = "nothing: it is a part of Oasis"

    def __init__(self) -> None:
        self._states: list[State] = []

    def version(self) -> str:
        """The words `the embedded calculus`, which has no version of its own."""
        return "the embedded calculus"

    def start(self, formula: Formula) -> None:
        """Begin a proof."""
        self._states = [initial(formula)]

    def apply(self, move: Move) -> None:
        """Make a move. Raises IllegalMove."""
        self._states.append(apply(self._states[-1], move))

    def goals(self) -> tuple[ShownGoal, ...]:
        """The open goals."""
        return tuple(map(ShownGoal.of, self._states[-1]))

    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""
        del self._states[moves + 1 :]

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Replay each script."""
        return [self._certificate(claim) for claim in claims]

    def _certificate(self, claim: Claim) -> Certificate:
        try:
            (*_, last) = replay(claim.formula, claim.script)
        except ScriptError as error:
            return Certificate(self.name, self.version(), False, str(error), error.step)
        if last:
            return Certificate(
                self.name, self.version(), False, f"The script ends with {counted(len(last), 'goal')} open."
            )
        return Certificate(self.name, self.version(), True)

    def close(self) -> None:
        """Do nothing, as no process runs."""
