"""What `oasis compare` says of students, searches and ladders when they are done."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final

from oasis.cli.campaigns import Report, measured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oasis.lab.climbing.plan import ClimbPlan
    from oasis.lab.experiment import Experiment
    from oasis.lab.proofs import Proof
    from oasis.lab.searching.plan import SearchPlan
    from oasis.lab.students.plan import Plan

_SECONDS: Final = 1.0
_GOALS: Final = 30_000
"""For the shortest proof of a lemma, which is only there to compare with."""


def students(kept: Experiment[Plan], found: Mapping[str, list[Proof]]) -> Report:
    """Return what came of students."""
    from oasis.lab.report import write_rows
    from oasis.lab.students import reported
    from oasis.lab.students.truth import truths

    ((part, plan),) = kept.plans.items()
    trials, known = kept.trials(part), truths(plan)
    same, different = reported.settings(plan)
    return measured(
        kept,
        {part: reported.report(plan, trials, known)},
        found,
        title=f"Students compared on {plan.name}",
        settings=same,
        tables=[reported.table(plan, known)],
        more=different,
        content={"truths": {name: [asdict(truth) for truth in each] for name, each in known.items()}},
        files={
            "csv_checkpoints": partial(write_rows, reported.answers(plan, trials)),
            "csv_episodes": partial(write_rows, reported.episodes(plan, trials)),
        },
    )


def searches(kept: Experiment[SearchPlan], found: Mapping[str, list[Proof]]) -> Report:
    """Return what came of searches; of an experiment in two parts the first is shown whole."""
    from oasis.lab.pages.searching import page, write_searches
    from oasis.lab.plots.searching import save_plot
    from oasis.lab.proofs import sentence, table
    from oasis.lab.searching import stages as staging
    from oasis.lab.searching.conclusions import conclusions
    from oasis.lab.searching.summary import compare
    from oasis.lab.searching.tables import tables
    from oasis.teacher.exact.values import shortest_proof

    trials = {part: kept.side_by_side(part) for part in kept.plans}
    part, plan = next(iter(kept.plans.items()))
    shortest = [shortest_proof(lemma, _SECONDS, _GOALS) for lemma in plan.lemmas]
    results = {part: compare(plan, trials[part], shortest) for part, plan in kept.plans.items()}
    stages = staging.stages(kept.plans, trials) if len(kept.plans) > 1 else []
    first = [staging.table(kept.plans, stages)] if stages else []
    sentences = [*conclusions(results[part]), sentence(found[part])]
    parts = {
        part: {**result.to_json(), "proofs": [proof.to_json() for proof in found[part]]}
        for part, result in results.items()
    }
    whole = {"stages": [stage.to_json() for stage in stages], "parts": parts} if stages else parts[part]
    return Report(
        {**whole, "sentences": sentences},
        (*first, *tables(results[part])),
        sentences,
        {
            "plot": lambda path: save_plot(path, results[part]),
            "csv": partial(write_searches, kept.plans, trials),
            "html": lambda command: page(results[part], command, kept.made_by, [*first, table(plan, found[part])]),
        },
        f"{len(plan.seeds)} searches of each kind with 95 % intervals; what each number is: --html FILE or --json, and "
        "every search: --csv FILE.",
    )


def ladders(kept: Experiment[ClimbPlan], found: Mapping[str, list[Proof]]) -> Report:
    """Return what came of ladders."""
    from oasis.lab.climbing.summary import compare, conclusions, tables
    from oasis.lab.pages.searching import write_climbs
    from oasis.lab.proofs import sentence

    ((part, plan),) = kept.plans.items()
    trials = kept.side_by_side(part)
    result = compare(plan, trials)
    sentences = [*conclusions(result), sentence(found[part])]
    return Report(
        {**result.to_json(), "proofs": [proof.to_json() for proof in found[part]], "sentences": sentences},
        tables(result),
        sentences,
        {"csv": partial(write_climbs, plan, trials)},
        f"{len(plan.seeds)} climbs of each kind with 95 % intervals; what each number is: --json.",
    )
