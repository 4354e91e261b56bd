"""The tables of a comparison, as text: the terminal and the page show the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from oasis.ground.table import Table
from oasis.lab.comparison.summary import Comparison, Gain, Pair, Summary
from oasis.lab.statistics import CLOPPER_PEARSON, STUDENTS_T, Interval, median_method
from oasis.lab.students.truth import Truth
from oasis.lab.words import methods, named, percentage, room, rounded, significant, with_interval
from oasis.student.learners import learner
from oasis.student.settings import Settings


def tables(comparison: Comparison) -> Iterator[Table]:
    """All tables of a comparison: practice, what was learned, what orders and experience were worth, each pair."""
    yield _practice(comparison)
    if comparison.curriculum:
        yield _lemma_by_lemma(comparison)
    yield _learned(comparison)
    if comparison.orders:
        yield _gains("What the order was worth", comparison.orders)
    if comparison.experience:
        yield _gains("What experience was worth", comparison.experience)
    if comparison.pairs:
        yield _pairs(comparison, "P(more): proofs, row against column", lambda pair: (pair.more, pair.proofs))
        yield _pairs(
            comparison, "P(more): shorter greedy proof, row against column", lambda pair: (pair.shorter, pair.ranks)
        )


def _practice(comparison: Comparison) -> Table:
    """All episodes of each variant; on a curriculum the greedy area says more than the first proof."""
    header = ("variant", "proofs", "actions", "greedy area" if comparison.curriculum else "first proof")
    rows = tuple(
        (
            summary.variant.name,
            percent(summary.proofs),
            with_interval(summary.actions, ".1f"),
            percent(summary.area) if comparison.curriculum else with_interval(summary.first, ",g"),
            _since(comparison, summary.reliable),
            with_interval(summary.states, ",.0f"),
        )
        for summary in comparison.summaries
    )
    episodes = f"{comparison.plan.episodes:,} episodes"
    middle = median_method(len(comparison.plan.seeds))
    columns: dict[str, str | dict[str, str]] = {"proofs": _methods(comparison, "proofs"), "actions": STUDENTS_T}
    if comparison.curriculum:
        columns |= {"greedy area": _methods(comparison, "area")}
    else:
        columns |= {"first proof": middle}
    columns |= {"reliable from": middle, "states": STUDENTS_T}
    notes = [_reliable(comparison), methods(columns)]
    if any(
        each != STUDENTS_T for column in columns.values() if not isinstance(column, str) for each in column.values()
    ):
        notes.append(room(len(comparison.plan.seeds)))
    notes += _unrewarded(comparison)
    title = f"{comparison.plan.name}, {episodes}"
    return Table(title, (*header, "reliable from", "states"), rows, note=" ".join(notes))


def _methods(comparison: Comparison, name: str) -> dict[str, str]:
    """Which interval a share of practice has, by variants."""
    return {summary.variant.name: summary.methods[name][0] for summary in comparison.summaries}


def _unrewarded(comparison: Comparison) -> Iterator[str]:
    """Which learners look at no reward, where one was asked for that is not the usual one."""
    settings = [variant.settings for variant in comparison.plan.variants]
    if all(each.reward == Settings.reward for each in settings):
        return
    for name in dict.fromkeys(each.learner for each in settings):
        known = learner(name)
        if known.learns and not known.rewarded:
            yield f"{named(name)} looks at no reward, so --reward makes no difference to it."


def _reliable(comparison: Comparison) -> str:
    """What the column says that is called so, of exams with how many plays, and what its numbers count."""
    plan = comparison.plan
    several = comparison.curriculum
    what = "every lemma" if several else "the lemma"
    said = f"reliable from: all {plan.plays} plays of every exam from there on prove {what}"
    if plan.plays == 1:
        said = f"reliable from: the one play of every exam from there on proves {what}"
    before = f"; ≤ {plan.checkpoints[0]:,} is the first exam"
    if not several:
        return f"{said}{before}."
    counts = f", counted over the episodes on all lemmas ({plan.episodes // len(plan.lemmas):,} on each)"
    return f"{said}{counts}{before}."


def _since(comparison: Comparison, interval: Interval) -> str:
    """An episode with its interval, the first checkpoint as no more than that."""
    first = comparison.plan.checkpoints[0]
    value, low, high = (
        "never" if np.isinf(bound) else f"{'≤ ' if bound <= first else ''}{bound:,g}" for bound in map(float, interval)
    )
    return value if value == low == high else f"{value} ({low}–{high})"


def _lemma_by_lemma(comparison: Comparison) -> Table:
    """All episodes of each variant on each lemma."""
    rows = tuple(
        (
            lemma.name,
            summary.variant.name,
            percent(summary.lemma_proofs[place]),
            _since(comparison, summary.lemma_reliable[place]),
        )
        for place, lemma in enumerate(comparison.plan.lemmas)
        for summary in comparison.summaries
    )
    of_rows = {
        f"{summary.variant.name} on {lemma.name}": summary.methods["lemma_proofs"][place]
        for place, lemma in enumerate(comparison.plan.lemmas)
        for summary in comparison.summaries
    }
    note = methods({"proofs": of_rows, "reliable from": median_method(len(comparison.plan.seeds))})
    return Table("Lemma by lemma", ("lemma", "variant", "proofs", "reliable from"), rows, words=2, note=note)


def _learned(comparison: Comparison) -> Table:
    """What came of each lemma in the end."""
    header = ("lemma", "variant", "greedy proof", "know it", "shortest", "value", "tends to")
    rows = tuple(
        (lemma.name, summary.variant.name, *_last(comparison, summary, place))
        for place, lemma in enumerate(comparison.plan.lemmas)
        for summary in comparison.summaries
    )
    middle = median_method(len(comparison.plan.seeds))
    note = (
        f"{_knowing(comparison)} {methods({'greedy proof': middle, 'know it': CLOPPER_PEARSON, 'value': STUDENTS_T})}"
    )
    if comparison.curriculum:
        return Table("After the last episode", header, rows, words=2, note=note)
    return Table("After the last episode", header[1:], tuple(row[1:] for row in rows), note=note)


def _knowing(comparison: Comparison) -> str:
    """What it takes to know a lemma, and how often who learns nothing has a greedy proof by luck."""
    plan = comparison.plan
    plays = "the play" if plan.last_plays == 1 else f"every one of the {plan.last_plays} plays"
    said = (
        f"know it: students of whom {plays} of the last exam proves the lemma. greedy proof: the median play, "
        "which may prove by luck"
    )
    for summary in comparison.summaries:
        if not learner(summary.variant.settings.learner).learns:
            lucky = [
                f"{number} of {len(plan.seeds)} for {named(lemma.name)}"
                for lemma, number in zip(plan.lemmas, summary.with_proof, strict=True)
                if number
            ]
            who = named(summary.variant.name)
            return (
                f"{said}, as that of {who} does ({', '.join(lucky)})."
                if lucky
                else f"{said}; that of {who} never does."
            )
    return f"{said}: --learner uniform shows how often."


def _gains(title: str, gains: Sequence[Gain]) -> Table:
    header = ("variant", "against", "proofs", "greedy area", "plays in the end")
    rows = tuple((gain.one, gain.other, points(gain.proofs), points(gain.area), points(gain.solved)) for gain in gains)
    return Table(
        title,
        header,
        rows,
        words=2,
        note="Differences in percentage points between students of the same seed. The intervals of a column hold "
        "together in 95 % of experiments. Where all differ by the same, the interval says what one that was not drawn "
        "may change.",
    )


def _pairs(comparison: Comparison, title: str, which: Callable[[Pair], tuple[float, Interval]]) -> Table:
    names = [summary.variant.name for summary in comparison.summaries]
    table = square(title, names, {(pair.one, pair.other): which(pair) for pair in comparison.pairs})
    if not comparison.curriculum:
        return table
    together = " Over all lemmas together; lemma by lemma (lemma_pairs): --json."
    return table._replace(note=table.note + together)


def square(title: str, names: Sequence[str], pairs: Mapping[tuple[str, str], tuple[float, Interval]]) -> Table:
    """A square of probabilities, marked where two can be told apart; the columns go by the numbers of the rows.

    Args:
        title: of the table.
        names: of the rows.
        pairs: by two names the probability that the first has more than the second, and an interval that leaves out 0
            if they are told apart; each pair in one order.
    """
    known: dict[tuple[str, str], str] = {}
    for (one, other), (probability, told) in pairs.items():
        mark = "*" if told.sign else ""
        known[one, other] = f"{probability:.2f}{mark}"
        known[other, one] = f"{1 - probability:.2f}{mark}"
    rows = [
        (f"{place} {name}", *(known.get((name, other), "") for other in names)) for place, name in enumerate(names, 1)
    ]
    header = ("", *(str(place) for place in range(1, len(names) + 1)))
    note = "* told apart; of tables of equal kinds at most 5 % have an asterisk."
    return Table(title, header, tuple(rows), note=note)


def _last(comparison: Comparison, summary: Summary, place: int) -> tuple[str, str, str, str, str]:
    """Of one lemma: the greedy proof, who knows it, the shortest there is, what it is believed to be worth, and is."""
    truth = summary.truths[place]
    return (
        with_interval(summary.last_greedy[place], "g", never="none"),
        f"{summary.knowing[place]} of {len(comparison.plan.seeds)} ({_range(summary.knowing_share[place])})",
        "–" if truth.shortest is None else str(truth.shortest),
        with_interval(summary.last_value[place]),
        tends_to(truth),
    )


def tends_to(truth: Truth) -> str:
    """The value that a learner's values tend to, with its name."""
    return "–" if truth.value is None else f"{truth.name} {significant(truth.value)}"


def percent(share: Interval) -> str:
    """A share and its bounds."""
    value, low, high = map(percentage, map(float, share))
    return value if value == low == high else f"{value} ({low}–{high})"


def _range(share: Interval) -> str:
    """The bounds of a share, as percentages."""
    return f"{100 * share.low:.0f}–{100 * share.high:.0f} %"


def points(difference: Interval) -> str:
    """A difference of shares and its bounds, in percentage points."""
    value, low, high = map(rounded, difference.scaled(100))
    return f"{value} ({low} to {high})"
