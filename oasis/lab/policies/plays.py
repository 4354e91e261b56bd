"""What a policy proves of a benchmark: in one play that takes back no move, in many drawn ones, and in whole proofs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Final, NamedTuple

import numpy as np

from curricula.benchmark import Benchmark
from curricula.lemma import Lemma
from oasis.backends.certifying import certificates
from oasis.ground.limits import Limit, LimitReached
from oasis.ground.passes import passes, tries, tries_at_proofs
from oasis.ground.statistics import Floats
from oasis.ground.table import Table
from oasis.lab.measure import PERCENT, Family, Measure, Trial, whole, yes_or_no
from oasis.lab.policies.groups import Tried
from oasis.play.choices import Writing
from oasis.play.committed import Committed
from oasis.play.solving import is_proof
from oasis.play.writing import Proof, author_of, written
from oasis.teacher.arguments import checked
from oasis.teacher.deciding.decide import SECONDS
from oasis.teacher.deciding.intuit import Intuit
from tactics.claims import Claim
from tactics.errors import InputError
from tactics.goal import initial

SAMPLE: Final = 10
"""Proofs of each set that provers are asked about."""
PLAYED: Final = Family(
    "plays",
    "moves",
    (
        yes_or_no(
            "proved",
            "share of theorems that one play proves, which takes back no move",
            whole("proved"),
            tested=True,
            headline=True,
        ),
        Measure("moves", "of a proof", whole("moves"), least=0),
        Measure("too many", "moves beyond a shortest proof", lambda trial: trial["moves"] - trial["shortest"], least=0),
        Measure("calls", "goals that the policy is asked about, for a theorem", whole("calls"), least=0),
        Measure("trials", "moves that are tried, or expansions of a search, for a theorem", whole("trials"), least=0),
        yes_or_no("illegal", "lost by writing what is no legal move", whole("illegal")),
        yes_or_no("cut short", "given up after --max-proof moves", whole("cut"), warn_above=0.01),
    ),
    across="lemmas",
)


Verdicts = dict[str, dict[str, str | None]]
"""By prover and version, of each lemma why its proof is rejected; None if it is accepted."""


class Evaluation(Tried[Committed]):
    """A policy that plays each lemma once."""

    family = PLAYED

    def tried(self) -> Iterator[Committed]:
        """Play every lemma once."""
        return self.played(self.seed)

    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return how lemmas were played; each array has shape (lemmas,), nan for what there is not."""
        plays = [self.done[lemma] for lemma in lemmas]
        proved = np.array([play.proved for play in plays])
        return {
            "proved": proved,
            "moves": np.where(proved, np.array([len(play.script) for play in plays], np.float64), np.nan),
            "shortest": np.array([lemma.shortest or np.nan for lemma in lemmas]),
            "calls": np.array([play.calls for play in plays]),
            "trials": np.array([play.trials for play in plays]),
            "illegal": np.array([play.is_illegal for play in plays]),
            "cut": np.array([play.is_cut for play in plays]),
        }

    def proved(self, group: Iterable[Lemma]) -> list[Lemma]:
        """Return the lemmas of a group that are proved."""
        return [lemma for lemma in group if lemma in self.done and self.done[lemma].proved]


def attempts(trial: Trial) -> Floats:
    """Take the plays until the first proof, on average over all orders, or all of them; shape (lemmas,)."""
    plays, proofs = int(trial["plays"]), trial["proofs"]
    return np.asarray(np.where(proofs > 0, (plays + 1) / (proofs + 1), plays))


DRAWN: Final = Family(
    "drawn plays",
    "plays",
    (
        Measure(
            "attempts",
            "tries until a theorem is proved, averaged over their orders; all of them if none proves it",
            attempts,
            "less",
            tested=True,
            headline=True,
            least=1,
            digits=2,
            never=lambda trial: np.asarray(trial["proofs"] == 0),
        ),
        yes_or_no(
            "pass@k",
            "share that at least one of k tries proves, estimated without bias",
            lambda trial: passes(trial["proofs"], int(trial["plays"]), trial["ks"]).T,
            better="more",
            x="ks",
            axis="k",
            by_point=True,
        ),
    ),
    across="lemmas",
)


WRITTEN: Final = Family(
    "written proofs",
    "proofs",
    (
        *DRAWN.measures,
        Measure("calls", "calls of the writer, for all proofs of a theorem", whole("calls"), least=0),
        Measure("tokens", "tokens written for all proofs of a theorem, cut or kept", whole("tokens"), least=0),
        Measure(
            "right claims",
            "share of the claims in a theorem's proofs that are right about what is provable",
            lambda trial: trial["right"] / np.where(trial["claims"], trial["claims"], np.nan),
            better="more",
            **PERCENT,
        ),
    ),
    across="lemmas",
)


class Drawn(NamedTuple):
    """What all tries at a lemma came to: those that prove it, calls of the writer, tokens, claims, and right claims."""

    proofs: int
    calls: int = 0
    tokens: int = 0
    claims: int = 0
    right: int = 0


