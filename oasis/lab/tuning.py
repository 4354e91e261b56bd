"""Weights of R† by optuna: trials that are kept in a file, and students of the best weights on other lemmas.

A trial gives each term a weight of `LADDER`; C has 1. Its score is the chance that the greedy policy proves, the mean
over checkpoints whose distances grow, seeds and lemmas: the area under that curve over the logarithm of episodes, in
[0, 1], so that it counts to be early as well as to be good in the end. Trials are asked for and told in
batches (optuna's ask and tell), each of which is done by an engine as any experiment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.dagger.making import described, settled
from oasis.dagger.weights import Weights
from oasis.ground.names import TERMS
from oasis.ground.settings import to_toml
from oasis.lab.ablation import ALL, CORRECT, TERMINATING, plans, report, side_by_side
from oasis.lab.engines import Engine, by_variant, every_trial
from oasis.lab.measure import Trial
from oasis.lab.report import Report
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.student.settings import Settings
from tactics.errors import InputError, LibraryMissing, install_command

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

_TUNED: Final = tuple(TERMS)[1:]
"""All terms but C."""
LADDER: Final = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Weights to choose from."""
BATCH: Final = 8
"""Trials that are asked for at once."""
TUNED: Final = "tuned"
_STUDY: Final = "weights"
_PLAN: Final = "plan"


class Told(NamedTuple):
    """A trial that is done.

    Attributes:
        trials: how many are done, with those of before.
        weights: of its terms beside C, without those of 0.
        score: in [0, 1].
        best: the weights of the best so far.
        best_score: theirs.
    """

    trials: int
    weights: Mapping[str, float]
    score: float
    best: Mapping[str, float]
    best_score: float

    def sentence(self, trials: int) -> str:
        """How it did, of so many trials in all, and which is the best so far."""
        best = f"best {self.best_score:.3f}: {_said(self.best)}"
        return f"{self.trials} of {trials} trials, {self.score:.3f}: {_said(self.weights)}; {best}"


def _said(weights: Mapping[str, float]) -> str:
    return "C" + "".join(f" {name}={weight:g}" for name, weight in weights.items())


