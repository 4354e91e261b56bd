"""`oasis compare --search`: which search, with which policy, on the same lemmas within the same budget."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oasis.cli.arguments import output_stream

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.cli.campaigns import Files
    from oasis.lab.campaign import Campaign
    from oasis.lab.comparison.tables import Table
    from oasis.lab.proofs import Proof
    from oasis.lab.searching.plan import SearchPlan
    from oasis.lab.searching.stages import Stage
    from oasis.lab.searching.summary import Comparison

_SECONDS: Final = 1.0
_GOALS: Final = 30_000
"""For the shortest proof of a lemma, which is only there to compare with."""


def plans(
    lemmas: Curriculum,
    searches: str,
    policies: str,
    budget: str,
    seeds: tuple[int, ...],
    db: Path,
    *,
    stages: bool,
    priors: Sequence[str],
) -> dict[str, SearchPlan]:
    """What searches are to do, from what was typed, by parts."""
    from oasis.cli.proving import read_budget
    from oasis.ground.names import SEARCHES
    from oasis.lab.searching import stages as staging
    from oasis.lab.searching.plan import SearchPlan, runs, searchers

    named = ",".join(SEARCHES) if searches == "all" else searches
    variants = staging.staged(named, policies, priors) if stages else searchers(named, policies, priors)
    plan = SearchPlan(lemmas.name, lemmas.lemmas, variants, seeds, read_budget(budget), runs(variants, db))
    return staging.plans(plan) if stages else {plan.name: plan}


def report(kept: Campaign[SearchPlan], found: Mapping[str, list[Proof]], as_json: bool, files: Files) -> None:
    """Show what came of searches, and write it to files; of an experiment in two parts the first is shown whole."""
    from oasis.lab.comparison.truth import shortest_proof
    from oasis.lab.proofs import sentence
    from oasis.lab.proofs import table as table_of_proofs
    from oasis.lab.report.searching import write_searches
    from oasis.lab.searching import stages as staging
    from oasis.lab.searching.conclusions import conclusions
    from oasis.lab.searching.summary import compare

    trials = {part: kept.trials(part) for part in kept.plans}
    part, plan = next(iter(kept.plans.items()))
    shortest = [shortest_proof(lemma, _SECONDS, _GOALS) for lemma in plan.lemmas]
    results = {part: compare(plan, trials[part], shortest) for part, plan in kept.plans.items()}
    stages = staging.stages(kept.plans, trials) if len(kept.plans) > 1 else []
    sentences = [*conclusions(results[part]), sentence(found[part])]
    if as_json:
        _print_json(kept, results, stages, found, sentences)
    else:
        _print(results[part], [staging.table(kept.plans, stages)] if stages else [], sentences)
    if files.csv is not None:
        with output_stream(files.csv) as stream:
            write_searches(kept.plans, trials, stream)
    more = [*([staging.table(kept.plans, stages)] if stages else []), table_of_proofs(plan, found[part])]
    _draw(kept, results[part], more, files)


def _print_json(
    kept: Campaign[SearchPlan],
    results: Mapping[str, Comparison],
    stages: list[Stage],
    found: Mapping[str, list[Proof]],
    sentences: list[str],
) -> None:
    """One JSON object: that of the only part, or the stages and every part under its name."""
    from oasis.cli.render import print_json

    parts = {
        part: {**result.to_json(), "proofs": [proof.to_json() for proof in found[part]]}
        for part, result in results.items()
    }
    whole = {"stages": [stage.to_json() for stage in stages], "parts": parts} if stages else next(iter(parts.values()))
    print_json({**kept.to_json(), **whole, "sentences": sentences})


def _print(result: Comparison, first: list[Table], sentences: list[str]) -> None:
    from oasis.cli.render import print_section, print_text
    from oasis.lab.searching.tables import tables

    print_text(
        f"{len(result.plan.seeds)} searches of each kind with 95 % intervals; what each number is: --html FILE or "
        "--json, and every search: --csv FILE."
    )
    print()
    for table in (*first, *tables(result)):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    for sentence in sentences:
        print_text(sentence, "  · ")


def _draw(kept: Campaign[SearchPlan], result: Comparison, more: list[Table], files: Files) -> None:
    from shlex import join

    from oasis.lab.plots.searching import save_plot
    from oasis.lab.report.page import write
    from oasis.lab.report.searching import page

    if files.plot is not None:
        save_plot(files.plot, result)
    if files.html is not None:
        write(files.html, page(result, join(["oasis", *sys.argv[1:]]), kept.made_by, more))
