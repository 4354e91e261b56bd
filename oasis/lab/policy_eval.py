"""What a policy is worth: the share of a benchmark's theorems that it proves without taking back a move.

A benchmark is PropL's fixed test sets and theorems of several sizes, the ILTP library by family, or any curriculum.
Beside PropL's stand the figures that were published, and what keeps them from being comparable.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from curricula import Levels, resolve
from curricula.lemma import Lemma, Status
from oasis.backends.certifying import certificates
from oasis.lab.statistics import Interval, wilson_interval
from oasis.play.committed import Choosing, Committed, committed
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST
from tactics.claims import Claim
from tactics.errors import InputError

PROPL: Final = "propl"
LENGTHS: Final = "lengths"
"""The part of a benchmark that tells theorems apart by the moves of a shortest proof."""
SAMPLE: Final = 10
"""Proofs of each set that provers are asked about."""
_LONGEST: Final = 5
"""Into so many parts a group is divided by length, and the longest looked at by itself."""
_LENGTHS: Final = 2
"""Lengths that are told together."""
_LAST_LENGTH: Final = 16
"""Behind this one all are told together."""
_TOGETHER: Final = 250
"""Theorems that are played side by side; what is done is told after so many."""


@dataclass(frozen=True)
class Published:
    """A figure of the paper.

    Attributes:
        name: of what was measured.
        theorems: on which theorems.
        share: that it proves.
        calls: of Lean or of the model, for a theorem; None where the paper does not say.
    """

    name: str
    theorems: str
    share: float
    calls: int | None = None


PUBLISHED: Final = (
    Published("TrialMaster, single path", "the longest fifth", 0.593),
    Published("TrialMaster, backtracking", "the longest fifth", 0.887, 18),
)
"""Of An et al. (2024), arXiv 2404.07382: a language model of 7 billion parameters, trained on proofs up to the .66
quantile of length."""
_DIFFER: Final = (
    "Published figures are for other theorems: their length is that of proofs in the paper's own calculus in Lean, "
    "here it is that of shortest proofs in moves of the twelve rules; the paper's model reads and writes text, any "
    "error of Lean ending an attempt, while here"
)
_MASKED: Final = "a policy chooses among the legal moves"
_JUDGED: Final = "a policy judges what each legal move leaves"
_WRITTEN: Final = "a policy writes a rule and a formula, what is no legal move ending an attempt as well"
_EAGER: Final = ", and moves that cannot lose are made without asking it"


def differences(choosing: Choosing) -> str:
    """What keeps the published figures from being comparable with those of a way to choose moves, in a sentence."""
    how = _JUDGED if choosing.judge else _WRITTEN if choosing.is_written else _MASKED
    return f"{_DIFFER} {how}{_EAGER if choosing.invertible == 'eager' else ''}."


class Theorem(NamedTuple):
    """A lemma of a benchmark, and how it was played."""

    lemma: Lemma
    played: Committed


@dataclass(frozen=True)
class Score:
    """What was proved of some theorems.

    Attributes:
        theorems: their number.
        proved: how many of them were proved.
        cut: how many were given up because of the number of moves.
        illegal: how many were lost because something else than a legal move was written.
        moves: mean moves of the proofs; None without one.
        shortest: mean moves of shortest proofs of the same theorems; None where one is not known.
        calls: mean number of goals about which the policy was asked, for a theorem.
        trials: mean number of moves that were tried.
    """

    theorems: int
    proved: int
    cut: int
    illegal: int
    moves: float | None
    shortest: float | None
    calls: float
    trials: float

    @classmethod
    def of(cls, theorems: Sequence[Theorem]) -> Score:
        """The score of one theorem or more."""
        proved = [each for each in theorems if each.played.proved]
        shortest = [each.lemma.shortest for each in proved if each.lemma.shortest is not None]
        return cls(
            len(theorems),
            len(proved),
            sum(each.played.is_cut for each in theorems),
            sum(each.played.is_illegal for each in theorems),
            _mean(len(each.played.script) for each in proved) if proved else None,
            _mean(shortest) if proved and len(shortest) == len(proved) else None,
            _mean(each.played.calls for each in theorems),
            _mean(each.played.trials for each in theorems),
        )

    @property
    def share(self) -> Interval:
        """The share that was proved, with Wilson's interval."""
        return wilson_interval(self.proved, self.theorems)

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {**asdict(self), "share": self.share.to_json()}


