"""The picture that `oasis prove --search … --draw` makes: an SVG file, or a tree in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.search.search import Search

_MOST_LINES: Final = 80
"""Goals in a tree; more than that nobody reads."""


def check_picture(file: str, lemmas: int, *, as_json: bool) -> None:
    """Refuse before any work what cannot be drawn. Raises InputError."""
    if lemmas > 1:
        raise InputError("--draw shows the search of one lemma; name one, or leave --draw out.")
    if file == "-" and as_json:
        raise InputError("--draw - and --json both write to standard output; draw into an .svg file.")
    if file != "-" and not file.endswith(".svg"):
        raise InputError(f"--draw writes an .svg file, or - a tree here, not {file!r}.")
    if file != "-" and not Path(file).parent.is_dir():
        raise InputError(f"--draw {file}: there is no folder {Path(file).parent}; make it, or name another file.")


def draw(search: Search | None, name: str, file: str) -> None:
    """Draw what a search reached, if one was begun. Raises InputError if it cannot be written."""
    from oasis.cli.arguments import output_stream
    from oasis.cli.render import console
    from oasis.search.picture import MOST, svg, tree

    if search is None:
        return
    picture = search.drawing(_MOST_LINES if file == "-" else MOST)
    if file == "-":
        console().print(tree(picture))
        print("● proved, ✗ refuted, ○ open; bold: the proof; a goal stands where it was reached first")
    else:
        with output_stream(Path(file)) as stream:
            stream.write(svg(picture, name))
