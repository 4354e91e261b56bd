"""`oasis runs`: what was trained before."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, OutputOption, output_stream

app = typer.Typer(help="Runs that were trained before.", no_args_is_help=True)

RunArgument = Annotated[
    int | None, typer.Argument(metavar="[RUN]", help="The number of a run; the newest if left out.")
]


@app.command("list")
def list_runs(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the runs in the database, oldest first."""
    from oasis.cli.render import print_json, print_table
    from oasis.store import Store

    with Store(db, create=False) as store:
        runs = store.runs()
    if as_json:
        hidden = {"rng"}
        print_json({"runs": [{name: value for name, value in run.items() if name not in hidden} for run in runs]})
        return
    print_table(
        ["run", "started", "curriculum", "learner", "seed", "lemmas", "episodes", "state"],
        [
            [
                str(run["id"]),
                run["started"][:16].replace("T", " "),
                run["curriculum"],
                run["settings"]["learner"],
                str(run["settings"]["seed"]),
                f"{run['lemmas_finished']}/{run['lemmas']}",
                f"{run['episodes']:,}",
                "finished" if run["finished"] else "unfinished",
            ]
            for run in runs
        ],
        numeric={"run", "seed", "lemmas", "episodes"},
    )


@app.command()
def show(run: RunArgument = None, db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """Show what came of a run, as `oasis train` did at its end."""
    from oasis.cli.render import print_json, print_report
    from oasis.store import Store
    from oasis.student.report import report

    with Store(db, create=False) as store:
        found = report(store, run if run is not None else store.newest_run())
    if as_json:
        print_json(found.to_json())
    else:
        print_report(found)


@app.command()
def export(
    run: RunArgument = None,
    form: Annotated[
        str, typer.Option("--format", help="csv: a line for each episode; json: the run with all its episodes.")
    ] = "csv",
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write a run and its episodes as CSV or JSON."""
    from oasis.cli.render import write_csv, write_json
    from oasis.store import Store
    from oasis.student.report import report
    from tactics.errors import InputError

    if form not in ("csv", "json"):
        raise InputError(f"--format is one of csv, json, not {form!r}.")
    with Store(db, create=False) as store:
        number = run if run is not None else store.newest_run()
        found, episodes = report(store, number), store.episodes(number)
    with output_stream(output) as stream:
        if form == "csv":
            write_csv(episodes, stream)
        else:
            write_json({**found.to_json(), "episodes": episodes}, stream)
