"""`oasis compare --ladder`: is escalation worth it: what is proved by which stages in the same time."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oasis.cli.arguments import output_stream

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.cli.campaigns import Files
    from oasis.lab.campaign import Campaign
    from oasis.lab.climbing.plan import ClimbPlan
    from oasis.lab.proofs import Proof

BUDGET: Final = "60s"
"""Processor time for all lemmas together, unless another one is given."""


def plans(
    lemmas: Curriculum, ladders: str, network: str | None, budget: str | None, seeds: tuple[int, ...]
) -> dict[str, ClimbPlan]:
    """What ladders are to do, from what was typed, by parts.

    Raises InputError for what cannot be, and for a network that no ladder asks.
    """
    from oasis.cli.climbing import NETWORK
    from oasis.cli.escalated import read_time
    from oasis.lab.climbing.plan import ClimbPlan, climbers
    from tactics.errors import InputError

    variants = climbers(ladders, NETWORK if network is None else network)
    if network is not None and not any(each.ladder.asks_network for each in variants):
        raise InputError(f"--policy is the network that ladders ask, and {ladders} asks none; leave it out.")
    plan = ClimbPlan(lemmas.name, lemmas.lemmas, variants, seeds, read_time(BUDGET if budget is None else budget))
    return {plan.name: plan}


def report(kept: Campaign[ClimbPlan], found: Mapping[str, list[Proof]], as_json: bool, files: Files) -> None:
    """Show what came of ladders, and write it to a file."""
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.lab.climbing.summary import compare, conclusions, tables
    from oasis.lab.proofs import sentence

    ((part, plan),) = kept.plans.items()
    result = compare(plan, kept.trials(part))
    sentences = [*conclusions(result), sentence(found[part])]
    if as_json:
        proofs = [proof.to_json() for proof in found[part]]
        print_json({**kept.to_json(), **result.to_json(), "proofs": proofs, "sentences": sentences})
    else:
        print_text(f"{len(plan.seeds)} climbs of each kind with 95 % intervals; what each number is: --json.")
        print()
        for table in tables(result):
            print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
        for each in sentences:
            print_text(each, "  · ")
    if files.csv is not None:
        _write(kept, files.csv)


def _write(kept: Campaign[ClimbPlan], file: Path) -> None:
    """Write CSV with a line for each ladder, seed and lemma; no `settled` if it is open, no `length` if unproved."""
    from numpy import isfinite

    from oasis.lab.climbing.plan import STAGES
    from oasis.lab.searching.trials import STATUSES

    ((part, plan),) = kept.plans.items()
    counted = ("episodes", "expansions", "plays", "forwards", "seconds")
    with output_stream(file) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("ladder", "seed", "lemma", "status", "stage", "settled", "length", *counted))
        for name, trial in kept.trials(part).items():
            for place, seed in enumerate(plan.seeds):
                for at, lemma in enumerate(plan.lemmas):
                    settled = float(trial.settled[place, at])
                    writer.writerow(
                        (
                            name,
                            seed,
                            lemma.name,
                            STATUSES[trial.status[place, at]].value,
                            ("", *STAGES)[trial.stage[place, at]],
                            f"{settled:.3f}" if isfinite(settled) else "",
                            trial.length[place, at] or "",
                            *(getattr(trial, each)[place, at] for each in counted),
                        )
                    )