@dataclass(frozen=True)
class Benchmark:
    """Theorems in groups, which may overlap.

    Attributes:
        name: of the benchmark.
        parts: groups by the name of their part, `sets`, `lengths`, `sizes` or `families`, and their own; lengths are
            those of shortest proofs, as far as these are known of the theorems of the sets.
    """

    name: str
    parts: Mapping[str, Mapping[str, tuple[Lemma, ...]]]

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """All theorems, each once."""
        return tuple(dict.fromkeys(chain(*(group for part in self.parts.values() for group in part.values()))))


def benchmark(name: str, levels: Levels | None = None) -> Benchmark:
    """The benchmark of a name: `propl`, or any curriculum, of which only what is known to be no theorem is left out.

    Args:
        name: as it is typed; `iltp` is told apart by families.
        levels: of families, or sizes in connectives; None for all.

    Raises InputError if it has no theorem.
    """
    if name == PROPL:
        sets = {each: resolve(f"propl-test-{each}").lemmas for each in ("ordinary", "hard")} if levels is None else {}
        sizes = _grouped(resolve("propl-sizes", levels=levels).lemmas, lambda lemma: str(lemma.level))
        return _with_lengths(name, {"sets": sets, "sizes": sizes})
    curriculum = resolve(name, levels=levels)
    theorems = tuple(lemma for lemma in curriculum.lemmas if lemma.status is not Status.NON_THEOREM)
    if not theorems:
        raise InputError(f"{curriculum.name} has no theorems, so there is nothing to prove; name another benchmark.")
    sets = {curriculum.name: theorems}
    families = _grouped(theorems, _family) if curriculum.name == "iltp" else {}
    return _with_lengths(curriculum.name, {"sets": sets, "families": families})


class Verdict(NamedTuple):
    """What a prover said of a sample of proofs: how many it accepted, and by lemma why it rejected others."""

    prover: str
    version: str
    accepted: int
    rejected: dict[str, str]


