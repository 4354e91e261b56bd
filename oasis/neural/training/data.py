"""Training data: goals from plays of PropL theorems, labelled by the oracle, in numbered portions.

The examples of a portion depend on the settings and its number alone, so any process may make it, and a training that
is resumed goes on with the same data; each network has them in its own form. Theorems that are reserved for tests are
left out, under whatever names. No torch.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from curricula import propl
from oasis.neural.encoding.form import Encoding, Form
from oasis.neural.encoding.moves import Formulas, Option, Unordered, options, unordered
from oasis.neural.encoding.nodes import nodes_of
from oasis.neural.labels import Labelled, Oracle, shortest_length
from oasis.neural.training.reserved import key, reserved_keys
from oasis.neural.training.settings import DataSettings
from tactics.formula import TRUTH, Formula
from tactics.parser import parse
from tactics.rules import CAN_LOSE
from tactics.uncollected import uncollected

_SMALL: Final = 5
"""The most symbols of a subformula that is asked about."""


class Example(NamedTuple):
    """A goal, and what is to be learned of it.

    Attributes:
        formulas: the goal.
        provable: whether it is.
        options: its moves, if they have labels.
        keeps: of each of these whether it keeps the goal provable; None where nobody knows.
        answers: whether formulas follow from the hypotheses, for networks that are asked (`oasis.neural.encoding.
            entail`).
    """

    formulas: Formulas
    provable: bool
    options: tuple[Option, ...] = ()
    keeps: tuple[bool | None, ...] = ()
    answers: tuple[tuple[Formula, bool], ...] = ()


class Portion(NamedTuple):
    """Examples in the form of a network.

    Attributes:
        goals: with those of their moves that have labels.
        provable: of each goal whether it is.
        keeps: of each move, goal after goal, whether it keeps its goal provable.
    """

    goals: list[Encoding]
    provable: NDArray[np.bool_]
    keeps: list[NDArray[np.bool_]]

    @classmethod
    def of(cls, examples: Iterable[Example], form: Form) -> Self:
        """Examples, each put in a form."""
        goals: list[Encoding] = []
        provable: list[bool] = []
        keeps: list[NDArray[np.bool_]] = []
        for each in examples:
            known = {move: keep for move, keep in zip(each.options, each.keeps, strict=True) if keep is not None}
            goals.append(form(each.formulas, known, dict(each.answers)) if each.answers else form(each.formulas, known))
            provable.append(each.provable)
            keeps.append(np.array([*known.values()], np.bool_))
        return cls(goals, np.array(provable, np.bool_), keeps)

    @property
    def digest(self) -> bytes:
        """16 bytes that stand for all of it."""
        content = blake2b(self.provable.tobytes(), digest_size=16)
        for goal, keeps in zip(self.goals, self.keeps, strict=True):
            for array in (*goal, keeps):
                content.update(array.tobytes())
        return content.digest()

    def joined(self, other: Portion) -> Portion:
        """The goals of both."""
        provable = np.concatenate([self.provable, other.provable])
        return Portion(self.goals + other.goals, provable, self.keeps + other.keeps)


class Met(NamedTuple):
    """A theorem, and the goals to learn from that plays of it met, each once."""

    theorem: Formula
    labelled: Mapping[Unordered, Labelled]


@uncollected()
def portion(settings: DataSettings, number: int, form: Form) -> Portion:
    """A portion of the data in the form of a network; portions are numbered from 0."""
    oracle, lots = Oracle(), random.Random(f"questions {settings.seed} {number}")
    return Portion.of(
        chain.from_iterable(lessons(met.labelled, oracle, lots, settings) for met in theorems(settings, number)), form
    )


@uncollected()
def theorems(settings: DataSettings, number: int) -> list[Met]:
    """The theorems of a portion, and what the oracle's plays of them met."""
    seed = settings.seed << 32 | number
    draw = random.Random(f"plays {seed}").random
    oracle = Oracle()
    if settings.lemmas:
        of_lemmas = ((each, [*oracle_plays(each, oracle, draw, settings)]) for each in _in_turn(settings, number))
        return [Met(lemma, learned(met, draw, settings)) for lemma, met in of_lemmas]
    chosen: list[Met] = []
    for theorem in uniform_theorems(oracle, seed, settings.connectives[number % len(settings.connectives)]):
        met = [*oracle_plays(theorem, oracle, draw, settings)]
        if not losing(met) or _is_too_long(theorem, settings) or key(theorem) in reserved_keys():
            continue
        chosen.append(Met(theorem, learned(met, draw, settings)))
        if len(chosen) == settings.theorems:
            break
    return chosen


def oracle_plays(
    theorem: Formula, oracle: Oracle, draw: Callable[[], float], settings: DataSettings
) -> Iterator[Labelled]:
    """Yield the goals at which there is a choice in some plays of a theorem, or all if certain ones count.

    The plays lose only by moves chosen at random.
    """
    for _ in range(settings.plays):
        is_eager = draw() < settings.eager
        yield from oracle.played((theorem,), draw, is_eager, settings.certain > 0, settings.astray)


