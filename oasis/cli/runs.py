"""`oasis runs`: what was trained and compared before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, OutputOption
from oasis.cli.render import clipped, minute, print_columns, print_json, write_csv, write_json
from oasis.ground.files import output_stream

if TYPE_CHECKING:
    from oasis.store import Row

app = typer.Typer()

RunArgument = Annotated[
    int | None, typer.Argument(metavar="[RUN]", help="The number of a run; the newest if left out.")
]


@app.command("list")
def list_runs(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the runs and the experiments in the database, oldest first."""
    from textwrap import shorten

    from oasis.store import Store

    with Store(db, create=False) as store:
        runs, experiments = store.runs(), store.experiments()
    if as_json:
        print_json({"runs": [_without("rng", run) for run in runs], "experiments": list(map(_described, experiments))})
        return
    if runs or not experiments:
        print_columns(
            runs,
            {
                ">run": lambda run: str(run["id"]),
                "started": _started,
                "curriculum": "curriculum",
                "learner": lambda run: run["settings"].get("learner", "?"),
                ">seed": lambda run: str(run["settings"].get("seed", "?")),
                ">lemmas": lambda run: f"{run['lemmas_finished']}/{run['lemmas']}",
                ">episodes": "episodes",
                "state": _state,
            },
        )
    if experiments:
        print_columns(
            map(_described, experiments),
            {
                ">experiment": lambda each: str(each["id"]),
                "started": _started,
                "command": "command",
                "name": "name",
                "kinds": lambda each: shorten("; ".join(each["variants"]), 60, placeholder=" …"),
                ">trials": lambda each: f"{each['trials']}/{each['total']}",
                "state": _state,
            },
        )


def _started(row: Row) -> str:
    return minute(row["started"])


def _state(row: Row) -> str:
    return "finished" if row["finished"] else "unfinished"


def _described(experiment: Row) -> Row:
    """An experiment with the names of its variants, its seeds and the number of trials instead of all its plans."""
    plans = experiment["plan"]["plans"].values()
    return {
        **_without("plan", experiment),
        "variants": list(dict.fromkeys(variant["name"] for plan in plans for variant in plan["variants"])),
        "seeds": list(dict.fromkeys(seed for plan in plans for seed in plan["seeds"])),
        "total": sum(len(plan["variants"]) * len(plan["seeds"]) for plan in plans),
    }


def _without(hidden: str, row: Row) -> Row:
    return {name: value for name, value in row.items() if name != hidden}


@app.command()
def show(
    runs: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN]", help="The number of a run, or of several, as in 1-3; the newest run if left out."
        ),
    ] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what came of a run, as `oasis train` did at its end; of runs that differ in their seeds alone together."""
    from oasis.cli.run_report import narrate_withheld, show_runs
    from oasis.store import Store

    numbers = None if runs is None else _read_runs(runs)
    with Store(db, create=False) as store:
        found = show_runs(store, numbers or [store.newest_run()], as_json)
    for each in found:
        narrate_withheld(each, db)


def _read_runs(text: str) -> Sequence[int]:
    """Return the numbers of `3` or `1-3`. Raises InputError."""
    from tactics.errors import InputError

    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text.strip())
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise InputError(f"{text!r:.60} is no number of a run; give one, or the first and the last, as in 3 or 1-3.")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


@app.command()
def proofs(
    lemma: Annotated[
        str | None, typer.Argument(metavar="[LEMMA]", help="The lemma, by name or as text; all if left out.")
    ] = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """List what was proved, by whom and at what cost, in runs, in experiments and in class."""
    from oasis.cli.arguments import read_lemma
    from oasis.cli.narration import narrate
    from oasis.lab.proofs import COUNTS
    from oasis.play.solving import Cost
    from oasis.proved import everything
    from oasis.store import Store

    formula = None if lemma is None else read_lemma(lemma).formula
    with Store(db, create=False) as store:
        found = [each for each in everything(store, narrate) if formula in (None, each.attempt.lemma)]
    if as_json:
        print_json({"proofs": [each.to_json() for each in found]})
        return
    if not found:
        narrate(f"No proof{'' if lemma is None else f' of {clipped(lemma)}'} is in {db}.")
        return
    print_columns(
        found,
        {
            "lemma": lambda each: clipped(each.name),
            ">moves": lambda each: each.attempt.length,
            "by": lambda each: clipped(each.attempt.by),
            "in": lambda each: clipped(each.where),
            "on": lambda each: minute(each.at),
            "took": lambda each: "–" if each.attempt.cost == Cost() else each.attempt.cost.said(COUNTS),
            "certified by": lambda each: each.attempt.certified_by,
        },
    )


@app.command()
def export(
    run: RunArgument = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help="csv: a line for each episode; json: the run with all its episodes; lemmas: those proved."
        ),
    ] = "csv",
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write a run and its episodes as CSV or JSON, or the lemmas that it proved, to learn from elsewhere.

    A file of lemmas is a curriculum: oasis policy sft --lemmas FILE has a network learn from them. A lemma whose name
    could not be read from it stands there without.
    """
    from curricula.files import lemma_line
    from oasis.store import Store
    from oasis.student.report import episodes, report
    from tactics.errors import check_choice

    check_choice("--format", form, ("csv", "json", "lemmas"))
    with Store(db, create=False) as store:
        number = run if run is not None else store.newest_run()
        found, rows = report(store, number), [*episodes(store, number)]
    with output_stream(output) as stream:
        if form == "csv":
            write_csv(rows, stream)
        elif form == "lemmas":
            proved = [lemma for lemma in found.lemmas if lemma.best is not None]
            stream.writelines(f"{lemma_line(lemma.name, lemma.formula)}\n" for lemma in proved)
        else:
            write_json({**found.to_json(), "episodes": rows}, stream)
