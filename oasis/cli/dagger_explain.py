"""`oasis dagger explain` and `oasis dagger terms`: what R† pays for a script and why, and what its terms are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, LemmaArgument, ScriptArgument, read_attempt
from oasis.cli.narration import narrate
from oasis.cli.options import Given, Only, command
from oasis.cli.render import about, clipped, console, new_table, print_json, print_text
from oasis.ground.settings import Setting
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from oasis.dagger.explain import Explanation, Said
    from oasis.dagger.reward import RewardDagger


_READINGS = {
    "seed": ": the formulas as printed.",
    "sound": ": what their prose asks.",
    "shaped": ": potentials, which change no best move.",
}
_CLIPPED = {
    "seed": "The total of an episode is clipped.",
    "sound": "The sum is clipped last, step by step.",
    "shaped": "Nothing is clipped.",
}


@dataclass(frozen=True)
class Rewarded:
    """Which R† pays."""

    reading: Annotated[
        str | None,
        Setting(
            "The formulas as printed (seed), as their prose asks (sound), or as potentials (shaped).",
            choices=("seed", "sound", "shaped"),
            metavar="seed|sound|shaped",
            not_with="student",
        ),
    ] = None
    weights: Annotated[
        str | None,
        Setting(
            "all, or seed, shaped by --reading; steady, elegant, correct, sparse, tuned, a file, or dagger:seed:P=0.3.",
            metavar="FILE|PRESET",
            not_with="student",
        ),
    ] = None
    belief: Annotated[
        str | None,
        Setting(
            "Who says p(QED): bayes, bayes-online, knn, gnn, even, exact (the truth), tiny, a file or module:object.",
            not_with="student",
        ),
    ] = None
    knowledge: Annotated[
        str | None,
        Setting("What was fitted: default, or a name of oasis dagger list.", metavar="NAME", not_with="student"),
    ] = None
    gamma: Annotated[float, Setting("Discount of the potentials, 0 to 1.", within="[0, 1]", not_with="student")] = 0.9
    student: Annotated[
        int | None,
        Setting("The reward of a run's student, with all that it has counted by now.", metavar="RUN"),
    ] = None
    everything: Annotated[bool, Setting("Show at each step the terms that pay nothing, too.", names=("--all",))] = False
    plot: Annotated[Path | None, Setting("Draw a picture: .png, .svg or .pdf.", metavar="FILE")] = None


@command
def explain(
    *,
    lemma: LemmaArgument,
    script: ScriptArgument,
    rewarded: Given[Rewarded],
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Say step by step what the reward R† pays for a script, term by term, and why.

    A value is the term's own; paid is what it adds to the reward, with its weight: for a potential Φ what γΦ gained.
    """
    from oasis.dagger.episodes import replayed
    from oasis.dagger.explain import explain as explained
    from oasis.dagger.making import made, weights_of
    from oasis.dagger.term import Reading
    from oasis.dagger.weights import WHOLE
    from tactics.printer import show

    asked, typed = rewarded.made(), rewarded.values
    if asked.plot is not None:
        from oasis.ground.pictures import check_plot

        check_plot(asked.plot)
    if asked.student is not None:
        reward = _of_student(asked.student, db)
    else:
        chosen = weights_of(WHOLE[Reading(asked.reading or "sound")] if asked.weights is None else asked.weights)
        others = {name: typed[name] for name in ("reading", "belief", "knowledge") if name in typed}
        reward = made(replace(chosen, **others), asked.gamma)
    found, moves = read_attempt(lemma, script)
    explanation = explained(reward, replayed(found.formula, moves))
    if asked.plot is not None:
        from oasis.dagger.picture import save_plot

        save_plot(asked.plot, explanation, found.name)
    if reward.context.belief.leaks:
        belief = reward.weights.belief
        narrate(f"The belief {belief} knows the truth or was trained on it, so a student with it is told the solution.")
    if as_json:
        print_json({**found.to_json(), **explanation.to_json()})
    else:
        _show(found.name, show(found.formula), explanation, asked.everything)


