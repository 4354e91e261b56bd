"""What policies are tried on: theorems in groups, and what others published of some of them.

A benchmark is PropL's fixed test sets and theorems of several sizes, the ILTP library by family, or any curriculum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from curricula.lemma import Lemma, Status
from curricula.levels import Levels
from curricula.resolve import resolve
from tactics.errors import InputError

PROPL: Final = "propl"
_LONGEST: Final = 5
"""Into so many parts a group is divided by length, and the longest looked at by itself."""
_LENGTHS: Final = 2
"""Lengths that are told together."""
_LAST_LENGTH: Final = 16
"""Behind this one all are told together."""

Groups = dict[str, tuple[Lemma, ...]]

PUBLISHED: Final = (
    "Published of the longest fifth: TrialMaster on a single path 59.3 %, with backtracking 88.7 % and ≈ 18 calls for "
    "a theorem (An et al. 2024, arXiv 2404.07382: a language model of 7 billion parameters, trained on proofs up to "
    "the .66 quantile of length). These are other theorems: their length is that of proofs in the paper's own calculus "
    "in Lean, here it is that of shortest proofs in moves of the twelve rules; and the paper's model reads and writes "
    "text, any error of Lean ending an attempt."
)
"""What stands beside the figures for PropL, and keeps them from being comparable."""


@dataclass(frozen=True)
class Benchmark:
    """Theorems in groups, which may overlap.

    Attributes:
        name: of the benchmark.
        parts: groups by the name of their part and their own: `sets`; `lengths`, those of shortest proofs, as far as
            these are known of the theorems of the sets; `sizes` in connectives; `longest`, of each size the fifth with
            the longest shortest proofs; `families`.
    """

    name: str
    parts: Mapping[str, Groups]

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
        return _divided(name, sets, {"sizes": sizes, "longest": {each: _longest(sizes[each]) for each in sizes}})
    curriculum = resolve(name, levels=levels)
    theorems = tuple(lemma for lemma in curriculum.lemmas if lemma.status is not Status.NON_THEOREM)
    if not theorems:
        raise InputError(f"{curriculum.name} has no theorems, so there is nothing to prove; name another benchmark.")
    families = _grouped(theorems, _family) if curriculum.name == "iltp" else {}
    return _divided(curriculum.name, {curriculum.name: theorems}, {"families": families})


def _divided(name: str, sets: Groups, others: Mapping[str, Groups]) -> Benchmark:
    """A benchmark whose sets are told apart by length as well."""
    known = [lemma for group in sets.values() for lemma in group if lemma.shortest is not None]
    lengths = _grouped(sorted(known, key=lambda lemma: lemma.shortest or 0), _length)
    return Benchmark(name, MappingProxyType({"sets": sets, "lengths": lengths, **others}))


def _longest(group: tuple[Lemma, ...]) -> tuple[Lemma, ...]:
    """The fifth with the longest shortest proofs; none if these are not all known."""
    if not all(lemma.shortest for lemma in group):
        return ()
    by_length = sorted(group, key=lambda lemma: lemma.shortest or 0, reverse=True)
    return tuple(by_length[: len(group) // _LONGEST])


def _length(lemma: Lemma) -> str:
    """The moves in a shortest proof, from and to."""
    assert lemma.shortest is not None
    if lemma.shortest > _LAST_LENGTH:
        return f"{_LAST_LENGTH + 1} moves and more"
    first = (lemma.shortest - 1) // _LENGTHS * _LENGTHS + 1
    return f"{first}–{first + _LENGTHS - 1} moves"


def _grouped(lemmas: Iterable[Lemma], name: Callable[[Lemma], str]) -> Groups:
    """Lemmas by a name of their group, in their order."""
    groups: dict[str, list[Lemma]] = {}
    for lemma in lemmas:
        groups.setdefault(name(lemma), []).append(lemma)
    return {each: tuple(group) for each, group in groups.items()}


def _family(lemma: Lemma) -> str:
    """`SYJ203` for a lemma of a family of any level, and `SYN` for another one."""
    return lemma.name.partition(".")[0] if lemma.level is not None else lemma.name[:3]
