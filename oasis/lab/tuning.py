"""What settings of students are worth to optuna (`oasis.ground.tuning`); and weights of R†, confirmed on other lemmas.

The score of a combination is the chance that the greedy policy proves, the mean over checkpoints whose distances grow,
seeds and lemmas: the area under that curve over the logarithm of episodes, in [0, 1], so that it counts to be early as
well as to be good in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from curricula.lemma import Lemma
from oasis.dagger.making import described, settled
from oasis.dagger.weights import Weights
from oasis.ground.names import TERMS
from oasis.ground.settings import to_toml
from oasis.ground.tuning import Chosen, Scoring
from oasis.lab.ablation import ALL, CORRECT, TERMINATING, plans, report
from oasis.lab.engines import Engine, every_outcome
from oasis.lab.report import Report
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.student.settings import Settings

if TYPE_CHECKING:
    from oasis.lab.students.grid import Grid

_TUNED: Final = tuple(TERMS)[1:]
"""All terms but C."""
LADDER: Final = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Weights to choose from; C has 1."""
TUNED: Final = "tuned"


@dataclass(frozen=True)
class Weighing:
    """Weights of R† that are looked for, and what they are to be good for.

    Attributes:
        lemmas: to practise.
        base: reading, options and all else that is not tuned; its weights are tried first.
        settings: of the students, but for the reward.
        seeds: of the students of every trial.
    """

    lemmas: tuple[Lemma, ...]
    base: Weights
    settings: Settings
    seeds: tuple[int, ...]
    study: ClassVar[str] = "weights"
    choices: ClassVar[Mapping[str, Sequence[float]]] = dict.fromkeys(_TUNED, LADDER)

    def named(self, weights: Mapping[str, float]) -> Weights:
        """Return all of R† with these weights beside C, which has 1; those of 0 are left out."""
        return replace(self.base, weights={"C": 1.0, **{name: weight for name, weight in weights.items() if weight}})

    @property
    def first(self) -> list[Chosen]:
        """The weights of the preset, C alone, and each term beside it."""
        given = {name: weight for name, weight in self.base.weights.items() if name != "C"}
        alone = [{name: given.get(name, 0.1)} for name in _TUNED]
        return [{name: _rung(each.get(name, 0.0)) for name in _TUNED} for each in (given, {}, *alone)]

    def variant(self, chosen: Chosen) -> Variant:
        """Return the students that are paid by these weights."""
        name = described(self.named(chosen))
        return Variant(name, replace(self.settings, reward=name))

    def plans(self, variants: Sequence[Variant]) -> dict[str, Plan]:
        """Return a plan for each lemma, which has students of its own."""
        return plans(self.lemmas, tuple(variants), self.seeds)

    def said(self, chosen: Chosen) -> str:
        """Return the weights but those of 0."""
        return "C" + "".join(f" {name}={weight:g}" for name, weight in chosen.items() if weight)

    def to_json(self) -> dict[str, Any]:
        """Return what a study must be about to be gone on with."""
        base = settled(self.base).to_json()
        del base["weights"]  # which are but where it begins
        return {
            "lemmas": {lemma.name: lemma.formula.digest.hex() for lemma in self.lemmas},
            "base": base,
            "settings": {name: value for name, value in asdict(self.settings).items() if name != "reward"},
            "seeds": list(self.seeds),
            "checkpoints": checkpoints(self.settings.episodes),  # of which a score is the mean
        }


def scores(task: Weighing | Grid, engine: Engine) -> Scoring:
    """Return what gives values of settings their scores, by students that an engine lets practise."""

    def score(chosen: Sequence[Chosen]) -> list[float]:
        kinds = [task.variant(each) for each in chosen]
        found = every_outcome(task.plans([*dict.fromkeys(kinds)]), engine)  # kinds that are equal are done once
        return [
            float(np.mean([trial["chance"] for each in found.values() for trial in each[kind.name]])) for kind in kinds
        ]

    return score


def confirmed(
    lemmas: Sequence[Lemma],
    tuned: Weights,
    task: Weighing,
    seeds: tuple[int, ...],
    engine: Engine,
    also: Mapping[str, Weights] | None = None,
) -> Report:
    """Hold students of the tuned weights, and of others by names of their own, against those of known rewards.

    Args:
        lemmas: to practise.
        tuned: the weights that were found.
        task: that they were found for; the weights that it begins with are confirmed, too, and C alone.
        seeds: of the students.
        engine: that does it.
        also: other weights by names of their own.
    """
    known = {TERMINATING: TERMINATING, CORRECT: described(task.named({})), ALL: described(task.base)}
    asked = {TUNED: described(tuned), **{name: described(weights) for name, weights in (also or {}).items()}}
    kinds = tuple(Variant(name, replace(task.settings, reward=reward)) for name, reward in {**known, **asked}.items())
    pairs = [(name, other) for other in known for name in asked] + [(ALL, TERMINATING), (CORRECT, TERMINATING)]
    return report(every_outcome(plans(lemmas, kinds, seeds), engine), pairs)


def as_toml(weights: Weights, comments: Sequence[str] = ()) -> str:
    """A file of weights that `oasis.dagger.weights.weights_named` reads."""
    return "".join(f"# {comment}\n" for comment in comments) + to_toml(weights.to_json())


def _rung(weight: float) -> float:
    """The weight on the ladder that is nearest to one."""
    return min(LADDER, key=lambda rung: abs(rung - weight))
