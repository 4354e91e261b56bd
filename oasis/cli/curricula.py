"""`oasis curricula`: which lemmas there are."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import JsonOption, complete_curriculum, read_notation, read_stdin

app = typer.Typer(help="Which lemmas there are.", no_args_is_help=True)


@app.command("list")
def list_curricula(as_json: JsonOption = False) -> None:
    """List the curricula that have a name."""
    from curricula import catalogue
    from oasis.cli.render import print_json, print_table

    entries = catalogue()
    if as_json:
        print_json({"curricula": [entry._asdict() for entry in entries]})
    else:
        print_table(
            ["curriculum", "lemmas", "what it is"],
            [[entry.name, f"{entry.lemmas:,}", entry.description] for entry in entries],
            numeric={"lemmas"},
        )


@app.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="CURRICULUM",
            help="A curriculum or lemma: a name, a file, a directory, text, or - for standard input.",
            autocompletion=complete_curriculum,
        ),
    ],
    notation: Annotated[str, typer.Option("--format", help="coq, tptp or unicode.")] = "coq",
    levels: Annotated[str | None, typer.Option(help="Levels of a family, as in 1-3 or 1,4.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the lemmas of a curriculum, one a line as `name: formula`; `oasis train` reads them back."""
    from curricula import parse_levels, resolve
    from oasis.cli.render import print_json
    from tactics.printer import show as show_formula

    written_in = read_notation(notation)
    curriculum = resolve(name, levels=parse_levels(levels) if levels else None, stdin=read_stdin)
    lemmas = (
        {
            "name": lemma.name,
            "formula": show_formula(lemma.formula, written_in, quantified=True),
            "status": lemma.status,
            "level": lemma.level,
            "shortest": lemma.shortest,
            "source": lemma.source,
        }
        for lemma in curriculum.lemmas
    )
    if as_json:
        print_json({"curriculum": curriculum.name, "lemmas": list(lemmas)})
    else:
        for lemma in lemmas:
            print(f"{lemma['name']}: {lemma['formula']}")
