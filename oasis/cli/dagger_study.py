"""`oasis dagger audit`, `ablate` and `tune`: R† put to the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import GammaOption, JsonOption, LevelsOption, QuietOption, complete_curriculum, read_stdin
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curricula.lemma import Lemma
    from oasis.dagger.term import Reading
    from oasis.lab.rewarding.audit import Finding

_AUDITED = ("SYJ203.1", "SYJ203.2", "SYJ203.3", "SYJ203.4", "textbook")
"""What is audited unless somebody names something else."""


def audit(
    curricula: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CURRICULUM...]",
            help="Lemmas and curricula; SYJ203.1 to 4 and textbook if left out.",
            autocompletion=complete_curriculum,
        ),
    ] = None,
    reading: Annotated[str, typer.Option(help="How the terms are read: sound, seed, or both.")] = "both",
    gamma: GammaOption = 0.9,
    levels: LevelsOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """See exactly which terms of R† change what is best, and what they pay for that they should not.

    Each term is added to C alone. In every state that a lemma leads to the moves of the best episodes are computed, and
    set against those of shortest proofs.
    """
    from curricula import parse_levels, resolve
    from oasis.cli.progress import watch_count
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.dagger.term import Reading
    from oasis.lab.rewarding.audit_tables import DEFINITIONS, merged, sentences, tables
    from tactics.errors import InputError, check_choice

    check_choice("--reading", reading, (*Reading, "both"))
    if not 0 < gamma <= 1:
        raise InputError(f"--gamma must lie above 0 and up to 1, not {gamma:g}.")
    readings = [each for each in Reading if reading in (each, "both")]
    chosen = parse_levels(levels) if levels else None
    found = [lemma for name in curricula or _AUDITED for lemma in resolve(name, levels=chosen, stdin=read_stdin).lemmas]
    lemmas = list({lemma.name: lemma for lemma in found}.values())
    findings: list[Finding] = []
    left_out: dict[str, str] = {}
    watch_count(_audited(lemmas, readings, gamma, findings, left_out), len(lemmas), "lemmas", quiet=quiet)
    for name, reason in left_out.items():
        narrate(f"{name} is left out: {reason}.")
    if not findings:
        raise InputError("None of these lemmas could be looked at whole; name smaller ones.")
    together = merged(findings)
    said = sentences(together)
    if as_json:
        content: dict[str, Any] = {"gamma": gamma, "lemmas": [each.name for each in lemmas], "left_out": left_out}
        print_json(
            {
                **content,
                "findings": [each.to_json() for each in together],
                "sentences": said,
                "definitions": DEFINITIONS,
            }
        )
        return
    for table in tables(together, gamma):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    for name, meaning in DEFINITIONS.items():
        print_text(f"{name}: {meaning}.")
    print()
    for sentence in said:
        print_text(sentence, "  · ")


def _audited(
    lemmas: list[Lemma], readings: list[Reading], gamma: float, findings: list[Finding], left_out: dict[str, str]
) -> Iterator[int]:
    """Audit lemma by lemma, and give the number of those that are done after each."""
    from oasis.lab.rewarding.audit import audited
    from oasis.lab.rewarding.states import StateGraph
    from oasis.limits import LimitReached

    for number, lemma in enumerate(lemmas, 1):
        try:
            graph = StateGraph(lemma.formula)
        except LimitReached as reached:
            left_out[lemma.name] = str(reached)
        else:
            for reading in readings:
                findings += audited(lemma, graph, reading, gamma)
        yield number
