"""Whole proofs as texts, with comments between their moves: scripts as for Coq or Lean, and lists in JSON.

Whoever writes a proof may say why before each move, and is told in a comment how a state reads. What is read is a piece
for each move, so that a text can be cut behind any of them. Whether moves apply is not known here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from tactics.errors import InputError
from tactics.goal import Move
from tactics.json_form import move_from_json, move_to_json
from tactics.printer import COQ, UNICODE, Notation
from tactics.script import divided, parse_move

MARK: Final = "Answer:"
"""What stands before a proof, behind whatever else is said."""


@dataclass(frozen=True)
class Style:
    """How a proof is written down.

    Attributes:
        name: what a person types.
        opens, closes: what stands around the moves and comments.
        between: what stands between two of these.
        move: writes a move.
        comment: writes a comment.
        notation: of formulas in comments.
        to_line_end: what begins a comment that ends with its line, when the proof is read.
    """

    name: str
    opens: str
    closes: str
    between: str
    move: Callable[[Move], str]
    comment: Callable[[str], str]
    notation: Notation = COQ
    to_line_end: Collection[str] = ("#",)

    def text(self, parts: Iterable[Move | str]) -> str:
        """Write moves, and texts as comments."""
        return f"{self.opens}{self.between.join(map(self._part, parts))}{self.closes}"

    def added(self, text: str, *parts: Move | str) -> str:
        """Go on with what has been written, if anything has, by moves and comments, at least one."""
        return (f"{text}{self.between}" if text else self.opens) + self.between.join(map(self._part, parts))

    def resumed(self, text: str, *parts: Move | str) -> str:
        """Go on as `added` does, so that the next move can follow.

        It ends with no blank, as a language model takes that for the beginning of what follows.
        """
        return self.added(text, *parts) + self.between.rstrip(" ")

    def _part(self, part: Move | str) -> str:
        return self.move(part) if isinstance(part, Move) else self.comment(part)


_PAYLOAD: Final = '{"action_type": "TacticList", "payload": ['
_text: Final = partial(json.dumps, ensure_ascii=False)
STYLES: Final[dict[str, Style]] = {
    style.name: style
    for style in (
        Style("coq", "", "\n", "\n", "{}.".format, "(* {} *)".format),
        Style("lean", "", "\n", "\n", str, "/- {} -/".format, UNICODE, ("#", "--")),
        Style("json", "[", "]", ", ", lambda move: _text(move_to_json(move)), lambda said: _text({"comment": said})),
        Style("payload", _PAYLOAD, "]}", ", ", lambda move: _text(str(move)), lambda said: _text(f"(* {said} *)")),
    )
}
"""The styles by their names: scripts with Coq's dots, or in Lean's lines; our JSON; and tactics as texts in JSON."""


class Piece(NamedTuple):
    """A move as it was written.

    Attributes:
        text: its own, and all that stands before it, from the piece before on.
        move: the move.
        said: what is said before it, in comments or freely, line by line.
    """

    text: str
    move: Move
    said: str = ""


_COMMENT: Final = re.compile(r"\(\*|\*\)|/-|-/|^\s*(#|--)")
_FENCE: Final = "```"
"""What stands around code in Markdown."""
_TEXTS: Final = re.compile(r'"payload"\s*:\s*\[')
_LIST: Final = re.compile(r'\[(?=\s*["{])|(?=\{\s*")')
_ITEM: Final = re.compile(r'[{"\]]')
_DECODER: Final = json.JSONDecoder()


def pieces(text: str, style: Style = STYLES["coq"], begun: int = 0) -> list[Piece]:
    """Return the moves of a proof with their texts, up to what is no move.

    JSON is known as such whatever the style: a list of moves, or of tactics as texts, or calls of a tool. Before the
    last `MARK`, and around a proof in Coq, anything may stand.

    Args:
        text: of a proof.
        style: says which comments end with their line.
        begun: how much of the text has been read before; what follows goes on with it.
    """
    mark = text.rfind(MARK)
    since = 0 if mark < 0 else mark + len(MARK)
    begin = max(begun, since)
    opened = _TEXTS.search(text, since) or _LIST.search(text, since)
    moves = _items(text, max(begin, opened.end())) if opened else _sentences(text, begin, style)
    found: list[Piece] = []
    try:
        for move, end, said in moves:
            lines = (_COMMENT.sub("", line).strip() for line in f"{text[begun:begin]}\n{said}".splitlines())
            found.append(Piece(text[begun:end], move, "\n".join(filter(None, lines))))
            begun = begin = end
    except (InputError, ValueError, TypeError, AttributeError, RecursionError):  # here the proof ends
        pass
    return found


def _sentences(text: str, begin: int, style: Style) -> Iterator[tuple[Move, int, str]]:
    """Yield each move of a script from a place on, where it ends, and what is said before it.

    Raises InputError at what is no move.
    """
    place = begin
    for sentence in divided(text[begin:], style.to_line_end)[0]:
        if not sentence.text.startswith(_FENCE):
            end = begin + sentence.end
            yield parse_move(sentence.text), end, text[place:end].rpartition(sentence.text)[0]
            place = end


def _items(text: str, place: int) -> Iterator[tuple[Move, int, str]]:
    """Yield the same of a list in JSON from a place in it on. Raises various errors at what is no move."""
    said = ""
    while (item := _ITEM.search(text, place)) and item[0] != "]":
        content, place = _DECODER.raw_decode(text, item.start())
        found = divided(content)[0] if isinstance(content, str) else []
        if found:
            (sentence,) = found
            yield parse_move(sentence.text), place, said + content.rpartition(sentence.text)[0]
        elif isinstance(content, dict) and "comment" not in content:
            yield _called(content), place, said
        else:
            said += f"{content if isinstance(content, str) else content['comment']}\n"
            continue
        said = ""


def _called(content: Any) -> Move:
    """Return the move of an object, which may be a call of a tool that names it."""
    arguments = content.get("arguments", content.get("parameters", content))  # as Llama calls tools
    return move_from_json({**arguments, "hypothesis": arguments.get("hypothesis") or None})
