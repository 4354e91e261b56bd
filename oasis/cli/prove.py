"""`oasis prove`: a proof of a theorem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import JsonOption, LemmaArgument, read_referees, read_stdin
from oasis.cli.exits import EXIT_REJECTED
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.backends.base import Certificate
    from oasis.teacher.proving import Answer
    from tactics.formula import Formula
    from tactics.script import Script


def prove(
    lemma: LemmaArgument,
    shortest: Annotated[bool, typer.Option("--shortest", help="Look for a proof with the fewest moves.")] = False,
    certify: Annotated[
        bool, typer.Option("--certify", help="Have the script certified by Coq and Lean, as far as they are here.")
    ] = False,
    max_proof: Annotated[int, typer.Option(help="Moves of the longest script that is written.")] = 10_000,
    seconds: Annotated[float, typer.Option(help="How long the search may take.")] = 10.0,
    as_json: JsonOption = False,
) -> None:
    """Print a script that proves a lemma; `oasis replay LEMMA -` reads it and shows every state.

    The script is short, and with --shortest no other is shorter.

    Of a lemma that is no theorem there is none: `oasis countermodel` shows why.

    Exit code 0 unless a prover rejects the script: 1.
    """
    from dataclasses import asdict

    from curricula import resolve_lemma
    from oasis.cli.render import about, print_certificates, print_json
    from oasis.teacher.proving import answer
    from tactics.errors import InputError
    from tactics.json_form import script_to_json
    from tactics.printer import show

    if seconds <= 0 or max_proof < 1:
        raise InputError("--seconds must be above 0 and --max-proof at least 1.")
    found = resolve_lemma(lemma, stdin=read_stdin)
    given = answer(found.formula, shortest=shortest, max_proof=max_proof, seconds=seconds)
    script = given.proof and given.proof.script
    certificates = _certificates(found.formula, script) if certify and script else []
    if as_json:
        print_json(
            {
                "lemma": found.name,
                "formula": show(found.formula, quantified=True),
                "verdict": given.verdict,
                "length": given.proof and given.proof.length,
                "shortest": given.shortest,
                "script": script and script_to_json(script),
                "certificates": [asdict(certificate) for certificate in certificates],
            }
        )
    else:
        narrate(about(found.name, show(found.formula)))
        _print(found.name, given, max_proof)
        print_certificates(certificates)
    if shortest and given.proof and not given.shortest:
        narrate(f"No shortest proof was found: {given.reason}; this one may be longer.")
    if not all(certificate.accepted for certificate in certificates):
        raise typer.Exit(EXIT_REJECTED)


def _print(name: str, given: Answer, max_proof: int) -> None:
    """The script, or a sentence that says why there is none."""
    from oasis.teacher.deciding.decide import Verdict
    from tactics.script import show_script

    if given.verdict is Verdict.NON_THEOREM:
        print(f"{name} is not a theorem, so it has no proof; oasis countermodel shows why.")
    elif given.verdict is Verdict.UNKNOWN:
        print(f"Whether {name} is a theorem is unknown: {given.reason}; try a larger --seconds.")
    elif given.proof is None:
        print(f"{name} is a theorem, but no proof was found: {given.reason}; try a larger --seconds.")
    elif given.proof.script is None:
        known = "shortest script" if given.shortest else "shortest known script"
        print(f"The {known} of {name} has {given.proof.length:,} moves, more than --max-proof {max_proof:,}.")
    else:
        print(show_script(given.proof.script))


def _certificates(formula: Formula, script: Script) -> list[Certificate]:
    """What the provers that are here say of a script; if there is none, the embedded calculus."""
    from oasis.backends.base import Claim
    from oasis.backends.registry import backend

    certificates = []
    for name in read_referees(None):
        with backend(name) as prover:
            certificates += prover.certify([Claim(formula, script)])
    return certificates
