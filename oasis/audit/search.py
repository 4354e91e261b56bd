"""A search for the smallest lemma on which a reward is not safe.

Tried are, in turn, the next member of some families, a random theorem, and a change of one of the lemmas whose smallest
margin is smallest. What is found is made smaller as long as it stays unsafe. Nothing depends on time, so that the same
seed and number of lemmas give the same answer.
"""

from __future__ import annotations

import itertools
import random
from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from math import inf
from typing import Final, NamedTuple

from curricula.generator import random_formula
from curricula.lemma import Lemma, Status
from oasis.audit.findings import Finding, completed
from oasis.audit.returns import Paid
from oasis.audit.safety import chain, counts, judged, keeping, margins, reward_of, trained
from oasis.dagger.weights import Weights
from oasis.ground.limits import LimitReached
from oasis.teacher.exact.states import StateGraph
from tactics.formula import Atom, Binary, Formula, Implies, nested
from tactics.printer import show

STATES: Final = 2000
"""Of a lemma that leads to more, nothing is said."""
CONNECTIVES: Final = 12
"""Of the largest random theorem."""
LARGEST: Final = 32
"""Atoms of the largest member of a family, or some more."""
_WORST: Final = 30
"""How many lemmas are changed, those of the smallest margins."""
_ATOMS: Final = tuple(map(Atom, "pqrs"))


class Margin(NamedTuple):
    """The smallest margin of the states of a lemma, in units of what C alone pays for a proof of the state."""

    margin: float
    size: int
    lemma: Formula
    counters: str


def _rank(margin: Margin) -> tuple[float, int, str]:
    return margin.margin, margin.size, show(margin.lemma)


class Search:
    """The search for the smallest lemma on which a reward is not safe.

    Args:
        weights: of the reward.
        gamma: the discount.
        seed: of the lots that are drawn.
        begin: lemmas to try before all others.

    Attributes:
        tried: how many lemmas were tried.
        theorems: of how many of these the states were looked at; others have no proof, lead to more than `STATES`, or
            are no smaller than what was found.
        undecided: on how many of these it is not known of some state whether a best move gives up.
        worst: the smallest margins, the smallest first.
        found: the finding on the smallest lemma, by what was counted, `none` or `trained`.
    """

    def __init__(self, weights: Weights, gamma: float, seed: int = 0, begin: Iterable[Formula] = ()) -> None:
        self._weights, self._gamma = weights, gamma
        self._smallest = dict.fromkeys(("none", "trained")[: 1 + counts(weights, gamma)], inf)
        self._draw = random.Random(seed).random
        self._pending = [*begin][::-1]
        self._seen: set[Formula] = set()
        self.tried = self.theorems = self.undecided = 0
        self.worst: list[Margin] = []
        self.found: dict[str, Finding] = {}

    def __iter__(self) -> Iterator[int]:
        """Try one lemma after the other, for ever, and say how many there were."""
        for lemma in itertools.chain(families(), repeat(None)):
            self._pending = [self._mutant(), self._random(), *([lemma] if lemma else []), *self._pending]
            while self._pending:
                self._try(self._pending.pop())
                self.tried += 1
                yield self.tried

    def _try(self, lemma: Formula) -> None:
        wanted = [counters for counters, size in self._smallest.items() if lemma.size < size]
        if lemma in self._seen or not wanted:
            return
        self._seen.add(lemma)
        try:
            graph = StateGraph(lemma, STATES)
        except LimitReached:
            return
        if not graph.provable[graph.root]:
            return
        self.theorems += 1
        is_open = False
        for counters in wanted:
            counted = trained(lemma, self._weights, self._gamma) if counters == "trained" else None
            paid = Paid(graph, lemma, reward_of(self._weights, self._gamma, counted), self._gamma)
            found = margins(judged(paid), keeping(graph))
            insort(self.worst, Margin(round(float(found.most.min()), 6), lemma.size, lemma, counters), key=_rank)
            is_open |= bool(found.is_open.any())
            if found.is_wrong.any():
                named = Lemma(show(lemma), lemma, Status.THEOREM, "search")
                finding = completed(Finding("", "", None, counters), named, graph, self._weights, self._gamma, counted)
                if finding.unsafe:  # the reward itself says so
                    self.found[counters], self._smallest[counters] = finding, lemma.size
                    self._pending += sorted(reductions(lemma), key=lambda each: (-each.size, show(each)))
        self.undecided += is_open
        del self.worst[_WORST:]

    def _random(self) -> Formula:
        size = 1 + int(self._draw() * CONNECTIVES)
        return random_formula(self._draw, size, _ATOMS[: 1 + int(self._draw() * len(_ATOMS))], 0.1)

    def _mutant(self) -> Formula:
        """A change of one of the worst, the worse the likelier."""
        return self._mutated(self.worst[int(self._draw() ** 2 * len(self.worst))].lemma) if self.worst else chain(1)

    def _mutated(self, formula: Formula) -> Formula:
        """A formula with another one in some place."""
        if isinstance(formula, Binary) and self._draw() > 2 / formula.size:
            if self._draw() < formula.left.size / formula.size:
                return type(formula)(self._mutated(formula.left), formula.right)
            return type(formula)(formula.left, self._mutated(formula.right))
        other = random_formula(self._draw, int(self._draw() * 3), _ATOMS, 0.1)
        ways: list[Callable[[], Formula]] = [
            lambda: other,
            lambda: formula | other,
            lambda: other >> formula,
            lambda: formula & other,
            lambda: (formula >> other) >> formula,
            *([lambda: formula.left, lambda: formula.right] if isinstance(formula, Binary) else []),
        ]
        return ways[int(self._draw() * len(ways))]()


def families() -> Iterator[Formula]:
    """The members of some families, by their size: where to give up is tempting, or proofs are long."""
    for number in range(1, LARGEST + 1):
        atoms = [Atom(f"A{place}") for place in range(1, number + 2)]
        steps = [one >> other for one, other in itertools.pairwise(atoms)]
        yield chain(number)
        yield Atom("Z") | nested(Implies, [*steps, atoms[0], atoms[-1]])
        yield chain(number) & chain(1)
        yield chain(1) & chain(number)
        late: Formula = atoms[0] >> atoms[0]
        nest: Formula = atoms[0] | ~atoms[0]
        for atom in atoms[1:]:
            late, nest = atom | late, ~~nest
        yield late
        yield nest


def reductions(formula: Formula) -> set[Formula]:
    """The formulas in which one of the sides of a connective stands in its place."""
    if not isinstance(formula, Binary):
        return set()
    sides = {type(formula)(left, formula.right) for left in reductions(formula.left)}
    sides |= {type(formula)(formula.left, right) for right in reductions(formula.right)}
    return {formula.left, formula.right, *sides}
