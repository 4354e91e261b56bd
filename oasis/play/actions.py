"""What may be done in a state: the thesis's three action spaces.

Every action is a move; `simplify` is the one that the calculus does not know, and stands for several. Actions that a
student has given up are its own concern.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Protocol

from tactics.errors import InputError
from tactics.goal import Move, State
from tactics.rules import RULES, apply, legal_moves
from tactics.script import Script

SIMPLIFY: Final = Move("simplify")
INVERTIBLE: Final = ("assumption", "contradiction", "intro", "split")
"""The invertible rules that need no hypothesis, in the order in which `simplify` tries them."""


Attempt = Callable[[State, Move], State | None]
"""The state after a move, or None if it does not apply; who is asked is settled by the environment."""


def attempt(state: State, move: Move) -> State | None:
    """The state after a move in the calculus of `tactics`, or None if it does not apply."""
    return apply(state, move) if move in legal_moves(state[0]) else None


class ActionSpace(Protocol):
    """A choice of actions for every state."""

    name: str

    def actions(self, state: State) -> tuple[Move, ...]:
        """The actions on offer; none once the state is proved."""
        ...

    def perform(self, state: State, action: Move, attempt: Attempt) -> tuple[State, tuple[Move, ...]]:
        """The state after an action on offer, and the moves of the calculus that it made; none if it does not apply."""
        ...


class _OneMove:
    """Spaces in which an action is a move of the calculus."""

    def perform(self, state: State, action: Move, attempt: Attempt) -> tuple[State, tuple[Move, ...]]:
        """One move, or nothing if it does not apply."""
        after = attempt(state, action)
        return (state, ()) if after is None else (after, (action,))


class Legal(_OneMove):
    """The moves that apply."""

    name = "legal"

    def actions(self, state: State) -> tuple[Move, ...]:
        """The legal moves of the focused goal."""
        return legal_moves(state[0]) if state else ()


@lru_cache(maxsize=10_000)
def _everything(names: tuple[str, ...]) -> tuple[Move, ...]:
    """Every rule, with every name if it takes one."""
    return tuple(
        Move(rule.name, name) for rule in RULES.values() for name in (names if rule.takes_hypothesis else (None,))
    )


class Blind(_OneMove):
    """Every rule, with every hypothesis if it takes one; where it does not apply, the state stays as it is."""

    name = "blind"

    def actions(self, state: State) -> tuple[Move, ...]:
        """12 actions and more: 6 rules, and 6 for each hypothesis."""
        return _everything(tuple(name for name, _ in state[0].hypotheses)) if state else ()


class Simplify(_OneMove):
    """One action for the invertible rules without a hypothesis, beside the moves that need a choice (thesis, 5.2)."""

    name = "simplify"

    def actions(self, state: State) -> tuple[Move, ...]:
        """`simplify` if it would do anything, and the legal moves that it does not cover."""
        moves = legal_moves(state[0]) if state else ()
        choices = tuple(move for move in moves if move.rule not in INVERTIBLE)
        return choices if len(choices) == len(moves) else (SIMPLIFY, *choices)

    def perform(self, state: State, action: Move, attempt: Attempt) -> tuple[State, tuple[Move, ...]]:
        """One move, or for `simplify` all that it repeats, until the goal in focus allows none of its rules."""
        if action != SIMPLIFY:
            return super().perform(state, action, attempt)
        made: list[Move] = []
        while state:
            for move in map(Move, INVERTIBLE):
                after = attempt(state, move)
                if after is not None:
                    break
            else:
                break
            state = after
            made.append(move)
        return state, tuple(made)


class NotExpressed(InputError):
    """A script that the actions of a space do not make; the text says where."""


def expressed(space: ActionSpace, state: State, script: Script) -> list[Move]:
    """The actions of a space that make just the moves of a script, from a state on. Raises NotExpressed."""
    actions: list[Move] = []
    rest = script
    while rest:
        for action in space.actions(state):
            after, moves = space.perform(state, action, attempt)
            if moves and moves == rest[: len(moves)]:
                break
        else:
            raise NotExpressed(
                f"This proof cannot be learned from: at move {len(script) - len(rest) + 1}, {rest[0]}, no action of "
                f"{space.name} does the same; switch the actions to legal."
            )
        actions.append(action)
        state, rest = after, rest[len(moves) :]
    return actions


LEGAL: Final = Legal()
ACTION_SPACES: Final[dict[str, ActionSpace]] = {space.name: space for space in (LEGAL, Blind(), Simplify())}
"""The action spaces by the name that a person types."""