@dataclass(kw_only=True)
class Samples(Tried[Drawn]):
    """Plays of each lemma, each with its own random numbers, of which those that prove it are counted.

    The temperature of `choosing` is above 0; at 0 plays differ by lots among equal moves alone. The first play of each
    lemma has `seed`, the others have the next ones.

    Attributes:
        samples: plays of each lemma, at least 2.
        ks: the tries to tell of, each from 1 to `samples`; none for round numbers up to it.

    Raises InputError for a k beyond the samples.
    """

    family = DRAWN
    option: ClassVar = "--samples"

    samples: int
    ks: Sequence[int] = ()

    def __post_init__(self) -> None:
        if any(k > self.samples for k in self.ks):
            typed = ",".join(map(str, self.ks))
            raise InputError(f"--k is {typed}; give numbers from 1 to the {self.samples} of {self.option}.")
        self.ks = tuple(sorted({*self.ks})) or self.usual()

    def usual(self) -> tuple[int, ...]:
        """Return the ks that are reported if none are named."""
        return tries(self.samples)

    def tried(self) -> Iterator[Drawn]:
        """Play every lemma so many times; gives how many of its plays prove it."""
        plays = [self.played(seed) for seed in range(self.seed, self.seed + self.samples)]
        return (Drawn(sum(play.proved for play in of_lemma)) for of_lemma in zip(*plays, strict=True))

    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return the counts of each lemma, the number of tries, and the ks of pass@k."""
        found = np.array([self.done[lemma] for lemma in lemmas])
        told = dict(zip(Drawn._fields, found.T, strict=True))
        return {**told, "plays": np.array(self.samples), "ks": np.array(self.ks)}


@dataclass(kw_only=True)
class Proofs(Samples):
    """Whole proofs of each lemma, each with its own random numbers and replayed from the beginning.

    Attributes:
        writing: how they are written; moves that cannot lose are written like all others.
    """

    family = WRITTEN
    option = "--written"

    writing: Writing

    def usual(self) -> tuple[int, ...]:
        """Return the ks that are reported if none are named."""
        return tries_at_proofs(self.samples)

    def tried(self) -> Iterator[Drawn]:
        """Have `samples` proofs of every lemma written side by side."""
        author = author_of(self.policy)
        for lemma in self.lemmas:
            state = initial(lemma.formula)
            proofs = [Proof(state[0], state, seed) for seed in range(self.seed, self.seed + self.samples)]
            spent = [*written(author, proofs, self.writing)]
            proved = sum(is_proof(lemma.formula, proof.script) for proof in proofs)
            calls, tokens = (sum(counts) for counts in list(zip(*spent, strict=True))[1:])
            claims = [*_claims(proofs)]
            yield Drawn(proved, calls, tokens, len(claims), sum(claims))


def _claims(proofs: Iterable[Proof]) -> Iterator[bool]:
    """Yield whether each claim before a move of some proofs is right, until `SECONDS` are over.

    A claim that cannot be read is not right.
    """
    oracle = Intuit(Limit(SECONDS))
    with suppress(LimitReached):
        for proof in proofs:
            goals = [state[0] for state in (proof.begun, *proof.states) if state]
            for goal, piece in zip(goals, proof.pieces, strict=False):
                for claim in checked(goal, piece.said, oracle):
                    if claim.is_right is None:
                        oracle.limit.check()
                    yield bool(claim.is_right)


def certified(
    benchmark: Benchmark, found: Evaluation, provers: Iterable[str], say: Callable[[str], object]
) -> Verdicts:
    """Return what provers say of `SAMPLE` proofs of each set and size, drawn by lot.

    Args:
        benchmark: whose groups were played.
        found: the proofs.
        provers: by their names.
        say: is told, in a sentence, which of them failed.
    """
    draw = random.Random(found.seed).random
    groups = chain(*(benchmark.parts.get(part, {}).values() for part in ("sets", "sizes")))
    sample = [lemma for group in groups for lemma in sorted(found.proved(group), key=lambda _: draw())[:SAMPLE]]
    claims = {lemma.name: Claim(lemma.formula, found.done[lemma].script) for lemma in sample}
    said = certificates(claims.values(), provers, say)
    verdicts: Verdicts = {}
    for name, claim in claims.items():
        for answer in said[claim]:
            verdicts.setdefault(answer.version, {})[name] = None if answer.accepted else answer.reason
    return verdicts


def said(verdicts: Mapping[str, Verdicts]) -> Iterator[str]:
    """Say how many of the proofs of each policy provers accept, and why they reject others."""
    for policy, by_prover in verdicts.items():
        for prover, of_lemmas in by_prover.items():
            rejected = [f"{name}: {reason}" for name, reason in of_lemmas.items() if reason is not None]
            accepted = len(of_lemmas) - len(rejected)
            yield f"{prover} accepts {accepted:,} of {len(of_lemmas):,} proofs of {policy} drawn by lot."
            yield from rejected


def levels(benchmark: Benchmark, found: Mapping[str, Evaluation]) -> Iterator[Table]:
    """Yield which levels of each family each policy proves."""
    rows = tuple(
        (name, *(", ".join(str(lemma.level) for lemma in each.proved(group) if lemma.level) for each in found.values()))
        for name, group in benchmark.parts.get("families", {}).items()
    )
    if rows:
        yield Table("Levels proved", ("family", *found), rows, words=1 + len(found))
