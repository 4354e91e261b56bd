"""What came of an experiment, whatever its family: tables and sentences for people, JSON, and what can be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from oasis.ground.board import BOARDS
from oasis.ground.plural import conjunction
from oasis.ground.table import Table
from oasis.lab import proofs as proving
from oasis.lab.experiment import Experiment
from oasis.lab.pictures import save_plot, stem
from oasis.lab.proofs import Proof
from oasis.lab.report import VERSION, Report, write_rows
from oasis.lab.reports import Reports
from oasis.lab.study import answers, sentences, table, to_json
from oasis.lab.written import page, write_curves, write_paper
from tactics.printer import show

Certifying = Callable[[Mapping[str, Report]], Mapping[str, Sequence[Proof]]]
"""Returns the shortest proofs of the reports of parts, with provers' verdicts; none if none are asked for."""


class Findings(NamedTuple):
    """What came of trials.

    Attributes:
        content: what `--json` prints, of an experiment beside what it is.
        tables: for people.
        sentences: that follow from them.
        files: by the names of command-line options what writes one: at a path a picture or a folder, to a stream text.
        head: what is said above the tables.
        pilot: how many it takes to tell kinds apart, which is all that a pilot shows.
    """

    content: Mapping[str, Any]
    tables: Iterable[Table]
    sentences: Sequence[str]
    files: Mapping[str, Callable[[Any], Any]]
    head: str
    pilot: Sequence[str] = ()


def findings(
    kept: Experiment[Any],
    certify: Certifying,
    command: str,
    *,
    reports: Mapping[str, Report] | None = None,
    settings: Mapping[str, Any] | None = None,
    tables: Sequence[Table] = (),
    more: Sequence[Table] = (),
    content: Mapping[str, Any] | None = None,
    files: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Findings:
    """Return what came of an experiment whose numbers are measures; all families are shown like this.

    Args:
        kept: the experiment.
        certify: returns the shortest proofs, by part.
        command: that was typed, for pages and papers.
        reports: by part, if they are there already.
        settings: what is the same for all kinds, by name.
        tables: that are shown beside those of the measures.
        more: tables that only the page has.
        content: what else `--json` prints.
        files: what else can be written.
    """
    done = reports or {part: kept.report(part) for part in kept.plans}
    proofs = certify(done)
    told = Reports({part: report.led_by(kept.study.headline) for part, report in done.items()})
    claimed, plans = answers(kept.study.claims, told), kept.plans.values()
    kinds = conjunction(dict.fromkeys(f"{len(plan.seeds)} {plan.noun} of each kind" for plan in plans))
    within = [*dict.fromkeys(plan.within for plan in plans)]
    budget = [conjunction(within)] if len(within) < 3 else []
    title = f"{kept.noun.capitalize()} compared on {kept.name}"
    beside = [*([table(claimed, told)] if claimed and told.is_one else ()), *tables]  # those of parts are in tables

    def plot(path: Path) -> None:
        for part, report in told.items():
            if told.is_one:
                save_plot(path, report, title)
            else:
                save_plot(path.with_stem(f"{path.stem}-{stem(part)}"), report, f"{part}: {kept.name}")

    parts = {
        part: {
            **report,
            "plan": kept.plans[part].to_json(),
            "proofs": [proof.to_json() for proof in proofs.get(part, ())],
        }
        for part, report in told.to_json().items()
    }
    every = [proof for found in proofs.values() for proof in found]
    lemmas = {lemma.name: show(lemma.formula, quantified=True) for plan in plans for lemma in plan.lemmas}
    about: dict[str, Any] = {"title": title, "command": command, "made_by": kept.made_by}
    of_proofs = [proving.table(kept.plans[part], found) for part, found in proofs.items()]
    same = settings or {"each has": conjunction(within)}
    return Findings(
        {
            **(next(iter(parts.values())) if told.is_one else {"report": VERSION, "parts": parts}),
            **({"claims": to_json(claimed)} if claimed else {}),
            **(content or {}),
        },
        [*told.tables(), *tables],
        [
            *told.sentences(),
            *(f"Claimed that {sentence}" for sentence in sentences(claimed, told)),
            *([proving.sentence(every)] if proofs else []),
        ],
        {
            "plot": plot,
            "csv": partial(write_rows, told.rows()),
            "paper": partial(write_paper, reports=told, tables=beside, **about),
            "html": lambda stream: stream.write(
                page(told, lemmas=[*lemmas.items()], settings=same, tables=[*beside, *more, *of_proofs], **about)
            ),
            **{kind: partial(write_curves, reports=told, kind=kind) for kind in BOARDS},
            **(files or {}),
        },
        f"{', '.join([f'{kept.name}: {kinds}', *budget])}{intervals(told)}; "
        "what each number is: --html FILE or --json.",
        told.sentences(Report.pilot),
    )


def intervals(reports: Mapping[str, Report]) -> str:
    """Return what a head says of intervals; nothing if there are too few units for any."""
    return ", with 95 % intervals" if any(report.has_bounds for report in reports.values()) else ""
