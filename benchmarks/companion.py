"""How much of what a companion is taught carries over to lemmas that it was not taught.

The theorems of the course come in their order (62 of them; SYJ203.4 to 6 and one more are left out), each shown once by
a shortest proof. 26 are forks: a player by chance proves them in less than half of 100 plays. Half of the forks, in
turn, are neither shown nor put right. After each other lemma the companion plays one of the next three twice, and its
first move that loses is put right. Told is the share of plays of the forks left out that are proofs, when it comes to
them and at the end, and of all lemmas that it was shown, at the end.

    python -m benchmarks.companion -o companion.csv

It takes 4 CPU-minutes and goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean
from typing import NamedTuple

import numpy as np

from curricula.course import course
from curricula.resolve import resolve_lemma
from oasis.classroom.partner.companion import Companion, Corrected, Shown
from oasis.classroom.partner.looks import LOOKS, telling
from oasis.ground.statistics import MEAN
from oasis.play.exam import examine
from oasis.play.policy import Uniform
from oasis.teacher.exact.values import Lengths, lengths, shortest_script
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial
from tactics.rules import apply, legal_moves, premises
from tactics.script import Script

LEFT_OUT = ("SYJ203.4", "SYJ203.5", "SYJ203.6", "textbook/double_negation_and")
RUNS = 10
WAYS = {
    "chance": "by chance",
    "shown": "shown only",
    "moves": "falls put right",
    "looks": "falls put right, with a look that tells",
    "at random": "falls put right with another move, and a look, by chance",
}
MEASURED = ("when it comes to them", "at the end", "kept")


class Lemma(NamedTuple):
    """A theorem of the course with a shortest proof."""

    name: str
    formula: Formula
    proof: Script
    is_fork: bool


def lemmas() -> list[Lemma]:
    """Return the theorems of the course in their order."""
    found = []
    for name in (name for world in course() for name in world.lemmas if name not in LEFT_OUT):
        formula = resolve_lemma(name).formula
        if (proof := shortest_script(formula)) is not None:
            found.append(Lemma(name, formula, proof, examine(Uniform(), formula, plays=100, seed=9).share < 0.5))
    return found


def fall(companion: Companion, lemma: Formula, known: Lengths, chance: Random) -> tuple[Goal, Move] | None:
    """Let a companion play a lemma until it makes a move that loses, and return that move and its goal."""
    state = initial(lemma)
    while state and (moves := legal_moves(state[0])):
        (shares,) = companion.probabilities([state])
        (move,) = chance.choices(moves, shares.tolist())
        if any(known.shortest_proof((left,)) is None for left in premises(state[0], move)):
            return state[0], move
        state = apply(state, move)
    return None


def lesson(way: str, companion: Companion, goal: Goal, lost: Move, known: Lengths, chance: Random) -> Corrected:
    """Return how a fall is put right."""
    if way == "at random":
        others = [move for move in legal_moves(goal) if move != lost] or [lost]
        move = chance.choice(others)
        asked = [each.name for each in LOOKS.values() if {each.answer(goal, move), each.answer(goal, lost)} != {None}]
        return Corrected(goal, lost, move, chance.choice(asked) if asked else "")
    right = {move: length for move, length in known.by_move(goal).items() if length is not None}
    move = min(right, key=lambda each: right[each])
    tell = [each for each in telling(goal, move, lost) if each not in companion.looks]
    return Corrected(goal, lost, move, tell[0] if tell and way == "looks" else "")


def taught(way: str, seed: int, course: list[Lemma], known: dict[str, Lengths]) -> tuple[float, float, float]:
    """Raise two companions, each without half of the forks, and return the mean shares that are measured."""
    one, other = (_half(way, seed, course, known, half) for half in (0, 1))
    return mean((one[0], other[0])), mean((one[1], other[1])), mean((one[2], other[2]))


def _half(way: str, seed: int, course: list[Lemma], known: dict[str, Lengths], half: int) -> tuple[float, float, float]:
    held = [lemma for n, lemma in enumerate(lemma for lemma in course if lemma.is_fork) if n % 2 == half]
    shown = [lemma for lemma in course if lemma not in held]
    companion, chance, first = Companion(), Random(f"{way}, {seed}, {half}"), []
    for lemma in course:
        if lemma in held:
            first.append(examine(companion, lemma.formula, plays=40, seed=seed).share)
            continue
        if way == "chance":
            continue
        companion.learn(Shown(lemma.formula, lemma.proof))
        for _ in range(0 if way == "shown" else 2):
            played = chance.choice(shown[(place := shown.index(lemma)) + 1 : place + 4] or [lemma])
            fell = fall(companion, played.formula, known[played.name], chance)
            if fell is not None and any(known[played.name].by_move(fell[0]).values()):
                companion.learn(lesson(way, companion, *fell, known[played.name], chance))
    end = [examine(companion, lemma.formula, plays=40, seed=seed + RUNS).share for lemma in held]
    kept = [examine(companion, lemma.formula, plays=20, seed=seed).share for lemma in shown]
    return mean(first), mean(end), mean(kept)


def rows(done: set[tuple[str, str]]) -> Iterator[tuple[str, int, float, float, float]]:
    """Yield what came of each way of teaching and seed that is not done yet."""
    course = lemmas()
    known = {lemma.name: lengths(lemma.formula) for lemma in course}
    for way in WAYS:
        for seed in range(RUNS):
            if (way, str(seed)) not in done:
                yield way, seed, *taught(way, seed, course, known)


def main() -> None:
    """Measure what is not measured yet, and print a table of means with 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="a CSV file, which is gone on with")
    file = parser.parse_args().output
    found = [*csv.reader(file.open())] if file.exists() else []
    with file.open("a", newline="") as stream:
        for row in rows({(row[0], row[1]) for row in found}):
            csv.writer(stream).writerow(row)
            stream.flush()
    found = [*csv.reader(file.open())]
    print(f"| how it is taught | {' | '.join(MEASURED)} |\n|{'---|' * (1 + len(MEASURED))}")
    for way, words in WAYS.items():
        numbers = np.array([[float(each) for each in row[2:]] for row in found if row[0] == way])
        told = ["{:.2f} ({:.2f} to {:.2f})".format(*MEAN.of(column, 0, 1)) for column in numbers.T]
        print(f"| {words} | {' | '.join(told)} |")


if __name__ == "__main__":
    main()
