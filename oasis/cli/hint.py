"""`oasis hint`: a word from the teacher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import FormatOption, JsonOption, LemmaArgument, read_attempt, read_notation, seconds_option
from tactics.errors import check_choice

if TYPE_CHECKING:
    from oasis.teacher.hints import Hint, Loss


def hint(
    lemma: LemmaArgument,
    script: Annotated[
        str,
        typer.Argument(
            metavar="[SCRIPT]",
            help="The moves so far, as in 'intro; left', one a line or a file of them, or - for standard input.",
        ),
    ] = "",
    level: Annotated[
        int,
        typer.Option(help="How much to say: 1 still provable? 2 and where to look, 3 and which rule, 4 and the move."),
    ] = 1,
    seconds: Annotated[float, seconds_option("How long the answer may take.")] = 10.0,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Say whether what is left of a proof can still be proved, and at higher levels how to go on.

    Where a move has made it unprovable, a countermodel shows why, and the hint is what to do instead of that move.
    """
    from oasis.cli.render import print_countermodel, print_json
    from oasis.ground.limits import Limit, LimitReached
    from oasis.teacher.hints import LEVELS, Teacher, to_json
    from tactics.script import replay
    from tactics.sequent import show_state

    written_in = read_notation(notation)
    check_choice("--level", level, LEVELS)
    found, moves = read_attempt(lemma, script)
    states = replay(found.formula, moves)
    given: Hint | None = None
    lost: Loss | None = None
    reason = ""
    try:
        teacher = Teacher(Limit(seconds))
        given = teacher.hint(states, moves, level)
        if given.step:
            lost = teacher.what_it_lost(states[given.step - 1], moves[given.step - 1], states[given.step])
    except LimitReached as error:
        reason = str(error)
    if as_json:
        shown = {"lemma": found.name, "state": show_state(states[-1], written_in), "level": level}
        print_json({**shown, **to_json(given, lost, written_in)})
    elif given is None:
        print(f"There is no hint in time: {reason}; try a larger --seconds.")
    else:
        print("\n".join(given.sentences(written_in)))
        if lost is not None and lost.countermodel is not None:
            print()
            which = f"Goal {lost.place} after {lost.move} is {lost.countermodel.sequent(written_in)}, which fails here:"
            print_countermodel(which, lost.countermodel, written_in)
