"""`oasis compare` of students: what came of them as tables and sentences, and written to files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from oasis.cli.arguments import output_stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oasis.cli.campaigns import Files
    from oasis.lab.campaign import Campaign
    from oasis.lab.comparison.summary import Comparison
    from oasis.lab.plan import Plan
    from oasis.lab.proofs import Proof
    from oasis.lab.trials import Trial


def report(kept: Campaign[Plan], found: Mapping[str, list[Proof]], as_json: bool, files: Files) -> None:
    """Show what came of students, and write it to files."""
    from oasis.lab.comparison.summary import compare as summarise
    from oasis.lab.comparison.truth import truths

    ((part, plan),) = kept.plans.items()
    trials = kept.trials(part)
    result = summarise(plan, trials, truths(plan))
    _show(kept, result, trials, found[part], as_json)
    _write_files(kept, result, trials, found[part], files)


def _show(
    campaign: Campaign[Plan], result: Comparison, trials: Mapping[str, Trial], proofs: list[Proof], as_json: bool
) -> None:
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.lab.comparison.conclusions import conclusions
    from oasis.lab.comparison.tables import tables
    from oasis.lab.proofs import table as table_of_proofs

    sentences = conclusions(result, trials)
    if as_json:
        print_json(
            {
                **campaign.to_json(),
                **result.to_json(),
                "proofs": [proof.to_json() for proof in proofs],
                "sentences": sentences,
            }
        )
        return
    print_text(
        f"Averages of {len(result.plan.seeds)} students of each kind with 95 % intervals; what each number is: "
        "--html FILE or --json."
    )
    print()
    for table in (*tables(result), table_of_proofs(result.plan, proofs)):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    for sentence in sentences:
        print_text(sentence, "  · ")


def _write_files(
    campaign: Campaign[Plan], result: Comparison, trials: Mapping[str, Trial], proofs: list[Proof], files: Files
) -> None:
    from shlex import join

    from oasis.lab.plots.comparison import save_plot
    from oasis.lab.proofs import table
    from oasis.lab.report.comparison import page, write_checkpoints, write_episodes
    from oasis.lab.report.page import write

    if files.csv is not None:
        with output_stream(files.csv) as stream:
            write_episodes(result.plan, trials, stream)
    if files.csv_checkpoints is not None:
        with output_stream(files.csv_checkpoints) as stream:
            write_checkpoints(result.plan, trials, stream)
    if files.plot is not None:
        save_plot(files.plot, result)
    if files.html is not None:
        command = join(["oasis", *sys.argv[1:]])
        write(files.html, page(result, trials, command, campaign.made_by, [table(result.plan, proofs)]))
