"""Doing the experiments: every part of every figure with an engine, kept as arrays by figure, part and variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

from oasis.lab.engines import Engine, Outcome, by_variant, every_trial
from oasis.lab.plan import Plan, Trial
from oasis.lab.thesis.figures import Figure
from oasis.student.settings import Settings

Trials = dict[str, Trial]
"""By name of the variant, the students side by side."""


Parts = dict[str, Trials]
"""All trials of a figure, by name of the part."""


class Progress(NamedTuple):
    """How many episodes are done, those of parts that were done before included, and what is being done."""

    done: int
    figure: str
    part: str


class Study:
    """The experiments of some figures.

    Args:
        figures: at least one.

    Attributes:
        trials: of the parts that are done, by number of the figure and name of the part.
        seconds: what each of these took.
    """

    def __init__(self, figures: Sequence[Figure]) -> None:
        self.figures = figures
        self.trials: dict[tuple[str, str], Trials] = {}
        self.seconds: dict[tuple[str, str], float] = {}

    def run(self, engine: Engine) -> Iterator[Progress]:
        """Do what is left, the thesis's own conditions first; a part that is interrupted leaves no trace."""
        left = [
            (figure, part, figure.plans[part])
            for part in ("short", "beside", "long")
            for figure in self.figures
            if part in figure.plans and (figure.number, part) not in self.trials
        ]
        done = self.episodes - sum(_episodes(plan) for _, _, plan in left)
        for figure, part, plan in left:
            number = figure.number
            began = perf_counter()
            outcomes: list[Outcome] = []
            with closing(engine.run([plan], every_trial([plan]))) as jobs:
                for job in jobs:
                    outcomes += job
                    done += len(job) * plan.episodes
                    yield Progress(done, number, part)
            self.trials[number, part] = by_variant(
                plan, ((kind.variant, seed, trial) for kind, seed, trial in outcomes)
            )
            self.seconds[number, part] = perf_counter() - began

    @property
    def settings(self) -> list[Settings]:
        """Of all kinds of students."""
        plans = (plan for figure in self.figures for plan in figure.plans.values())
        return [variant.settings for plan in plans for variant in plan.variants]

    @property
    def episodes(self) -> int:
        """The number of episodes in all parts."""
        return sum(_episodes(plan) for figure in self.figures for plan in figure.plans.values())

    def parts(self, figure: Figure) -> Parts:
        """The trials of a figure that is done."""
        return {part: self.trials[figure.number, part] for part in figure.plans}

    @property
    def done(self) -> tuple[Figure, ...]:
        """The figures of which every part is done."""
        return tuple(
            figure for figure in self.figures if all((figure.number, part) in self.trials for part in figure.plans)
        )


def _episodes(plan: Plan) -> int:
    return len(plan.variants) * len(plan.seeds) * plan.episodes
