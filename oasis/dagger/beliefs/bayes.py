"""M3: a small Bayesian network over whether the episode proves the lemma, the state, the rule and the reused shape.

Its nodes are discrete and its edges are given; each node's probabilities are counted for every choice of its parents,
with a Dirichlet prior. What is not given is summed out, so that the same network answers with and without a rule. It
may go on learning from the plays of the curriculum at hand (`Bayes.learn`).
Pearl (1988), Probabilistic Reasoning in Intelligent Systems; Heckerman (1995) for the counts; Ibrahim and Chen (2000)
for what was observed elsewhere as a prior that counts less.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np

from oasis.dagger.beliefs.belief import Floats, Visit
from oasis.dagger.beliefs.features import NAMES, features
from oasis.dagger.episodes import Episode
from oasis.dagger.kept import Kept
from oasis.dagger.shapes import Tactic, tactic
from tactics.goal import State
from tactics.rules import RULES

SHAPES: Final = 100
"""Values of the node of shapes, beside one for all others."""
PAST: Final = 10_000
"""Observations, as so many of which all earlier ones count at most when the network learns more."""
_RULES: Final = tuple(RULES)


class Node(NamedTuple):
    """A node that stands for a number.

    Attributes:
        parents: names of other nodes.
        features: whose sum it is.
        values: each value but the first begins at one of these.
    """

    parents: tuple[str, ...]
    features: tuple[str, ...]
    values: tuple[float, ...]


_WAITING: Final = tuple(f"hypotheses: {role} implies" for role in ("atom", "and", "or", "implies"))
_CONCLUSIONS: Final = tuple(f"conclusion: {role}" for role in ("atom", "falsum", "and", "or", "implies"))
OF_STATE: Final[Mapping[str, Node]] = {
    "goals": Node(("proved",), ("goals",), (2, 3, 5)),
    "compound": Node(("proved",), _CONCLUSIONS[2:], (1,)),
    "or": Node(("proved", "compound"), ("conclusion: or",), (1,)),
    "hypotheses": Node(("proved", "goals"), ("hypotheses",), (1, 2, 4, 7)),
    "moves": Node(("proved", "hypotheses"), ("moves",), (1, 2, 3, 5)),
    "closable": Node(("proved", "compound", "moves"), ("closable",), (1,)),
    "waiting": Node(("proved", "hypotheses"), _WAITING, (1, 2, 4)),
    "aims": Node(("proved", "compound"), ("aims",), (1, 2)),
    "atoms": Node(("proved", "hypotheses"), ("atoms",), (1, 2, 3, 4, 6)),
    "weight": Node(("proved", "hypotheses"), ("weight",), (2, 3, 4, 5, 6)),
    "open elsewhere": Node(("proved", "goals"), ("other goals: not closable",), (1, 2, 4)),
    "refuted": Node(("proved",), ("refuted", "other goals: refuted"), (1,)),
}
"""The nodes that a state gives."""
PARENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "proved": (),
    **{name: node.parents for name, node in OF_STATE.items()},
    "rule": ("proved", "compound", "or"),
    "shape": ("proved", "rule"),
}
"""The parents of every node, each of which stands before its children."""
_AXIS: Final = {name: number for number, name in enumerate(PARENTS)}
_PLACES: Final = [([NAMES.index(name) for name in node.features], node.values) for node in OF_STATE.values()]


class Bayes(Kept):
    """p(proved | what is given), by the network with counts of observations.

    A row of the probabilities of a node is (count + prior/values) / (sum of counts + prior): the prior is how many
    observations every row is taken to have had, in equal shares.

    Args:
        shapes: those that the node of shapes tells apart.
        tables: for each node of `PARENTS` how often each of its values was observed, under each of its parents', no
            whole number where earlier observations count less; shape (values of the first parent, …, of the node).
        prior: above 0, so that no answer is 0 or 1.

    Attributes:
        version: stands for all of this.
    """

    called = "Bayesian network"
    layout = 2
    prefix = "bayes-"
    leaks = False

    def __init__(self, shapes: tuple[str, ...], tables: Mapping[str, Floats], prior: float = 1.0) -> None:
        self._shapes, self._tables, self._prior = shapes, dict(tables), prior
        self._places = {shape: place for place, shape in enumerate(shapes)}
        self._shares = {name: _shares(table, prior) for name, table in self._tables.items()}

    @classmethod
    def of(cls, episodes: Iterable[Episode], prior: float = 1.0, most: int = SHAPES) -> Self:
        """The belief that episodes teach; the node of shapes tells the `most` frequent ones apart."""
        made = visits(episodes)
        uses: Counter[str] = Counter()
        for _, used, times, _ in made:
            uses.update({used.shape: times} if used else {})
        shapes = sorted(sorted(uses, key=lambda shape: (-uses[shape], shape))[:most])
        nothing = {name: np.zeros(size) for name, size in _sizes(len(shapes)).items()}
        return cls(tuple(shapes), nothing, prior).learn(made)

    def learn(self, visits: Iterable[Visit]) -> Self:
        """Return the belief after more visits, each an observation; their order does not matter.

        Earlier visits count as `PAST` at most, so that what was learned on other lemmas, or from worse play, gives way.
        """
        counts = {name: np.zeros(table.shape, np.int64) for name, table in self._tables.items()}
        for state, used, times, proved in visits:
            given: dict[str, Any] = {"proved": slice(None), **given_by(state)}
            if used is not None and used.rule in RULES:  # `simplify` is none
                given["rule"] = _RULES.index(used.rule)
                given["shape"] = self._places.get(used.shape, len(self._shapes))
            for name, parents in PARENTS.items():
                if name in given:  # its parents then are, too
                    counts[name][tuple(given[each] for each in (*parents, name))] += (times - proved, proved)
        before = float(self._tables["proved"].sum())
        tables = {name: table * min(1.0, PAST / max(before, 1.0)) for name, table in self._tables.items()}
        return type(self)(self._shapes, {name: tables[name] + counts[name] for name in tables}, self._prior)

    def probabilities(self, states: Sequence[State]) -> Floats:
        """For each state in (0, 1)."""
        looks = self.looks_at(states)
        known = {values: self.posterior(dict(zip(OF_STATE, values, strict=True))) for values in set(looks)}
        return np.array([known[values] for values in looks], dtype=np.float64)

    def looks_at(self, states: Sequence[State]) -> list[tuple[int, ...]]:
        """Return the values of the nodes that each state gives: all that the belief depends on."""
        return [_values(state) for state in states]

    def posterior(self, given: Mapping[str, int]) -> float:
        """p(proved | values of other nodes), which may be any of them; in (0, 1)."""
        # A node that is not given and has no child that matters sums to 1 (Shachter 1986).
        relevant = dict(PARENTS)
        for name in [*PARENTS][:0:-1]:
            if name not in given and not any(name in parents for parents in relevant.values()):
                del relevant[name]
        factors: list[Any] = []
        for name, parents in relevant.items():
            axes = (*parents, name)
            factors.append(self._shares[name][tuple(given.get(axis, slice(None)) for axis in axes)])
            factors.append([_AXIS[axis] for axis in axes if axis not in given])
        both = np.einsum(*factors, [_AXIS["proved"]], optimize="greedy")
        return float(both[1] / both.sum())

    @classmethod
    def _made(cls, fields: Any) -> Self:
        sizes = _sizes(len(fields["shapes"]))
        tables = {name: np.array(fields["tables"][name], np.float64).reshape(size) for name, size in sizes.items()}
        return cls(tuple(fields["shapes"]), tables, fields["prior"])

    def _content(self) -> dict[str, Any]:
        return {
            "prior": self._prior,
            "shapes": list(self._shapes),
            "tables": {name: table.ravel().tolist() for name, table in self._tables.items()},
        }


def visits(episodes: Iterable[Episode]) -> list[Visit]:
    """Return the visits of episodes: one for each step, and one for the last state of an episode without a proof."""
    times: Counter[tuple[State, Tactic | None]] = Counter()
    proved: Counter[tuple[State, Tactic | None]] = Counter()
    for episode in episodes:
        made: list[tuple[State, Tactic | None]]
        made = [(step.before, tactic(step.before[0], step.move)) for step in episode.steps]
        times.update(made if episode.proved else [*made, (episode.states[-1], None)])
        proved.update(made if episode.proved else [])
    return [Visit(*each, number, proved[each]) for each, number in times.items()]


def given_by(state: State) -> dict[str, int]:
    """The values of the nodes that a state with goals gives."""
    return dict(zip(OF_STATE, _values(state), strict=True))


def _values(state: State) -> tuple[int, ...]:
    """The values of the nodes of a state, in their order."""
    number = features(state)
    return tuple([bisect_right(values, sum([number[place] for place in places])) for places, values in _PLACES])


def _sizes(shapes: int) -> dict[str, tuple[int, ...]]:
    """For each node its parents' numbers of values and its own."""
    values = {"proved": 2, "rule": len(_RULES), "shape": shapes + 1}
    values |= {name: len(node.values) + 1 for name, node in OF_STATE.items()}
    return {name: tuple(values[each] for each in (*parents, name)) for name, parents in PARENTS.items()}


def _shares(table: Floats, prior: float) -> Floats:
    weights = table + prior / table.shape[-1]
    shares: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return shares
