"""`oasis train --escalate`: an escalation that is kept, resumed and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from oasis.cli.arguments import Output, naming
from oasis.cli.exits import EXIT_SIGNAL, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate
from oasis.ground.plural import counted

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.escalation.climb import Pace, Record
    from oasis.escalation.report import EscalationReport
    from oasis.escalation.run import EscalatedRun
    from oasis.play.solving import Cost
    from oasis.store import Store
    from oasis.student.report import RunReport
    from oasis.student.settings import Settings

SECONDS: Final = 10.0
"""For each lemma, unless a time for all of them is given."""
MOST_SECONDS: Final = 1_800.0
"""For all lemmas together, likewise."""
COLUMNS: Final = ("episodes", "expansions", "plays", "forwards", "seconds")
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}
_FEW: Final = 20
"""Lemmas whose proofs are shown below the table."""


def read_time(text: str) -> float:
    """Seconds, from a time as 90, 90s, 30m or 2h. Raises InputError."""
    from math import inf

    from tactics.errors import InputError

    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise InputError(f"--budget is a time, as in 90s, 30m or 2h, not {text[:40]!r}.")
    return seconds


def seconds_for(lemmas: int, budget: str | None) -> float:
    """The time for so many lemmas together: what was typed, or what is usual. Raises InputError."""
    return min(MOST_SECONDS, SECONDS * lemmas) if budget is None else read_time(budget)


def start(
    store: Store,
    chosen: Curriculum,
    settings: Settings,
    *,
    network: str,
    search: str,
    expansions: int | None,
    budget: str | None,
    taught_by: int | None,
) -> int:
    """Begin an escalation, and give the number of its run.

    Args:
        store: where it is kept.
        chosen: its lemmas.
        settings: of the student.
        network: the name of the policy that is asked last; empty for the usual one.
        search: the name of the search; empty for the usual one.
        expansions: of a search in each attempt at most; None for no limit but time.
        budget: time for all lemmas together, as it was typed; None for the usual one.
        taught_by: a run whose student goes on learning here.
    """
    from dataclasses import replace

    from oasis.escalation.ladder import ESCALATE, EXPLORER, Ladder, network_of
    from oasis.escalation.run import EscalatedRun
    from oasis.escalation.solvers import NETWORK
    from oasis.neural.policies import from_anywhere, policy_named

    network = from_anywhere(network or NETWORK)
    ladder = Ladder.named(ESCALATE, network, search or EXPLORER)
    seconds = seconds_for(len(chosen.lemmas), budget)
    network_of(ladder, lambda name: policy_named(name, store))  # which says if there is no such policy
    ladder = replace(ladder, expansions=expansions, digest=_digest(network))
    return EscalatedRun.start(store, chosen, settings, ladder, seconds, taught_by=taught_by)


def _digest(network: str) -> str:
    """What stands for the content of the file of a network, by its name; empty if it has none."""
    from oasis.neural.policies import checkpoint_named
    from oasis.neural.training.header import digest

    file = checkpoint_named(network)
    return "" if file is None else digest(file)


def carry_out(store: Store, run: int, output: Output) -> None:
    """Go on with an escalation to its end, or until somebody stops it."""
    import signal
    from functools import partial

    from oasis.cli.progress import watch_climb
    from oasis.escalation.ladder import network_of
    from oasis.escalation.run import EscalatedRun, kept_escalation
    from oasis.ground.limits import is_out_of_memory
    from oasis.ground.signals import interrupts_wait
    from oasis.neural.policies import policy_named

    kept = kept_escalation(store, run).ladder
    ladder, network = network_of(kept, lambda name: policy_named(name, store), output.say)
    at_work = EscalatedRun(store, run, ladder, network, say=output.say)
    if not output.quiet:
        _remark(at_work)
        if kept.digest and network is not None and not at_work.finished and _digest(kept.network) != kept.digest:
            narrate(f"{kept.network} is another network than run {run} was begun with; it goes on with this one.")
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


def said_pace(pace: Pace) -> str:
    """How far lemmas came in their time, in words, and what of it was for none of them."""
    rounds = counted(pace.round + 1, "round")
    said = f"after {seconds(pace.spent)} of {seconds(pace.budget)} s in {rounds}."
    if not pace.studies.seconds:
        return said
    learned = "learned from" if pace.studies.forwards else "looked at"
    return f"{said} In {seconds(pace.studies.seconds)} s of these, its studies, the network {learned} the proofs."


def seconds(number: float) -> str:
    """Seconds, whole ones unless they are few."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def print_escalation(store: Store, report: RunReport) -> None:
    """Who proved what, what each stage came to, and where lemmas are few their proofs."""
    from oasis.cli.render import clipped, console, print_table, print_text
    from oasis.cli.run_report import certified_by, print_proof, share
    from oasis.escalation.stages import LONGEST
    from oasis.play.solving import Cost

    escalation = _escalation(store, report)
    out = console(width_of_a_file=120)
    unfinished = "" if report.finished else " · unfinished"
    out.print(
        f"Run {report.run} · {report.curriculum} · escalation of {report.settings['learner']}, "
        f"{escalation.ladder.search}, {escalation.ladder.network or 'no network'} · seed {report.settings['seed']}"
        f"{unfinished}"
    )
    rows = [
        [
            clipped(lemma.name),
            record.status.value,
            record.by or "–",
            record.stage or "–",
            _moves(record),
            share(lemma.exam),
            *_counts(record.cost, ".2f"),
            certified_by(lemma),
        ]
        for lemma, record in zip(report.lemmas, escalation.records, strict=True)
    ]
    numeric = ["moves", "exam", *COLUMNS]
    print_table(["lemma", "status", "by", "stage", *numeric, "certified by"], rows, numeric=numeric)
    stages = [
        [each.stage, *(f"{count:,}" for count in (each.tried, each.proved, each.refuted)), *_amounts(each.cost)]
        for each in escalation.stages
        if each.tried
    ]
    pace = escalation.pace
    if pace.studies.seconds:
        stages.append(["studies", *["–"] * 3, *_amounts(pace.studies)])
    if pace.storing:
        stages.append(["storing", *["–"] * 3, *_amounts(Cost(seconds=pace.storing))])
    header = ["tried", "proved", "refuted", *COLUMNS, "joules", "GPU s"]
    print_table(["stage", *header], stages, numeric=header)
    if not_asked := [each.stage for each in escalation.stages if not each.tried]:
        print_text(f"Never asked: {', '.join(not_asked)}.")
    print_text(
        f"{escalation.count('proved'):,} proved, {escalation.count('refuted'):,} refuted, {escalation.count('open'):,} "
        f"open {said_pace(pace)} exam: what the student plays now of what was proved."
    )
    if any(record.too_long and record.script is None for record in escalation.records):
        print_text(f"(moves): those of a proof that was found and counts for nothing, as it has more than {LONGEST:,}.")
    if len(report.lemmas) <= _FEW:
        for lemma in report.lemmas:
            print_proof(out, lemma, over=report.finished is not None)