@command
def terms(*, rewarded: Annotated[Given[Rewarded], Only("reading")], as_json: JsonOption = False) -> None:
    """Show the sixteen terms of the reward R†: formula, range, weight, what it is for, and how the readings differ."""
    from rich.text import Text

    from oasis.dagger.term import Reading
    from oasis.dagger.weights import DEFAULT, WHOLE, preset_weight, term_to_json
    from oasis.ground.names import TERMS

    chosen = Reading(rewarded.made().reading or "sound")
    if as_json:
        print_json({"reading": str(chosen), "terms": [term_to_json(term) for term in TERMS.values()]})
        return
    table = new_table()
    table.add_column("term", no_wrap=True)
    table.add_column("formula, what it is for, and how the seed differs", ratio=1)
    table.add_column("range", no_wrap=True)
    table.add_column("weight", justify="right", no_wrap=True)
    for term in TERMS.values():
        version, weight = term.version(chosen), preset_weight(term, chosen)
        lines = [Text(version.formula, "bold"), Text(term.asks)]
        if chosen is not Reading.SHAPED and term.differs:
            lines.append(Text(f"In the seed: {term.seed.formula}. " * (chosen is Reading.SOUND) + term.differs, "dim"))
        if chosen is Reading.SHAPED and term.loses:
            lines.append(Text(f"What is lost: {term.loses}", "dim"))
        name = Text.assemble((term.name, "bold"), "\n", term.title.replace(" ", "\n"))
        table.add_row(name, Text("\n").join(lines), version.interval, f"{weight:g}")
        table.add_row()
    out = console()
    out.print(f"R† in its {chosen} reading{_READINGS[chosen]}")
    out.print(table)
    out.print(
        Text(
            f"n: open goals; ′: after the step; Φ: a potential, paid as γΦ(s′) − Φ(s) and 0 at every end; τ: the move. "
            f"Weights are those of the preset {WHOLE[chosen]}; --reward dagger is {DEFAULT}. {_CLIPPED[chosen]} "
            "See also: oasis dagger explain."
        )
    )


def _of_student(run: int, db: Path) -> RewardDagger:
    from oasis.dagger.reward import RewardDagger
    from oasis.store import Store
    from oasis.student.kept import kept_student
    from oasis.student.training import settings_of

    with Store(db, create=False) as store:
        settings = settings_of(store.run(run))
        reward = kept_student(store, run, settings).student.reward
    if not isinstance(reward, RewardDagger):
        raise InputError(f"The student of run {run} is paid by {settings.reward}; choose a run with --reward dagger.")
    return reward


def _show(name: str, formula: str, explanation: Explanation, everything: bool) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from oasis.dagger.making import described
    from oasis.dagger.wording import goals, signed
    from tactics.printer import UNICODE
    from tactics.sequent import show_goal

    weights, context = explanation.reward.weights, explanation.reward.context
    print_text(about(name, formula))
    print_text(
        f"R† in its {weights.reading} reading ({described(weights)}): γ {context.gamma:g}, belief {weights.belief}, "
        f"knowledge {weights.knowledge}."
    )
    print_text(explanation.headline)
    out = console()
    for number, step in enumerate(explanation.steps, 1):
        left = step.after and f"{goals(len(step.after))}: {clipped(show_goal(step.after[0], UNICODE), 60)}"
        out.print(Text.assemble(f"\n{number}. ", (str(step.move), "bold"), f"  →  {left or 'proved'}"))
        shown = {each: said for each, said in step.terms.items() if everything or said.paid}
        cut = f"clipped, from {signed(sum(said.paid for said in step.terms.values()))}" if step.clipped else ""
        rows = _table(explanation, shown, "reward", (step.reward,), cut)
        rows.box = None
        out.print(Padding(rows, (0, 0, 0, 3)))
    print("\nThe whole script")
    out.print(_table(explanation, explanation.episode, "total", (explanation.total, explanation.discounted)))
    for sentence in explanation.sentences():
        print_text(sentence, "  · ")


def _table(
    explanation: Explanation, said: Mapping[str, Said], name: str, totals: Sequence[float], remark: str = ""
) -> Table:
    """A row for each term, dim if it has no weight, and one for what comes together: paid, and perhaps discounted."""
    from oasis.dagger.wording import signed

    table = new_table()
    for column in ("term", "value", "weight", "paid", "discounted")[: 3 + len(totals)]:
        table.add_column(column, justify="left" if column == "term" else "right", no_wrap=True)
    table.add_column("why", ratio=1)
    worth = explanation.worth
    for term, (value, paid, why) in said.items():
        weight = explanation.weights[term]
        amounts = [signed(amount) if weight else "–" for amount in (paid, worth[term])[: len(totals)]]
        table.add_row(term, _number(value), f"{weight:g}", *amounts, why, style="" if weight else "dim")
    table.add_row(name, "", "", *map(signed, totals), remark, style="bold")
    return table


def _number(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"
