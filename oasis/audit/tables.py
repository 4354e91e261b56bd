"""The audit of R† as tables and sentences: the terminal shows what `oasis.audit.terms` found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from oasis.audit.listed import MOST
from oasis.audit.returns import TOLERANCE
from oasis.audit.terms import EPISODES, KINDS, ROUND, Finding
from oasis.dagger.term import Reading
from oasis.ground.table import Table

DEFINITIONS: Final = {
    "changed": "share of the states in which other moves are best than under C alone, where those of shortest proofs "
    "are, and in a state without a proof all",
    "not shortest": "share of the states with a proof in which a best move is on no shortest one",
    "proof lost": "share of the states with a proof in which a best move leads where there is none",
    "longer": "share of the states with a proof in which a longer one returns more than every shortest one",
    "dead end": "share of the states with a proof in which a way to get stuck returns more than every proof",
    "lemmas": "lemmas of which the best episode is a longer proof or a dead end",
    "no proof": "share of the states without a proof in which something returns more than 0; in brackets if it is the "
    "same whatever is done",
    "counted": f"what was counted: nothing yet; or trained, in {EPISODES:,} episodes of Q-learning by Name on each "
    f"lemma in rounds of {ROUND}, paid by all terms; for C_beta that the smallest proof was found before",
}
_SAID: Final = {
    "dead": "dead end",
    "lost": "proof lost",
    "longer": "longer",
    "worse": "not shortest",
    "paid": "no proof",
    "changed": "changed",
}


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of several lemmas together, one for each term, reading, weight and what was counted."""
    found: dict[tuple[str, str, float, str], Finding] = {}
    for each in findings:
        key = each.reading, each.term, each.weight, each.counters
        found[key] = found[key].with_(each) if key in found else each
    return list(found.values())


def tables(findings: Sequence[Finding], gamma: float) -> Iterator[Table]:
    """A table for each reading of findings that are merged."""
    for reading in Reading:
        of_it = [each for each in findings if each.reading == reading]
        if of_it:
            yield _table(reading, of_it, gamma)


def _table(reading: Reading, findings: Sequence[Finding], gamma: float) -> Table:
    states = max(each.states for each in findings)
    listed = max((each.states for each in findings if each.unit == "goals"), default=0)
    rows = [
        (
            f"{each.term}{' *' if each.unit == 'goals' else ''}",
            f"{each.weight:g}",
            each.counters,
            share(each.counts["changed"], each.states),
            *(share(each.counts[kind], each.provable) for kind in ("worse", "lost", "longer", "dead")),
            _wrong(each),
            _unproved(each),
        )
        for each in findings
    ]
    proofs = f"* of {listed:,} goals, each a lemma of its own, with at most {MOST:,} proofs." if listed else ""
    return Table(
        f"The {reading} reading: C and one more term, in {states:,} states, γ = {gamma:g}",
        (
            "term",
            "weight",
            "counted",
            "changed",
            "not shortest",
            "proof lost",
            "longer",
            "dead end",
            "lemmas",
            "no proof",
        ),
        tuple(rows),
        words=3,
        note=f"Exact, but for {TOLERANCE:g} by which equal returns may differ. {proofs}".strip(),
    )


def share(count: int, total: int) -> str:
    """A share in percent that is 0 or 100 only if it is."""
    if not total:
        return "–"
    if count in (0, total):
        return "0" if not count else "100 %"
    percent = 100 * count / total
    return "< 0.1 %" if percent < 0.1 else "> 99.9 %" if percent > 99.9 else f"{percent:.1f} %"


def _wrong(finding: Finding) -> str:
    if finding.unit == "goals":
        return "–"
    return str(len({*finding.first["longer"], *finding.first["dead"]}))


def _unproved(finding: Finding) -> str:
    shown = share(finding.counts["paid"], finding.states - finding.provable)
    return f"({shown})" if finding.counts["paid"] and not finding.chosen else shown


def sentences(findings: Sequence[Finding]) -> list[str]:
    """For each term and reading the worst that it does, in the smallest state where it does it."""
    said: dict[tuple[str, str], tuple[int, str]] = {}
    for each in findings:
        kind = next((kind for kind in KINDS if kind in each.examples), None)
        if kind is None or (kind == "paid" and not each.chosen):
            continue
        example, rank = each.examples[kind], KINDS.index(kind)
        counted = ", trained" if each.counters == "trained" else ""
        text = (
            f"{each.term} ({each.reading}, weight {each.weight:g}{counted}), {_SAID[kind]}: {example.says}. "
            f"{example.lemma}: {example.state}"
        )
        if (each.reading, each.term) not in said or rank < said[each.reading, each.term][0]:
            said[each.reading, each.term] = rank, text
    pairs = dict.fromkeys((each.reading, each.term) for each in findings)
    kept = [f"{term} ({reading})" for reading, term in pairs if not _changes(findings, reading, term)]
    return [
        *([f"These leave the best moves of every state what they are: {', '.join(kept)}."] if kept else []),
        *(text for _, text in said.values()),
    ]


def _changes(findings: Sequence[Finding], reading: str, term: str) -> bool:
    """Whether a term changes what is best in any state, with any weight."""
    return any(each.counts["changed"] for each in findings if (each.reading, each.term) == (reading, term))