@dataclass(frozen=True)
class Task:
    """What weights are to be good for.

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

    def named(self, weights: Mapping[str, float]) -> Weights:
        """All of R† with these weights beside C, which has 1."""
        return replace(self.base, weights={"C": 1.0, **weights})

    def to_json(self) -> dict[str, Any]:
        """What a study must be about to be gone on with."""
        base = settled(self.base).to_json()
        del base["weights"]  # which are but where it begins
        return {
            "lemmas": {lemma.name: lemma.formula.digest.hex() for lemma in self.lemmas},
            "base": base,
            "settings": {name: value for name, value in asdict(self.settings).items() if name != "reward"},
            "seeds": list(self.seeds),
            "checkpoints": checkpoints(self.settings.episodes),  # of which a score is the mean
        }


def need_optuna() -> None:
    """Raises LibraryMissing if optuna is not there."""
    if find_spec("optuna") is None:
        raise LibraryMissing(f"Tuning needs optuna, which is not installed: {install_command('tune')}")


class Tuning:
    """A study in a file, begun or gone on with.

    Args:
        task: what it is about.
        path: of the file, an SQLite database.
        seed: of what trials are drawn.

    Raises InputError if the file holds a study of another task, or something else.
    """

    def __init__(self, task: Task, path: Path, seed: int = 0) -> None:
        need_optuna()
        import optuna
        from sqlalchemy.exc import SQLAlchemyError

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.task, self.path = task, path
        try:
            self.study = optuna.create_study(
                storage=f"sqlite:///{path}", study_name=_STUDY, direction="maximize", load_if_exists=True
            )
        except (SQLAlchemyError, optuna.exceptions.StorageInternalError) as error:
            raise InputError(f"{path} cannot be used for a study ({_cause(error)}); name another --study.") from None
        told = len(self.study.get_trials(deepcopy=False))
        self.study.sampler = optuna.samplers.TPESampler(seed=seed + told)  # so that one gone on with draws anew
        self._begin()

    def _begin(self) -> None:
        """Note what the study is about and what to try first, or go on with what was broken off."""
        from optuna.trial import TrialState

        about = self.task.to_json()
        known = self.study.user_attrs.get(_PLAN)
        if known is None:
            self.study.set_user_attr(_PLAN, about)
            given = {name: weight for name, weight in self.task.base.weights.items() if name != "C"}
            alone = [{name: given.get(name, 0.1)} for name in _TUNED]
            for weights in [given, {}, *alone]:
                self.study.enqueue_trial({name: _rung(weights.get(name, 0.0)) for name in _TUNED})
        elif known != json.loads(json.dumps(about)):
            raise InputError(f"{self.path} is a study of something else; name another --study, or remove it.")
        for trial in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self.study.tell(trial.number, state=TrialState.FAIL)
            self.study.enqueue_trial(trial.params)

    @property
    def done(self) -> int:
        """How many trials have a score."""
        return len(self._complete())

    @property
    def best(self) -> tuple[Weights, float]:
        """The weights with the largest score, and that. Raises InputError if no trial is done."""
        if not self.done:
            raise InputError("No trial is done yet, so there are no weights; give it more --trials or --seconds.")
        return self.task.named(_weights(self.study.best_params)), float(self.study.best_value)

    def run(self, engine: Engine, trials: int, seconds: float | None = None) -> Iterator[Told]:
        """Do trials until so many are done, with those of before, or until the time is over.

        What is told is kept; leaving the iteration early loses the batch that is being done.
        """
        began = monotonic()
        while (left := trials - self.done) > 0 and (seconds is None or monotonic() - began < seconds):
            asked = [self.study.ask() for _ in range(min(BATCH, left))]
            highest = len(LADDER) - 1
            weights = [_weights({name: trial.suggest_int(name, 0, highest) for name in _TUNED}) for trial in asked]
            for trial, chosen, score in zip(asked, weights, self._scores(engine, weights), strict=True):
                self.study.tell(trial, score)
                best, best_score = self.best
                shown = {name: weight for name, weight in best.weights.items() if name != "C"}
                yield Told(self.done, chosen, score, shown, best_score)

    def _scores(self, engine: Engine, chosen: Sequence[Mapping[str, float]]) -> list[float]:
        """The scores of some weights; equal ones are done once."""
        names = [described(self.task.named(weights)) for weights in chosen]
        kinds = tuple(Variant(name, replace(self.task.settings, reward=name)) for name in dict.fromkeys(names))
        found = done(plans(self.task.lemmas, kinds, self.task.seeds), engine)
        return [float(np.mean([trial["chance"] for trial in found[name]])) for name in names]

    def _complete(self) -> list[FrozenTrial]:
        from optuna.trial import TrialState

        found: list[FrozenTrial] = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return found


def done(parts: Mapping[str, Plan], engine: Engine) -> dict[str, list[Trial]]:
    """Do all trials of some plans of one lemma each, without keeping them, and join them by kind."""
    works = list(parts.values())
    outcomes: list[list[Any]] = [[] for _ in works]
    with closing(engine.run(works, every_trial(works))) as jobs:
        for job in jobs:
            for kind, seed, trial in job:
                outcomes[kind.plan].append((kind.variant, seed, trial))
    return side_by_side({part: by_variant(plan, outcomes[place]) for place, (part, plan) in enumerate(parts.items())})


def confirmed(
    lemmas: Sequence[Lemma],
    tuned: Weights,
    task: Task,
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
    parts = plans(lemmas, kinds, seeds)
    pairs = [(name, other) for other in known for name in asked] + [(ALL, TERMINATING), (CORRECT, TERMINATING)]
    return report(done(parts, engine), [*parts], pairs)


def as_toml(weights: Weights, comments: Sequence[str] = ()) -> str:
    """A file of weights that `oasis.dagger.weights.weights_named` reads."""
    return "".join(f"# {comment}\n" for comment in comments) + to_toml(weights.to_json())


def _weights(rungs: Mapping[str, int]) -> dict[str, float]:
    """The weights of a trial's numbers, without those of 0."""
    return {name: LADDER[rungs[name]] for name in _TUNED if LADDER[rungs[name]]}


def _rung(weight: float) -> int:
    """The place on the ladder that is nearest to a weight."""
    return int(np.argmin(np.abs(np.array(LADDER) - weight)))


def _cause(error: Exception) -> str:
    """The first line of what a library says went wrong."""
    return str(getattr(error, "orig", None) or error.__cause__ or error).splitlines()[0]
