"""The audit of R† as tables and sentences: the terminal shows what `oasis.audit.findings` found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from oasis.audit.findings import KINDS, Finding
from oasis.audit.safety import EPISODES, LONGEST, ROUND, TOLERANCE
from oasis.ground.table import Table
from tactics.printer import brief

if TYPE_CHECKING:
    from oasis.audit.search import Search

DEFINITIONS: Final = {
    "not safe": "lemmas that lead to a state with a proof in which some best move gives it up",
    "chain": "moves of the shortest proof of Z ∨ (A1 → … → An → A1) that is best given up, of those with up to "
    f"{LONGEST}",
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
    f"lemma in rounds of {ROUND}, paid by the preset, or for a term by all",
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
    """The findings of several lemmas together, one for each reward and what was counted."""
    found: dict[tuple[str, str, float | None, str], Finding] = {}
    for each in findings:
        key = each.reading, each.name, each.weight, each.counters
        found[key] = found[key].with_(each) if key in found else each
    return list(found.values())


def of_presets(findings: Sequence[Finding], chains: Mapping[tuple[str, str], int], gamma: float) -> Table:
    """The table of whole presets, by findings that are merged, and by the moves from which on each gives up chains."""
    rows = [
        (
            each.name,
            each.counters,
            str(len(each.unsafe)),
            *_shares(each),
            str(chains[each.name, each.counters] or "–"),
        )
        for each in findings
    ]
    return Table(
        f"Whole presets, in {max(each.states for each in findings):,} states, γ = {gamma:g}",
        ("preset", "counted", "not safe", *_HEADER, "chain"),
        tuple(rows),
        words=2,
        note=_note(findings),
    )


def of_terms(findings: Sequence[Finding], gamma: float) -> Iterator[Table]:
    """A table for each reading of findings on terms that are merged."""
    for reading in dict.fromkeys(each.reading for each in findings):
        of_it = [each for each in findings if each.reading == reading]
        rows = [
            (each.name, f"{each.weight:g}", each.counters, *_shares(each), _wrong(each), _unproved(each))
            for each in of_it
        ]
        yield Table(
            f"The {reading} reading: C and one more term, in {of_it[0].states:,} states, γ = {gamma:g}",
            ("term", "weight", "counted", *_HEADER, "lemmas", "no proof"),
            tuple(rows),
            words=3,
            note=_note(of_it),
        )


def _note(findings: Sequence[Finding]) -> str:
    said = [f"Exact, but for {TOLERANCE:g} by which equal returns may differ."]
    for kind, what in (("lost", "gives up"), ("worse", "is on no shortest proof")):
        most = {each.name: each.undecided[kind] for each in findings if each.undecided[kind]}
        states = ", ".join(f"{number:,} of {name}" for name, number in most.items())
        said += [f"States in which it is not known whether a best move {what}: {states}."] if most else []
    return " ".join(said)


_HEADER: Final = ("changed", "not shortest", "proof lost", "longer", "dead end")


def _shares(finding: Finding) -> Iterator[str]:
    yield share(finding.counts["changed"], finding.states)
    for kind in ("worse", "lost", "longer", "dead"):
        yield share(finding.counts[kind], finding.provable)


def share(count: int, total: int) -> str:
    """A share in percent that is 0 or 100 only if it is."""
    if not total:
        return "–"
    if count in (0, total):
        return "0" if not count else "100 %"
    percent = 100 * count / total
    return "< 0.1 %" if percent < 0.1 else "> 99.9 %" if percent > 99.9 else f"{percent:.1f} %"


def _wrong(finding: Finding) -> str:
    return str(len({*finding.first["longer"], *finding.first["dead"]}))


def _unproved(finding: Finding) -> str:
    shown = share(finding.counts["paid"], finding.states - finding.provable)
    return f"({shown})" if finding.counts["paid"] and not finding.chosen else shown


def sentences(findings: Sequence[Finding]) -> list[str]:
    """For each preset, or term and reading, the worst that it does, in the smallest state where it does it."""
    said: dict[tuple[str, str], tuple[int, str]] = {}
    for each in findings:
        kind = next((kind for kind in KINDS if kind in each.examples), None)
        if kind is None or (kind == "paid" and not each.chosen):
            continue
        example, rank = each.examples[kind], KINDS.index(kind)
        how = [each.reading] if each.weight is None else [each.reading, f"weight {each.weight:g}"]
        counted = ["trained"] if each.counters == "trained" else []
        text = (
            f"{each.name} ({', '.join([*how, *counted])}), {_SAID[kind]}: {example.says}. "
            f"{example.lemma}: {example.state}"
        )
        if (each.reading, each.name) not in said or rank < said[each.reading, each.name][0]:
            said[each.reading, each.name] = rank, text
    pairs = dict.fromkeys((each.reading, each.name) for each in findings)
    kept = [f"{name} ({reading})" for reading, name in pairs if not _changes(findings, reading, name)]
    return [
        *([f"These leave the best moves of every state what they are: {', '.join(kept)}."] if kept else []),
        *(text for _, text in said.values()),
    ]


def of_search(name: str, search: Search) -> list[str]:
    """What came of a search for lemmas on which a reward is not safe."""
    said = []
    for finding in search.found.values():
        example, counted = finding.examples["lost"], " after training" if finding.counters == "trained" else ""
        said.append(f"{name} is not safe on {example.lemma}{counted}: {example.says}. {example.state}")
    if not search.found:
        said.append(f"{name} was found safe on every lemma that was decided.")
    tried = f"{search.tried:,} lemmas were tried, {search.theorems:,} of them theorems whose states were looked at"
    said.append(f"{tried}{f', {search.undecided:,} undecided' if search.undecided else ''}.")
    if search.worst:
        margin, _, lemma, counters = search.worst[0]
        of = f"{brief(lemma)}{', trained' if counters == 'trained' else ''}"
        said.append(f"The smallest margin of a right move is {margin:.3g} of what C pays for the proof, on {of}.")
    return said


def _changes(findings: Sequence[Finding], reading: str, name: str) -> bool:
    """Whether a reward changes what is best in any state, with any weight, or may do so."""
    of_it = [each for each in findings if (each.reading, each.name) == (reading, name)]
    return any(each.counts["changed"] or any(each.undecided.values()) for each in of_it)
