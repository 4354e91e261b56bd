"""How results look: tables for people, JSON and CSV for programs, states as Coq shows them.

Rich takes long to import, and so is not before something is drawn.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any, TextIO

from tactics.errors import printable
from tactics.goal import Move, State
from tactics.printer import COQ, Notation, show

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text

    from oasis.backends.connect import Opinion
    from oasis.teacher.countermodels.countermodel import Countermodel
    from state_spaces.comparison import Comparison
    from state_spaces.reachable import Census, Tally
    from tactics.claims import Certificate

_RULE = "=" * 28


def print_json(content: Mapping[str, Any]) -> None:
    """One JSON object on stdout."""
    write_json(content, sys.stdout)


def write_json(content: Mapping[str, Any], stream: TextIO) -> None:
    """One JSON object and a line end; characters that the stream's encoding may lack are escaped, so none is lost."""
    has_all = (stream.encoding or "utf-8").lower().startswith("utf")
    json.dump(content, stream, ensure_ascii=not has_all, indent=2)
    stream.write("\n")


def write_csv(rows: Sequence[Mapping[str, Any]], stream: TextIO) -> None:
    """A header and a line for each row; nothing at all without rows."""
    if rows:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def print_table(
    header: Sequence[str], rows: Iterable[Sequence[str | Text]], *, numeric: Collection[str] = (), width: int = 1000
) -> None:
    """A table on stdout, in a file of this width at most; columns named in `numeric` are set to the right.

    If it is too wide, bounds in brackets stand below their numbers.
    """
    from rich.text import Text

    out, rows = console(width_of_a_file=width), [*rows]

    def made(before_bounds: str) -> Table:
        table = new_table()
        for name in header:
            least = max(map(len, name.split("\n"))) if name in numeric else None
            table.add_column(name, justify="right" if name in numeric else "left", overflow="fold", min_width=least)
        for row in rows:
            told = (
                each.replace(" (", f"{before_bounds}(") if name in numeric and isinstance(each, str) else each
                for name, each in zip(header, row, strict=True)
            )
            table.add_row(*(each if isinstance(each, Text) else Text(each) for each in told))
        return table

    whole = made(" ")
    wide = out.measure(whole, options=out.options.update(width=10_000)).maximum
    out.print(whole if wide <= out.width else made("\n"))


def print_columns(
    rows: Iterable[Any], columns: Mapping[str, str | Callable[[Any], object]], *, width: int = 1000
) -> None:
    """A table on stdout: under each header a key or an attribute of the rows, or what a function makes of a row.

    A column whose header begins with `>` is set to the right; None is empty, and whole numbers have commas.
    """
    from rich.text import Text

    def cell(row: Any, of: str | Callable[[Any], object]) -> str | Text:
        value = of(row) if callable(of) else row[of] if isinstance(row, Mapping) else getattr(row, of)
        if value is None or isinstance(value, Text):
            return value or ""
        return f"{value:,}" if isinstance(value, int) else str(value)

    header, numeric = [name.lstrip(">") for name in columns], [name[1:] for name in columns if name.startswith(">")]
    print_table(header, ([cell(row, of) for of in columns.values()] for row in rows), numeric=numeric, width=width)


def minute(stamp: str | None) -> str:
    """A time that was kept, to the minute; empty for none."""
    return (stamp or "")[:16].replace("T", " ")


def clipped(text: str, width: int = 40) -> str:
    """A text as one line of so many characters at most that does no harm on a terminal; the whole is in JSON."""
    line = printable(text)
    return line if len(line) <= width else f"{line[: width - 2]} …"


def about(name: str, formula: str) -> str:
    """The name and the formula of a lemma in one line, a long formula without its middle; a typed one has no name."""
    shown = without_middle(formula)
    return printable(shown if name == formula else f"{clipped(name)}: {shown}")


def without_middle(formula: str) -> str:
    """A formula as text, but for the middle of a long one."""
    return formula if len(formula) <= 300 else f"{formula[:240]} … {formula[-40:]}"


def print_section(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    sentences: Sequence[str] = (),
    *,
    words: int = 1,
    note: str = "",
) -> None:
    """A title, a table whose columns but the first `words` hold numbers, a note to it, and sentences."""
    if title:
        print_text(title)
    print_table(header, rows, numeric=set(header[words:]))
    if note:
        print_text(note)
    for sentence in sentences:
        print_text(sentence, "  · ")
    if note or sentences:
        print()


