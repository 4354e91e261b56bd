"""What an ablation says: its tables, and a paragraph on what helps, what does nothing that was seen, and what harms.

A term helps if students are reliable earlier with it than without it, or prove more in the last exam, as far as the
two are told apart; and harms if it is the other way round. Of others nothing is said but that nothing was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from oasis.ground.table import Table
from oasis.lab.comparison.tables import percent, points
from oasis.lab.rewarding.ablation import ALL, CORRECT, TERMINATING, Compared
from oasis.lab.rewarding.contrasts import Contrast, Difference, Outcome, contrasts, outcomes, to_json
from oasis.lab.rewarding.measures import Measures
from oasis.lab.statistics import Interval
from oasis.lab.words import bounds, conjunction, rounded, with_interval

NAMES: Final = {ALL: "all of R†", CORRECT: "C alone", TERMINATING: "terminating"}
_BETTER: Final = {"episodes": -1, "plays": 1}
"""Which sign of a difference is better; shorter proofs are no end in themselves for C."""


def tables(
    found: Sequence[Outcome], contrasts: Sequence[Contrast], title: str, names: Mapping[str, str] = NAMES
) -> Iterator[Table]:
    """What each variant came to, and how they differ.

    Args:
        found: what they came to.
        contrasts: how they differ.
        title: of the first table.
        names: what to call those that others are compared with, who have a table each.
    """
    rows = tuple(
        (
            each.variant,
            with_interval(each.episodes, ",.0f"),
            with_interval(each.median, ",g"),
            percent(each.reached),
            percent(each.plays),
            "–" if each.length is None else with_interval(each.length, ".2f"),
        )
        for each in found
    )
    yield Table(title, ("reward", "episodes", "median", "reached", "plays", "length"), rows)
    for theirs, name in names.items():
        if chosen := [each for each in contrasts if each.compared.theirs == theirs]:
            header = ("reward", "episodes", "p", "plays, points", "p", "length", "p")
            yield Table(f"Against {name}", header, tuple(map(_row, chosen)), note="* told apart; p after Holm.")


def _row(contrast: Contrast) -> tuple[str, ...]:
    if contrast.same:
        return (contrast.compared.ours, "the same", *[""] * 5)
    cells = [contrast.compared.ours]
    for measure in ("episodes", "plays", "length"):
        one = contrast.differences.get(measure)
        if one is None:
            cells += ["–", ""]
            continue
        shown = points(one.interval) if measure == "plays" else _signed(one.interval, measure)
        cells += [shown, f"{_p(one.holm)}{'*' if one.is_told else ''}"]
    return tuple(cells)


def _signed(interval: Interval, measure: str) -> str:
    form = ",.2f" if measure == "length" else ",.1f"
    value, low, high = (format(float(bound), form).replace("-", "−") for bound in interval)
    return f"{value} ({low} to {high})"


def _p(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}".lstrip("0")


def paragraph(contrasts: Sequence[Contrast]) -> list[str]:
    """The sentences of the paragraph."""
    return [
        *(_whole(each) for each in contrasts if each.compared.theirs == TERMINATING and not _is_of_a_term(each)),
        *_terms([each for each in contrasts if each.compared.is_dropped], "Among all of R†"),
        *_terms([each for each in contrasts if each.compared.term and not each.compared.is_dropped], "Beside C alone"),
    ]


def _is_of_a_term(contrast: Contrast) -> bool:
    return contrast.compared.ours not in (ALL, CORRECT)


def _whole(contrast: Contrast) -> str:
    """How a whole reward does against `terminating`."""
    ours, theirs = contrast.compared.ours, contrast.compared.theirs
    return f"{ours} against {theirs}: {compared(contrast)}."


def compared(contrast: Contrast) -> str:
    """How ours does, as the end of a sentence."""
    if contrast.same:
        return "the same, student by student"
    said = []
    for measure in _BETTER:
        one = contrast.differences[measure]
        if not one.is_told:
            said.append(
                f"{'episodes' if measure == 'episodes' else 'plays'} that are not told apart ({_about(one, measure)})"
            )
        elif measure == "episodes":
            said.append(f"reliable {_about(one, measure)}")
        else:
            said.append(f"in the end {_about(one, measure)}")
    return " and ".join(said)


def _about(one: Difference, measure: str) -> str:
    interval = one.interval if measure == "episodes" else one.interval.scaled(100)
    value = rounded(abs(interval.value))
    if measure == "episodes":
        return f"{value} episodes {'later' if interval.value > 0 else 'earlier'}, {bounds(interval)}"
    return (
        f"{value} percentage points {'more' if interval.value > 0 else 'less'} of the plays prove, {bounds(interval)}"
    )


def _terms(contrasts: Sequence[Contrast], begins: str) -> Iterator[str]:
    """Which terms help and harm, and of which nothing was seen."""
    groups: dict[str, list[str]] = {word: [] for word in ("helps", "harms", "helps and harms", "nothing", "same")}
    for each in contrasts:
        groups[effect(each) or ("same" if each.same else "nothing")].append(each.compared.term)
    plural = {"helps": "help", "harms": "harm", "helps and harms": "help in one way and harm in the other"}
    said = [
        f"{conjunction(terms)} {plural[word] if len(terms) > 1 else word}"
        for word, terms in groups.items()
        if word in plural and terms
    ]
    if groups["nothing"]:
        said.append(f"nothing was seen of {conjunction(groups['nothing'])}, of which these students can show no more")
    if groups["same"]:
        said.append(f"{conjunction(groups['same'])} changed nothing at all, student by student")
    if said:
        yield f"{begins}: {'; '.join(said)}."


def effect(contrast: Contrast) -> str:
    """What the term of a comparison does: `helps`, `harms`, `helps and harms`, or nothing that was seen."""
    signs = {
        (1 if one.interval.value > 0 else -1) * better * (-1 if contrast.compared.is_dropped else 1)
        for measure, better in _BETTER.items()
        if (one := contrast.differences[measure]).is_told
    }
    return " and ".join(word for sign, word in ((1, "helps"), (-1, "harms")) if sign in signs)


def confirmation(found: Mapping[str, Measures], title: str) -> tuple[dict[str, Any], Iterator[Table], list[str]]:
    """What weights are worth beside all of R†, C alone and `terminating`: numbers as JSON, tables, and sentences."""
    others = (ALL, CORRECT, TERMINATING)
    pairs = [Compared(name, other) for other in others for name in found if name not in others]
    differences = contrasts(found, [*pairs, Compared(ALL, TERMINATING), Compared(CORRECT, TERMINATING)])
    names = {**NAMES, ALL: "the preset"}
    sentences = [
        f"{names.get(each.compared.ours, each.compared.ours)} against terminating: {compared(each)}."
        for each in differences
        if each.compared.theirs == TERMINATING
    ]
    shown = tables(outcomes(found), differences, f"{title}; {ALL} is the preset", names)
    return to_json(outcomes(found), differences), shown, [each[0].upper() + each[1:] for each in sentences]
