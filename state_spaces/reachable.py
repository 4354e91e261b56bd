"""How much there is to learn: the states and the goals of a lemma, counted as each state space sees them.

A state is a list of open goals that moves lead to, the proved state among them. A goal is one that moves lead to when
every premise is followed up by itself, whether or not those before it can be proved. In Simple and Name equal states
have equal successors, so it is enough to go on from one state of each class; in Match they have not, and its classes
are counted along with Name's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from state_spaces.base import Key, StateSpace
from state_spaces.match import Match
from state_spaces.name import Name
from state_spaces.simple import Simple
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.rules import apply, legal_moves, premises

_SEARCHES: Final[tuple[tuple[StateSpace, tuple[StateSpace, ...]], ...]] = (
    (Name(), (Name(), Match())),
    (Simple(), (Simple(),)),
)
"""The spaces that are searched, that with fewer states first, each with those whose classes are counted on the way."""


@dataclass
class Tally:
    """Classes counted so far; `complete` once there are no others."""

    keys: set[Key] = field(default_factory=set)
    complete: bool = False

    @property
    def value(self) -> int:
        """How many."""
        return len(self.keys)

    def to_json(self) -> dict[str, Any]:
        """The number, and whether it is all."""
        return {"value": self.value, "complete": self.complete}


class Census:
    """Counts the states and goals of a lemma; a count that is broken off stands at what was found.

    Attributes:
        states: for each state space how many states differ in it.
        goals: the same for goals.
        limit: how many states or goals are gone through in a search before it is given up.
    """

    def __init__(self, formula: Formula, spaces: Collection[str], limit: int) -> None:
        self.limit = limit
        self.states = {name: Tally() for name in spaces}
        self.goals = {name: Tally() for name in spaces}
        self._initial = initial(formula)

    def count_states(self) -> Iterator[tuple[str, State]]:
        """Count; yields the first state that is met of each class, nearest first, with the name of the space."""
        return self._count(self.states, _successors)

    def count_goals(self) -> Iterator[tuple[str, State]]:
        """Count; yields the first goal that is met of each class, as a state of its own, with the name of the space."""
        return self._count(self.goals, _premises)

    @property
    def complete(self) -> bool:
        """Whether everything is counted."""
        return all(tally.complete for tally in (*self.states.values(), *self.goals.values()))

    def to_json(self) -> dict[str, Any]:
        """The numbers of each state space."""
        return {
            name: {"states": states.to_json(), "goals": self.goals[name].to_json()}
            for name, states in self.states.items()
        }

    def _count(self, tallies: dict[str, Tally], after: _Following) -> Iterator[tuple[str, State]]:
        for searched, counted in _SEARCHES:
            spaces = [space for space in counted if space.name in tallies]
            if not spaces:
                continue
            for number, state in enumerate(_search(self._initial, after, searched)):
                if number == self.limit:
                    break
                for space in spaces:
                    keys = tallies[space.name].keys
                    key = space.view(state).key
                    if key not in keys:
                        keys.add(key)
                        yield space.name, state
            else:
                for space in spaces:
                    tallies[space.name].complete = True


_Following = Callable[[State], Iterable[State]]


def _search(start: State, after: _Following, space: StateSpace) -> Iterator[State]:
    """One state of each class that can be reached, breadth first."""
    seen = {space.view(start).key}
    pending = deque([start])
    while pending:
        state = pending.popleft()
        yield state
        for following in after(state):
            key = space.view(following).key
            if key not in seen:
                seen.add(key)
                pending.append(following)


def _successors(state: State) -> Iterator[State]:
    return (apply(state, move) for move in legal_moves(state[0])) if state else iter(())


def _premises(state: State) -> Iterator[State]:
    (goal,) = state
    return ((premise,) for move in legal_moves(goal) for premise in premises(goal, move))
