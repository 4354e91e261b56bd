"""Which lemmas are practised, and how likely each is to have plays that end differently, from which alone is learned.

A lemma that is always proved teaches nothing, nor one that never is. How likely the plays of a group are to end
differently is estimated from those before, the latest counting most. With a proved and b lost ones the chance of a
proof is taken to be drawn from Beta(a + ε, b + ε): as ε is small, most lemmas are held to be always or never proved
until they show otherwise, so lemmas that nobody has played and those whose plays ended differently take turns by
themselves. No torch; and no oracle, but to tell theorems from other formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from scipy.special import betaln

from curricula import Lemma, Status, propl
from oasis.neural.encoding.batch import LARGEST
from oasis.neural.labels import Oracle
from oasis.neural.reinforcement.exams import examined_keys
from oasis.neural.reinforcement.settings import PoolSettings
from oasis.neural.training.data import uniform_theorems
from oasis.neural.training.reserved import key, reserved_keys
from oasis.play.committed import choices
from oasis.play.policy import Floats
from state_spaces.name import lemma_key
from tactics.formula import Formula, subformulas
from tactics.goal import initial
from tactics.parser import parse
from tactics.uncollected import uncollected

_UNSHOWN: Final = 0.05
"""ε. Of a hundred lemmas that nobody has played, 15 are expected to have plays of 16 that end differently."""
_FORGOTTEN: Final = 0.5
"""The share of what was counted of a lemma that no longer counts when it is played again."""
PORTION: Final = 50
"""Uniform theorems that are made at a time."""


def sorted_out(lemmas: Iterable[Lemma]) -> Iterator[tuple[str, str]]:
    """The names of lemmas, with why one cannot be practised; each is practised once up to renaming, for no reason."""
    kept_back, seen = reserved_keys() | examined_keys(), set[bytes]()
    for lemma in lemmas:
        if sum(1 for _ in subformulas(lemma.formula)) > LARGEST:
            yield lemma.name, "too large for a network to look at"
            continue
        known = lemma_key(lemma.formula) or lemma.name.encode()  # of those that are kept back none is so symmetric
        if lemma.status is Status.NON_THEOREM:
            yield lemma.name, "no theorem"
        elif known in kept_back:
            yield lemma.name, "reserved for tests"
        elif known in seen:
            yield lemma.name, "the same as another one, up to renaming"
        elif not choices(initial(lemma.formula)[0]):
            yield lemma.name, "no choice to make"
        else:
            seen.add(known)
            yield lemma.name, ""


@uncollected()
def portion(settings: PoolSettings, number: int) -> list[int]:
    """The numbers of the next uniform theorems to practise; portions are numbered from 0."""
    n, kept_back = settings.size_of(number), reserved_keys() | examined_keys()
    theorems = uniform_theorems(Oracle(), settings.seed << 32 | number, n)
    fit = (each for each in theorems if choices(initial(each)[0]) and key(each) not in kept_back)
    return [propl.number(theorem, n) for theorem in islice(fit, PORTION)]


class Pool:
    """Lemmas, and what came of their plays so far.

    Uniform theorems do not stay for ever: with each update a portion of new ones takes the place of those that are the
    least likely to be told apart, so that nobody learns them by heart.

    Args:
        settings: which lemmas.
        group: plays of a lemma that are made together.

    Attributes:
        lemmas: to draw from; none until it is filled.
        proved: plays of each lemma that ended in a proof, earlier ones counting less; shape (lemmas,).
        lost: those that did not.
    """

    def __init__(self, settings: PoolSettings, group: int) -> None:
        self.settings, self._group = settings, group
        self.lemmas: list[Formula] = []
        self.proved = self.lost = np.zeros(0)
        self._numbers: list[tuple[int, int]] = []
        self._portions = 0

    def fill(self) -> None:
        """Put lemmas in, if there are none."""
        if self.lemmas:
            return
        self.lemmas = list(map(parse, self.settings.lemmas))
        while len(self.lemmas) < self.settings.size and not self.settings.lemmas:
            for number in self._next():
                self._numbers.append(number)
                self.lemmas.append(propl.formula(number[1], number[0]))
        self.proved, self.lost = np.zeros(len(self.lemmas)), np.zeros(len(self.lemmas))

    def renew(self) -> None:
        """Put a portion of theorems in the place of those that are the least likely to be told apart."""
        if self.settings.lemmas:
            return
        places = np.argsort(self.chances, kind="stable").tolist()
        for place, number in zip(places, self._next(), strict=False):
            self._numbers[place], self.lemmas[place] = number, propl.formula(number[1], number[0])
            self.proved[place] = self.lost[place] = 0

    def _next(self) -> list[tuple[int, int]]:
        """The next portion: the connectives and the number of each theorem."""
        n = self.settings.size_of(self._portions)
        self._portions += 1
        return [(n, number) for number in portion(self.settings, self._portions - 1)]

    @property
    def chances(self) -> Floats:
        """How likely a group of plays of each lemma is to end differently; shape (lemmas,).

        By the beta-binomial distribution, 1 minus the chances that all are proved and that all are lost.
        """
        a, b = self.proved + _UNSHOWN, self.lost + _UNSHOWN
        both = betaln(a, b)
        mixed: Floats = 1 - np.exp(betaln(a + self._group, b) - both) - np.exp(betaln(a, b + self._group) - both)
        return mixed

    def draw(self, rng: Generator, number: int, without: Iterable[int] = ()) -> list[int]:
        """The places of different lemmas, by their chances to be mixed; fewer if there are not so many."""
        chances = np.maximum(self.chances, 1e-9)
        chances[[*without]] = 0
        if not (number := min(number, int(np.count_nonzero(chances)))):
            return []
        return list(map(int, rng.choice(len(chances), number, replace=False, p=chances / chances.sum())))

    def learn(self, place: int, proved: int) -> None:
        """Take into account how many plays of a group of a lemma ended in a proof."""
        for counted, number in ((self.proved, proved), (self.lost, self._group - proved)):
            counted[place] = counted[place] * (1 - _FORGOTTEN) + number

    def state(self) -> dict[str, Any]:
        """The lemmas and what came of their plays so far, as JSON can hold it."""
        counts = {"proved": self.proved.tolist(), "lost": self.lost.tolist()}
        return {**counts, "portions": self._portions, "numbers": self._numbers}

    def restore(self, state: dict[str, Any]) -> None:
        """Be what `state` tells of. Raises ArithmeticError, KeyError, TypeError or ValueError for other content."""
        self._portions = int(state["portions"])
        self._numbers = [(int(n), int(number)) for n, number in state["numbers"]]
        sizes = () if self.settings.lemmas else self.settings.connectives
        if self._portions < 0 or any(
            n not in sizes or not 0 <= number < propl.formulas(n) for n, number in self._numbers
        ):
            raise ValueError("numbers")
        self.lemmas = [propl.formula(number, n) for n, number in self._numbers] or [*map(parse, self.settings.lemmas)]
        for name in ("proved", "lost"):
            numbers = np.array(state[name], np.float64)
            if not numbers.size or numbers.shape != (len(self.lemmas),) or not (numbers >= 0).all():
                raise ValueError(name)
            if (numbers > 2 * self._group).any():  # more than ever are counted
                raise ValueError(name)
            setattr(self, name, numbers)
