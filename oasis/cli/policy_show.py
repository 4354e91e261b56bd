"""`oasis policy show`: what a policy says of a goal, and what a network looks at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, lemma_argument, read_given, read_lemma
from oasis.cli.narration import narrate
from oasis.cli.render import clipped, console, print_columns, print_json, print_text
from oasis.ground.files import output_stream
from oasis.ground.names import POLICIES
from tactics.errors import InputError
from tactics.printer import COQ, UNICODE
from tactics.sequent import parse_state, show_goal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.neural.showing import Judged, Look, Shown
    from oasis.teacher.arguments import Checked
    from tactics.goal import State

_WIDEST = 60
"""Characters of a goal in the table."""
_VERDICTS = {True: "provable", False: "not provable", None: "–"}


def show(
    policy: Annotated[
        str,
        typer.Argument(metavar="POLICY", help=f"{POLICIES.told}.", autocompletion=POLICIES.complete),
    ],
    about: Annotated[
        str,
        lemma_argument("A lemma by name or as text, or a state as in 'A, A -> B |- B'.", "LEMMA|STATE"),
    ],
    after: Annotated[
        str, typer.Option(metavar="SCRIPT", help="Moves to make first, as in 'intro; left', or a file of them.")
    ] = "",
    truth: Annotated[bool, typer.Option("--truth", help="Say of each goal whether it is provable.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Say why: what a network or language model claims, checked by the calculus.")
    ] = False,
    layer: Annotated[int, typer.Option(help="Whose attention is drawn here; 0 for the last.")] = 0,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the attention of all layers into an .svg file.")
    ] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what a policy says of the focused goal: each move, what it leaves, and how provable that is held to be.

    Of a network also what it attends to: the principal formula of the likeliest move, or in a network that writes the
    question at the end of the sentence. Below each atom and connective stands how much, as tenths of the most, for the
    subformula whose sign it is.
    """
    from oasis.cli.proving import opened
    from oasis.neural.attention_picture import svg as drawn
    from oasis.neural.policies import needs_store, policy_named
    from oasis.neural.reasons import reasons
    from oasis.neural.showing import shown

    if svg is not None and svg.suffix != ".svg":
        raise InputError(f"--svg writes an .svg file, not {str(svg)!r}.")
    state = _state(about, after)
    if not state:
        raise InputError("No goal is left there; leave out the last moves.")
    with opened(db, needed=needs_store(policy), create=False) as store:
        asked = policy_named(policy, store)
        found = shown(asked, state[0], truth=truth)
        if found.look is not None and not 0 <= layer <= len(found.look.weights):
            layers = len(found.look.weights)
            raise InputError(f"--layer is {layer}; {policy} has layers 1 to {layers}, and 0 is the last.")
        claims = reasons(asked, state[0], COQ if as_json else UNICODE) if why else []
    if svg is not None:
        if found.look is None:
            raise InputError(f"{policy} does not tell what it attends to here; leave out --svg.")
        with output_stream(svg) as stream:
            stream.write(drawn(found.look, policy))
    if as_json:
        said = {"claims": [claim.to_json() for claim in claims]} if why else {}
        print_json({"policy": policy, "others": len(state) - 1, **found.to_json(), **said})
    else:
        _print(found, len(state) - 1, layer)
        _print_claims(claims)
        if why and not claims:
            narrate(f"{policy} makes no claims.")
    if svg is not None:
        narrate(f"Drawn to {svg}.")


def _state(text: str, script: str) -> State:
    """The state that a text means, after moves."""
    from tactics.goal import initial
    from tactics.rules import apply
    from tactics.script import parse_script

    is_state = "|-" in text or "⊢" in text
    state = parse_state(text, narrate) if is_state else initial(read_lemma(text).formula)
    for move in read_given(script, parse_script) if script else ():
        state = apply(state, move)
    return state


def _print(found: Shown, others: int, layer: int) -> None:
    _print_goal(found.goal, others)
    if not found.choices:
        print("No move applies: stuck.")
        return
    rows: list[tuple[str, str, Judged | None]] = []
    for choice in sorted(found.choices, key=lambda choice: -choice.probability):
        first, *others_left = choice.leaves or [None]
        rows += [(str(choice.move), f"{choice.probability:.1%}", first), *(("", "", each) for each in others_left)]
    judged = {">held provable": lambda row: row[2] and ("–" if row[2].value is None else f"{row[2].value:.1%}")}
    known = {"truth": lambda row: row[2] and _VERDICTS[row[2].provable]}
    print_columns(
        rows,
        {
            "move": lambda row: row[0],
            ">probability": lambda row: row[1],
            "leaves": lambda row: clipped(show_goal(row[2].goal, UNICODE), _WIDEST) if row[2] else "nothing",
            **(judged if found.goal.value is not None else {}),
            **(known if any(choice.keeps is not None for choice in found.choices) else {}),
        },
    )
    if found.look is not None:
        _print_look(found.look, (layer or len(found.look.weights)) - 1)


def _print_goal(goal: Judged, others: int) -> None:
    said = [] if goal.value is None else [f"held provable: {goal.value:.1%}"]
    said += [] if goal.provable is None else [f"in truth {_VERDICTS[goal.provable]}"]
    more = f"; {others} more open" if others else ""
    print_text(f"{show_goal(goal.goal, UNICODE)}{more}")
    if said:
        print_text(", ".join(said))


def _print_look(look: Look, layer: int) -> None:
    from oasis.neural.attention_picture import heading, lines

    print_text(heading(look, layer))
    out = console(width_of_a_file=100_000)
    for line in lines(look, layer):
        out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _print_claims(claims: Sequence[Checked]) -> None:
    from rich.text import Text

    from oasis.neural.reasons import drawn

    out = console()
    for mark, claim, style in drawn(claims):
        out.print(Text.assemble(f"{mark} " if mark else "", (claim, style)), soft_wrap=True)
