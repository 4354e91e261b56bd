"""`oasis export`: a proof as a file that stands alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, complete_curriculum, read_script_text, read_stdin


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="LEMMA|RUN", help="A lemma, or the number of a run.", autocompletion=complete_curriculum
        ),
    ],
    to: Annotated[str, typer.Option("--to", help="coq, coq-standard, lean, lean-standard, term or latex.")],
    script: Annotated[
        str | None,
        typer.Option(help="Moves, a file of them, or -; the shortest proof in the database if left out."),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of standard output.")] = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write the proof of a lemma, or all proofs of a run, for Coq, Lean, LaTeX or as a term."""
    from oasis.backends.export import EXPORTS
    from oasis.student.proofs import lemma_proof, run_proofs
    from tactics.errors import InputError

    if to not in EXPORTS:
        raise InputError(f"--to is one of {', '.join(EXPORTS)}, not {to!r}.")
    if what.isdigit() and script is None:
        proofs = run_proofs(db, int(what))
    else:
        given = None if script is None else read_script_text(script)
        proofs = [lemma_proof(db, what, given, stdin=read_stdin)]
    text = EXPORTS[to].write(proofs)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output} cannot be written ({error.strerror}); name another file.") from None
