"""The ablation of R†: students paid by all of it, by all but one term, by C and one term, and by `terminating`.

A reward is a kind of student, and measured as all students are. Each lemma has students of its own, so it is a part of
the experiment; those of one seed stand side by side in the report, like one student who had each lemma for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TextIO

import numpy as np

from curricula.lemma import Lemma, Status
from oasis.dagger.making import described, weights_of
from oasis.dagger.weights import Weights
from oasis.ground.table import Table
from oasis.lab.experiment import Experiment
from oasis.lab.findings import Certifying, Findings, findings
from oasis.lab.measure import Family, Measure, Trial, yes_or_no
from oasis.lab.report import Pair, Report, write_rows
from oasis.lab.students.measures import ALMOST, STUDENTS
from oasis.lab.students.plan import Plan, Variant, checkpoints
from oasis.lab.students.reported import Trials, answers, episodes, settings
from oasis.student.settings import Settings
from tactics.errors import InputError

TERMINATING: Final = "terminating"
ALL: Final = "R†"
CORRECT: Final = "C"
_WITHOUT: Final = "R† without "
_ALONE: Final = "C and "
_OF_ONE_STUDENT: Final = ("believes", "believes, end", "belief off by", "states")
"""Measures of students that say nothing of those who have one lemma, and a reward of their own."""


def _measures() -> tuple[Measure, ...]:
    """Return the measures of students, with the mean over lemmas where it is the last of them that counts elsewhere."""
    knows_from, *others = (
        replace(each, by_lemma=False) for each in STUDENTS.measures if each.name not in _OF_ONE_STUDENT
    )
    says = (
        "episodes on a lemma until every play of the greedy policy proves it, from then on at every checkpoint, or all "
        "there were if that is never so; mean over lemmas"
    )
    known = yes_or_no(
        "known",
        "share of the lemmas that every play of the greedy policy proves after the last episode",
        lambda trial: np.floor(trial["chance"][-1] + ALMOST),
        better="more",
    )
    return (replace(knows_from, says=says, over_lemmas=np.mean, never=None, digits=1), known, *others)


FEWEST: Final = 10
"""Seeds below which no reward is called better than another one."""
ABLATION: Final = Family("students", "episodes", _measures(), fewest=FEWEST)
"""What is shown of students of several rewards."""


def variants(weights: Weights, settings: Settings, *, dropped: bool = True, alone: bool = True) -> tuple[Variant, ...]:
    """Return the kinds of students, one for each reward.

    Args:
        weights: of all of R†.
        settings: of every student, but for the reward.
        dropped: whether each term is left out in turn.
        alone: whether each term is added to C alone.

    Raises InputError if there is no term but C.
    """
    terms = [name for name in weights.weights if name != "C"]
    if not terms:
        raise InputError("These weights have no term but C; give --weights with more.")
    chosen = {TERMINATING: "terminating", ALL: described(weights), CORRECT: _only(weights, {"C": 1.0})}
    if dropped:
        chosen |= {
            f"{_WITHOUT}{name}": _only(weights, {other: w for other, w in weights.weights.items() if other != name})
            for name in weights.weights
        }
    if alone:
        chosen |= {f"{_ALONE}{name}": _only(weights, {"C": 1.0, name: weights.weights[name]}) for name in terms}
    return tuple(Variant(name, replace(settings, reward=reward)) for name, reward in chosen.items())


def _only(weights: Weights, chosen: Mapping[str, float]) -> str:
    return described(replace(weights, weights=chosen))


def pairs(names: Sequence[str]) -> list[Pair]:
    """Return which kinds are compared: each with the one that it differs from by a term, and with `terminating`."""
    found = [(name, ALL) for name in names if name.startswith(_WITHOUT)]
    found += [(name, CORRECT) for name in names if name.startswith(_ALONE)]
    return found + [(name, TERMINATING) for name in names if name != TERMINATING]


def plans(lemmas: Sequence[Lemma], kinds: tuple[Variant, ...], seeds: tuple[int, ...]) -> dict[str, Plan]:
    """Return a plan for each lemma that is not known to be no theorem. Raises InputError if there is none."""
    theorems = [lemma for lemma in lemmas if lemma.status is not Status.NON_THEOREM]
    if not theorems:
        raise InputError("None of these lemmas is a theorem, so there is nothing to learn; name others.")
    asked = checkpoints(kinds[0].settings.episodes)
    return {lemma.name: Plan(lemma.name, (lemma,), kinds, seeds, asked) for lemma in theorems}


def _joined(trials: Sequence[Trial]) -> Trial:
    first, shared = trials[0], ("checkpoints", "max_steps")
    lemma = np.repeat(np.arange(len(trials)), [len(trial["lemma"]) for trial in trials])
    joined = {name: np.concatenate([trial[name] for trial in trials], axis=-1) for name in first if name not in shared}
    return {**joined, **{name: first[name] for name in shared}, "lemma": lemma}


def told(kept: Experiment[Plan], certify: Certifying, command: str) -> Findings:
    """Return what came of an ablation."""
    trials = {part: kept.trials(part) for part in kept.plans}
    plan = next(iter(kept.plans.values()))
    same, different = settings(plan)
    rewards = {variant.name: variant.settings.reward for variant in plan.variants}
    whole = {**plan.to_json(), "lemmas": [lemma for each in kept.plans.values() for lemma in each.to_json()["lemmas"]]}

    def rows(of: Callable[[Plan, Trials], Iterator[dict[str, Any]]]) -> Callable[[TextIO], None]:
        return partial(write_rows, (row for name, each in kept.plans.items() for row in of(each, trials[name])))

    return findings(
        kept,
        certify,
        command,
        reports={next(iter(kept.plans)): report(trials)},
        settings=same,
        more=(terms(weights_of(rewards[ALL])), *different),
        content={"plan": whole, "rewards": rewards},
        files={"csv_episodes": rows(episodes), "csv_checkpoints": rows(answers)},
    )


def report(parts: Mapping[str, Mapping[str, Sequence[Trial]]], chosen: Sequence[Pair] | None = None) -> Report:
    """Return what students of several rewards come to; those of a kind and seed count as one who had every lemma.

    Args:
        parts: trials by lemma and kind.
        chosen: which kinds are compared; as `pairs` says if left out.
    """
    kinds = [*next(iter(parts.values()))]
    trials = {
        kind: [_joined(each) for each in zip(*(of_lemma[kind] for of_lemma in parts.values()), strict=True)]
        for kind in kinds
    }
    return Report(ABLATION, trials, [*parts], pairs=pairs(kinds) if chosen is None else chosen)


def terms(weights: Weights) -> Table:
    """Return a table of what each term weighs in all of R†."""
    note = (
        f"{weights.reading} reading, belief {weights.belief}, knowledge {weights.knowledge}, rounds of "
        f"{weights.round:,} episodes, clip ±{weights.clip:g}."
    )
    rows = tuple((name, f"{weight:g}") for name, weight in weights.weights.items())
    return Table("Weights of all of R†", ("term", "weight"), rows, note=note)
