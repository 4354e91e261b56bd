"""PropL as a curriculum: lemmas by number, samples of them, and the published sets with the lengths of their proofs.

The formula of 16 connectives with number 5 is `propl/16/5`. The sets are fixed (`data/propl.tsv.gz`, which
`python -m benchmarks.propl --write` made): theorems to learn from, 1,000 ordinary and 1,000 hard ones to be tested on,
and some of each size. A theorem is ordinary if its shortest proof has at most 6 moves of the twelve rules, and hard if
it has at least 9; the paper's own division counts in its own calculus.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from curricula.generator import PATIENCE, search_status
from curricula.lemma import Lemma, Status
from curricula.propl import ATOMS, CONNECTIVES, formula, formulas, numbers_below
from curricula.settings import MAX_COUNT, Settings
from tactics.errors import InputError, check_choice
from tactics.formula import Formula

ORDINARY: Final = 6
"""Moves in the shortest proof of an ordinary theorem, at most."""
HARD: Final = 9
"""Moves in the shortest proof of a hard theorem, at least."""
SIZES: Final = (16, 32, 64, 128, 256)
"""Connectives of the theorems in `propl-sizes`."""
MAX_CONNECTIVES: Final = 500  # a name has at most 1,000 characters
MAX_ATOMS: Final = 99
_KNOWN_KINDS: Final = ("ordinary", "hard")
KINDS: Final = ("any", "theorem", "non-theorem", *_KNOWN_KINDS)

DESCRIPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "propl": "uniform formulas as in PropL, as in propl:n=16,count=100,seed=1,kind=theorem; propl/16/5 is number 5",
        "propl-train": "PropL: theorems of 16 connectives to learn from",
        "propl-test-ordinary": f"PropL: theorems with a proof of at most {ORDINARY} moves",
        "propl-test-hard": f"PropL: theorems without a proof of less than {HARD} moves",
        "propl-sizes": "PropL: theorems of 16, 32, 64, 128 and 256 connectives, which are their levels",
    }
)
"""What the sample and each of the published sets is."""


class Entry(NamedTuple):
    """A theorem of a published set.

    Attributes:
        n: its connectives.
        number: which of them it is.
        length: moves in a shortest proof.
    """

    n: int
    number: int
    length: int


def written(sets: Mapping[str, Iterable[Entry]]) -> str:
    """Sets as text: a line for each theorem, with set, n, length and number."""
    return "".join(
        f"{name}\t{n}\t{length}\t{number}\n" for name, entries in sets.items() for n, number, length in entries
    )


@cache
def published() -> Mapping[str, tuple[Entry, ...]]:
    """The published sets by name, in the order in which their theorems were drawn."""
    content = gzip.decompress(files("curricula").joinpath("data", "propl.tsv.gz").read_bytes()).decode()
    sets: dict[str, list[Entry]] = {}
    for line in content.splitlines():
        name, n, length, number = line.split("\t")
        sets.setdefault(name, []).append(Entry(int(n), int(number), int(length)))
    return MappingProxyType({name: tuple(entries) for name, entries in sets.items()})


@cache
def _lengths() -> Mapping[tuple[int, int], int]:
    """The moves in a shortest proof by connectives and number, for the theorems of the published sets."""
    return MappingProxyType({(n, number): length for entries in published().values() for n, number, length in entries})


def published_lemmas(name: str) -> Iterator[Lemma]:
    """The lemmas of a published set. Raises KeyError."""
    return (propl_lemma(entry.number, entry.n) for entry in published()[name])


@dataclass(frozen=True, slots=True)
class PropLSettings(Settings):
    """What sample to take; the same settings give the same lemmas in every process.

    Attributes:
        n: connectives in each formula, 0 to 500; those of the leaf True do not count.
        atoms: different atoms that may occur, 0 to 99: p1, p2 and so on.
        kind: `theorem` or `non-theorem`; `ordinary` or `hard`, which are taken from `propl-train` and so have 16
            connectives and 5 atoms; `any` for formulas as they are drawn.
        count: how many lemmas, 1 to 10,000; a larger count only adds lemmas at the end.
        seed: any integer from 0.

    Raises:
        InputError: a setting is out of range.
    """

    curriculum: ClassVar[str] = "propl"
    of_a_choice: ClassVar[tuple[str, ...]] = ("n", "kind", "count", "seed")

    n: int = CONNECTIVES
    atoms: int = ATOMS
    kind: str = "any"
    count: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        self.check_range("n", self.n, 0, MAX_CONNECTIVES)
        self.check_range("atoms", self.atoms, 0, MAX_ATOMS)
        self.check_range("count", self.count, 1, MAX_COUNT)
        self.check_seed(self.seed)
        check_choice("kind", self.kind, KINDS)
        if self.kind in _KNOWN_KINDS and (self.n, self.atoms) != (CONNECTIVES, ATOMS):
            raise InputError(
                f"kind={self.kind} is known of formulas with {CONNECTIVES} connectives and {ATOMS} atoms alone; leave "
                "out n and atoms, or ask for kind=theorem."
            )


def propl_lemma(number: int, n: int = CONNECTIVES, atoms: int = ATOMS) -> Lemma:
    """The lemma of a number, such as `propl/16/5`, or `propl:atoms=3/16/5`. Raises InputError if there is none."""
    return _lemma(number, formula(number, n, atoms), PropLSettings(n=n, atoms=atoms))


def _lemma(number: int, meant: Formula, settings: PropLSettings) -> Lemma:
    n, atoms = settings.n, settings.atoms
    shortest = _lengths().get((n, number)) if atoms == ATOMS else None
    status = search_status(meant) if shortest is None else Status.THEOREM
    source = f"PropL, An et al. 2024: {n} connectives, {atoms} atoms"
    return Lemma(f"{settings.prefix}/{n}/{number}", meant, status, source, level=n, shortest=shortest)


def propl_lemmas(settings: PropLSettings) -> Iterator[Lemma]:
    """The lemmas of a sample, all with different formulas, uniformly drawn.

    For `theorem` and `non-theorem` a formula is kept when `search_status` decides it so within its budget, as for
    random lemmas; at 16 connectives that is nearly always.

    Raises:
        InputError: there are fewer lemmas of this kind, or `PATIENCE` draws in a row gave no further one.
    """
    draw = random.Random(settings.seed).random
    chosen = _of_training(settings.kind, draw) if settings.kind in _KNOWN_KINDS else _drawn(settings, draw)
    number = 0
    for number, lemma in enumerate(chosen, start=1):
        yield lemma
        if number == settings.count:
            return
    raise InputError(
        f"There are only {number} such lemmas ({settings.text}); ask for as many with count={max(1, number)}."
    )


def _of_training(kind: str, draw: Callable[[], float]) -> Iterator[Lemma]:
    """The ordinary or hard theorems of `propl-train` in an order by lot."""
    fitting = [
        entry
        for entry in published()["propl-train"]
        if (entry.length <= ORDINARY if kind == "ordinary" else entry.length >= HARD)
    ]
    return (propl_lemma(entry.number, entry.n) for entry in sorted(fitting, key=lambda _: draw()))


def _drawn(settings: PropLSettings, draw: Callable[[], float]) -> Iterator[Lemma]:
    """Different formulas of a kind, until none turns up any more."""
    n, atoms = settings.n, settings.atoms
    draw_number = numbers_below(formulas(n, atoms), draw)
    used: set[Formula] = set()
    in_vain = 0
    while in_vain < PATIENCE:
        number = draw_number()
        meant = formula(number, n, atoms)
        in_vain += 1
        if meant not in used:
            lemma = _lemma(number, meant, settings)
            if settings.kind in ("any", lemma.status):
                used.add(meant)
                in_vain = 0
                yield lemma
