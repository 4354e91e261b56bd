"""`oasis dagger`: what the reward R† needs to know, fitted to plays and proofs."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    LemmaArgument,
    Output,
    number_option,
    read_lemma,
    read_stdin,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Levels
from oasis.cli.options import Given, command
from oasis.cli.render import clipped, minute, print_columns, print_json, print_line, print_section
from oasis.ground.names import POLICIES
from oasis.ground.settings import SEEDS, Setting, of_lemmas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oasis.dagger.fit import Fitted

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Fits(Levels):
    """What is fitted, and to what."""

    sources: Annotated[
        tuple[str, ...],
        of_lemmas(
            "Lemmas (textbook, SYJ202, random:count=50, a file, -), and numbers of runs, whose best proofs count.",
            "CURRICULUM|RUN...",
        ),
    ]
    name: Annotated[str | None, Setting("What to call it; fit1, fit2, … if left out.", not_with="output")] = None
    policy: Annotated[str, Setting(f"Who plays: {POLICIES.told}.", complete="oasis.ground.names:POLICIES.complete")] = (
        "uniform"
    )
    plays: Annotated[int, Setting("Plays of each lemma.", within="[1, ∞)")] = 20
    max_steps: Annotated[int, Setting("Steps after which a play is cut short.", within="[1, ∞)")] = 200
    test_share: Annotated[
        float,
        Setting("Share of the lemmas that it is not fitted to, to see how good the beliefs are.", within="[0, 1)"),
    ] = 0.2
    belief: Annotated[
        str, Setting("Others to compare with those fitted: tiny, exact, even, a file.", metavar="NAME,...")
    ] = ""
    network: Annotated[
        bool, Setting("Train a graph network, too (gnn), and look for neighbours in its embedding; takes a minute.")
    ] = False
    plot: Annotated[Path | None, Setting("Draw how reliable the beliefs are: .png, .svg or .pdf.", metavar="FILE")] = (
        None
    )
    seed: Annotated[int, Setting("Of the plays, and of the lot which lemmas are held out.", within=SEEDS)] = 0
    output: Annotated[
        Path | None,
        Setting("Write it to a .json or .json.gz file and do not keep it.", names=("--output", "-o"), metavar="FILE"),
    ] = None


@app.command()
@command
def fit(*, fits: Given[Fits], output: Output) -> None:
    """Let a policy play lemmas, and fit knowledge and beliefs to the plays.

    Says what they are worth on lemmas that were held out, and keeps everything under a name.
    """
    from curricula import parse_levels
    from oasis.cli.progress import watch_count
    from oasis.dagger.beliefs.calibration import figure
    from oasis.dagger.fitting import Fitting, check_name, checked_file, corpus, keep, write
    from oasis.ground.pictures import check_plot, save
    from oasis.ground.registry import imported
    from oasis.ground.version import commit, version
    from oasis.neural.installed import check_installed
    from oasis.neural.policies import policy_named
    from oasis.store import Store

    asked = fits.made()
    if asked.output is not None:
        checked_file(asked.output)
    if asked.plot is not None:
        check_plot(asked.plot)
    if asked.network:
        check_installed()
    trained = imported("oasis.neural.beliefs.training:trained") if asked.network else None
    needs_runs = any(text.isdecimal() for text in (*asked.sources, asked.policy))
    is_read = output.db.exists() and (asked.output is None or needs_runs)
    with Store(output.db, create=False) if is_read else nullcontext() as store:
        if asked.name is not None:
            check_name(asked.name, store)
        found = corpus(asked.sources, store, parse_levels(asked.levels) if asked.levels else None, read_stdin)
        beliefs, policy = asked.belief.split(",") if asked.belief else (), policy_named(asked.policy, store)
        fitting = Fitting(found, policy, asked.plays, asked.seed, asked.test_share, asked.max_steps, beliefs, trained)
        try:
            watch_count(fitting.play(), len(found.lemmas), "lemmas", quiet=output.quiet)
            report = fitting.report()
        except KeyboardInterrupt:
            raise Stopped("Interrupted, so nothing is kept.", EXIT_INTERRUPTED) from None
        told = ("sources", "levels", "policy", "plays", "max_steps", "test_share", "seed", "network")
        origin = {**{name: getattr(asked, name) for name in told}, "oasis": version(), "commit": commit()}
    kept = None
    if asked.output is not None:
        write(report.fitted, asked.output)
    else:
        with Store(output.db) as store:
            kept = keep(store, report, origin, asked.name)
    if asked.plot is not None:
        save(asked.plot, lambda: figure(report.calibrations))
    content = {"name": kept, **origin, **report.to_json()}
    if output.as_json:
        print_json(content)
    else:
        _print_origin(content)
    where = (
        f"Written to {asked.output}."
        if kept is None
        else f"Kept as {kept} in {output.db}; see oasis dagger show {kept}."
    )
    output.say(where)


@app.command()
def similar(
    lemma: LemmaArgument,
    curriculum: Annotated[
        str, typer.Argument(metavar="CURRICULUM", help="Among which lemmas: textbook, SYJ202, a file, …")
    ] = "textbook",
    top: Annotated[int, number_option("Lemmas to show, the most similar first.", "[1, ∞)")] = 10,
    knowledge: Annotated[
        str, typer.Option(metavar="NAME", help="Whose graph network: default, or a name of oasis dagger list.")
    ] = "default",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show the lemmas of a curriculum that are most similar to a lemma, in the embedding of a graph network."""
    from curricula import resolve
    from oasis.dagger.fitting import fitted_named
    from oasis.store import Store
    from tactics.printer import show as show_formula

    asked, others = read_lemma(lemma), resolve(curriculum, stdin=read_stdin).lemmas
    with Store(db, create=False) if db.exists() else nullcontext() as store:
        fitted, _ = fitted_named(knowledge, store)
    vectors = fitted.graph.formulas([asked.formula, *(other.formula for other in others)])
    likeness = (vectors[1:] @ vectors[0]).tolist()
    ranked = sorted(zip(likeness, others, strict=True), key=lambda each: -each[0])[:top]
    found: list[dict[str, Any]] = [
        {"lemma": other.name, "similarity": cosine, "formula": show_formula(other.formula)} for cosine, other in ranked
    ]
    if as_json:
        print_json({"lemma": asked.name, "similar": found})
        return
    print_columns(
        found,
        {
            ">similarity": lambda each: _number(each["similarity"]),
            "lemma": "lemma",
            "formula": lambda each: clipped(each["formula"], 80),
        },
    )


