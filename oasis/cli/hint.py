"""`oasis hint`: a word from the teacher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import FormatOption, JsonOption, LemmaArgument, read_attempt, read_notation, seconds_option
from tactics.errors import check_choice

if TYPE_CHECKING:
    from oasis.teacher.hints import Hint, Loss
    from tactics.printer import Notation


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
    from oasis.teacher.hints import LEVELS, Teacher
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
        print_json({**shown, **_to_json(given, lost, written_in)})
    elif given is None:
        print(f"There is no hint in time: {reason}; try a larger --seconds.")
    else:
        print("\n".join(given.sentences(written_in)))
        if lost is not None and lost.countermodel is not None:
            print()
            which = f"Goal {lost.place} after {lost.move} is {lost.countermodel.sequent(written_in)}, which fails here:"
            print_countermodel(which, lost.countermodel, written_in)


def _to_json(hint: Hint | None, loss: Loss | None, notation: Notation) -> dict[str, Any]:
    """What the level gives; null for what it does not give, or what there is not."""
    from oasis.teacher.countermodels.explanation import to_json
    from tactics.sequent import show_goal

    level = 0 if hint is None else hint.level
    advice = hint and hint.advice
    return {
        "provable": hint and hint.provable,
        "where": advice.where if advice and level >= 2 else None,
        "rule": advice.move.rule if advice and level >= 3 else None,
        "move": str(advice.move) if advice and level >= 4 else None,
        "why": advice.why(notation) if advice and level >= 4 else None,
        "length": advice.length if advice and level >= 4 else None,
        "shortest": advice.is_shortest if advice and level >= 4 else None,
        "lost": loss
        and loss.countermodel
        and {
            "step": hint and hint.step,
            "move": str(loss.move),
            "goal": show_goal(loss.goal, notation),
            **to_json(loss.countermodel, notation),
        },
    }
