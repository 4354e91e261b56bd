"""`oasis curricula`: which lemmas there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import FormatOption, JsonOption, LevelsOption, lemma_argument, read_curriculum, read_notation
from oasis.cli.narration import narrate
from oasis.cli.render import clipped, print_columns, print_json

if TYPE_CHECKING:
    from curricula import Lemma

app = typer.Typer()
_TOLD = 20  # names of lemmas without a proof that are told of a curriculum


@app.command("list")
def list_curricula(as_json: JsonOption = False) -> None:
    """List the curricula that have a name."""
    from curricula import catalogue

    entries = catalogue()
    if as_json:
        print_json({"curricula": [entry._asdict() for entry in entries]})
    else:
        print_columns(entries, {"curriculum": "name", ">lemmas": "lemmas", "what it is": "description"})


@app.command()
def show(
    name: Annotated[
        str,
        lemma_argument(
            "A curriculum or lemma: a name, a file, a directory, text, or - for standard input.", "CURRICULUM"
        ),
    ],
    notation: FormatOption = "coq",
    levels: LevelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the lemmas of a curriculum, one a line as `name: formula`; `oasis train` reads them back.

    Which of them are known to have no proof is said below them, on standard error; --json has the status of each.
    """
    from tactics.printer import show as show_formula

    written_in = read_notation(notation)
    curriculum = read_curriculum(name, levels)
    lemmas = (
        {
            "name": lemma.name,
            "formula": show_formula(lemma.formula, written_in, quantified=True),
            **lemma.reading,
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
        told = _told_of_no_proof(curriculum.lemmas)
        if told:
            narrate(told)


def _told_of_no_proof(lemmas: Sequence[Lemma]) -> str:
    """Which lemmas have no proof, as far as their source says; nothing if it says that of none."""
    from curricula import Status

    without = [lemma.name for lemma in lemmas if lemma.status is Status.NON_THEOREM]
    if not without:
        return ""
    if len(without) == len(lemmas):
        return "This lemma has no proof." if len(lemmas) == 1 else "None of these lemmas has a proof."
    more = f" and {len(without) - _TOLD:,} more, which --json tells" if len(without) > _TOLD else ""
    return f"Without a proof: {', '.join(map(clipped, without[:_TOLD]))}{more}."