def _escalation(store: Store, report: RunReport) -> EscalationReport:
    from oasis.escalation.report import escalation_report

    found = escalation_report(store, report.run)
    assert found is not None
    return found


def _moves(record: Record) -> str:
    """Those of the proof; in brackets those of one that is too long to count."""
    if record.script is not None:
        return f"{len(record.script):,}"
    return f"({record.too_long:,})" if record.too_long else "–"


def to_json(store: Store, report: RunReport) -> dict[str, Any]:
    """A run with who proved each lemma and what that took."""
    whole, escalation = report.to_json(), _escalation(store, report)
    lemmas = [{**lemma, **climb} for lemma, climb in zip(whole["lemmas"], escalation.lemmas_to_json(), strict=True)]
    return {**whole, "escalation": escalation.to_json(), "lemmas": lemmas}


def _counts(cost: Cost, seconds: str) -> list[str]:
    """What was spent, by `COLUMNS`; seconds in their form."""
    return [f"{getattr(cost, name):{seconds if name == 'seconds' else ','}}" for name in COLUMNS]


def _amounts(cost: Cost) -> list[str]:
    known = ["–" if amount is None else f"{amount:,.1f}" for amount in (cost.joules, cost.gpu_seconds)]
    return [*_counts(cost, ",.1f"), *known]


def _remark(at_work: EscalatedRun) -> None:
    """Say what is going to be done."""
    from oasis.cli.progress import remark_on_compiling

    pace, settings = at_work.escalation.climb.pace, at_work.settings
    if at_work.finished:
        narrate(f"Run {at_work.run} is finished already.")
        return
    lemmas = counted(len(at_work.names), "lemma")
    spent = f", of which {seconds(pace.spent)} s are spent" if pace.spent else ""
    narrate(
        f"Run {at_work.run}: {lemmas}, {', '.join(at_work.ladder.stages)}, {seconds(pace.budget)} s for all of "
        f"them{spent}, seed {settings.seed}"
    )
    remark_on_compiling([settings])
