"""`oasis export`: a proof as a file that stands alone."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    OutputOption,
    lemma_argument,
    read_given,
    read_lemma,
    read_stdin,
)
from oasis.ground.files import output_stream
from oasis.ground.names import EXPORTS
from oasis.ground.plugins import foreign
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.backends.export import Proof


def export(
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help=f"{EXPORTS.told}.",
            autocompletion=EXPORTS.complete,
        ),
    ],
    what: Annotated[
        str | None,
        lemma_argument(
            "A lemma, or the number of a run; beside --experiment one of its lemmas, or nothing for all.", "LEMMA|RUN"
        ),
    ] = None,
    experiment: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="The shortest proofs that each kind of student or search found there."),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(help="Moves, a file of them, or -; the shortest proof in the database if left out."),
    ] = None,
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write the proof of a lemma, or all of a run or experiment: for a prover, for LaTeX, in words or as a picture.

    --to tptp writes the lemma itself as a problem, which needs no proof, and which other provers and Oasis read.
    """
    from oasis.backends.export.tptp import NAME

    if to == NAME:
        text = _problem(what, experiment, script)
    else:
        kind, proofs = EXPORTS.find(to), _proofs(db, what, experiment, script)
        with foreign(f"--to {to}") if EXPORTS.is_own(to) else nullcontext():
            text = kind.write(proofs)
    with output_stream(output) as stream:
        stream.write(text)


def _proofs(db: Path, what: str | None, experiment: int | None, script: str | None) -> list[Proof]:
    """What is meant. Raises InputError."""
    from oasis.proved import experiment_proofs, lemma_proof, run_proofs
    from tactics.script import parse_script

    if experiment is not None:
        if script is not None:
            raise InputError("--experiment writes the proofs that were found there; leave out --script.")
        return experiment_proofs(db, experiment, what)
    if what is None:
        raise InputError("What is to be written? Name a lemma, the number of a run, or --experiment NUMBER.")
    if what.isdigit() and script is None:
        return run_proofs(db, int(what))
    given = None if script is None else read_given(script, parse_script)
    return [lemma_proof(db, what, given, stdin=read_stdin)]


def _problem(what: str | None, experiment: int | None, script: str | None) -> str:
    """A lemma in TPTP's format. Raises InputError."""
    from oasis.backends.export.tptp import problem

    if what is None or what.isdigit() or experiment is not None or script is not None:
        raise InputError(
            "--to tptp writes one lemma and no proof; name a lemma, without --script and without --experiment."
        )
    lemma = read_lemma(what)
    return problem(lemma.formula, lemma.name, lemma.status.title() if lemma.status else "")
