"""`oasis experience`: the maxims that were distilled from rollouts, their journal, and changes by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    OutputOption,
    account,
    complete_curriculum,
    read_lemma,
    read_text_of,
)
from oasis.cli.narration import narrate
from oasis.cli.render import minute, print_columns, print_json, print_text
from oasis.ground.files import output_stream
from tactics.errors import InputError, check_choice

if TYPE_CHECKING:
    from oasis.experience.library import Library
    from oasis.experience.maxims import Entry

app = typer.Typer()
MaximArgument = Annotated[int, typer.Argument(metavar="N", help="The number of a maxim, as `list` shows it.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it stands in the journal.")]
_REMARK = "What you say beside it, in at most 32 words; nobody who plays is told it unless they ask."
AlsoOption = Annotated[
    list[str] | None,
    typer.Option(
        help="What else is so there, at most two of: within reach, out of reach (what the tactic leaves to prove: does "
        "it end a hypothesis?); came last, came earlier, ends in the goal, ends elsewhere (the hypothesis that it "
        "takes); shares atoms, shares no atom (that, or else the goal, with the rest).",
        metavar="CONDITION",
    ),
]
_ADVICE = "prefer: the tactic comes first there; avoid: it waits."
_GOAL = "What the goal is there: an example, _ for anything, as in '_ \\/ _' or 'p -> q'; any goal if left out."
_HYPOTHESIS = (
    "What the hypothesis is that the tactic takes, or one that is there: an example likewise, or 'left side' or 'right "
    "side' of the goal."
)
_ODDS = "By how much the tactic becomes likelier, or less likely: above 1; 4 if left out."


@app.command("list")
def list_maxims(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the maxims with their evidence: what would be followed with --experience."""
    with _library(db) as library:
        maxims = library.maxims().values()
    if as_json:
        print_json({"maxims": [maxim.to_json() for maxim in maxims]})
        return
    print_columns(
        maxims,
        {
            ">number": "id",
            "maxim": "content",
            ">odds": lambda maxim: f"{maxim.evidence.odds:.2g}",
            "learned from": "source",
            "updated": lambda maxim: minute(maxim.updated),
        },
    )


