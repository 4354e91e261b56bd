"""`oasis decide`: is it a theorem?"""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import (
    JsonOption,
    LevelsOption,
    complete_curriculum,
    number_option,
    read_curriculum,
    seconds_option,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate


def decide(
    curriculum: Annotated[
        str,
        typer.Argument(
            metavar="LEMMA|CURRICULUM|FILE|-",
            help="A lemma or curriculum: a name, text, a .p file, a directory, a file of lemmas, a comma list, or -.",
            autocompletion=complete_curriculum,
        ),
    ],
    engine: Annotated[str, typer.Option(help="Who decides: intuit (SAT and Kripke models) or sequents.")] = "intuit",
    seconds: Annotated[float, seconds_option("How long each lemma may take.")] = 10.0,
    memory: Annotated[int, number_option("How much memory the process may occupy, in MiB.", "[1, ∞)")] = 4096,
    levels: LevelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say for each lemma whether it is a theorem of intuitionistic logic, or unknown when a limit comes first.

    `oasis prove` shows a proof of a theorem, `oasis countermodel` why another is none.
    """
    from oasis.cli.progress import counted
    from oasis.cli.render import print_columns, print_json
    from oasis.teacher.deciding.decide import decide as decide_formula

    chosen = read_curriculum(curriculum, levels)
    results = []
    interrupted = False
    try:
        for lemma in counted(chosen.lemmas, len(chosen.lemmas), lambda each: each.name):
            found = decide_formula(lemma.formula, engine=engine, seconds=seconds, memory=memory * 2**20)
            results.append((lemma, found))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        told = [
            {"lemma": lemma.name, **lemma.reading, "verdict": found.verdict, "engine": found.engine}
            | {"seconds": round(found.seconds, 6)}
            for lemma, found in results
        ]
        print_json({"results": told})
    else:
        time = {">seconds": lambda row: f"{row['seconds']:.3f}"}
        print_columns(
            [{"lemma": lemma.name, **vars(found)} for lemma, found in results],
            {"lemma": "lemma", "verdict": "verdict", "engine": "engine", **time, "remark": "reason"},
        )
    for lemma, found in results:
        if found.contradicts(lemma.status):
            narrate(f"{lemma.name}: its source says {lemma.status}; that is wrong.")
    if interrupted:
        raise Stopped(f"Interrupted after {len(results)} of {len(chosen.lemmas)} lemmas.", EXIT_INTERRUPTED)