def print_text(text: str, mark: str = "") -> None:
    """A paragraph, its lines broken to fit a terminal."""
    width = min(get_terminal_size().columns, 100) if sys.stdout.isatty() else 1000
    print(fill(printable(text, keep="\n"), width, initial_indent=mark, subsequent_indent=" " * len(mark)))


def print_line(text: str) -> None:
    """A line on stdout at once, which may hold what others typed."""
    print(printable(text, keep="\n"), flush=True)


def print_certificates(certificates: Sequence[Certificate]) -> None:
    """A line for each prover, with what it did not like."""
    from rich.text import Text

    out = console()
    for certificate in certificates:
        verdict = ("accepted", "green") if certificate.accepted else ("rejected", "bold red")
        reason = f": {certificate.reason}" if certificate.reason else ""
        out.print(Text.assemble((certificate.version, "bold"), " ", verdict, reason))
        for ours, theirs in certificate.renamed:
            out.print(Text(f"    {ours} is called {theirs} there", "dim"))


def print_opinions(opinions: Sequence[Opinion]) -> None:
    """A line for each classical prover, with what its word means here."""
    from rich.text import Text

    for opinion in opinions:
        verdict = ("refutes it", "bold red") if opinion.refuted else ("does not refute it", "dim")
        console().print(
            Text.assemble((opinion.version, "bold"), " ", verdict, f" ({opinion.status}): {opinion.reason}")
        )


def print_census(census: Census) -> None:
    """How many goals and states each state space tells apart."""
    rows = [[name, _tally(census.goals[name]), _tally(states)] for name, states in census.states.items()]
    print_table(["state space", "goals", "states"], rows, numeric={"goals", "states"})


def _tally(tally: Tally) -> str:
    return f"{'' if tally.complete else 'at least '}{tally.value:,}" if tally.value else "–"


def print_comparison(comparison: Comparison) -> None:
    """In which spaces two states are the same, what becomes what, and the first difference."""
    from rich.text import Text

    out = console(width_of_a_file=100_000)
    for space in ("simple", "name", "match"):
        verdict = ("the same", "green") if getattr(comparison, space) else ("different", "yellow")
        out.print(Text.assemble((f"{space:<8}", "bold"), verdict))
    for paragraph in comparison.paragraphs():
        out.print(Text(f"\n{paragraph}"))


def print_countermodel(title: str, countermodel: Countermodel, notation: Notation, *, ascii_only: bool = False) -> None:
    """A title, the drawing, and the words with a sentence to a line."""
    from oasis.teacher.countermodels.drawing import draw
    from oasis.teacher.countermodels.explanation import explain

    width = get_terminal_size().columns if sys.stdout.isatty() else 100
    sentences = [fill(each, width, subsequent_indent="  ") for each in explain(countermodel, notation).sentences]
    drawing = draw(countermodel, notation, ascii_only=ascii_only, width=width)
    text = "\n\n".join([fill(title, width), drawing, "\n".join(sentences)])
    print(text.replace("…", "...") if ascii_only else text)


def print_states(states: Sequence[State], moves: Sequence[Move], notation: Notation = COQ, *, sugar: bool) -> None:
    """Each state as Coq shows it, the focused goal whole and the others by their conclusions, moves in between."""
    for number, state in enumerate(states):
        if number:
            print(f"\n{number}. {moves[number - 1]}\n")
        if not state:
            print("No goals left: proved.")
            continue
        goal, *others = state
        print("1 goal" if not others else f"{len(state)} goals")
        for name, formula in goal.hypotheses:
            print(f"  {name} : {show(formula, notation, sugar=sugar)}")
        print(f"  {_RULE}\n  {show(goal.conclusion, notation, sugar=sugar)}")
        for place, other in enumerate(others, 2):
            print(f"goal {place} is:\n  {show(other.conclusion, notation, sugar=sugar)}")


def new_table() -> Table:
    """A table without columns yet, as all of ours look."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)


def console(*, width_of_a_file: int = 100) -> Console:
    """For stdout, on which no text can steer the terminal; a file or a pipe has no width of its own."""
    from rich.console import Console
    from rich.segment import Segment

    class Harmless(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else printable(text, keep="\n"), style, control)

    return Harmless(width=None if sys.stdout.isatty() else width_of_a_file, highlight=False)