@app.command()
def show(number: MaximArgument, db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """Show one maxim: what it says, where it applies, its evidence, and everything that was done to it."""
    with _library(db) as library:
        maxim = library.maxim(number)
        entries = [entry for entry in library.history() if entry.maxim == number]
    if as_json:
        print_json({**maxim.to_json(), "history": [entry.to_json() for entry in entries]})
        return
    print_text(f"{maxim.id}. {maxim.content}")
    print_text(maxim.described(), "  ")
    if maxim.remark:
        print_text(f"Remark: {maxim.remark}", "  ")
    print()
    _print_entries(entries)


@app.command()
def history(
    number: Annotated[int | None, typer.Argument(metavar="[N]", help="Of this maxim alone; it may be deleted.")] = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw how many maxims there were, what was done, and the score with and without them."
        ),
    ] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show the journal: every maxim that was added, modified or deleted, when, by which lemma or whom, and why."""
    if draw is not None:
        from oasis.experience.picture import figure
        from oasis.ground.pictures import check_plot, save

        check_plot(draw)
        if number is not None:
            raise InputError("--draw shows the whole journal; leave the number of a maxim out.")
    with _library(db) as library:
        entries = [entry for entry in library.history() if number in (None, entry.maxim)]
    if number is not None and not entries:
        raise InputError(f"There never was a maxim {number}; see `oasis experience history`.")
    if draw is not None:
        save(draw, lambda: figure(entries))
    if as_json:
        print_json({"entries": [entry.to_json() for entry in entries]})
    else:
        _print_entries(entries)


@app.command("export")
def export_journal(output: OutputOption = None, db: DatabaseOption = DATABASE) -> None:
    """Write the journal, a JSON object on each line, to keep it or for another database; `import` reads it."""
    from oasis.experience.files import written

    with _library(db) as library:
        entries = library.history()
    with output_stream(output) as stream:
        stream.writelines(written(entries))


@app.command("import")
def import_journal(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What was exported, or - for standard input.")],
    db: DatabaseOption = DATABASE,
) -> None:
    """Read a journal from elsewhere: its maxims get numbers of this database, and what is here already is not doubled.

    Of a file that was cut short all whole lines are read.
    """
    from oasis.experience.files import read

    found = read(read_text_of(file), "Standard input" if file == "-" else file)
    with _library(db, create=True) as library:
        brought = library.bring(found.entries)
    left = f", and {brought.left:,} about maxims that were deleted here" if brought.left else ""
    narrate(f"Entries taken: {brought.taken:,}; {brought.known:,} were here already{left}.")
    if found.cut_short:
        narrate("The file was cut short; everything up to its last whole line was read.")


@app.command()
def add(
    advice: Annotated[str, typer.Argument(metavar="prefer|avoid", help=_ADVICE)],
    rule: Annotated[
        str,
        typer.Argument(
            metavar="TACTIC", help="One of the twelve, as in left; or all that 'can lose' or 'cannot lose'."
        ),
    ],
    lemma: Annotated[
        str, typer.Option(help="A lemma that shows it, by name or as text.", autocompletion=complete_curriculum)
    ],
    reason: ReasonOption,
    goal: Annotated[str, typer.Option(metavar="SHAPE", help=_GOAL)] = "",
    hypothesis: Annotated[str, typer.Option(metavar="SHAPE", help=_HYPOTHESIS)] = "",
    also: AlsoOption = None,
    remark: Annotated[str, typer.Option(help=_REMARK)] = "",
    odds: Annotated[float, typer.Option(help=_ODDS)] = 4.0,
    db: DatabaseOption = DATABASE,
) -> None:
    """Add a maxim by hand, and print its number; the next distilling puts it to the test like every other one.

    For example: oasis experience add prefer left --hypothesis 'left side' --lemma 'p -> p | q' --reason 'it is there'
    """
    from oasis.experience import by_hand
    from oasis.experience.example import example
    from oasis.experience.maxims import CATEGORIES

    check_choice("The advice", advice, CATEGORIES)  # before there is a database
    scope = by_hand.written_scope(rule, goal, hypothesis, also or ())
    source = read_lemma(lemma, piped=False).name
    with _library(db, create=True) as library:
        number = by_hand.add(library, advice, scope, lemma=source, by=_who(), reason=reason, remark=remark, odds=odds)
        made = library.maxim(number)
    narrate(f"Maxim {number}: {made.content}")
    if example(made) is None:
        narrate(f"No goal in a proof of {source} shows it; a lemma that does tells others what is meant.")
    print(number)


@app.command()
def modify(
    number: MaximArgument,
    reason: ReasonOption,
    advice: Annotated[str | None, typer.Option(metavar="prefer|avoid", help=_ADVICE)] = None,
    rule: Annotated[str | None, typer.Option(metavar="TACTIC", help="Which tactic it is about.")] = None,
    goal: Annotated[str | None, typer.Option(metavar="SHAPE", help=_GOAL)] = None,
    hypothesis: Annotated[str | None, typer.Option(metavar="SHAPE", help=_HYPOTHESIS)] = None,
    also: AlsoOption = None,
    remark: Annotated[str | None, typer.Option(help=f"{_REMARK} Empty for none.")] = None,
    odds: Annotated[float | None, typer.Option(help="By how much the tactic becomes likelier, or less likely.")] = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Change a maxim by hand; what is not given stays as it is."""
    from oasis.experience import by_hand

    with _library(db) as library:
        before = library.maxim(number).scope
        scope = by_hand.written_scope(
            before.rule if rule is None else rule,
            before.conclusion if goal is None else goal,
            before.hypothesis if hypothesis is None else hypothesis,
            before.also if also is None else list(filter(None, also)),
        )
        by_hand.change(
            library, number, by=_who(), reason=reason, category=advice, scope=scope, remark=remark, odds=odds
        )
        narrate(f"Maxim {number}: {library.maxim(number).content}")


@app.command()
def delete(number: MaximArgument, reason: ReasonOption, db: DatabaseOption = DATABASE) -> None:
    """Delete a maxim by hand; the journal keeps what it was, and its number stays its own."""
    with _library(db) as library:
        library.delete(number, by=_who(), reason=reason)
    narrate(f"Maxim {number} is deleted; oasis experience history {number} shows what it was.")


@contextmanager
def _library(db: Path, *, create: bool = False) -> Iterator[Library]:
    """The maxims of a file."""
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=create) as store:
        yield Library(store)


def _who() -> str:
    """Who did it, for the journal."""
    return f"{account()}, by hand"


def _print_entries(entries: list[Entry]) -> None:
    print_columns(
        entries,
        {
            "when": lambda entry: minute(entry.at),
            "operation": "operation",
            ">number": "maxim",
            "by": "by",
            "reason": "reason",
            "maxim": "told",
        },
    )
