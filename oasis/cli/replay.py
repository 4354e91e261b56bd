"""`oasis replay`: a script, state by state."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from oasis.cli.arguments import FormatOption, JsonOption, LemmaArgument, read_attempt, read_notation
from oasis.cli.render import print_json, print_states


def replay(
    lemma: LemmaArgument,
    script: Annotated[
        str,
        typer.Argument(
            metavar="SCRIPT",
            help="Moves as in 'intro; imply3 H; assumption', one a line or a file of them, or - for standard input.",
        ),
    ],
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
