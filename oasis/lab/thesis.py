"""Chapter 7 of the thesis as one study, and what is measured of its figures, episode by episode and on average.

What the figures compare, and what the thesis saw in them, is data (`data/thesis.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random
from typing import Any, Final

import numpy as np

from curricula.copies import copies
from curricula.lemma import Lemma
from curricula.library import thesis_lemma
from oasis.ground.settings import from_json
from oasis.ground.statistics import MEDIAN, Floats
from oasis.ground.table import Table
from oasis.lab.experiment import Experiment
from oasis.lab.findings import Certifying, Findings, findings
from oasis.lab.measure import Family, Measure, Trial, share, yes_or_no
from oasis.lab.report import Report
from oasis.lab.reports import Reports
from oasis.lab.students.measures import OF_STUDENTS
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.study import Claim, Study, answers, sentences, table
from oasis.student.settings import Settings
from tactics.errors import InputError

_DATA: Final = tomllib.loads(files("oasis.lab").joinpath("data", "thesis.toml").read_text(encoding="utf-8"))
CONDITIONS: Final = from_json(Settings, _DATA["settings"])
"""What holds in every figure that does not compare it."""
LONG: Final = 5_000
"""Episodes of a student in the longer parts, over all its lemmas."""
AS_THERE, LEGAL, LONGER, BOTH = "as in the thesis", "legal moves", "more episodes", "both"
"""The conditions under which claims are asked."""


@dataclass(frozen=True)
class Figure:
    """One figure, or one question.

    Attributes:
        number: as in the thesis, or a word.
        title: what is compared.
        conditions: what a reader must know of them, in a sentence or two.
        because: why it is so, as far as it can be known beforehand; empty if it cannot.
        effort: what the horizontal axis of its curves counts.
        plans: what is to be done, by the conditions.
        claims: what is claimed, each under all of these conditions.
    """

    number: str
    title: str
    conditions: str
    because: str
    effort: str
    plans: dict[str, Plan]
    claims: tuple[Claim, ...]


def figures(numbers: Iterable[str] = (), *, share: float = 1.0, episodes: int = LONG) -> tuple[Figure, ...]:
    """Return the figures of these numbers, all of them if none is given.

    Args:
        numbers: such as `7.1`.
        share: of the students to take, in (0, 1]; at least two of each kind.
        episodes: of the longer parts, at least one for each lemma of a figure.

    Raises InputError for what is out of range.
    """
    if not 0 < share <= 1:
        raise InputError(f"--share must be above 0 and at most 1, not {share:g}; 0.1 takes a tenth of the students.")
    known = {each["number"]: (each, _lemmas(each)) for each in _DATA["figure"]}
    most = max(len(lemmas) for _, lemmas in known.values())
    if episodes < most:
        raise InputError(f"--episodes must be at least {most}, one for each lemma of a figure, not {episodes}.")
    wanted = tuple(dict.fromkeys(numbers)) or tuple(known)
    for number in wanted:
        if number not in known:
            raise InputError(f"There is no Figure {number}; --figure is one of {', '.join(known)}.")
    return tuple(_figure(*known[number], share, episodes) for number in wanted)


def _lemmas(told: Mapping[str, Any]) -> tuple[Lemma, ...]:
    """Return the lemmas of a figure, or of one lemma its copies in other letters."""
    lemmas = tuple(map(thesis_lemma, told["lemmas"]))
    if "copies" not in told:
        return lemmas
    renamed = copies(lemmas[0].formula, told["copies"], Random(f"Figure {told['number']}"))
    return tuple(
        replace(lemmas[0], name=f"{lemmas[0].name}, copy {number}", formula=formula)
        for number, formula in enumerate(renamed, 1)
    )


def _figure(told: Mapping[str, Any], lemmas: tuple[Lemma, ...], share: float, long: int) -> Figure:
    name = lemmas[0].name if len(lemmas) == 1 else f"{lemmas[0].name} to {lemmas[-1].name}"

    def plan(part: str, students: int) -> Plan:
        number = long // len(lemmas) if part in (LONGER, BOTH) else told["episodes"]
        changes = {"actions": "legal", "forget_errors": False} if part in (LEGAL, BOTH) else {}
        kinds = tuple(
            Variant(kind, replace(CONDITIONS, episodes=number, **(changes | own)))
            for kind, own in told["kinds"].items()
        )
        checkpoints = (number,) if told.get("examined", True) else ()
        return Plan(name, lemmas, kinds, tuple(range(max(2, round(share * students)))), checkpoints)

    return Figure(
        told["number"],
        told["title"],
        told["conditions"],
        told.get("because", ""),
        told.get("effort", "episodes"),
        {part: plan(part, students) for part, students in told["students"].items()},
        tuple(from_json(Claim, {"margin": _DATA["margins"][claim["measure"]], **claim}) for claim in told["claims"]),
    )


def plans(chosen: Iterable[Figure]) -> dict[str, Plan]:
    """Return what has to be done for some figures, by names such as `7.1, both`; the thesis's conditions first."""
    every = [(part, figure) for figure in chosen for part in figure.plans]
    order = (AS_THERE, LEGAL, LONGER, BOTH)
    return {name(figure, part): figure.plans[part] for each in order for part, figure in every if part == each}


