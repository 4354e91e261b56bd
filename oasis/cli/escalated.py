"""`oasis train --escalate`: an escalation that is kept, resumed and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oasis.cli.arguments import Output, naming
from oasis.cli.exits import EXIT_SIGNAL, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate, narrate_all
from oasis.cli.progress import watch_climb
from oasis.cli.proving import amount, costs
from oasis.cli.render import clipped, console, print_columns, print_table, print_text
from oasis.ground.plural import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.escalation.climb import Record
    from oasis.escalation.run import EscalatedRun
    from oasis.play.solving import Cost
    from oasis.store import Store
    from oasis.student.report import RunReport

COLUMNS: Final = ("episodes", "expansions", "plays", "forwards", "seconds")
_FEW: Final = 20
"""Lemmas whose proofs are shown below the table."""


def carry_out(store: Store, run: int, output: Output) -> None:
    """Go on with an escalation to its end, or until somebody stops it."""
    import signal
    from functools import partial

    from oasis.escalation.run import go_on
    from oasis.ground.limits import is_out_of_memory
    from oasis.ground.signals import interrupts_wait

    at_work = go_on(store, run, output.say)
    if not output.quiet:
        _remark(at_work)
    again = f"run {run} is kept in {output.db} and goes on with: oasis train --resume{naming(output.db)}"
    climb = at_work.escalation.climb
    with interrupts_wait(partial(setattr, climb, "stop_requested"), signal.SIGTERM):  # the attempt is cut short
        try:
            watch_climb(at_work, climb, at_work.names, quiet=output.quiet)
        except (MemoryError, RuntimeError) as error:
            if not is_out_of_memory(error):
                raise
            raise Stopped(f"The memory was not enough. Close other programs; {again}", EXIT_USAGE) from error
    if not at_work.finished:
        raise Stopped(f"Stopped; {again}", EXIT_SIGNAL + climb.stop_requested)


def print_escalation(store: Store, report: RunReport) -> None:
    """Who proved what, what each stage came to, and where lemmas are few their proofs."""
    from oasis.cli.run_report import certified_by, print_proof, share
    from oasis.escalation.report import escalation_report
    from oasis.escalation.stages import LONGEST
    from oasis.play.solving import Cost

    escalation = escalation_report(store, report.run)
    counts = (*COLUMNS[:-1], "tokens", "seconds") if escalation.ladder.language else COLUMNS
    out = console(width_of_a_file=120)
    asked = ", ".join(filter(None, (escalation.ladder.network or "no network", escalation.ladder.language)))
    unfinished = "" if report.finished else " · unfinished"
    out.print(
        f"Run {report.run} · {report.curriculum} · escalation of {report.settings['learner']}, "
        f"{escalation.ladder.search}, {asked} · seed {report.settings['seed']}"
        f"{unfinished}"
    )
    print_columns(
        zip(report.lemmas, escalation.records, strict=True),
        {
            "lemma": lambda row: clipped(row[0].name),
            "status": lambda row: row[1].status.value,
            "by": lambda row: row[1].by or "–",
            "stage": lambda row: row[1].stage or "–",
            ">moves": lambda row: _moves(row[1]),
            ">exam": lambda row: share(row[0].exam),
            **costs(counts, lambda row: row[1].cost),
            "certified by": lambda row: certified_by(row[0]),
        },
    )
    stages = [
        [each.stage, *(f"{count:,}" for count in (each.tried, each.proved, each.refuted)), *_amounts(each.cost, counts)]
        for each in escalation.stages
        if each.tried
    ]
    pace = escalation.pace
    if pace.studies.seconds:
        stages.append(["studies", *["–"] * 3, *_amounts(pace.studies, counts)])
    if pace.storing:
        stages.append(["storing", *["–"] * 3, *_amounts(Cost(seconds=pace.storing), counts)])
    header = ["tried", "proved", "refuted", *counts, "joules", "GPU s"]
    print_table(["stage", *header], stages, numeric=header)
    if not_asked := [each.stage for each in escalation.stages if not each.tried]:
        print_text(f"Never asked: {', '.join(not_asked)}.")
    print_text(
        f"{escalation.count('proved'):,} proved, {escalation.count('refuted'):,} refuted, {escalation.count('open'):,} "
        f"open {pace.said()} exam: what the student plays now of what was proved."
    )
    if any(record.too_long and record.script is None for record in escalation.records):
        print_text(f"(moves): those of a proof that was found and counts for nothing, as it has more than {LONGEST:,}.")
    if len(report.lemmas) <= _FEW:
        for lemma in report.lemmas:
            print_proof(out, lemma, over=report.finished is not None)


def _moves(record: Record) -> str:
    """Those of the proof; in brackets those of one that is too long to count."""
    if record.script is not None:
        return f"{len(record.script):,}"
    return f"({record.too_long:,})" if record.too_long else "–"


def _amounts(cost: Cost, counts: Sequence[str]) -> list[str]:
    known = ["–" if amount is None else f"{amount:,.1f}" for amount in (cost.joules, cost.gpu_seconds)]
    return [*(amount(cost, name, ",.1f") for name in counts), *known]


def _remark(at_work: EscalatedRun) -> None:
    """Say what is going to be done."""
    from oasis.escalation.climb import in_words
    from oasis.student.student import on_compiling

    pace, settings = at_work.escalation.climb.pace, at_work.settings
    if at_work.finished:
        narrate(f"Run {at_work.run} is finished already.")
        return
    lemmas = counted(len(at_work.names), "lemma")
    spent = f", of which {in_words(pace.spent)} s are spent" if pace.spent else ""
    narrate(
        f"Run {at_work.run}: {lemmas}, {', '.join(at_work.ladder.stages)}, {in_words(pace.budget)} s for all of "
        f"them{spent}, seed {settings.seed}"
    )
    narrate_all(on_compiling([settings]))
