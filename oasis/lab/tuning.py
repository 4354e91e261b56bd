"""Settings of students by optuna: trials that are kept in a file; and weights of R†, confirmed on other lemmas.

A trial chooses a value for each of some settings. Its score is the chance that the greedy policy proves, the mean over
checkpoints whose distances grow, seeds and lemmas: the area under that curve over the logarithm of episodes, in [0, 1],
so that it counts to be early as well as to be good in the end. Trials are asked for and told in batches (optuna's ask
and tell), each of which is done by an engine as any experiment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.dagger.making import described, settled
from oasis.dagger.weights import Weights
from oasis.ground.names import TERMS
from oasis.ground.settings import to_toml
from oasis.lab.ablation import ALL, CORRECT, TERMINATING, plans, report, side_by_side
from oasis.lab.engines import Engine, every_outcome
from oasis.lab.report import Report
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.student.settings import Settings
from tactics.errors import InputError, LibraryMissing, install_command

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

    from oasis.lab.students.grid import Grid

_TUNED: Final = tuple(TERMS)[1:]
"""All terms but C."""
LADDER: Final = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Weights to choose from; C has 1."""
BATCH: Final = 8
"""Trials that are asked for at once."""
TUNED: Final = "tuned"
_PLAN: Final = "plan"

Chosen = Mapping[str, Any]
"""A value for each setting that is chosen."""


class Told(NamedTuple):
    """A trial that is done.

    Attributes:
        trials: how many are done, with those of before.
        chosen: its values, in words.
        score: in [0, 1].
        best: the values of the best so far, in words.
        best_score: theirs.
    """

    trials: int
    chosen: str
    score: float
    best: str
    best_score: float

    def sentence(self, trials: int) -> str:
        """How it did, of so many trials in all, and which is the best so far."""
        best = f"best {self.best_score:.3f}: {self.best}"
        return f"{self.trials} of {trials} trials, {self.score:.3f}: {self.chosen}; {best}"


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


def need_optuna() -> None:
    """Raises LibraryMissing if optuna is not there."""
    if find_spec("optuna") is None:
        raise LibraryMissing(f"Tuning needs optuna, which is not installed: {install_command('tune')}")


class Tuning:
    """A study in a file, begun or gone on with.

    Args:
        task: values of settings with which students know lemmas early, and what they are chosen among.
        path: of the file, an SQLite database.
        seed: of what trials are drawn.

    Raises InputError if the file holds a study of another task, or something else.
    """

    def __init__(self, task: Weighing | Grid, path: Path, seed: int = 0) -> None:
        need_optuna()
        import optuna
        from sqlalchemy.exc import SQLAlchemyError

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.task, self.path = task, path
        try:
            self.study = optuna.create_study(
                storage=f"sqlite:///{path}", study_name=task.study, direction="maximize", load_if_exists=True
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
            choices = self.task.choices
            for chosen in self.task.first:
                self.study.enqueue_trial({name: choices[name].index(value) for name, value in chosen.items()})
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
    def ranked(self) -> list[tuple[Chosen, float]]:
        """What was tried with its score, the best first, each kind of student once.

        Raises InputError if nothing was.
        """
        found: dict[str, tuple[Chosen, float]] = {}
        for trial in sorted(self._complete(), key=lambda trial: -float(trial.value or 0)):
            chosen = self._chosen(trial.params)
            found.setdefault(self.task.variant(chosen).name, (chosen, float(trial.value or 0)))
        if not found:
            raise InputError("No trial is done yet; give it more --trials or --seconds.")
        return [*found.values()]

    def run(self, engine: Engine, trials: int, seconds: float | None = None) -> Iterator[Told]:
        """Do trials until so many are done, with those of before, or until the time is over.

        What is told is kept; leaving the iteration early loses the batch that is being done.
        """
        began = monotonic()
        while (left := trials - self.done) > 0 and (seconds is None or monotonic() - began < seconds):
            asked = [self.study.ask() for _ in range(min(BATCH, left))]
            chosen = [self._chosen(self._drawn(trial)) for trial in asked]
            for trial, values, score in zip(asked, chosen, self._scores(engine, chosen), strict=True):
                self.study.tell(trial, score)
                best, best_score = self.ranked[0]
                yield Told(self.done, self.task.said(values), score, self.task.said(best), best_score)

    def _drawn(self, trial: Trial) -> dict[str, int]:
        """Draw the place of a value for each setting; of numbers, neighbours are taken to be alike."""
        places = {}
        for name, values in self.task.choices.items():
            if all(isinstance(value, int | float) for value in values):
                places[name] = trial.suggest_int(name, 0, len(values) - 1)
            else:
                places[name] = trial.suggest_categorical(name, range(len(values)))
        return places

    def _chosen(self, places: Mapping[str, int]) -> dict[str, Any]:
        return {name: values[places[name]] for name, values in self.task.choices.items()}

    def _scores(self, engine: Engine, chosen: Sequence[Chosen]) -> list[float]:
        """The scores of some values; kinds that are equal are done once."""
        kinds = [self.task.variant(each) for each in chosen]
        found = every_outcome(self.task.plans([*dict.fromkeys(kinds)]), engine)
        return [
            float(np.mean([trial["chance"] for each in found.values() for trial in each[kind.name]])) for kind in kinds
        ]

    def _complete(self) -> list[FrozenTrial]:
        from optuna.trial import TrialState

        found: list[FrozenTrial] = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return found


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
    parts = plans(lemmas, kinds, seeds)
    pairs = [(name, other) for other in known for name in asked] + [(ALL, TERMINATING), (CORRECT, TERMINATING)]
    return report(side_by_side(every_outcome(parts, engine)), [*parts], pairs)


def as_toml(weights: Weights, comments: Sequence[str] = ()) -> str:
    """A file of weights that `oasis.dagger.weights.weights_named` reads."""
    return "".join(f"# {comment}\n" for comment in comments) + to_toml(weights.to_json())


def _rung(weight: float) -> float:
    """The weight on the ladder that is nearest to one."""
    return min(LADDER, key=lambda rung: abs(rung - weight))


def _cause(error: Exception) -> str:
    """The first line of what a library says went wrong."""
    return str(getattr(error, "orig", None) or error.__cause__ or error).splitlines()[0]
