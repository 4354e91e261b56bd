"""Episodes that are listed, where a proof is paid for what it is as a whole and not for what its steps are.

What an episode is worth then does not follow from what its parts are worth, so that induction over states gives bounds
and no more. Episodes that differ in nothing that the reward sees of their steps are one; each is paid by the reward
itself. A state of one goal is taken for a lemma of its own, whose episodes begin in it; others keep their bounds.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np

from oasis.audit.returns import Bounds, Paid, Returns
from oasis.teacher.exact.states import PROVED

MOST: Final = 2000
"""Episodes of one state; where there are more, they are not listed."""
ALL: Final = 100_000
"""Episodes of all states together, of which those with the fewest moves to be made come first."""
_PROVED: Final = -1
_STUCK: Final = -2

_Episode = tuple[int, ...]
"""For each step the number of its row, and how it ended."""


def with_listed(paid: Paid, bounds: Bounds) -> Bounds:
    """The bounds, which are exact in all states whose episodes could be listed."""
    graph = paid.graph
    numbers: dict[bytes, int] = {}
    first: list[int] = []  # for each number an edge that has such a row
    worth: dict[_Episode, float] = {}
    known: dict[int, frozenset[_Episode]] = {PROVED: frozenset([(_PROVED,)])}
    known |= dict.fromkeys(np.flatnonzero(graph.stuck).tolist(), frozenset([(_STUCK,)]))
    exact = Returns(*(each.copy() for each in bounds.most))
    starts = np.searchsorted(graph.before, np.arange(len(graph) + 1)).tolist()
    listed = np.zeros(len(graph.before), np.bool_)
    held = 0
    for state in np.flatnonzero(graph.has_moves).tolist():
        edges = range(starts[state], starts[state + 1])
        rests = [known.get(int(graph.after[edge]), frozenset()) for edge in edges]
        if not all(rests) or sum(map(len, rests)) > MOST:
            continue
        if (held := held + sum(map(len, rests))) > ALL:
            break
        together: set[_Episode] = set()
        for edge, rest in zip(edges, rests, strict=True):
            number = numbers.setdefault(paid.rows[edge].tobytes(), len(first))
            first += [edge] * (number == len(first))
            episodes = {(number, *each) for each in rest}
            together |= episodes
            if graph.size[state] == 1:
                for episode in episodes - worth.keys():
                    rows = paid.rows[[first[step] for step in episode[:-1]]]
                    worth[episode] = paid.worth(rows, episode[-1] == _PROVED)
                proofs = [each for each in episodes if each[-1] == _PROVED]
                shortest = [each for each in proofs if len(each) == graph.length[state] + 1]
                for kind, ofs in zip(exact, (proofs, shortest, episodes.difference(proofs)), strict=True):
                    kind[edge] = max((worth[each] for each in ofs), default=-inf)
                listed[edge] = True
        known[state] = frozenset(together)
    least = (np.where(listed, new, old) for new, old in zip(exact, bounds.least, strict=True))
    return Bounds(graph, paid.gamma, Returns(*least), exact)
