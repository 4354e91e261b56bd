"""What it buys a student that two states count as the same: the same lessons in each of the state spaces.

A state space is a kind of student, and each of the lessons a part of the experiment. A student keeps one memory through
all lemmas of a part, so whatever counts as the same is shared between them. Students of one seed get the same lemmas
and the same random numbers in every space: what differs is the space alone. As all explore alike, the episodes of
practice that end in a proof can be compared, unlike elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import numpy as np

from curricula.copies import at_once
from curricula.copies import copies as renamed_copies
from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, textbook_lemma, thesis_lemma
from oasis.ground.statistics import MEAN, SHARE, Floats, Statistic
from oasis.ground.table import Table
from oasis.lab.experiment import Experiment
from oasis.lab.findings import Certifying, Findings, findings
from oasis.lab.measure import PERCENT, Family, Measure, Trial, share, whole, yes_or_no
from oasis.lab.report import Report, write_rows
from oasis.lab.reports import Reports
from oasis.lab.students.measures import OF_STUDENTS
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.students.reported import episodes
from oasis.lab.students.reported import settings as settings_of
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from state_spaces.merging import EPISODES, distinct, met_at_random
from tactics.errors import InputError

CHOICES: Final = (
    "or_intro",
    "or_comm",
    "triple_negation",
    "and_absorption",
    "or_assoc",
    "triple_negation_iff",
    "and_over_or",
    "or_over_and",
    "double_negation_and",
)
"""The textbook's theorems in which a move can lead to a dead end. In all its others every game ends in a proof."""
_FIVE: Final = 5
"""Letterings of the textbook's lemmas, and lemmas in one at most."""
_LAST: Final = 10
"""Copies at the end over which the growth of a memory is looked at."""


def _of_fifths(noun: str, says: str, take: Callable[[Floats], Floats], statistic: Statistic) -> tuple[Measure, ...]:
    """Return what is measured of each fifth of a part, one by one and as a curve.

    Args:
        noun: of a fifth.
        says: what is measured of it.
        take: it, from whether each episode ended in a proof; shape (5, episodes) → (5,).
        statistic: of the students.
    """

    def all_five(trial: Trial) -> Floats:
        return np.asarray(take(np.array(np.split(trial["proved"], _FIVE), np.float64)))

    curve = Measure(f"by {noun}", says, all_five, x="fifths", axis=noun, statistic=statistic, **PERCENT)

    def one(place: int) -> Measure:
        return replace(curve, name=f"{noun} {place + 1}", take=lambda trial: all_five(trial)[place], x="", axis="")

    return *map(one, range(_FIVE)), curve


_MEASURES: Final = (
    Measure(
        "proofs",
        "episodes that ended in a proof; all kinds explore alike, so that they can be compared",
        lambda trial: trial["proved"].sum(),
        "more",
        tested=True,
        headline=True,
        least=0,
    ),
    replace(OF_STUDENTS["states"], better="less", tested=True, digits=1),
    Measure("steps", "actions in an episode", share("steps"), least=0),
    OF_STUDENTS["cut short"],
    Measure(
        "proofs so far", "episodes that ended in a proof", lambda trial: trial["proved"].cumsum(), x="episodes", least=0
    ),
    Measure("states so far", "states in memory", whole("states"), x="episodes", least=0),
)
"""Of every part."""
_MORE: Final[Mapping[str, tuple[Measure, ...]]] = {
    "copies": (
        yes_or_no(
            "as itself",
            "share of the episodes that have as many states in memory, as many steps and the same outcome as that "
            "student's on the lemma itself: at 100 % the copies are one lemma to it",
            share("as itself"),
        ),
        Measure(
            "states a copy",
            f"states that each of the last {_LAST} copies adds",
            lambda trial: np.diff(trial["states"], prepend=0)[-_LAST:].mean(),
            least=0,
        ),
    ),
    "letterings": (
        Measure(
            "rise",
            "share of the episodes that prove in the last lettering, less that in the first",
            lambda trial: np.diff(np.split(trial["proved"].astype(float), _FIVE)[:: _FIVE - 1], axis=0).mean(),
            "more",
            tested=True,
            scale=100,
            unit="points",
        ),
        *_of_fifths(
            "lettering", "share of the episodes of a lettering that prove", lambda proved: proved.mean(axis=1), MEAN
        ),
    ),
    "at-once": _of_fifths(
        "at once", "share of the students that prove so many in one lemma", lambda proved: proved.max(axis=1), SHARE
    ),
}
"""Of single parts."""