def study(chosen: Iterable[Figure]) -> Study:
    """Return what is claimed in some figures, each claim under the conditions of its figure."""
    return Study(
        claims=tuple(
            replace(claim, where=tuple(name(figure, part) for part in figure.plans))
            for figure in chosen
            for claim in figure.claims
        )
    )


def name(figure: Figure, part: str) -> str:
    """Return what a part of a figure is called among all parts."""
    return f"{figure.number}, {part}"


_POINTS: Final = 50
"""Of a curve at most; episodes of longer ones are put into bins."""


def _gain(trial: Trial) -> Any:
    """Take the share of proofs in the last third of the episodes less that in the first third."""
    third = max(1, len(trial["proved"]) // 3)
    return trial["proved"][-third:].mean() - trial["proved"][:third].mean()


def _binned(array: str) -> Callable[[Trial], Floats]:
    def take(trial: Trial) -> Floats:
        """Take the means of an array in the bins of episodes; shape (points,)."""
        starts, ends = _bins(len(trial[array]))
        return np.asarray(np.add.reduceat(trial[array].astype(np.float64), starts) / (ends - starts))

    return take


def _bins(episodes: int) -> tuple[Any, Any]:
    """Return where bins of episodes start and end; their width is a round number, and the last may be narrower."""
    widths = (step * 10**power for power in range(20) for step in (1, 2, 5))
    width = next(each for each in widths if each * _POINTS >= episodes)
    starts = np.arange(0, episodes, width)
    return starts, np.minimum(starts + width, episodes)


_PRACTICE: Final = (
    yes_or_no(
        "proofs",
        "share of the episodes that ended in a proof, random moves included",
        share("proved"),
        tested=True,
        headline=True,
    ),
    Measure(
        "actions",
        "actions in an episode, those that do not apply included; the mean of all episodes",
        share("steps"),
        "less",
        tested=True,
        least=0,
    ),
    replace(
        OF_STUDENTS["cut short"],
        says=f"share of the episodes that ended after {CONDITIONS.max_steps:,} actions, a limit that the thesis does "
        "not have",
        warn_above=0.0,
    ),
    yes_or_no("proofs by then", "share of these episodes that ended in a proof", _binned("proved"), x="episode"),
    Measure("actions by then", "actions in one of these episodes", _binned("steps"), x="episode", least=0),
)
_KNOWLEDGE: Final = (
    Measure(
        "gain",
        "share of proofs in the last third of the episodes less that in the first third",
        _gain,
        "more",
        tested=True,
        scale=100,
        unit="%",
    ),
    replace(
        OF_STUDENTS["proves, end"],
        name="known",
        says="chance that a play of the greedy policy proves after the last episode, exactly, or the share of plays if "
        "the lemma has too many states for that",
        by_lemma=False,
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
    replace(OF_STUDENTS["states"], tested=True),
    Measure("states by then", "states in memory", _binned("states"), x="episode", least=0, digits=0),
)


def told(kept: Experiment[Plan], certify: Certifying, command: str) -> Findings:
    """Return what came of the figures that were done again."""
    found = [*figures_of(kept)]
    shown = [table for figure, reports in found for table in tables(figure, reports)]
    whole = findings(
        kept,
        certify,
        command,
        reports={name(figure, part): report for figure, reports in found for part, report in reports.items()},
        settings=vars(CONDITIONS),
        tables=shown,
        content={
            "figures": [
                {
                    "figure": figure.number,
                    "title": figure.title,
                    "conditions": figure.conditions,
                    "because": figure.because,
                }
                for figure, _ in found
            ]
        },
    )
    return whole._replace(tables=shown, sentences=whole.sentences[-1:])  # what was claimed says enough of each part


def figures_of(experiment: Experiment[Plan]) -> Iterator[tuple[Figure, Reports]]:
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
        yield done, Reports({part: _report(experiment, done, part) for part in found})


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


def tables(figure: Figure, found: Reports) -> Iterator[Table]:
    """Yield what was claimed with the answers, and what the kinds come to under each condition."""
    answered = answers(figure.claims, found)
    yield table(answered, found)._replace(
        title=f"{figure.number}: {figure.title}",
        note=f"{figure.conditions} {figure.because}".strip(),
        sentences=tuple(sentences(answered, found)),
    )
    lengths = {f"{part}, {figure.plans[part].episodes:,} episodes": report for part, report in found.items()}
    for numbers in Reports(lengths, "conditions").overview(f"{figure.number}: all numbers"):
        yield numbers._replace(sentences=tuple(found.sentences(Report.warnings)))