class Evaluation:
    """A policy that plays a benchmark; what was played so far counts, even if somebody breaks it off.

    Args:
        policy: plays.
        benchmark: what is played.
        choosing: how a move is chosen.
        seed: of lots.
        max_moves: moves after which a theorem is given up.
    """

    def __init__(
        self, policy: Policy, benchmark: Benchmark, choosing: Choosing, *, seed: int = 0, max_moves: int = LONGEST
    ) -> None:
        self.benchmark, self.choosing, self._seed = benchmark, choosing, seed
        self._played: dict[Lemma, Committed] = {}
        formulas = (lemma.formula for lemma in benchmark.lemmas)
        self._plays = committed(policy, formulas, choosing, seed=seed, max_moves=max_moves, together=_TOGETHER)

    def play(self) -> Iterator[int]:
        """Play every theorem; gives how many have been played."""
        for lemma, played in zip(self.benchmark.lemmas, self._plays, strict=True):
            self._played[lemma] = played
            yield self.done

    @property
    def done(self) -> int:
        """The number of theorems that have been played."""
        return len(self._played)

    @property
    def theorems(self) -> list[Theorem]:
        """The theorems that have been played, each once."""
        return self._theorems(self._played)

    @property
    def cut(self) -> int:
        """The number of theorems that were given up because of the number of moves."""
        return sum(played.is_cut for played in self._played.values())

    def scores(self, part: str) -> dict[str, Score]:
        """The scores of the groups of a part, as far as they were played."""
        played = {name: self._theorems(group) for name, group in self.benchmark.parts.get(part, {}).items()}
        return {name: Score.of(theorems) for name, theorems in played.items() if theorems}

    def longest(self, part: str) -> dict[str, Score]:
        """The scores of the fifth of each group whose shortest proofs are the longest, where these are known."""
        scores = {}
        for name, group in self.benchmark.parts.get(part, {}).items():
            by_length = sorted(group, key=lambda lemma: lemma.shortest or 0, reverse=True)
            theorems = self._theorems(by_length[: len(group) // _LONGEST])
            if theorems and all(lemma.shortest for lemma in group):
                scores[name] = Score.of(theorems)
        return scores

    def levels(self, part: str) -> dict[str, list[int]]:
        """The levels of each group of a part that were proved, in ascending order."""
        return {
            name: sorted(each.lemma.level for each in theorems if each.played.proved and each.lemma.level is not None)
            for name, group in self.benchmark.parts.get(part, {}).items()
            if (theorems := self._theorems(group))
        }

    def certify(self, provers: Iterable[str], say: Callable[[str], object]) -> list[Verdict]:
        """Return what provers say of `SAMPLE` proofs of each set and size, drawn by lot; none if there are no proofs.

        Args:
            provers: by their names.
            say: is told, in a sentence, which of them failed.
        """
        draw = random.Random(self._seed).random
        sample: list[Theorem] = []
        for group in chain(*(self.benchmark.parts.get(part, {}).values() for part in ("sets", "sizes"))):
            proved = [each for each in self._theorems(group) if each.played.proved]
            sample += sorted(proved, key=lambda _: draw())[:SAMPLE]
        claims = {each.lemma.name: Claim(each.lemma.formula, each.played.script) for each in sample}
        said = certificates(claims.values(), provers, say)
        names = {answer.prover: answer.version for answers in said.values() for answer in answers}
        verdicts = []
        for prover, version in names.items():
            words = [(name, each) for name, claim in claims.items() for each in said[claim] if each.prover == prover]
            rejected = {name: each.reason for name, each in words if not each.accepted}
            verdicts.append(Verdict(prover, version, len(words) - len(rejected), rejected))
        return verdicts

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints, but for how it was played."""
        parts: dict[str, Any] = {
            part: {name: score.to_json() for name, score in self.scores(part).items()} for part in self.benchmark.parts
        }
        for name, score in self.longest("sizes").items():
            parts["sizes"][name]["longest"] = score.to_json()
        for name, levels in self.levels("families").items():
            parts["families"][name]["levels"] = levels
        if self.benchmark.name == PROPL:
            parts |= {"published": [asdict(each) for each in PUBLISHED], "differences": differences(self.choosing)}
        return {"benchmark": self.benchmark.name, **parts}

    def _theorems(self, group: Iterable[Lemma]) -> list[Theorem]:
        """Those of a group that were played."""
        return [Theorem(lemma, self._played[lemma]) for lemma in group if lemma in self._played]


def _with_lengths(name: str, parts: dict[str, dict[str, tuple[Lemma, ...]]]) -> Benchmark:
    """A benchmark whose sets are told apart by length as well."""
    known = [lemma for group in parts["sets"].values() for lemma in group if lemma.shortest is not None]
    lengths = _grouped(sorted(known, key=lambda lemma: lemma.shortest or 0), _length)
    return Benchmark(name, MappingProxyType({"sets": parts["sets"], LENGTHS: lengths, **parts}))


def _length(lemma: Lemma) -> str:
    """The moves in a shortest proof, from and to."""
    assert lemma.shortest is not None
    if lemma.shortest > _LAST_LENGTH:
        return f"{_LAST_LENGTH + 1} moves and more"
    first = (lemma.shortest - 1) // _LENGTHS * _LENGTHS + 1
    return f"{first}–{first + _LENGTHS - 1} moves"


def _grouped(lemmas: Iterable[Lemma], name: Callable[[Lemma], str]) -> dict[str, tuple[Lemma, ...]]:
    """Lemmas by a name of their group, in their order."""
    groups: dict[str, list[Lemma]] = {}
    for lemma in lemmas:
        groups.setdefault(name(lemma), []).append(lemma)
    return {each: tuple(group) for each, group in groups.items()}


def _family(lemma: Lemma) -> str:
    """`SYJ203` for a lemma of a family of any level, and `SYN` for another one."""
    return lemma.name.partition(".")[0] if lemma.level is not None else lemma.name[:3]


def _mean(numbers: Iterable[int]) -> float:
    return round(fmean(numbers), 3)
