"""`oasis same`: whether two states are the same, and why."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from oasis.cli.arguments import FormatOption, JsonOption, read_given, read_notation
from oasis.cli.narration import narrate
from tactics.errors import InputError

_HELP = (
    "As in 'h : A, A -> B |- B': names of hypotheses are optional, goals separated by ; and proved means none. "
    "A file, or - for standard input."
)


def same(
    one: Annotated[str, typer.Argument(metavar="STATE", help=_HELP)],
    other: Annotated[str, typer.Argument(metavar="STATE", help="The state to compare it with, written likewise.")],
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Tell in which state spaces two states are the same: by which renaming, or what the first difference is.

    simple: they read the same.

    name: one bijection of atoms makes all their goals equal, whatever the names and order of hypotheses.

    match: one makes their first goals equal.

    The difference is one that no renaming removes, in the first goals if there is one.
    """
    from oasis.cli.render import print_comparison, print_json
    from state_spaces.comparison import compare
    from tactics.sequent import parse_state

    written_in = read_notation(notation)
    if one == other == "-":
        raise InputError("Only one of the states can come from standard input; name a file for the other.")
    read = partial(parse_state, say=narrate)
    comparison = compare(read_given(one, read), read_given(other, read), written_in)
    if as_json:
        print_json(comparison.to_json())
    else:
        print_comparison(comparison)
