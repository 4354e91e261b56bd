"""How much there is to learn: the states and the goals of a lemma, counted as each state space sees them.

A state is a list of open goals that moves lead to, the proved state among them. A goal is one that moves lead to when
every premise is followed up by itself, whether or not those before it can be proved. In Simple and Name equal states
have equal successors, so it is enough to go on from one state of each class; in a space that sees the focused goal
alone they have not, and its classes are counted along with those of one of these two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from state_spaces import state_space
from state_spaces.base import Key, StateSpace
from state_spaces.name import Name
from state_spaces.simple import Simple
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.rules import apply, legal_moves, premises


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
        self._spaces = {name: state_space(name) for name in spaces}

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
        for searched, names in self._searches():
            for number, state in enumerate(_search(self._initial, after, searched)):
                if number == self.limit:
                    break
                for name in names:
                    keys = tallies[name].keys
                    key = self._spaces[name].view(state).key
                    if key not in keys:
                        keys.add(key)
                        yield name, state
            else:
                for name in names:
                    tallies[name].complete = True

    def _searches(self) -> Iterable[tuple[StateSpace, list[str]]]:
        """Which spaces are searched, the coarsest first, and which are counted on the way."""
        searches: dict[type[StateSpace], tuple[StateSpace, list[str]]] = {}
        for name, space in reversed(self._spaces.items()):
            searched = (Name() if isinstance(space, Name) else Simple()) if space.of_focus else space
            searches.setdefault(type(searched), (searched, []))[1].append(name)
        return searches.values()


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
