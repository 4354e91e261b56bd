"""`oasis check`: what provers say of a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, complete_curriculum, read_attempt, read_referees
from oasis.cli.exits import EXIT_REJECTED

if TYPE_CHECKING:
    from pathlib import Path

    from oasis.backends.base import Backend


def check(
    lemma: Annotated[
        str | None,
        typer.Argument(metavar="[LEMMA]", help="A lemma: a name, text, a file.", autocompletion=complete_curriculum),
    ] = None,
    script: Annotated[
        str | None, typer.Argument(metavar="[SCRIPT]", help="Moves, a file of them, or - for standard input.")
    ] = None,
    provers: Annotated[
        str | None, typer.Option("--with", help="Provers as in coq,lean; all that are installed if left out.")
    ] = None,
    run: Annotated[int | None, typer.Option("--run", help="Check the proofs of a run instead.")] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Have a script, or all proofs of a run, certified by provers.

    Exit code 0 if every prover accepts everything, 1 if one rejects, 3 if a named prover is missing.
    """
    from contextlib import ExitStack

    from oasis.backends.registry import backend
    from tactics.errors import InputError

    names = read_referees(provers)
    if (run is None) == (lemma is None):
        raise InputError("Give either a lemma with a script, or a run with --run.")
    with ExitStack() as stack:
        asked = [stack.enter_context(backend(name)) for name in names]
        for prover in asked:
            prover.version()  # a missing one is named before any work is done
        if run is not None:
            _check_run(run, asked, db, as_json)
        elif lemma is not None and script is not None:
            _check_script(lemma, script, asked, as_json)
        else:
            raise InputError("A script is needed beside the lemma, as in: oasis check 'A -> A' 'intro; assumption'")


def _check_script(lemma: str, script: str, provers: list[Backend], as_json: bool) -> None:
    from dataclasses import asdict

    from oasis.backends.base import Claim
    from oasis.cli.render import about, print_certificates, print_json
    from tactics.printer import show

    found, moves = read_attempt(lemma, script)
    claim = Claim(found.formula, moves)
    certificates = [prover.certify([claim])[0] for prover in provers]
    if as_json:
        print_json(
            {
                "lemma": found.name,
                "formula": show(found.formula, quantified=True),
                "certificates": [asdict(certificate) for certificate in certificates],
            }
        )
    else:
        print(about(found.name, show(found.formula)))
        print_certificates(certificates)
    if not all(certificate.accepted for certificate in certificates):
        raise typer.Exit(EXIT_REJECTED)


def _check_run(run: int, provers: list[Backend], db: Path, as_json: bool) -> None:
    from oasis.cli.render import print_json
    from oasis.cli.run_report import narrate_withheld, print_run_certificates
    from oasis.store import Store
    from oasis.student.certify import certify_run
    from oasis.student.proofs import no_proof
    from oasis.student.report import report

    with Store(db, create=False) as store:
        if not any(lemma.proofs for lemma in report(store, run).lemmas):
            raise no_proof(run)
        certify_run(store, run, provers)
        found = report(store, run)
    if as_json:
        print_json(found.to_json())
    else:
        print_run_certificates(found)
    narrate_withheld(found, db)
    said = [word for lemma in found.lemmas for proof in lemma.proofs for word in lemma.words_on(proof)]
    if not all(word.accepted for word in said):
        raise typer.Exit(EXIT_REJECTED)
