"""An experiment that is kept: plans in the store, begun or resumed, and the trials that are done.

Families differ in their plans and in what they make of the trials (`oasis.lab.plans.Work`); doing these is the same
for all. Iterating over `run` does what is left with any engine and stores trials as they are done, so a process that
dies loses no more than those in flight. Drawing progress is left to whoever iterates.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing
from copy import copy
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from oasis.ground.names import FAMILIES
from oasis.ground.plural import conjunction
from oasis.ground.version import commit, version
from oasis.lab.engines import Engine, Kind, every_trial
from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.study import NO_STUDY, Study
from oasis.store import Store, StoreError
from tactics.errors import InputError

W_co = TypeVar("W_co", bound=Work, covariant=True)
New = TypeVar("New", bound=Work)


class Progress(NamedTuple):
    """One more trial is in the store.

    Attributes:
        done: trials in the store, this one included.
        effort: that these trials took, in the unit of the plans.
        part: name of the plan it is of.
        variant: name of the one it was.
        seed: of the trial.
    """

    done: int
    effort: int
    part: str
    variant: str
    seed: int


class Maker(NamedTuple):
    """An Oasis that made trials: its version, its commit if known, and how many."""

    version: str
    commit: str | None
    trials: int

    def __str__(self) -> str:
        return self.version + (f" ({self.commit[:9]})" if self.commit else "")


class Experiment(Generic[W_co]):
    """The plans of an experiment in a store, with the trials that are done.

    Attributes:
        number: of the experiment in the store.
        command: that began it, such as `compare`.
        name: for people.
        plans: what is to be done, by the names of the parts; all of one family.
        noun: what its trials are of, such as `students`.
        study: what was claimed when it was begun.
        finished: whether all of it is done.
        begun_with: the version of Oasis that the experiment was begun with, and its commit if known.
        same_version: whether that is what runs now; trials of two versions need not fit together.
    """

    def __init__(self, store: Store, number: int) -> None:
        stored = store.experiment(number)
        self.store, self.number = store, number
        self.command: str = stored["command"]
        self.name: str = stored["name"]
        try:
            plans: dict[str, dict[str, Any]] = stored["plan"]["plans"]
            family: str = stored["plan"]["of"]
        except KeyError as error:
            raise store.damaged(f"the plan of experiment {number} has no {error}") from None
        if family not in FAMILIES and ":" not in family:
            raise InputError(
                f"Experiment {number} is about {family}, of which this version of Oasis knows nothing; go on with it "
                "in the one that began it."
            )
        read = FAMILIES.find(family).from_json
        self.plans: dict[str, W_co] = {part: read(plan) for part, plan in plans.items()}
        self.noun: str = next(iter(self.plans.values())).noun
        self.study = Study.from_json(stored["plan"].get("study", {}))
        self._whole = self.total
        self.finished: bool = stored["finished"] is not None
        self.begun_with = str(Maker(stored["version"], stored["commit"], 0))
        # The commit where it is known: an installed version says little about sources that are being worked on.
        self.same_version: bool = (stored["commit"] or stored["version"]) == (commit() or version())

    @classmethod
    def start(
        cls, store: Store, plans: Mapping[str, New], *, command: str = "compare", name: str, study: Study = NO_STUDY
    ) -> Experiment[New]:
        """Begin an experiment, which is in the store before its first trial.

        Raises InputError if a learner or a reward of somebody's own fails.
        """
        for plan in plans.values():
            for settings in plan.settings:
                from oasis.student.student import try_out  # which an experiment without students does not need

                try_out(settings, plan.formulas(plan.seeds[0]))
        (family,) = {FAMILIES.name_of(type(plan)) for plan in plans.values()}
        content = {
            "of": family,
            "plans": {part: plan.to_json() for part, plan in plans.items()},
            "study": study.to_json(),
        }
        return Experiment(
            store,
            store.start_experiment(command=command, name=name, plan=content, version=version(), commit=commit()),
        )

    @classmethod
    def resume(cls, store: Store, number: int | None = None, *, command: str = "compare") -> Experiment[Any]:
        """Open a command's experiment; its newest unfinished one, or else its newest, if no number is given.

        Raises StoreError if there is none, InputError if it is another command's or this version cannot read it.
        """
        if number is None:
            number = store.newest_experiment(command, unfinished_first=True)
        found: Experiment[Any] = Experiment(store, number)
        if found.command != command:
            raise InputError(
                f"Experiment {number} was begun with oasis {found.command}; go on with: "
                f"oasis {found.command} --resume --experiment {number}"
            )
        return found

    @classmethod
    def open(cls, path: str | Path, number: int | None = None) -> Experiment[Any]:
        """Open an experiment of any command to look at its plans and trials, as in a notebook; the newest by default.

        Raises StoreError if there is none, InputError if this version cannot read it.
        """
        with ExitStack() as failed:
            store = failed.enter_context(Store(Path(path), create=False))
            found: Experiment[Any] = Experiment(store, store.newest_experiment() if number is None else number)
            failed.pop_all()
        return found

    def __repr__(self) -> str:
        done = f"{self.done:,} of {self.total:,} {self.noun} done"
        return f"experiment {self.number}, {self.command}: {self.name}, {done}"

    @property
    def plan(self) -> W_co:
        """The plan of an experiment that has only one. Raises InputError if it has several."""
        if len(self.plans) > 1:
            raise InputError(f"Experiment {self.number} has the parts {conjunction(self.plans)}; name one of them.")
        return next(iter(self.plans.values()))

    @property
    def total(self) -> int:
        """The number of trials in the plans."""
        return sum(len(plan.variants) * len(plan.seeds) for plan in self.plans.values())

    @property
    def effort(self) -> int:
        """How long all of these trials take, in the unit of the plans."""
        return sum(len(plan.variants) * len(plan.seeds) * plan.effort for plan in self.plans.values())

    @property
    def done(self) -> int:
        """The number of trials in the store."""
        return len(self.store.done(self.number))

    @property
    def makers(self) -> list[Maker]:
        """What made the trials in the store; numbers of one version are the same again, those of two need not be."""
        return [Maker(**row) for row in self.store.makers(self.number)]

    @property
    def made_by(self) -> str:
        """What made the trials in the store, in words."""
        return conjunction(map(str, self.makers))

    def first(self, seeds: int) -> Experiment[W_co]:
        """Return the same experiment, its plans cut down to so many seeds, the first ones: a pilot of the whole."""
        cut = copy(self)
        cut.plans = {part: replace(plan, seeds=plan.seeds[:seeds]) for part, plan in self.plans.items()}
        return cut

    def so_far(self) -> Experiment[W_co]:
        """Return the same experiment, its plans cut down to trials that are done (`shared`).

        Raises InputError if there are not two of one kind.
        """
        cut = copy(self)
        cut.plans = {}
        for part, plan in self.plans.items():
            chosen, seeds = shared({name: set(done) for name, done in self.seeds_done(part).items()})
            if not chosen:
                raise InputError(
                    f"Experiment {self.number} does not have two {self.noun} of one kind yet; let it go on for longer."
                )
            variants = tuple(variant for variant in plan.variants if variant.name in chosen)
            cut.plans[part] = replace(plan, variants=variants, seeds=tuple(sorted(seeds)))
        return cut

    def seeds_done(self, part: str | None = None) -> dict[str, list[int]]:
        """Return by name of a variant the seeds of its trials in the store, in the order of the plan.

        Args:
            part: name of the plan; None if there is only one.
        """
        stored = self.store.done(self.number)
        plan = self._planned(part)
        return {
            variant.name: [seed for seed in plan.seeds if (self._key(part, variant.name), seed) in stored]
            for variant in plan.variants
        }

    def finished_parts(self) -> list[str]:
        """Return the names of the plans of which every trial is in the store."""
        return [
            part
            for part, plan in self.plans.items()
            if all(len(done) == len(plan.seeds) for done in self.seeds_done(part).values())
        ]

    def run(self, engine: Engine) -> Generator[Progress, None, None]:
        """Do what is left. Leaving the iteration early, by `break` or an exception, ends the engine's workers.

        Raises EngineError (an InputError) when a worker dies or cannot be had; what was done is kept.
        """
        plans, parts = tuple(self.plans.values()), tuple(self.plans)
        stored = self.store.done(self.number)

        def key(kind: Kind) -> str:
            return self._key(parts[kind.plan], plans[kind.plan].variants[kind.variant].name)

        left = {
            kind: [seed for seed in seeds if (key(kind), seed) not in stored]
            for kind, seeds in every_trial(plans).items()
        }
        done = self.total - sum(map(len, left.values()))
        effort = self.effort - sum(len(seeds) * plans[kind.plan].effort for kind, seeds in left.items())
        if any(left.values()):
            with closing(engine.run(plans, left)) as jobs:
                for outcomes in jobs:
                    self.store.add_trials(
                        self.number,
                        [(key(kind), seed, packed(trial)) for kind, seed, trial in outcomes],
                        version=version(),
                        commit=commit(),
                    )
                    for kind, seed, _ in outcomes:
                        plan = plans[kind.plan]
                        done, effort = done + 1, effort + plan.effort
                        yield Progress(done, effort, parts[kind.plan], plan.variants[kind.variant].name, seed)
        if not self.finished and self.done >= self._whole:
            self.store.finish_experiment(self.number)
            self.finished = True

    def trials(self, part: str | None = None) -> dict[str, list[Trial]]:
        """Return by name of a variant its trials that are done, in the order of the plan's seeds (`seeds_done`).

        Args:
            part: name of the plan; None if there is only one.

        Raises StoreError for a trial that cannot be read.
        """
        plan = self._planned(part)
        return {
            variant.name: [self._unpacked(results[seed]) for seed in plan.seeds if seed in results]
            for variant in plan.variants
            for results in [dict(self.store.trials(self.number, self._key(part, variant.name)))]
        }

    def report(self, part: str | None = None) -> Report:
        """Return what the trials come to (`oasis.lab.report.Report`); so many of each kind as all kinds have.

        Args:
            part: name of the plan; None if there is only one.

        Raises InputError if there are not two of one kind.
        """
        whole = self if self.finished else self.so_far()
        return whole._planned(part).report(whole.trials(part))

    def to_json(self) -> dict[str, Any]:
        """Return what every report of an experiment says of it: its number, and what made its trials."""
        return {"experiment": self.number, "made_by": [maker._asdict() for maker in self.makers]}

    def _planned(self, part: str | None) -> W_co:
        return self.plan if part is None else self.plans[part]

    def _key(self, part: str | None, variant: str) -> str:
        """The name under which the trials of a variant are stored."""
        return variant if len(self.plans) == 1 else f"{part}: {variant}"

    def _unpacked(self, stored: bytes) -> Trial:
        try:
            return unpacked(stored)
        except (EOFError, OSError, TypeError, ValueError, zlib.error) as error:
            raise StoreError(
                f"A trial of experiment {self.number} in {self.store.path} cannot be read: it is damaged, or another "
                "version of Oasis made it; begin a new experiment, or put back a copy of the file."
            ) from error


def shared(done: Mapping[str, set[int]]) -> tuple[list[str], set[int]]:
    """Kinds and seeds such that every one of these kinds has a trial of every one of these seeds, and most trials.

    Of as many trials, those of more kinds. None where no kind has two.

    Args:
        done: the seeds of the trials of each kind.
    """
    ways = [([name for name in done if done[name] >= seeds], seeds) for seeds in done.values() if len(seeds) > 1]
    return max(ways, key=lambda way: (len(way[0]) * len(way[1]), len(way[0])), default=([], set()))


def packed(trial: Trial) -> bytes:
    """Write the arrays of a trial as one record in numpy's format, which is compressed quickly rather than well."""
    record = np.zeros((), [(name, array.dtype, array.shape) for name, array in trial.items()])
    for name, array in trial.items():
        record[name] = array
    stream = BytesIO()
    np.lib.format.write_array(stream, record, version=(3, 0), allow_pickle=False)
    return zlib.compress(stream.getbuffer(), level=1)


def unpacked(stored: bytes) -> Trial:
    """Read the arrays that `packed` wrote, bit for bit."""
    written = zlib.decompress(stored)
    record = np.lib.format.read_array(BytesIO(written), allow_pickle=False, max_header_size=len(written))
    names: Any = record.dtype.names
    return {name: record[name] for name in names}
