"""`oasis export`: a proof as a file that stands alone."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    OutputOption,
    complete_curriculum,
    output_stream,
    read_given,
    read_stdin,
)


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="LEMMA|RUN", help="A lemma, or the number of a run.", autocompletion=complete_curriculum
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="coq, coq-standard, lean, lean-standard, term, latex, svg, fitch, fitch-ascii, fitch-latex, "
            "fitch-svg, prose or prose-latex; tptp for the lemma without a proof.",
        ),
    ],
    script: Annotated[
        str | None,
        typer.Option(help="Moves, a file of them, or -; the shortest proof in the database if left out."),
    ] = None,
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write the proof of a lemma, or all proofs of a run, for a prover, for LaTeX, in words or as a picture.

    --to tptp writes the lemma itself as a problem, which needs no proof, and which other provers and Oasis read.
    """
    from oasis.backends.export import EXPORTS, tptp
    from oasis.student.proofs import lemma_proof, run_proofs
    from tactics.errors import check_choice
    from tactics.script import parse_script

    check_choice("--to", to, [*EXPORTS, tptp.NAME])
    if to == tptp.NAME:
        with output_stream(output) as stream:
            stream.write(_problem(what, script))
        return
    if what.isdigit() and script is None:
        proofs = run_proofs(db, int(what))
    else:
        given = None if script is None else read_given(script, parse_script)
        proofs = [lemma_proof(db, what, given, stdin=read_stdin)]
    text = EXPORTS[to].write(proofs)
    with output_stream(output) as stream:
        stream.write(text)


def _problem(what: str, script: str | None) -> str:
    """A lemma in TPTP's format. Raises InputError."""
    from curricula import resolve_lemma
    from oasis.backends.export.tptp import problem
    from tactics.errors import InputError

    if script is not None or what.isdigit():
        raise InputError("--to tptp writes one lemma and no proof; name a lemma, without --script.")
    lemma = resolve_lemma(what, stdin=read_stdin)
    return problem(lemma.formula, lemma.name, lemma.status.title() if lemma.status else "")
