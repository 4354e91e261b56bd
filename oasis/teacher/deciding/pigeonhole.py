"""Counting: too many things for too few places, which resolution takes exponentially long to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set

from oasis.ground.limits import Limit
from oasis.teacher.deciding.clauses import Clause


def outnumbered(clauses: Iterable[Clause], true: Iterable[int], limit: Limit | None = None) -> bool:
    """Whether counting shows that clauses cannot be satisfied where some literals are true; False says nothing.

    Rows are clauses that want one of some variables to be true, columns are sets of variables of which at most one may
    be. If every variable lies in at least as many columns as rows, true variables are as many as rows at least and as
    columns at most. Raises LimitReached.
    """
    rows: list[list[int]] = []
    excludes: dict[int, set[int]] = {}
    for clause in _simplified(clauses, frozenset(true)):
        if all(literal > 0 for literal in clause):
            rows.append(clause)
        elif len(clause) == 2 and all(literal < 0 for literal in clause):
            one, other = -clause[0], -clause[1]
            excludes.setdefault(one, set()).add(other)
            excludes.setdefault(other, set()).add(one)
    columns = list(_cliques(excludes, limit or Limit()))
    wanted = Counter(variable for row in rows for variable in row)
    allowed = Counter(variable for column in columns for variable in column)
    # Rows with a variable that too few columns hold cannot be counted.
    rows = [row for row in rows if all(wanted[variable] <= allowed[variable] for variable in row)]
    return len(rows) > len(columns)


def _simplified(clauses: Iterable[Clause], true: Set[int]) -> Iterator[Clause]:
    """What true literals leave of the clauses that they do not satisfy."""
    for clause in clauses:
        if true.isdisjoint(clause):
            yield [literal for literal in clause if -literal not in true]


def _cliques(neighbours: dict[int, set[int]], limit: Limit) -> Iterator[set[int]]:
    """Cliques that cover all edges of a graph. Raises LimitReached."""
    covered: set[tuple[int, int]] = set()
    for one, others in neighbours.items():
        for other in others:
            if (one, other) not in covered:
                limit.check()
                clique = {one, other}
                for more in sorted(neighbours[one] & neighbours[other]):
                    if clique <= neighbours[more]:
                        clique.add(more)
                covered.update((a, b) for a in clique for b in clique)
                yield clique
