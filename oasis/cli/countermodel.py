"""`oasis countermodel`: why it is no theorem."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    from oasis.teacher.countermodels.explanation import to_json
    from oasis.teacher.countermodels.svg import svg as drawn
    from oasis.teacher.deciding.decide import Verdict, decide

    written_in, found = read_notation(notation), read_lemma(lemma)
    decision = decide(found.formula, seconds=seconds)
    shown = None
    if decision.countermodel is not None:
        limit = Limit(max(0.0, seconds - decision.seconds))
        shown = Countermodel.shrunk(decision.countermodel, (), found.formula, limit)
    if svg is not None and shown is not None:
        with output_stream(svg) as stream:
            stream.write(drawn(shown))
    if as_json:
        model = {"worlds": None, "is_smallest": None, "words": None} if shown is None else to_json(shown, written_in)
        print_json({"lemma": found.name, **found.reading, "verdict": decision.verdict, **model})
    elif shown is not None:
        print_countermodel(f"{found.name} is not a theorem.", shown, written_in, ascii_only=ascii_only)
    elif decision.verdict is Verdict.THEOREM:
        print(f"{found.name} is a theorem, so it has no countermodel; oasis prove shows a proof.")
    else:
        print(f"Whether {found.name} is a theorem is unknown: {decision.reason}; try a larger --seconds.")
    if svg is not None and shown is None:
        narrate(f"{svg} was not written, for there is nothing to draw.")
