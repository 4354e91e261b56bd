"""The report of students: their measures, what is exactly true beside what they believe, and rows for files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from oasis.ground.plural import conjunction, listed, named
from oasis.ground.table import Table
from oasis.lab.experiment import Experiment
from oasis.lab.findings import Certifying, Findings, findings
from oasis.lab.measure import Family, Trial
from oasis.lab.report import FEW, Report, write_rows
from oasis.lab.students.measures import STUDENTS, without_proof
from oasis.lab.students.plan import ANSWERS, Plan
from oasis.lab.students.truth import Truth, attainable, truths
from oasis.student.learners import learner
from oasis.student.settings import Settings

Trials = Mapping[str, Sequence[Trial]]


def told(kept: Experiment[Plan], certify: Certifying, command: str) -> Findings:
    """Return what came of an experiment with students."""
    ((part, plan),) = kept.plans.items()
    trials, known = kept.trials(part), truths(plan)
    same, different = settings(plan)
    exact, few = [table(plan, known)], len(plan.lemmas) <= FEW
    return findings(
        kept,
        certify,
        command,
        reports={part: report(plan, trials, known)},
        settings=same,
        tables=exact if few else [],
        more=different if few else [*exact, *different],
        content={"truths": {name: [asdict(truth) for truth in each] for name, each in known.items()}},
        files={
            "csv_checkpoints": partial(write_rows, answers(plan, trials)),
            "csv_episodes": partial(write_rows, episodes(plan, trials)),
        },
    )


def report(plan: Plan, trials: Trials, known: Mapping[str, tuple[Truth, ...]] | None = None) -> Report:
    """Return what students come to.

    Args:
        plan: that they followed.
        trials: by kind.
        known: by kind what is exactly true of each lemma (`truths`), if it is there already.
    """
    known = truths(plan) if known is None else known
    told = {name: _with_truth(each, known[name]) for name, each in trials.items()}
    lemmas = [lemma.name for lemma in plan.lemmas]
    return Report(_family(plan), told, lemmas, [*_remarks(plan, trials, known)])


def _with_truth(trials: Sequence[Trial], known: Sequence[Truth]) -> list[Trial]:
    values = np.array([np.nan if truth.value is None else truth.value for truth in known])
    return [{**trial, "truth": values} for trial in trials]


def _family(plan: Plan) -> Family:
    """Return the family; beliefs in different units are not compared."""
    if not _units(plan):
        return STUDENTS
    measures = (replace(each, tested=each.tested and each.name != "belief off by") for each in STUDENTS.measures)
    return replace(STUDENTS, measures=tuple(measures))


def _units(plan: Plan) -> list[str]:
    """Return in what kinds differ that the units of beliefs depend on."""
    settings = [variant.settings for variant in plan.variants]
    values: dict[str, set[Any]] = {"reward": {each.reward for each in settings}, "γ": {each.gamma for each in settings}}
    return [name for name, different in values.items() if len(different) > 1]


def table(plan: Plan, known: Mapping[str, tuple[Truth, ...]]) -> Table:
    """Return the shortest proofs, and the exact values that beliefs tend to, kinds with the same ones together."""
    rows = []
    for place, lemma in enumerate(plan.lemmas):
        kinds: dict[tuple[str, str], list[str]] = {}
        for name, told in known.items():
            truth = told[place]
            value = "–" if truth.value is None else f"{truth.name} {significant(truth.value)}"
            kinds.setdefault((str(truth.shortest or "–"), value), []).append(name)
        rows += [(lemma.name, listed(names), *exact) for exact, names in kinds.items()]
    return Table("What is exactly true", ("lemma", "kinds", "shortest", "beliefs tend to"), tuple(rows), words=2)


def settings(plan: Plan) -> tuple[dict[str, str], list[Table]]:
    """Return the settings that all kinds have in common, and a table of those in which they differ, if they do."""
    every = [{**asdict(variant.settings), "order": variant.order} for variant in plan.variants]
    left_out = {"seed", "backend", *(["order"] if len(plan.lemmas) == 1 else [])}
    names = [name for name in every[0] if name not in left_out]
    different = [name for name in names if any(each[name] != every[0][name] for each in every)]
    same = {name.replace("_", " "): _spoken(every[0][name]) for name in names if name not in different}
    header = ("", *(name.replace("_", " ") for name in different))
    rows = tuple(
        (variant.name, *(_spoken(each[name]) for name in different))
        for variant, each in zip(plan.variants, every, strict=True)
    )
    return same, [Table("Where the kinds differ", header, rows, words=len(header))] if different else []


def _spoken(value: Any) -> str:
    """Write a value of a setting as people do."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,g}" if isinstance(value, float) else str(value)