def plans(lemma: Lemma, settings: Settings, *, copies: int, students: int) -> dict[str, Plan]:
    """Return what there is to do: copies of a lemma, the same lemma as often, and what else sharing is tried on.

    `copies` and `levels` are the thesis's second and first experiment on state spaces (7.4).

    Args:
        lemma: which is copied.
        settings: of the students; the state space and the number of episodes are set part by part.
        copies: of the lemma.
        students: their number, at least 2; their seeds go up from that of the settings.

    Raises InputError for what is out of range, and for a lemma that has no atoms to rename.
    """
    if copies < 1:
        raise InputError(f"--copies must be at least 1, not {copies}.")
    if students < 2:
        raise InputError(f"--seeds must be at least 2, not {students}: one student alone has no interval.")
    renamed_copies(lemma.formula, 1, Random(0))
    seeds = tuple(range(settings.seed, settings.seed + students))
    one = textbook_lemma("or_comm")

    def part(title: str, lemmas: Iterable[Lemma], *, renamed: bool = False, episodes: int = 1) -> Plan:
        kinds = tuple(Variant(space, replace(settings, state_space=space, episodes=episodes)) for space in STATE_SPACES)
        return Plan(title, tuple(lemmas), kinds, seeds, checkpoints=(), renamed=renamed)

    return {
        "copies": part(
            f"{copies} renamed copies of {lemma.name}, one episode each",
            (replace(lemma, name=f"{lemma.name}, copy {place}") for place in range(1, copies + 1)),
            renamed=True,
        ),
        "same": part(f"{lemma.name} itself, {copies} episodes", [lemma], episodes=copies),
        "letterings": part(
            "The textbook's lemmas in which one can go wrong, five letterings of 5 episodes",
            (
                replace(each, name=f"{each.name}, lettering {place}")
                for place in range(1, _FIVE + 1)
                for each in map(textbook_lemma, CHOICES)
            ),
            renamed=True,
            episodes=5,
        ),
        "at-once": part(
            "p \\/ q -> q \\/ p, one to five of it in one lemma, 40 episodes each",
            (
                replace(one, name=f"{one.name}, {many} at once", formula=formula)
                for many, formula in enumerate(at_once(one.formula, _FIVE), 1)
            ),
            renamed=True,
            episodes=40,
        ),
        "levels": part("SYJ203, levels 1 to 6, one episode each", map(thesis_lemma, THESIS_LEVELS)),
    }


_MERGED: Final = ("text (Simple)", "unordered", "Name", "focus, unordered", "Match")


def told(kept: Experiment[Plan], certify: Certifying, command: str) -> Findings:
    """Return what came of all parts, and which states a random player would tell apart."""
    trials = {part: kept.trials(part) for part in kept.plans}
    plan = kept.plans["same"]
    (lemma,) = plan.lemmas
    met = distinct(met_at_random([lemma.formula], EPISODES, Random(plan.seeds[0])))
    title = f"What a random player meets in {EPISODES:,} episodes of {lemma.name}"
    merging = Table(title, _MERGED, (tuple(f"{count:,}" for count in met),), sentences=tuple(met.sentences()))
    titles = tuple((part, each.name) for part, each in kept.plans.items())
    parts = Table("The parts", ("part", "what is practised"), titles, words=2)
    rows = ({"part": part, **row} for part, each in kept.plans.items() for row in episodes(each, trials[part]))
    return findings(
        kept,
        certify,
        command,
        reports=reports(kept.plans, trials),
        settings=settings_of(plan)[0],
        tables=(parts, merging),
        content={"merging": {"episodes": EPISODES, **met._asdict(), "sentences": met.sentences()}},
        files={"csv_episodes": partial(write_rows, rows)},
    )


def reports(plans: Mapping[str, Plan], trials: Mapping[str, Mapping[str, Sequence[Trial]]]) -> Reports:
    """Return what students come to in each space, part by part; `trials` are by part and space."""

    def report(part: str) -> Report:
        itself = trials["same" if part == "copies" else part]
        told = {
            space: [_told(trial, other) for trial, other in zip(each, itself[space], strict=True)]
            for space, each in trials[part].items()
        }
        family = Family("students", "episodes", (*_MEASURES, *_MORE.get(part, ())))
        return Report(family, told, [lemma.name for lemma in plans[part].lemmas])

    return Reports({part: report(part) for part in plans})


def _told(trial: Trial, itself: Trial) -> Trial:
    """Add to what a student did the points of its curves, and which episodes are like those on the lemma itself."""
    alike = [trial[name] == itself[name] for name in ("states", "steps", "proved")]
    points = {"episodes": np.arange(1, len(trial["proved"]) + 1), "fifths": np.arange(1, _FIVE + 1)}
    return {**trial, **points, "as itself": np.all(alike, axis=0)}
