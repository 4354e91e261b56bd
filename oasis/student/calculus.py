"""Where the student's moves are made: in the embedded calculus, or inside a prover, as the thesis had it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Protocol

from oasis.backends.base import Backend, BackendError, ShownGoal
from oasis.ground.plugins import failure
from oasis.play.actions import attempt
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, Move, State, initial
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.tokens import CONSTANTS


class Calculus(Protocol):
    """One lemma, and what moves do to its states."""

    def begin(self) -> State:
        """Back to the lemma."""
        ...

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move on the state that was reached last, or None if it does not apply."""
        ...


class Embedded:
    """The calculus of `tactics`."""

    def __init__(self, formula: Formula) -> None:
        self._initial = initial(formula)

    def begin(self) -> State:
        """Back to the lemma."""
        return self._initial

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move, or None if it does not apply."""
        return attempt(state, move)


class InsideProver:
    """A prover: every move is made there, and the state is what it prints.

    Raises BackendError if the prover fails, and PluginError if one of somebody's own does.
    """

    def __init__(self, formula: Formula, prover: Backend) -> None:
        self._prover = prover
        self._avoid = initial(formula)[0].avoid
        with self._asking():
            prover.start(formula)

    def begin(self) -> State:
        """Back to the lemma."""
        with self._asking():
            self._prover.back_to(0)
            return self._read()

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move on the prover's present state, or None if the prover refuses it."""
        with self._asking():
            try:
                self._prover.apply(move)
            except IllegalMove:
                return None
            return self._read()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except BackendError:
            raise
        except Exception as error:
            raise failure(f"The prover {type(self._prover).__name__}", error) from error

    def _read(self) -> State:
        return tuple(_goal(shown, self._avoid) for shown in self._prover.goals())


@lru_cache(maxsize=100_000)
def _goal(shown: ShownGoal, avoid: frozenset[str]) -> Goal:
    hypotheses = tuple(Hypothesis(name, parse(text, CONSTANTS)) for name, text in shown.hypotheses)
    return Goal(hypotheses, parse(shown.conclusion, CONSTANTS), avoid)