def losing(met: Iterable[Labelled]) -> dict[Unordered, Labelled]:
    """Of some goals those with a move that loses, and those that are lost already, each once."""
    return {unordered(labelled.formulas): labelled for labelled in met if not all(labelled.keeps)}


def learned(met: Sequence[Labelled], draw: Callable[[], float], settings: DataSettings) -> dict[Unordered, Labelled]:
    """Of some goals those to learn from, each once: `losing`, and a share of those without a losing move."""
    found = losing(met)
    if settings.certain:
        others = {unordered(labelled.formulas): labelled for labelled in met if all(labelled.keeps)}
        found |= {name: labelled for name, labelled in others.items() if draw() < settings.certain}
    return found


def lessons(
    labelled: Mapping[Unordered, Labelled], oracle: Oracle, lots: random.Random, settings: DataSettings
) -> Iterator[Example]:
    """Return what is learned of the goals that plays of a theorem met, by a network that is asked or by any other."""
    if settings.parts:
        return questioned(labelled, oracle, lots, settings.parts)
    return examples(labelled, settings.certain > 0)


def examples(labelled: Mapping[Unordered, Labelled], certain: bool = False) -> Iterator[Example]:
    """What is learned of the goals that plays of a theorem met.

    Of a provable goal its moves, and where one of them loses also what they leave: whether that is provable, and if
    certain goals count, its moves where no rule can lose.
    """
    for each in labelled.values():
        yield Example(each.formulas, True, each.options, each.keeps) if each.provable else Example(each.formulas, False)
    for premise, is_provable in premises(each for each in labelled.values() if not all(each.keeps)).items():
        if unordered(premise) in labelled:
            continue
        moves = options(premise) if certain and is_provable else ()
        if any(move.rule in CAN_LOSE for move in moves):
            moves = ()
        yield Example(premise, is_provable, moves, (True,) * len(moves))


def questioned(
    labelled: Mapping[Unordered, Labelled], oracle: Oracle, lots: random.Random, parts: int
) -> Iterator[Example]:
    """Yield examples, of goals that plays met, for a network that is asked whether formulas follow from the hypotheses.

    It is asked about the conclusion, what moves want, and some subformulas of the goal, small enough for the oracle to
    decide at once; the conclusion comes first, the others in random order.
    """
    for each in labelled.values():
        conclusion, *hypotheses = each.formulas
        keeps = {move[:2]: keep for move, keep in zip(each.options, each.keeps, strict=True)}
        wanted = [move.wanted for move in each.options] if each.provable else []
        asked = dict.fromkeys(filter(None, wanted))
        small = [
            part
            for part in nodes_of(each.formulas)
            if part.size <= _SMALL and part is not TRUTH and part is not conclusion and part not in asked
        ]
        asked |= dict.fromkeys(lots.sample(small, min(parts, len(small))))
        lots.shuffle(hypotheses)
        questions = [conclusion, *lots.sample([*asked], len(asked))]
        answers = tuple((formula, oracle.provable((formula, *hypotheses))) for formula in questions)
        formulas = (conclusion, *hypotheses)
        moves = options(formulas) if each.provable else ()
        yield Example(formulas, each.provable, moves, tuple(keeps[move[:2]] for move in moves), answers)


def premises(labelled: Iterable[Labelled]) -> dict[Formulas, bool]:
    """What moves on provable goals leave, and whether it is provable: who does not keep loses the first premise."""
    return {
        premise: keeps or number > 0
        for goal in labelled
        if goal.provable
        for move, keeps in zip(goal.options, goal.keeps, strict=True)
        for number, premise in enumerate(move.premises)
    }


def _in_turn(settings: DataSettings, number: int) -> Iterator[Formula]:
    """The lemmas of somebody's own that a portion has: all take their turn by lot, and then again."""
    lemmas, count = settings.lemmas, min(settings.theorems, len(settings.lemmas))
    turns: dict[int, list[str]] = {}
    for place in range(number * count, (number + 1) * count):
        turn, at = divmod(place, len(lemmas))
        if turn not in turns:
            turns[turn] = random.Random(f"turn {turn} {settings.seed}").sample(lemmas, len(lemmas))
        yield parse(turns[turn][at])


def uniform_theorems(oracle: Oracle, seed: int, n: int) -> Iterator[Formula]:
    """Theorems among uniform formulas of n connectives, without end; the same ones for a seed."""
    for number in propl.sample(seed, sys.maxsize, n):
        formula = propl.formula(number, n)
        if oracle.provable((formula,)):
            yield formula


def _is_too_long(theorem: Formula, settings: DataSettings) -> bool:
    return settings.longest is not None and shortest_length((theorem,), settings.longest) is None
