"""`oasis countermodel`: why it is no theorem."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import FormatOption, JsonOption, LemmaArgument, output_stream, read_notation, read_stdin

if TYPE_CHECKING:
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.countermodels.explanation import Explanation
    from oasis.teacher.deciding.decide import Verdict
    from tactics.printer import Notation


def countermodel(
    lemma: LemmaArgument,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Also write a picture to this file.", metavar="FILE")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long the lemma may take.")] = 10.0,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw lines with ASCII characters.")] = False,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Show a Kripke model in which a lemma fails at the root, and say in words why it does.

    Worlds are numbered from the root, which is drawn at the bottom; what is true at a world is true above it as well.

    The model was checked independently of the engine that found it, and then made small. Of a theorem there is none:
    `oasis prove` shows a proof instead.
    """
    from curricula import resolve_lemma
    from oasis.cli.render import print_json
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.countermodels.explanation import explain
    from oasis.teacher.countermodels.svg import svg as drawn
    from oasis.teacher.deciding.decide import Verdict, decide
    from oasis.teacher.limits import Limit
    from tactics.errors import InputError

    written_in = read_notation(notation)
    if seconds <= 0:
        raise InputError("--seconds must be above 0.")
    found = resolve_lemma(lemma, stdin=read_stdin)
    decision = decide(found.formula, seconds=seconds)
    if decision.countermodel is None:
        if as_json:
            print_json(_to_json(found.name, decision.verdict))
        elif decision.verdict is Verdict.THEOREM:
            print(f"{found.name} is a theorem, so it has no countermodel; oasis prove shows a proof.")
        else:
            print(f"Whether {found.name} is a theorem is unknown: {decision.reason}; try a larger --seconds.")
        if svg is not None:
            print(f"{svg} was not written, for there is nothing to draw.", file=sys.stderr)
        return
    shown = Countermodel.shrunk(decision.countermodel, (), found.formula, Limit(max(0.0, seconds - decision.seconds)))
    explanation = explain(shown, written_in)
    if svg is not None:
        with output_stream(svg) as stream:
            stream.write(drawn(shown))
    if as_json:
        print_json(_to_json(found.name, decision.verdict, shown, explanation))
    else:
        _print(found.name, shown, explanation, written_in, ascii_only)


def _print(name: str, shown: Countermodel, explanation: Explanation, notation: Notation, ascii_only: bool) -> None:
    """The lemma, the drawing, and the words with a sentence to a line."""
    from shutil import get_terminal_size
    from textwrap import fill

    from oasis.teacher.countermodels.drawing import draw

    width = get_terminal_size().columns if sys.stdout.isatty() else 100
    sentences = [fill(sentence, width, subsequent_indent="  ") for sentence in explanation.sentences]
    title = fill(f"{name} is not a theorem.", width)
    text = "\n\n".join([title, draw(shown, notation, ascii_only=ascii_only, width=width), "\n".join(sentences)])
    print(text.replace("…", "...") if ascii_only else text)


def _to_json(
    lemma: str, verdict: Verdict, shown: Countermodel | None = None, explanation: Explanation | None = None
) -> dict[str, Any]:
    """Worlds with the names of what is true there and the numbers of what lies above; null if there is no model."""
    worlds = shown and [
        {"true": shown.true_at(world), "above": shown.above(world)} for world in range(len(shown.model.true))
    ]
    return {"lemma": lemma, "verdict": verdict, "worlds": worlds, "words": explanation and explanation.sentences}
