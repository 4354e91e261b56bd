"""Values of settings by optuna, in trials that are kept in a file: who chooses says among what, and scores them.

Trials are asked for and told in batches (optuna's ask and tell).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from tactics.errors import InputError, LibraryMissing, install_command

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

BATCH: Final = 8
"""Trials that are asked for at once."""
_PLAN: Final = "plan"

Chosen = Mapping[str, Any]
"""A value for each setting that is chosen."""
Scoring = Callable[[Sequence[Chosen]], list[float]]
"""Gives some combinations their scores; more is better."""


class Task(Protocol):
    """What is chosen among."""

    @property
    def study(self) -> str:
        """The name of the study in its file."""
        ...

    @property
    def choices(self) -> Mapping[str, Sequence[Any]]:
        """The values of each setting."""
        ...

    @property
    def first(self) -> Sequence[Chosen]:
        """What is to be tried first."""
        ...

    def said(self, chosen: Chosen) -> str:
        """Return the name of a combination; those of one name are the same."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return what a study must be about to be gone on with."""
        ...


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
        """How it did, of so many trials in all, and which has the highest score so far."""
        highest = f"highest {self.best_score:.3f}: {self.best}"
        return f"{self.trials} of {trials} trials, {self.score:.3f}: {self.chosen}; {highest}"


def need_optuna() -> None:
    """Raises LibraryMissing if optuna is not there."""
    if find_spec("optuna") is None:
        raise LibraryMissing(f"Tuning needs optuna, which is not installed: {install_command('tune')}")


class Tuning:
    """A study in a file, begun or gone on with.

    Args:
        task: what is chosen among.
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
        """What was tried with its score, the best first, each combination once.

        Raises InputError if nothing was.
        """
        found: dict[str, tuple[Chosen, float]] = {}
        for trial in sorted(self._complete(), key=lambda trial: -float(trial.value or 0)):
            chosen = self._chosen(trial.params)
            found.setdefault(self.task.said(chosen), (chosen, float(trial.value or 0)))
        if not found:
            raise InputError("No trial is done yet; give it more --trials or --seconds.")
        return [*found.values()]

    def run(self, scores: Scoring, trials: int, seconds: float | None = None) -> Iterator[Told]:
        """Do trials until so many are done, with those of before, or until the time is over.

        What is told is kept; leaving the iteration early loses the batch that is being done.
        """
        began = monotonic()
        while (left := trials - self.done) > 0 and (seconds is None or monotonic() - began < seconds):
            asked = [self.study.ask() for _ in range(min(BATCH, left))]
            chosen = [self._chosen(self._drawn(trial)) for trial in asked]
            for trial, values, score in zip(asked, chosen, scores(chosen), strict=True):
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

    def _complete(self) -> list[FrozenTrial]:
        from optuna.trial import TrialState

        found: list[FrozenTrial] = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return found


def _cause(error: Exception) -> str:
    """The first line of what a library says went wrong."""
    return str(getattr(error, "orig", None) or error.__cause__ or error).splitlines()[0]
