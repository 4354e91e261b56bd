"""An experiment that is kept: plans in the store, begun or resumed, and the trials that are done.

Commands differ in their plans and in what they make of the trials; doing these is the same for all. Iterating over
`run` does what is left with any engine and stores trials as they are done, so a process that dies loses no more than
those in flight. Drawing progress is left to whoever iterates.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.ground.version import commit, version
from oasis.lab.climbing.plan import ClimbPlan
from oasis.lab.engines import Engine, Kind, by_variant, every_trial
from oasis.lab.plan import Plan
from oasis.lab.searching.plan import SearchPlan
from oasis.lab.words import conjunction
from oasis.lab.work import R_co, Results, Work
from oasis.store import Store
from oasis.student.student import try_out
from tactics.errors import InputError

W_co = TypeVar("W_co", bound=Work[Any], covariant=True)
New = TypeVar("New", bound=Work[Any])

SORTS: Final[dict[str, Callable[[dict[str, Any]], Work[Any]]]] = {
    Plan.noun: Plan.from_json,
    SearchPlan.noun: SearchPlan.from_json,
    ClimbPlan.noun: ClimbPlan.from_json,
}
"""How plans are read, by what their trials are of."""


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
        return _edition(self.version, self.commit)


class Campaign(Generic[W_co]):
    """The plans of an experiment in a store, with the trials that are done.

    Attributes:
        number: of the experiment in the store.
        command: that began it, such as `compare`.
        name: for people.
        noun: what its trials are of, one of `SORTS`.
        plans: what is to be done, by the names of the parts; all of one sort.
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
            self.noun: str = stored["plan"]["of"]
        except KeyError as error:
            raise store.damaged(f"the plan of experiment {number} has no {error}") from None
        self.plans: dict[str, W_co] = {part: self._read(plan) for part, plan in plans.items()}
        self.finished: bool = stored["finished"] is not None
        self.begun_with = _edition(stored["version"], stored["commit"])
        # The commit where it is known: an installed version says little about sources that are being worked on.
        self.same_version: bool = (stored["commit"] or stored["version"]) == (commit() or version())
        self._kinds = {
            (variant.name if len(plans) == 1 else f"{part}: {variant.name}"): Kind(place, number)
            for place, (part, plan) in enumerate(self.plans.items())
            for number, variant in enumerate(plan.variants)
        }
        """Kinds by the names under which their trials are stored."""

    @classmethod
    def start(cls, store: Store, plans: Mapping[str, New], *, command: str = "compare", name: str) -> Campaign[New]:
        """Begin an experiment, which is in the store before its first trial.

        Raises InputError if a learner or a reward of somebody's own fails.
        """
        for plan in plans.values():
            for settings in plan.settings:
                try_out(settings, plan.formulas(plan.seeds[0]))
        (noun,) = {plan.noun for plan in plans.values()}
        content = {"of": noun, "plans": {part: plan.to_json() for part, plan in plans.items()}}
        return Campaign(
            store,
            store.start_experiment(command=command, name=name, plan=content, version=version(), commit=commit()),
        )

    @classmethod
    def resume(cls, store: Store, number: int | None = None, *, command: str = "compare") -> Campaign[Any]:
        """Open a command's experiment; its newest unfinished one, or else its newest, if no number is given.

        Raises StoreError if there is none, InputError if it is another command's or this version cannot read it.
        """
        if number is None:
            number = store.newest_experiment(command, unfinished_first=True)
        found: Campaign[Any] = Campaign(store, number)
        if found.command != command:
            raise InputError(
                f"Experiment {number} was begun with oasis {found.command}; go on with: "
                f"oasis {found.command} --resume --experiment {number}"
            )
        return found

    @property
    def plan(self) -> W_co:
        """The plan of an experiment that has only one."""
        (plan,) = self.plans.values()
        return plan

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

    def so_far(self) -> Campaign[W_co]:
        """Return the same experiment, its plans cut down to trials that are done (`shared`).

        Raises InputError if there are not two of one kind.
        """
        stored = self.store.done(self.number)
        cut: Campaign[Any] = Campaign(self.store, self.number)
        names = {kind: name for name, kind in self._kinds.items()}
        cut._kinds = {}
        for place, (part, plan) in enumerate(self.plans.items()):
            kinds = [names[Kind(place, number)] for number in range(len(plan.variants))]
            chosen, seeds = shared({name: {seed for seed in plan.seeds if (name, seed) in stored} for name in kinds})
            if not chosen:
                raise InputError(
                    f"Experiment {self.number} does not have two {self.noun} of one kind yet; let it go on for longer."
                )
            variants = [plan.variants[self._kinds[name].variant] for name in chosen]
            cut.plans[part] = replace(cut.plans[part], variants=tuple(variants), seeds=tuple(sorted(seeds)))
            cut._kinds |= {name: Kind(place, number) for number, name in enumerate(chosen)}
        return cut

    def done_of(self, part: str) -> dict[str, int]:
        """Return by name of a variant of a plan the number of its trials in the store."""
        stored = self.store.done(self.number)
        names = {kind: name for name, kind in self._kinds.items()}
        place = tuple(self.plans).index(part)
        return {
            variant.name: sum((names[Kind(place, number)], seed) in stored for seed in self.plans[part].seeds)
            for number, variant in enumerate(self.plans[part].variants)
        }

    def run(self, engine: Engine) -> Generator[Progress, None, None]:
        """Do what is left. Leaving the iteration early, by `break` or an exception, ends the engine's workers.

        Raises EngineError (an InputError) when a worker dies or cannot be had; what was done is kept.
        """
        plans = tuple(self.plans.values())
        parts = tuple(self.plans)
        names = {kind: name for name, kind in self._kinds.items()}
        stored = self.store.done(self.number)
        left = {
            kind: [seed for seed in seeds if (names[kind], seed) not in stored]
            for kind, seeds in every_trial(plans).items()
        }
        done = len(stored)
        effort = sum(plans[self._kinds[name].plan].effort for name, _ in stored)
        if done < self.total:
            with closing(engine.run(plans, left)) as jobs:
                for outcomes in jobs:
                    self.store.add_trials(
                        self.number,
                        [(names[kind], seed, packed(trial)) for kind, seed, trial in outcomes],
                        version=version(),
                        commit=commit(),
                    )
                    for kind, seed, _ in outcomes:
                        plan = plans[kind.plan]
                        done, effort = done + 1, effort + plan.effort
                        yield Progress(done, effort, parts[kind.plan], plan.variants[kind.variant].name, seed)
        if not self.finished:
            self.store.finish_experiment(self.number)
            self.finished = True

    def finished_parts(self) -> list[str]:
        """Return the names of the plans of which every trial is in the store."""
        stored = self.store.done(self.number)
        missing = {
            kind.plan
            for name, kind in self._kinds.items()
            if any((name, seed) not in stored for seed in tuple(self.plans.values())[kind.plan].seeds)
        }
        return [part for place, part in enumerate(self.plans) if place not in missing]

    def trials(self: Campaign[Work[R_co]], part: str) -> dict[str, R_co]:
        """Return by name of a variant the arrays of a plan's trials, their first axis that of the plan's seeds.

        Raises InputError while trials of it are missing, and StoreError for damaged ones.
        """
        if part not in self.finished_parts():
            raise InputError(f"Experiment {self.number} has {self.total - self.done} trials to go; resume it first.")
        place = tuple(self.plans).index(part)
        plan = self.plans[part]
        return by_variant(
            plan,
            (
                (kind.variant, seed, self._results(plan, result))
                for name, kind in self._kinds.items()
                if kind.plan == place
                for seed, result in self.store.trials(self.number, name)
            ),
        )

    def _results(self, plan: Work[R_co], stored: bytes) -> R_co:
        """The arrays of a trial. Raises StoreError for damaged ones."""
        try:
            return plan.results(unpacked(stored))
        except (EOFError, TypeError, ValueError, zlib.error) as error:
            raise self.store.damaged(f"a trial of experiment {self.number} cannot be read") from error

    def _read(self, plan: dict[str, Any]) -> Any:
        """A plan as this version reads it. Raises InputError if it cannot."""
        if self.noun not in SORTS:
            raise InputError(
                f"Experiment {self.number} is about {self.noun}, of which this version of Oasis knows nothing; go on "
                "with it in the one that began it."
            )
        return SORTS[self.noun](plan)

    def to_json(self) -> dict[str, Any]:
        """Return what every report of an experiment says of it: its number, and what made its trials."""
        return {"experiment": self.number, "made_by": [maker._asdict() for maker in self.makers]}


def _edition(version: str, commit: str | None) -> str:
    """A version as people read it."""
    return version + (f" ({commit[:9]})" if commit else "")


def shared(done: Mapping[str, set[int]]) -> tuple[list[str], set[int]]:
    """Kinds and seeds such that every one of these kinds has a trial of every one of these seeds, and most trials.

    Of as many trials, those of more kinds. None where no kind has two.

    Args:
        done: the seeds of the trials of each kind.
    """
    ways = [([name for name in done if done[name] >= seeds], seeds) for seeds in done.values() if len(seeds) > 1]
    return max(ways, key=lambda way: (len(way[0]) * len(way[1]), len(way[0])), default=([], set()))


def packed(trial: Results) -> bytes:
    """Write the arrays of a trial one after the other in numpy's own format, compressed together."""
    stream = BytesIO()
    for array in trial:
        np.save(stream, array, allow_pickle=False)
    return zlib.compress(stream.getvalue(), level=1)


def unpacked(result: bytes) -> list[NDArray[Any]]:
    """Read the arrays that `packed` wrote, bit for bit."""
    content = zlib.decompress(result)
    stream = BytesIO(content)
    arrays = []
    while stream.tell() < len(content):
        arrays.append(np.load(stream, allow_pickle=False))
    return arrays
