"""A comparison that is kept: a plan in the store, started or resumed, and the trials that are done.

Iterating over `run` does what is left with any engine and stores trials as they are done, so a process that dies loses
no more than those in flight. Drawing progress is left to whoever iterates.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator
from contextlib import closing
from io import BytesIO
from typing import NamedTuple

import numpy as np

from oasis.lab.engines import Engine, Kind, by_variant
from oasis.lab.plan import Plan, Trial
from oasis.store import Store
from oasis.version import commit, version
from tactics.errors import InputError


class Progress(NamedTuple):
    """One more trial is in the store.

    Attributes:
        done: trials in the store, this one included.
        total: trials in the plan.
        variant: name of the one it was.
        seed: of its student.
    """

    done: int
    total: int
    variant: str
    seed: int


class Campaign:
    """A plan in a store, with the trials that are done.

    Attributes:
        number: of the experiment in the store.
        plan: what is to be done.
        finished: whether all of it is done.
        begun_with: the version of Oasis that the experiment was begun with, and its commit if known.
        same_version: whether that is what runs now; trials of two versions need not fit together.
    """

    def __init__(self, store: Store, number: int) -> None:
        stored = store.experiment(number)
        self.store, self.number = store, number
        self.plan = Plan.from_json(stored["plan"])
        self.finished: bool = stored["finished"] is not None
        self.begun_with: str = stored["version"] + (f" ({stored['commit'][:9]})" if stored["commit"] else "")
        # The commit where it is known: an installed version says little about sources that are being worked on.
        self.same_version: bool = (stored["commit"] or stored["version"]) == (commit() or version())

    @classmethod
    def start(cls, store: Store, plan: Plan) -> Campaign:
        """A new experiment; it is in the store before its first trial."""
        return cls(
            store,
            store.start_experiment(name=plan.name, plan=plan.to_json(), version=version(), commit=commit()),
        )

    @classmethod
    def resume(cls, store: Store, number: int | None = None) -> Campaign:
        """An experiment of the store; the newest unfinished one, or else the newest, if no number is given.

        Raises StoreError if there is none, InputError if this version cannot read its plan.
        """
        return cls(store, number if number is not None else store.newest_experiment(unfinished_first=True))

    @property
    def total(self) -> int:
        """Trials in the plan."""
        return len(self.plan.variants) * len(self.plan.seeds)

    @property
    def done(self) -> int:
        """Trials in the store."""
        return len(self.store.done(self.number))

    def run(self, engine: Engine) -> Generator[Progress, None, None]:
        """Do what is left. Leaving the iteration early, by `break` or an exception, ends the engine's workers.

        Raises EngineError (an InputError) when a worker dies or Ray cannot be used; what was done is kept.
        """
        variants = self.plan.variants
        stored = self.store.done(self.number)
        left = {
            Kind(0, place): [seed for seed in self.plan.seeds if (variant.name, seed) not in stored]
            for place, variant in enumerate(variants)
        }
        done = len(stored)
        if done < self.total:
            with closing(engine.run([self.plan], left)) as jobs:
                for outcomes in jobs:
                    named = [(variants[kind.variant].name, seed, trial) for kind, seed, trial in outcomes]
                    self.store.add_trials(self.number, [(name, seed, packed(trial)) for name, seed, trial in named])
                    for name, seed, _ in named:
                        done += 1
                        yield Progress(done, self.total, name, seed)
        if not self.finished:
            self.store.finish_experiment(self.number)
            self.finished = True

    def results(self) -> dict[str, Trial]:
        """By name of a variant the arrays of its trials, their first axis that of the plan's seeds.

        Raises InputError while trials are missing.
        """
        if self.done < self.total:
            raise InputError(f"Experiment {self.number} has {self.total - self.done} trials to go; resume it first.")
        return by_variant(
            self.plan,
            (
                (place, seed, unpacked(result))
                for place, variant in enumerate(self.plan.variants)
                for seed, result in self.store.trials(self.number, variant.name)
            ),
        )


def packed(trial: Trial) -> bytes:
    """The arrays of a trial one after the other in numpy's own format, compressed together."""
    stream = BytesIO()
    for array in trial:
        np.save(stream, array, allow_pickle=False)
    return zlib.compress(stream.getvalue(), level=1)


def unpacked(result: bytes) -> Trial:
    """The trial that `packed` wrote, bit for bit."""
    stream = BytesIO(zlib.decompress(result))
    return Trial(*(np.load(stream, allow_pickle=False) for _ in Trial._fields))