@app.command("list")
def list_fitted(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List what was fitted and is kept, oldest first."""
    from oasis.store import Store

    with Store(db, create=False) as store:
        rows = store.fitted_list()
    if as_json:
        print_json({"fitted": [{each: row[each] for each in ("name", "made", "version", "origin")} for row in rows]})
        return
    print_columns(
        rows,
        {
            "name": "name",
            "made": lambda row: minute(row["made"]),
            "from": lambda row: " ".join(map(str, row["origin"].get("sources", []))),
            "policy": lambda row: row["origin"].get("policy", "?"),
            ">episodes": lambda row: row["origin"].get("episodes", "?"),
            ">proved": lambda row: row["origin"].get("proved", "?"),
            "version": "version",
        },
    )


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What it was called, a file, or default for the one that comes along.")
    ] = "default",
    top: Annotated[int, number_option("Tactics and formulas to show, the most frequent first.", "[0, ∞)")] = 10,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Show what was fitted: how central the rules are, the most frequent tactics and formulas, and distances."""
    from oasis.dagger.fitting import fitted_named
    from oasis.store import Store

    with Store(db, create=False) if db.exists() else nullcontext() as store:
        fitted, row = fitted_named(name, store)
    content = fitted.knowledge.summary(top)
    if as_json:
        print_json({**row, "version": fitted.version, **content})
    else:
        _print_fitted(fitted, row, content)


def _print_origin(content: Mapping[str, Any]) -> None:
    """Print what was fitted to, and how well the beliefs are calibrated."""
    print_line(
        f"{content['episodes']:,} episodes of {content['lemmas']:,} lemmas, {content['proved']:,} of them proofs: "
        f"{content['tactics']:,} tactics, {content['formulas']:,} formulas. Version {content['version']}."
    )
    if not content["test_lemmas"]:
        return
    print(f"On {content['test_lemmas']:,} lemmas that were held out:")
    print_columns(
        ({"belief": name, **each} for name, each in content["calibration"].items()),
        {
            "belief": "belief",
            ">states": "states",
            ">AUC": lambda each: _number(each.get("auc")),
            ">ECE": lambda each: _number(each.get("ece")),
            ">Brier score": lambda each: _number(each.get("brier")),
            ">of always saying their share": lambda each: _number(each.get("base")),
        },
    )


def _print_fitted(fitted: Fitted, row: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    """Print knowledge in a few tables."""
    made = f", made {minute(row['made'])}" if row["made"] else ""
    print_line(f"{row['name']}{made}. Version {fitted.version}.\n")
    if "calibration" in row["origin"]:
        _print_origin({"version": fitted.version, **row["origin"]})
        print()
    print_section(
        f"Rules in {content['proofs']:,} proofs; a step is {_number(content['mean_centrality'])} central on average.",
        ["rule", "uses", "shapes", "centrality"],
        [
            [each["rule"], f"{each['uses']:,}", f"{each['degree']:,}", _number(each["centrality"])]
            for each in content["rules"]
        ],
        note="Shapes: on how many a rule was used. Centrality: that as a share of the most.",
    )
    print_section(
        "The most frequent tactics",
        ["rule", "shape", "uses"],
        [[each["rule"], each["shape"], f"{each['uses']:,}"] for each in content["tactics"]],
        words=2,
    )
    print()
    print_section(
        "The most frequent formulas",
        ["formula", "lemmas"],
        [[clipped(each["formula"], 70), f"{each['lemmas']:,}"] for each in content["formulas"]],
    )
    print()
    print_section(
        "Edges from a shape to the nearest rule that closes a goal",
        ["edges", "shapes"],
        [
            ["no path" if each["hops"] is None else str(each["hops"]), f"{each['shapes']:,}"]
            for each in content["distances"]
        ],
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
