"""Shortest proofs of the ILTP library and the course, by the teacher and by AO*: `python -m benchmarks.shortest`.

The teacher works out every goal that a lemma leads to (`oasis prove LEMMA --shortest`), AO* only those that a shortest
proof may need. Prints a table with a line for each family: for how many lemmas each of them knew in time how many moves
the shortest proof has, or that there is none, and in how many seconds of CPU time altogether. Below it stands what
each of them knew of every lemma that not both of them settled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf
from time import process_time
from typing import Final, NamedTuple

from curricula import resolve
from curricula.course import course
from curricula.lemma import Lemma
from curricula.resolve import resolve_lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.play.solving import MEMORY, REFUTED, Budget
from oasis.search.ao_star import AOStar
from oasis.teacher.exact.values import lengths
from tactics.goal import initial


class Answer(NamedTuple):
    """At least and at most how many moves the shortest proof of a lemma has; infinitely many if there is none."""

    lower: float
    upper: float
    seconds: float

    @property
    def is_settled(self) -> bool:
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.is_settled:
            return "no proof" if self.upper == inf else f"{self.upper:g}"
        return f"{self.lower:g} to {'?' if self.upper == inf else f'{self.upper:g}'}"


class CPULimit(Limit):
    """A limit on CPU time, so that what else the machine does does not count."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds, MEMORY)
        self._end = process_time() + seconds

    def check(self) -> None:
        if process_time() > self._end:
            raise LimitReached(f"{self.seconds:g} seconds of CPU time were not enough")
        self.restart()
        super().check()


def by_teacher(lemma: Lemma, seconds: float) -> Answer:
    began = process_time()
    state = initial(lemma.formula)
    try:
        length = lengths(lemma.formula, CPULimit(seconds)).shortest_proof(state)
    except LimitReached:
        return Answer(1, inf, process_time() - began)
    exact = inf if length is None else length
    return Answer(exact, exact, process_time() - began)


def by_search(lemma: Lemma, seconds: float) -> Answer:
    began = process_time()
    search = AOStar(initial(lemma.formula)[0])
    for _ in search.run(Budget()):
        if process_time() - began > seconds:
            break
    lower = inf if search.status is REFUTED else search.bound
    return Answer(lower, inf if search.length is None else search.length, process_time() - began)


@dataclass
class Line:
    """One family: its lemmas, and for teacher and search how many each settled and how many seconds that took."""

    lemmas: int = 0
    by_teacher: int = 0
    by_search: int = 0
    teacher_seconds: float = 0
    search_seconds: float = 0

    def add(self, teacher: Answer, search: Answer) -> None:
        self.lemmas += 1
        self.by_teacher += teacher.is_settled
        self.by_search += search.is_settled
        self.teacher_seconds += teacher.seconds
        self.search_seconds += search.seconds

    def __str__(self) -> str:
        return (
            f"{self.lemmas} | {self.by_teacher} ({self.teacher_seconds:.0f} s) | "
            f"{self.by_search} ({self.search_seconds:.0f} s)"
        )


_KINDS: Final = {"theorem": "theorems", "non-theorem": "non-theorems"}


def chosen(only: str) -> Iterator[tuple[str, Lemma]]:
    """The lemmas whose name begins so, each with its family."""
    for lemma in resolve("iltp").lemmas:
        family = lemma.name.split(".")[0]
        name = family if family.startswith("SYJ2") else f"{lemma.name[:3]}, the rest"
        yield from [(f"{name}, {_KINDS.get(str(lemma.status), 'open')}", lemma)] if lemma.name.startswith(only) else []
    for world in course():
        for each in world.lemmas:
            if f"course/{each}".startswith(only):
                yield "the course", resolve_lemma(each)


def measure(lemmas: Iterable[tuple[str, Lemma]], seconds: float) -> tuple[dict[str, Line], list[str]]:
    """A line for each family, and what is known of the lemmas that not both settled."""
    lines: dict[str, Line] = {}
    apart: list[str] = []
    for family, lemma in lemmas:
        teacher, search = by_teacher(lemma, seconds), by_search(lemma, seconds)
        assert max(teacher.lower, search.lower) <= min(teacher.upper, search.upper), lemma.name
        lines.setdefault(family, Line()).add(teacher, search)
        if not (teacher.is_settled and search.is_settled):
            apart.append(f"| {lemma.name} | {teacher} ({teacher.seconds:.1f} s) | {search} ({search.seconds:.1f} s) |")
        print(f"{lemma.name}: {teacher}, {teacher.seconds:.2f} s; {search}, {search.seconds:.2f} s", file=sys.stderr)
    return lines, apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="of CPU time, the limit for each lemma")
    parser.add_argument("--only", default="", help="how the names of the lemmas begin")
    arguments = parser.parse_args()
    lines, apart = measure(chosen(arguments.only), arguments.seconds)
    print("| family | lemmas | the teacher | AO* |", "|---|---|---|---|", sep="\n")
    for name, line in lines.items():
        print(f"| {name} | {line} |")
    print("", "| lemma | the teacher | AO* |", "|---|---|---|", *apart, sep="\n")


if __name__ == "__main__":
    main()
