"""The agent on the same terms as the student: an action space without the rules that an exercise leaves out."""

from __future__ import annotations

from collections.abc import Collection

from oasis.play.actions import SIMPLIFY, ActionSpace, Attempt
from tactics.goal import Move, State
from tactics.rules import legal_moves


class Allowed:
    """Another action space with some of the rules only; `simplify` repeats those of its rules that are among them."""

    def __init__(self, space: ActionSpace, rules: Collection[str]) -> None:
        self._space, self._rules, self.name = space, frozenset(rules), space.name

    def actions(self, state: State) -> tuple[Move, ...]:
        """What the space offers and the rules allow."""
        return tuple(action for action in self._space.actions(state) if self._allows(state, action))

    def perform(self, state: State, action: Move, attempt: Attempt) -> tuple[State, tuple[Move, ...]]:
        """As the space does it, with a calculus that knows no other rules."""
        return self._space.perform(
            state, action, lambda before, move: attempt(before, move) if move.rule in self._rules else None
        )

    def _allows(self, state: State, action: Move) -> bool:
        if action != SIMPLIFY:
            return action.rule in self._rules
        covered = set(legal_moves(state[0])).difference(self._space.actions(state))
        return any(move.rule in self._rules for move in covered)
