"""`oasis play`: prove a lemma yourself, a line at a time."""

from __future__ import annotations

import sys
from typing import Annotated

from oasis.cli.arguments import FormatOption, LemmaArgument, read_lemma, read_notation, seconds_option
from oasis.cli.exits import EXIT_NOT_PROVED, Stopped
from tactics.errors import InputError


def play(
    lemma: LemmaArgument,
    notation: FormatOption = "coq",
    seconds: Annotated[float, seconds_option("How long the teacher may take for an answer.")] = 5.0,
) -> None:
    """Prove a lemma yourself: type moves one a line, and read plain sentences back.

    There is no colour and no cursor, so it works with a screen reader, in a pipe and on any terminal. The exit code is
    0 if the lemma was proved, or rightly said to have no proof, and 1 if not.
    """
    from oasis.classroom.proving.adviser import Adviser
    from oasis.classroom.proving.lines import Lines

    if lemma == "-":
        raise InputError("Moves come from standard input, so the lemma cannot; name it, or a file.")
    lines = Lines(read_lemma(lemma, piped=False), Adviser(seconds), read_notation(notation))
    _say(lines.greeting())
    while not lines.is_over:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            break
        _say(lines.answer(line))
    if not lines.attempt.is_over:
        raise Stopped("The lemma is not proved.", EXIT_NOT_PROVED)


def _say(sentences: list[str]) -> None:
    for sentence in sentences:
        print(sentence, flush=True)
