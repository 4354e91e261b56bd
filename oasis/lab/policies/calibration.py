"""Whether a policy's values of goals are probabilities: held against the oracle on the goals that plays reach.

The goals are those that come into focus in the policy's own play of each theorem and in one play of random legal moves,
each once a theorem, whatever its hypotheses are called; some are provable and some are not.

Numbers are means over all goals, but goals of one theorem have much in common, so what is drawn are theorems: each gets
the mean over all goals and its own part of the deviations from it. The mean of these numbers over theorems is the mean
over goals, and their spread that of a ratio (Cochran 1977, 6.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma
from oasis.ground.statistics import Floats
from oasis.lab.measure import PERCENT, Family, Measure, Trial, whole
from oasis.lab.policies.groups import TOGETHER, Tried
from oasis.neural.reached import SECONDS, labelled, random_plays, reached
from oasis.play.calibration import BINS, bin_of, misjudged, told_apart
from oasis.play.committed import Committed
from oasis.play.exam import SMALL, valued

OfGoals = Callable[[Floats, Floats], NDArray[Any]]
"""(values, whether each goal is provable as 0 or 1) → numbers of the goals."""


def over_goals(of: OfGoals) -> Callable[[Trial], Floats]:
    """Take the numbers of theorems whose mean is that of `of` over all goals; shape (lemmas,)."""
    return lambda trial: _shared(trial, np.asarray(of(trial["values"], trial["provable"]), np.float64))


def _shared(trial: Trial, numbers: Floats, among: Any = slice(None)) -> Floats:
    """Give each theorem the mean over some goals and its part of the deviations; nan if there are no such goals."""
    chosen, owners, lemmas = numbers[among], trial["owner"][among], len(trial["goals"])
    if not len(chosen):
        return np.full(lemmas, np.nan)
    deviations = np.bincount(owners, chosen - chosen.mean(), lemmas)
    return np.asarray(chosen.mean() + deviations * lemmas / len(chosen))


def _reliability(trial: Trial) -> Floats:
    """The share of goals that is provable, by bins of what is believed; shape (bins, lemmas)."""
    bins = bin_of(trial["values"])
    return np.stack([_shared(trial, trial["provable"], bins == each) for each in range(BINS)])


def _of_goals(name: str, says: str, of: OfGoals, **how: Any) -> Measure:
    return Measure(name, says, over_goals(of), **{"least": 0, "most": 1, "digits": 4, **how})


_HEADLINE: Final[dict[str, Any]] = {"better": "less", "tested": True, "headline": True}

JUDGED: Final = Family(
    "judgements",
    "belief",
    (
        _of_goals("Brier score", "mean of (believed − true)²", lambda said, true: (said - true) ** 2, **_HEADLINE),
        _of_goals("baseline", "Brier score of always saying the share", lambda _, true: (true - true.mean()) ** 2),
        _of_goals(
            "accuracy", "goals believed above ½ if and only if provable", lambda said, true: (said > 0.5) == true
        ),
        _of_goals("AUC", "how likely a provable goal is believed more than another, ties half", told_apart),
        _of_goals("ECE", f"expected calibration error, over {BINS} bins", misjudged),
        _of_goals("provable", "share of goals that are", lambda _, true: true, **PERCENT | {"digits": 1}),
        Measure("goals", "judged, for a theorem", whole("goals"), least=0),
        Measure("undecided", f"goals left out after {SECONDS:g} s", whole("undecided"), least=0, warn_above=0.01),
        Measure(
            "reliability",
            "share that is provable of goals believed so much",
            _reliability,
            x="bins",
            axis="belief",
            by_point=True,
            **PERCENT,
        ),
    ),
    across="lemmas",
)


class Judged(NamedTuple):
    """What a policy said of the goals of a theorem, and the truth as 0 or 1, shape (goals,); how many are unknown."""

    values: Floats
    provable: Floats
    undecided: int


@dataclass(kw_only=True)
class Judgements(Tried[Judged]):
    """A policy's values of the goals of plays.

    Attributes:
        plays: of the lemmas, its own.

    Raises InputError if the policy has no values.
    """

    family = JUDGED

    plays: Mapping[Lemma, Committed]

    def __post_init__(self) -> None:
        valued(self.policy, SMALL)  # before anything is played

    def tried(self) -> Iterator[Judged]:
        """Judge the goals of every theorem that was played."""
        theorems = [lemma for lemma in self.lemmas if lemma in self.plays]
        by_lot = random_plays([lemma.formula for lemma in theorems], self.seed, self.max_moves)
        pairs = zip(theorems, by_lot, strict=True)
        while batch := list(islice(pairs, TOGETHER)):
            found = [reached(lemma.formula, (self.plays[lemma].script, other)) for lemma, other in batch]
            known = [labelled(goals) for goals in found]
            values = valued(self.policy, [goal for goals in known for goal, _ in goals])
            parts = np.split(values, np.cumsum([len(goals) for goals in known])[:-1])
            for goals, decided, said in zip(found, known, parts, strict=True):
                provable = np.array([truth for _, truth in decided], np.float64)
                yield Judged(said, provable, len(goals) - len(decided))

    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return goal by goal what was said, what is true, and of which lemma it is, and the middles of the bins."""
        judged = [self.done[lemma] for lemma in lemmas]
        goals = np.array([len(each.values) for each in judged])
        return {
            "values": np.concatenate([each.values for each in judged]),
            "provable": np.concatenate([each.provable for each in judged]),
            "owner": np.repeat(np.arange(len(lemmas)), goals),
            "goals": goals,
            "undecided": np.array([each.undecided for each in judged]),
            "bins": (np.arange(BINS) + 0.5) / BINS,
        }
