"""`oasis countermodel`: why it is no theorem."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    FormatOption,
    JsonOption,
    LemmaArgument,
    output_stream,
    read_lemma,
    read_notation,
    seconds_option,
)
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from curricula import Lemma
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.deciding.decide import Verdict
    from tactics.printer import Notation


def countermodel(
    lemma: LemmaArgument,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Also write a picture to this file.", metavar="FILE")
    ] = None,
    seconds: Annotated[float, seconds_option("How long the lemma may take.")] = 10.0,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw lines with ASCII characters.")] = False,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Show a Kripke model in which a lemma fails at the root, and say in words why it does.

    Worlds are numbered from the root, which is drawn at the bottom; what is true at a world is true above it as well.

    The model was checked independently of the engine that found it. It has as few worlds as possible, where four or
    fewer are enough and the time is; where that is not certain, the last sentence says so and so does --json.

    Of a theorem there is none: `oasis prove` shows a proof instead.
    """
    from oasis.cli.render import print_countermodel, print_json
    from oasis.ground.limits import Limit
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.countermodels.svg import svg as drawn
    from oasis.teacher.deciding.decide import Verdict, decide

    written_in = read_notation(notation)
    found = read_lemma(lemma)
    decision = decide(found.formula, seconds=seconds)
    if decision.countermodel is None:
        if as_json:
            print_json(_to_json(found, decision.verdict, written_in))
        elif decision.verdict is Verdict.THEOREM:
            print(f"{found.name} is a theorem, so it has no countermodel; oasis prove shows a proof.")
        else:
            print(f"Whether {found.name} is a theorem is unknown: {decision.reason}; try a larger --seconds.")
        if svg is not None:
            narrate(f"{svg} was not written, for there is nothing to draw.")
        return
    shown = Countermodel.shrunk(decision.countermodel, (), found.formula, Limit(max(0.0, seconds - decision.seconds)))
    if svg is not None:
        with output_stream(svg) as stream:
            stream.write(drawn(shown))
    if as_json:
        print_json(_to_json(found, decision.verdict, written_in, shown))
    else:
        print_countermodel(f"{found.name} is not a theorem.", shown, written_in, ascii_only=ascii_only)


def _to_json(lemma: Lemma, verdict: Verdict, notation: Notation, shown: Countermodel | None = None) -> dict[str, Any]:
    """The model and the words; null if there is none."""
    from oasis.teacher.countermodels.explanation import explain

    return {
        "lemma": lemma.name,
        **lemma.reading,
        "verdict": verdict,
        "worlds": shown and shown.worlds_to_json(),
        "is_smallest": shown and shown.is_smallest,
        "words": shown and explain(shown, notation).sentences,
    }
