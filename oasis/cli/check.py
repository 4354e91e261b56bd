"""`oasis replay` and `oasis check`: a script state by state, and what provers say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    FormatOption,
    JsonOption,
    LemmaArgument,
    ScriptArgument,
    lemma_argument,
    read_attempt,
    read_lemma,
    read_notation,
    referees,
)
from oasis.cli.exits import EXIT_REJECTED, EXIT_USAGE
from oasis.cli.narration import narrate
from oasis.cli.render import about, print_certificates, print_json, print_opinions, print_states

if TYPE_CHECKING:
    from pathlib import Path

    from oasis.backends.connect import ConnectPlusPlus


def replay(
    lemma: LemmaArgument,
    script: ScriptArgument,
    notation: FormatOption = "coq",
    unfold: Annotated[bool, typer.Option(help="Write ~ and <-> out, as Coq does after unfolding them.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Replay a script on a lemma and show every state."""
    from tactics.json_form import state_to_json
    from tactics.script import ScriptError
    from tactics.script import replay as replay_script

    written_in = read_notation(notation)
    found, moves = read_attempt(lemma, script)
    failure: ScriptError | None = None
    try:
        states = tuple(replay_script(found.formula, moves))
    except ScriptError as error:
        failure, states = error, error.states
    if as_json:
        shown: dict[str, Any] = {
            "lemma": found.name,
            "proved": not states[-1],
            "states": [state_to_json(state, written_in, sugar=not unfold) for state in states],
        }
        print_json(shown)
    else:
        print_states(states, moves, written_in, sugar=not unfold)
    if failure is not None:
        raise failure


def check(
    lemma: Annotated[str | None, lemma_argument("A lemma: a name, text, a file.", "[LEMMA]")] = None,
    script: Annotated[
        str | None, typer.Argument(metavar="[SCRIPT]", help="Moves, a file of them, or - for standard input.")
    ] = None,
    provers: Annotated[
        str | None,
        typer.Option("--with", help="Provers as in coq,lean; Coq and Lean if left out, as far as they are here."),
    ] = None,
    run: Annotated[int | None, typer.Option("--run", help="Check the proofs of a run instead.")] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Have a script, or all proofs of a run, certified by provers.

    --with connect++ asks a prover for classical logic about the lemma alone; it can refute the lemma, and nothing else.

    Exit code 0 if every prover accepts everything, 1 if one rejects or refutes it, 2 if one fails, 3 if a named prover
    is missing.
    """
    from oasis.backends.certifying import check_there
    from oasis.backends.registry import parse_names
    from oasis.ground.names import REFUTERS
    from tactics.errors import InputError

    named = parse_names(provers, "--with", REFUTERS) if provers is not None else referees()
    names = [name for name in named if name not in REFUTERS]
    if (run is None) == (lemma is None):
        raise InputError("Give either a lemma with a script, or a run with --run.")
    check_there(names if provers is not None else (), "--with")
    refuters = [REFUTERS.make(name) for name in named if name in REFUTERS]
    for each in refuters:
        each.version()
    if run is not None:
        if refuters:
            raise InputError(f"{refuters[0].name} looks at lemmas and not at proofs; name a lemma instead of --run.")
        _check_run(run, names, db, as_json)
    elif lemma is not None and not names:
        if script is not None:
            raise InputError(
                f"{refuters[0].name} does not look at scripts; leave the script out, or name a prover that does "
                f"beside it, as in --with native,{refuters[0].name}."
            )
        _check_lemma(lemma, None, [], refuters, as_json)
    elif lemma is not None and script is not None:
        _check_lemma(lemma, script, names, refuters, as_json)
    else:
        raise InputError("A script is needed beside the lemma, as in: oasis check 'A -> A' 'intro; assumption'")


def _check_lemma(
    lemma: str, script: str | None, provers: list[str], refuters: list[ConnectPlusPlus], as_json: bool
) -> None:
    from dataclasses import asdict

    from oasis.backends.certifying import certificates
    from tactics.claims import Claim
    from tactics.printer import show

    found, moves = (read_lemma(lemma), ()) if script is None else read_attempt(lemma, script)
    claim = Claim(found.formula, moves)
    said = certificates([claim], provers, narrate)[claim]
    opinions = [refuter.judge(found.formula) for refuter in refuters]
    if as_json:
        words = {"certificates": [*map(asdict, said)], "opinions": [*map(asdict, opinions)]}
        print_json({**found.to_json(), **words})
    else:
        print(about(found.name, show(found.formula)))
        print_certificates(said)
        print_opinions(opinions)
    if not all(each.accepted for each in said) or any(each.refuted for each in opinions):
        raise typer.Exit(EXIT_REJECTED)
    if len(said) < len(provers):
        raise typer.Exit(EXIT_USAGE)


def _check_run(run: int, provers: list[str], db: Path, as_json: bool) -> None:
    from oasis.cli.run_report import narrate_withheld, print_run_certificates
    from oasis.proved import no_proof
    from oasis.store import Store
    from oasis.student.certify import certify_run
    from oasis.student.report import report

    with Store(db, create=False) as store:
        if not any(lemma.proofs for lemma in report(store, run).lemmas):
            raise no_proof(run)
        failures: list[str] = []
        certify_run(store, run, provers, failures.append)
        found = report(store, run)
    for failure in failures:
        narrate(failure)
    if as_json:
        print_json(found.to_json())
    else:
        print_run_certificates(found)
    narrate_withheld(found, db)
    said = [word for lemma in found.lemmas for proof in lemma.proofs for word in lemma.words_on(proof)]
    if not all(word.accepted for word in said):
        raise typer.Exit(EXIT_REJECTED)
    if failures:
        raise typer.Exit(EXIT_USAGE)
