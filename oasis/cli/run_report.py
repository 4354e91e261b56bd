"""How a run looks: a table of its lemmas with their exams, the proofs below it, and what provers said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from re import sub
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

from oasis.cli.arguments import naming
from oasis.cli.narration import narrate
from oasis.cli.render import console, print_columns, print_json, print_table, without_middle
from oasis.ground.plural import counted
from tactics.script import show_script

if TYPE_CHECKING:
    from pathlib import Path

    from oasis.play.exam import Exam
    from oasis.store import Store
    from oasis.student.report import LemmaReport, RunReport

_ABSENT = Text("–", "dim")
_LONGEST = 500
"""Moves of the longest proof that is printed."""
_AT_A_GLANCE = 20
"""Lemmas of a table that is taken in without a summary."""
_WIDE = 110
"""Columns of a terminal that has room for everything."""


def show_runs(store: Store, runs: Sequence[int], as_json: bool) -> list[RunReport]:
    """Show what came of runs, escalations or not, and give it; students that differ in their seeds alone together."""
    from oasis.student.report import report

    found = [report(store, run) for run in runs]
    is_climb = {run: store.escalation(run) is not None for run in runs}
    if as_json:
        if any(is_climb.values()):
            from oasis.escalation.report import run_to_json as climb_to_json
        told = [climb_to_json(store, each) if is_climb[each.run] else each.to_json() for each in found]
        print_json(told[0] if len(told) == 1 else {"runs": told})
    elif len(found) > 1 and not any(is_climb.values()) and all(map(found[0].is_like, found)):
        print_cohort(found)
    else:
        for each in found:
            if is_climb[each.run]:
                from oasis.cli.escalated import print_escalation

                print_escalation(store, each)
            else:
                print_report(each)
    return found


def print_report(report: RunReport) -> None:
    """The table of a run, and below it the proofs that the student found."""
    out = console(width_of_a_file=120)
    settings = report.settings
    out.print(
        Text.assemble(
            (f"Run {report.run}", "bold"),
            f" · {report.curriculum} · {settings['learner']}, {settings['reward']}, {settings['state_space']}, "
            f"{settings['actions']} · ε {settings['epsilon']} α {settings['alpha']} γ {settings['gamma']:g} · "
            f"seed {settings['seed']}{_origin(report)}{_helped(settings)}"
            + ("" if report.finished else " · unfinished"),
        )
    )
    if not report.lemmas:
        out.print("It has no lemmas.")
        return
    left_out = {">states", ">steps/s"} if out.width < _WIDE else set()
    left_out |= set() if any(lemma.shown for lemma in report.lemmas) else {">shown"}
    left_out |= set() if any(lemma.words for lemma in report.lemmas) else {"certified by"}
    print_columns(report.lemmas, {name: of for name, of in _COLUMNS.items() if name not in left_out}, width=120)
    out.print(Text("Shortest proofs", "bold"))
    for lemma in report.lemmas:
        print_proof(out, lemma)
    for lemma in report.lemmas:
        if lemma.unlearned and lemma.exam:
            out.print(lemma.unlearned.sentence(lemma.name, lemma.exam), style="yellow", markup=False, highlight=False)
    if len(report.lemmas) > _AT_A_GLANCE:
        from oasis.student.summary import by_family

        families = by_family(report.lemmas)
        print_table(families.header, families.rows, numeric=families.header[1:], width=120)


def _origin(report: RunReport) -> str:
    """Whose student it is, if it had learned before the run."""
    return "" if report.taught_by is None else f" · student of run {report.taught_by}"


def _helped(settings: dict[str, Any]) -> str:
    """Whether maxims decided where its values did not."""
    return " · with experience" if settings["experience"] else ""


def _median(lemma: LemmaReport) -> Text:
    median = lemma.exam.median if lemma.exam else None
    return _ABSENT if median is None else Text(f"{median:g}", "green" if median == lemma.optimum else "")


def _speed(steps_per_second: float) -> str:
    return f"{steps_per_second / 1e6:.1f} M" if steps_per_second >= 1e5 else f"{steps_per_second:,.0f}"


def share(exam: Exam | None) -> Text:
    """The share of plays that proved, as a percentage."""
    if exam is None:
        return _ABSENT
    # Anything but all is not shown as all, nor anything but nothing as nothing.
    percentage = min(max(round(100 * exam.share), int(exam.proved > 0)), 99 + (exam.proved == exam.plays))
    return Text(f"{percentage}%")


def certified_by(lemma: LemmaReport) -> Text:
    """Who accepted the proofs that the table reports; a prover that rejected one stands in red."""
    accepted: dict[str, bool] = {}
    for proof in lemma.proofs:
        for word in lemma.words_on(proof):
            accepted[word.prover] = accepted.get(word.prover, True) and word.accepted
    names = [(f"{name} ", "green") if ok else (f"not {name} ", "bold red") for name, ok in accepted.items()]
    return Text.assemble(*names) if names else _ABSENT


def print_proof(out: Console, lemma: LemmaReport, *, over: bool = False) -> None:
    """The shortest proof that was found of a lemma, or why there is none; `over` if nobody looks for one any more."""
    formula = without_middle(lemma.formula)
    if lemma.best is not None and len(lemma.best) > _LONGEST:
        below = f"{len(lemma.best):,} moves, too many to be read here; --json has them, and oasis export writes them."
        style = "green"
    elif lemma.best is not None:
        below, style = show_script(lemma.best), "green"
    elif not (lemma.finished or over):
        below, style = "not finished yet", "dim"
    elif lemma.status == "non-theorem":
        below, style = "none found; its source lists it as a non-theorem", "dim"
    else:
        below, style = "none found", "yellow"
    out.print(Text.assemble((lemma.name, "bold"), "  ", (formula, "dim")))
    # A rule and its hypothesis stay on one line.
    lines = wrap(sub(r" (?=H\d*\b)", "\xa0", below), out.width - 4)
    out.print(Text("".join(f"    {line}\n" for line in lines).replace("\xa0", " "), style))


_COLUMNS: Final[Mapping[str, str | Callable[[LemmaReport], object]]] = {
    "lemma": lambda lemma: Text(lemma.name, "bold"),
    ">episodes": lambda lemma: Text("none", "dim") if lemma.only_examined else lemma.episodes,
    ">proved": lambda lemma: _ABSENT if lemma.only_examined else f"{lemma.share_proved:.1%}",
    ">exam": lambda lemma: share(lemma.exam),
    ">untaught": lambda lemma: share(lemma.untaught),
    ">median": _median,
    ">shown": lambda lemma: _ABSENT if lemma.shown is None else len(lemma.shown),
    ">best": lambda lemma: _ABSENT if lemma.best is None else len(lemma.best),
    ">optimum": lambda lemma: _ABSENT if lemma.optimum is None else lemma.optimum,
    ">states": "states",
    ">steps/s": lambda lemma: _speed(lemma.steps_per_second) if lemma.steps else _ABSENT,
    "certified by": certified_by,
}
"""What the table says of a lemma."""


def print_run_certificates(report: RunReport) -> None:
    """A line for each proof that a run reports."""
    rows: list[list[str | Text]] = [
        [
            Text(lemma.name, "bold"),
            without_middle(lemma.formula),
            f"{'best' if proof == lemma.best else 'of the exam'}, {len(proof)} moves",
            Text(", ".join(word.version for word in words if word.accepted), "green"),
            Text("; ".join(f"{word.version}: {word.reason}" for word in words if not word.accepted), "red"),
        ]
        for lemma in report.lemmas
        for proof in dict.fromkeys(lemma.proofs)
        for words in [lemma.words_on(proof)]
    ]
    print_table(["lemma", "formula", "proof", "certified by", "remark"], rows)


def narrate_withheld(report: RunReport, db: Path) -> None:
    """Say that certificates are missing because somebody changed them; else nothing."""
    withheld = sum(lemma.withheld for lemma in report.lemmas)
    if not withheld:
        return
    was, counts, it = ("was", "it counts", "it") if withheld == 1 else ("were", "they count", "them")
    narrate(
        f"{counted(withheld, 'certificate')} {was} changed since, so {counts} as missing; have {it} given again with: "
        f"oasis check --run {report.run}{naming(db)}"
    )


def print_cohort(reports: Sequence[RunReport]) -> None:
    """What students of the same settings came to: of each lemma means over students with their 95 % intervals."""
    from oasis.student.summary import together, unlearned

    out = console()
    settings = reports[0].settings
    seeds = [report.settings["seed"] for report in reports]
    out.print(
        Text.assemble(
            (f"Runs {reports[0].run} to {reports[-1].run}", "bold"),
            f" · {reports[0].curriculum} · {settings['learner']} · {len(reports)} students, seeds {min(seeds)} to "
            f"{max(seeds)}{_origin(reports[0])}{_helped(settings)}",
        )
    )
    table = together(reports)
    print_table(table.header, table.rows, numeric=table.header[1:], width=100)
    for sentence in (table.note, *unlearned(reports)):
        out.print(sentence)
