"""`oasis experience`: the maxims that were distilled from rollouts, and their journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, OutputOption, output_stream, read_text_of
from oasis.cli.narration import narrate
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.experience.maxims import Entry, Maxim

app = typer.Typer()
MaximArgument = Annotated[int, typer.Argument(metavar="N", help="The number of a maxim, as `list` shows it.")]


@app.command("list")
def list_maxims(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the maxims with their evidence: what would be followed with --experience."""
    from oasis.cli.render import print_json, print_table
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        maxims = Library(store).maxims().values()
    if as_json:
        print_json({"maxims": [maxim.to_json() for maxim in maxims]})
        return
    print_table(
        ["number", "maxim", "odds", "learned from", "updated"],
        [
            [
                str(each.id),
                each.content,
                f"{each.evidence.odds:.2g}",
                each.source,
                each.updated[:16].replace("T", " "),
            ]
            for each in maxims
        ],
        numeric={"number", "odds"},
    )


@app.command()
def show(number: MaximArgument, db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """Show one maxim: what it says, where it applies, its evidence, and everything that was done to it."""
    from oasis.cli.render import print_json, print_text
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        library = Library(store)
        maxim = library.maxim(number)
        entries = [entry for entry in library.history() if entry.maxim == number]
    if as_json:
        print_json({**maxim.to_json(), "history": [entry._asdict() for entry in entries]})
        return
    print_text(f"{maxim.id}. {maxim.content}")
    print_text(_described(maxim), "  ")
    print()
    _print_entries(entries)


@app.command()
def history(
    number: Annotated[int | None, typer.Argument(metavar="[N]", help="Of this maxim alone; it may be deleted.")] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show the journal: every maxim that was added, modified or deleted, when, and why."""
    from oasis.cli.render import print_json
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        entries = [entry for entry in Library(store).history() if number in (None, entry.maxim)]
    if number is not None and not entries:
        raise InputError(f"There never was a maxim {number}; see `oasis experience history`.")
    if as_json:
        print_json({"entries": [entry._asdict() for entry in entries]})
    else:
        _print_entries(entries)


@app.command("export")
def export_journal(output: OutputOption = None, db: DatabaseOption = DATABASE) -> None:
    """Write the journal, a JSON object on each line, to keep it or for another database; `import` reads it."""
    from oasis.experience.files import written
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        entries = Library(store).history()
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
    from oasis.experience.library import Library
    from oasis.store import Store

    found = read(read_text_of(file), "Standard input" if file == "-" else file)
    with Store(db) as store:
        brought = Library(store).bring(found.entries)
    left = f", and {brought.left:,} about maxims that were deleted here" if brought.left else ""
    narrate(f"Entries taken: {brought.taken:,}; {brought.known:,} were here already{left}.")
    if found.cut_short:
        narrate("The file was cut short; everything up to its last whole line was read.")


def _described(maxim: Maxim) -> str:
    """Where a maxim applies, and what speaks for it."""
    conclusion, hypothesis, rule = maxim.scope
    helped, hindered = maxim.evidence
    return (
        f"{maxim.category} {rule} where the conclusion is {conclusion} and the hypothesis {hypothesis}; {helped:.1f} "
        f"for the move and {hindered:.1f} against it in pairs of rollouts, or as somebody believes, odds "
        f"{maxim.evidence.odds:.2g}; learned from "
        f"{maxim.source}, last modified by {maxim.modified_by}."
    )


def _print_entries(entries: list[Entry]) -> None:
    from oasis.cli.render import print_table

    print_table(
        ["when", "operation", "number", "by", "reason", "maxim"],
        [
            [
                each.at[:16].replace("T", " "),
                each.operation,
                str(each.maxim),
                each.by,
                each.reason,
                str(each.content.get("content", "")),
            ]
            for each in entries
        ],
        numeric={"number"},
    )
