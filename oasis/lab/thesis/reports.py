"""What is measured of the figures: what the thesis looked at, episode by episode and on average, and what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from oasis.ground.table import Table
from oasis.lab.experiment import Experiment
from oasis.lab.measure import Family, Measure, Trial, last, share
from oasis.lab.report import Report
from oasis.lab.statistics import MEDIAN, SHARE, Floats
from oasis.lab.students.plan import Plan
from oasis.lab.study import answers, sentences, table
from oasis.lab.thesis.figures import MAX_STEPS, Figure, figures, name

POINTS: Final = 50
"""Of a curve at most; episodes of longer ones are put into bins."""
_PERCENT: Final[dict[str, Any]] = {"scale": 100, "unit": "%"}
_SHARE: Final[dict[str, Any]] = {"least": 0, "most": 1, "statistic": SHARE, **_PERCENT}


def _gain(trial: Trial) -> Floats:
    """Take the share of proofs in the last third of the episodes less that in the first third; shape (1,)."""
    third = max(1, len(trial["proved"]) // 3)
    return np.atleast_1d(trial["proved"][-third:].mean() - trial["proved"][:third].mean())


def _binned(array: str) -> Callable[[Trial], Floats]:
    def take(trial: Trial) -> Floats:
        """Take the means of an array in the bins of episodes; shape (points, 1)."""
        starts, ends = _bins(len(trial[array]))
        return np.asarray(np.add.reduceat(trial[array].astype(np.float64), starts) / (ends - starts))[:, None]

    return take


def _bins(episodes: int) -> tuple[Any, Any]:
    """Return where bins of episodes start and end; their width is a round number, and the last may be narrower."""
    widths = (step * 10**power for power in range(20) for step in (1, 2, 5))
    width = next(each for each in widths if each * POINTS >= episodes)
    starts = np.arange(0, episodes, width)
    return starts, np.minimum(starts + width, episodes)


_PRACTICE: Final = (
    Measure(
        "proofs",
        "share of the episodes that ended in a proof, random moves included",
        share("proved"),
        "more",
        tested=True,
        headline=True,
        **_SHARE,
    ),
    Measure(
        "actions",
        "actions in an episode, those that do not apply included; the mean of all episodes",
        share("steps"),
        "less",
        tested=True,
        least=0,
    ),
    Measure(
        "cut short",
        f"share of the episodes that ended after {MAX_STEPS:,} actions, a limit that the thesis does not have",
        lambda trial: np.atleast_1d((~trial["proved"] & (trial["steps"] >= trial["max_steps"])).mean()),
        "less",
        least=0,
        most=1,
        **_PERCENT,
        warn_above=0.0,
    ),
    Measure(
        "proofs by then", "share of these episodes that ended in a proof", _binned("proved"), x="episode", **_SHARE
    ),
    Measure("actions by then", "actions in one of these episodes", _binned("steps"), x="episode", least=0),
)
_KNOWLEDGE: Final = (
    Measure(
        "gain",
        "share of proofs in the last third of the episodes less that in the first third",
        _gain,
        "more",
        tested=True,
        **_PERCENT,
    ),
    Measure(
        "known",
        "chance that a play of the greedy policy proves after the last episode, exactly, or the share of plays if the "
        "lemma has too many states for that",
        last("chance"),
        "more",
        **_SHARE,
    ),
    Measure(
        "greedy proof",
        "actions of the greedy policy's median play after the last episode, a play without a proof being longer than "
        "any; the median student's",
        lambda trial: np.where(trial["greedy"] > 0, trial["greedy"], np.inf),
        "less",
        statistic=MEDIAN,
        least=1,
        digits=0,
    ),
)
_MEMORY: Final = (
    Measure(
        "states",
        "states in memory after the last episode",
        lambda trial: np.atleast_1d(trial["states"][-1]).astype(np.float64),
        tested=True,
        least=0,
        digits=0,
    ),
    Measure("states by then", "states in memory", _binned("states"), x="episode", least=0, digits=0),
)


def figures_of(experiment: Experiment[Plan]) -> Iterator[tuple[Figure, dict[str, Report]]]:
    """Yield the figures of an experiment with its own plans and claims, and their reports by the conditions."""
    finished = experiment.finished_parts()
    for figure in figures(dict.fromkeys(part.split(", ")[0] for part in experiment.plans)):
        found = {part: experiment.plans[name(figure, part)] for part in figure.plans if name(figure, part) in finished}
        claims = tuple(
            replace(claim, where=tuple(figure.plans))
            for claim in experiment.study.claims
            if claim.where[0].startswith(name(figure, ""))
        )
        done = replace(figure, plans=found, claims=claims)
        yield done, {part: _report(experiment, done, part) for part in found}


def _report(experiment: Experiment[Plan], figure: Figure, part: str) -> Report:
    """Return what came of a part; only kinds are compared of which something is claimed."""
    plan = figure.plans[part]
    starts, ends = _bins(plan.episodes)
    trials = {
        kind: [{**trial, "episode": (starts + 1 + ends) / 2} for trial in each]
        for kind, each in experiment.trials(name(figure, part)).items()
    }
    family = Family("students", figure.effort, (*_PRACTICE, *(_KNOWLEDGE if plan.checkpoints else _MEMORY)))
    pairs = {frozenset(claim.pair): claim.pair for claim in figure.claims if {*claim.pair} <= {*trials}}
    return Report(family, trials, [lemma.name for lemma in plan.lemmas], pairs=[*pairs.values()])


def tables(figure: Figure, found: Mapping[str, Report]) -> Iterator[Table]:
    """Yield what was claimed with the answers, and what the kinds come to under each condition."""
    answered = answers(figure.claims, found)
    yield table(answered, found)._replace(
        title=f"{figure.number}: {figure.title}",
        note=f"{figure.conditions} {figure.because}".strip(),
        sentences=tuple(sentences(answered, found)),
    )
    for part, report in found.items():
        plan, shown = figure.plans[part], [each for each in report.numbers if each.name != "cut short"]
        rows = tuple((kind, *(each.with_bounds(report.number(each, kind)) for each in shown)) for kind in report.names)
        title = f"{figure.number}, {part}: {plan.episodes:,} episodes, {report.units} students of each kind"
        yield Table(title, ("", *(each.name for each in shown)), rows, sentences=tuple(report.warnings()))