def _remarks(plan: Plan, trials: Trials, known: Mapping[str, tuple[Truth, ...]]) -> Iterator[str]:
    some = next(iter(trials.values()))[0]
    refuted = [lemma.name for lemma, none in zip(plan.lemmas, without_proof(some), strict=True) if none]
    if refuted:
        have = "has no proof, so it counts" if len(refuted) == 1 else "have no proof, so they count"
        yield f"{listed(refuted)} {have} as known from the first episode on, with nothing missing."
    if len(refuted) < len(plan.lemmas) and not any(trial["proved"].any() for each in trials.values() for trial in each):
        yield _nothing(plan, known)
    for variant in plan.variants:
        yield from _impossible(variant.name, variant.settings, trials[variant.name], known[variant.name])
    settings = [variant.settings for variant in plan.variants]
    if any(each.reward != Settings.reward for each in settings):
        for name in dict.fromkeys(each.learner for each in settings):
            if learner(name).learns and not learner(name).rewarded:
                yield f"{named(name)} looks at no reward, so --reward makes no difference to it."
    if units := _units(plan):
        yield f"Kinds differ in {conjunction(units)} and so in the units of “belief off by”, in which nobody is ahead."
    if any(each.experience for each in settings):
        yield (
            "Among actions of equal value a student with experience draws lots by the odds of maxims; exams and exact "
            "values follow none, so they show what it learned itself."
        )
    yield from dict.fromkeys(truth.remark for told in known.values() for truth in told if truth.remark)


def _nothing(plan: Plan, known: Mapping[str, tuple[Truth, ...]]) -> str:
    """Say that there was no proof, and what may help."""
    several = len(plan.lemmas) > 1
    lengths = [truth.shortest for each in known.values() for truth in each if truth.shortest is not None]
    shortest = "; whether there is a proof at all says oasis decide"
    if lengths:
        shortest = f": the shortest proof {'among these' if several else 'of this one'} has {min(lengths)} actions"
    what = "easier lemmas" if several else "an easier lemma"
    return f"No student proved anything. Give them more --episodes, or {what}{shortest}."


def _impossible(name: str, settings: Settings, trials: Sequence[Trial], known: Sequence[Truth]) -> Iterator[str]:
    """Say how many students believe what no return can be, where it is known what can."""
    if any(truth.value is None for truth in known):
        return
    low, high = attainable(settings)
    last, rounding = np.stack([trial["value"][-1] for trial in trials]), 1e-9 * (high - low)
    if outside := int(((last < low - rounding) | (last > high + rounding)).any(axis=1).sum()):
        yield (
            f"{named(name)}: {outside} of {len(trials)} students believe in the end that a lemma is worth less than "
            f"{significant(low)} or more than {significant(high)}, which no return can be with this reward and γ; the "
            "learner has a fault, or its step size is too large."
        )


def episodes(plan: Plan, trials: Trials) -> Iterator[dict[str, Any]]:
    """Yield a row for each episode of each student."""
    for kind, seed, trial in _each(plan, trials):
        columns = (trial[name].tolist() for name in ("lemma", "proved", "steps", "states"))
        for episode, (lemma, proved, steps, states) in enumerate(zip(*columns, strict=True), 1):
            row = {"lemma": plan.lemmas[lemma].name, "proved": int(proved), "steps": steps, "states": states}
            yield {"kind": kind, "seed": seed, "episode": episode, **row}


def answers(plan: Plan, trials: Trials) -> Iterator[dict[str, Any]]:
    """Yield a row for each checkpoint and lemma of each student."""
    for kind, seed, trial in _each(plan, trials):
        for place, episode in enumerate(trial["checkpoints"].tolist()):
            for number, lemma in enumerate(plan.lemmas):
                row = {name: float(trial[name][place, number]) for name in ANSWERS}
                yield {"kind": kind, "seed": seed, "episode": episode, "lemma": lemma.name, **row}


def _each(plan: Plan, trials: Trials) -> Iterator[tuple[str, int, Trial]]:
    for kind, found in trials.items():
        for seed, trial in zip(plan.seeds, found, strict=True):
            yield kind, seed, trial


def significant(value: float) -> str:
    """Three significant digits; 0 for what is less than half a thousandth."""
    if abs(value) < 0.0005:
        return "0"
    shown = f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}"
    return shown.replace("-", "−")
