"""Proving by whichever solver was named: made, watched, certified, shown, and told by the exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from oasis.cli.arguments import Output
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate
from oasis.cli.render import about, clipped, print_certificates, print_columns, print_json, print_text
from oasis.ground.plural import counted
from tactics.errors import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from curricula.lemma import Lemma
    from oasis.escalation.came import Came
    from oasis.play.solving import Attempt, Cost, Solver
    from oasis.search.search import Search

_ROWS: Final = 10
"""Lines of the table of a search at work."""
_SILENT_SECONDS: Final = 5.0
"""Between two lines about an attempt outside a terminal."""


def opened(db: Path, *, needed: bool, create: bool) -> AbstractContextManager[Any]:
    """Return the store, if it is needed at all."""
    from oasis.store import Store

    return Store(db, create=create) if needed or create else nullcontext()


def end(came: Came) -> None:
    """End the command as it has to: with a sentence if it was stopped, and with 1 if a prover rejected a script.

    Raises Stopped, typer.Exit, or what it failed with; nothing if all is well.
    """
    if came.failure is not None:
        raise came.failure
    if came.is_stopped:
        were = "was" if came.left == 1 else "were"
        raise Stopped(f"Stopped; {counted(came.left, 'lemma')} {were} left.", EXIT_INTERRUPTED)
    if not came.is_accepted:
        from typer import Exit

        raise Exit(EXIT_REJECTED)


@contextmanager
def watching(names: Sequence[str], solver: Solver, *, quiet: bool) -> Iterator[Callable[[int, Attempt], None]]:
    """Give what tells how far a solver is: a line that changes in a terminal, a line now and then elsewhere."""
    from rich.console import Console

    line = Console(stderr=True).status("")
    in_terminal = sys.stderr.isatty() and not quiet
    said, done = monotonic(), set[int]()

    def watch(place: int, attempt: Attempt) -> None:
        nonlocal said
        how_many = f"{len(done):,} of {len(names):,} settled; " if len(names) > 1 else ""
        if attempt.status.value != "open":
            done.add(place)
        if quiet or (not in_terminal and monotonic() - said <= _SILENT_SECONDS):
            return
        stage = f", {attempt.by}" if attempt.by != solver.name else ""
        best = "" if attempt.length is None else f", a proof of {attempt.length:,} moves (at least {attempt.bound:,})"
        words = f"{how_many}{names[place]}{stage}: {attempt.cost.said(solver.counts)}{best}"
        said = monotonic()
        if in_terminal:
            line.start()
            line.update(_with_table(printable(words), getattr(solver, "last", None)))
        else:
            narrate(words)

    try:
        yield watch
    finally:
        line.stop()


def _with_table(words: str, search: Search | None) -> RenderableType:
    """Return words above the table of how a search stands, if it has one."""
    from rich.console import Group
    from rich.table import Table

    head, *rows = ([] if search is None else search.standing()) or [()]
    if not rows:
        return words
    table = Table(*head, box=None)
    for row in rows[:_ROWS]:
        table.add_row(*row)
    return Group(words, table)


def show(came: Came, title: str, how: Mapping[str, Any], output: Output) -> None:
    """Show what came of lemmas: as JSON, as a script if a single lemma was asked for, and otherwise as a table.

    Args:
        came: what.
        title: who proved it, which stands before what came of a single lemma.
        how: what `--json` says beside what came of the lemmas.
        output: how; if it is to be quiet, a single lemma's script alone is shown.
    """
    if output.as_json:
        _print_json(came, how)
    elif len(came.lemmas) == 1:
        for lemma, attempt in came.pairs:
            _print_script(lemma, attempt, f"{title}: {attempt.said(came.solver)}", output.say)
    else:
        _print_table(came)


def _print_json(came: Came, how: Mapping[str, Any]) -> None:
    lemmas = [{**lemma.to_json(), **attempt.to_json(came.solver.counts)} for lemma, attempt in came.pairs]
    if came.climbing is not None and (climb := came.climbing.escalation) is not None:
        from oasis.escalation.report import climb_to_json, pace_to_json

        records = [climb.records[place] for place in came.attempts]
        lemmas = [{**each, **climb_to_json(record)} for each, record in zip(lemmas, records, strict=True)]
        how = {**how, **pace_to_json(climb.climb.pace)}
    print_json({**lemmas[0], **how} if len(came.lemmas) == 1 and lemmas else {**how, "lemmas": lemmas})


def _print_script(lemma: Lemma, attempt: Attempt, outcome: str, say: Callable[[str], None]) -> None:
    from tactics.printer import show
    from tactics.script import show_script

    say(about(lemma.name, show(lemma.formula)))
    if attempt.script is None:
        print_text(outcome)
    else:
        say(outcome)
        print(show_script(attempt.script))
    print_certificates(attempt.certificates)


def _print_table(came: Came) -> None:
    solver, attempts = came.solver, came.attempts.values()
    by = {"by": lambda pair: "–" if pair[1].by == solver.name else pair[1].by}
    spent = [name for name in solver.counts if name == "seconds" or any(getattr(each.cost, name) for each in attempts)]
    print_columns(
        came.pairs,
        {
            "lemma": lambda pair: clipped(pair[0].name),
            "status": lambda pair: pair[1].status.value,
            **(by if any(each.by != solver.name for each in attempts) else {}),
            ">moves": lambda pair: "–" if pair[1].length is None else pair[1].length,
            **costs(spent, lambda pair: pair[1].cost),
            "certified by": lambda pair: pair[1].certified_by,
        },
    )
    counts = Counter(each.status.value for each in attempts)
    known = (f"{counts[status]:,} {status}" for status in ("proved", "refuted", "open") if counts[status])
    summary = ", ".join(known) or "nothing was tried"
    if came.climbing is not None and came.climbing.escalation is not None:
        summary += f" {came.climbing.escalation.climb.pace.said()}"
    print(summary)
    for sentence in came.left_open():
        print_text(sentence)


def amount(cost: Cost, name: str, seconds: str = ".2f") -> str:
    """Return what was spent of something by its name, seconds in their form."""
    return f"{getattr(cost, name):{seconds if name == 'seconds' else ','}}"


def costs(names: Iterable[str], cost: Callable[[Any], Cost]) -> dict[str, Callable[[Any], str]]:
    """Return columns of a table for what was spent, by name, given what tells the cost of a row."""

    def column(name: str) -> Callable[[Any], str]:
        return lambda row: amount(cost(row), name)

    return {f">{name}": column(name) for name in names}
