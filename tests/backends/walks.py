"""Random lemmas walked to the end in the embedded calculus, and a prover compared with it at every state.

Everything is a function of a seed. `python -m tests.backends.walks --prover coq --lemmas 2000 --seed 1` compares at
length and prints what was compared and what differed.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from oasis.backends.base import Backend
from oasis.backends.native import Native
from oasis.backends.registry import backend
from tactics.claims import Claim
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or, equivalence, negation
from tactics.goal import Goal, Move, State, initial
from tactics.printer import show
from tactics.rules import RULES, IllegalMove, apply, legal_moves, premises
from tactics.script import Script, replay

ATOM_NAMES: Final[tuple[tuple[str, ...], ...]] = (
    *(("A", "B", "C"),) * 6,
    ("A", "H"),
    ("H", "H0"),
    ("A", "H", "H1"),
    ("H0", "H1", "A"),
    ("H", "H10", "H0", "H1"),
    ("H1",),
    ("H0", "B"),
)
"""Names for the atoms of a lemma, plain ones in half of the lemmas and such that look like hypotheses in the rest."""

SIZES: Final = (2, 14)


class Walk(NamedTuple):
    """A lemma, whether it is a theorem, legal moves until none is left, and the states between them."""

    formula: Formula
    theorem: bool
    script: Script
    states: tuple[State, ...]

    @property
    def proved(self) -> bool:
        """Whether the script ends with nothing left to prove."""
        return not self.states[-1]


def random_formula(rng: Random, size: int, names: Sequence[str]) -> Formula:
    """Return a tree of about `size` nodes."""
    if size <= 1:
        return FALSE if rng.random() < 0.12 else Atom(rng.choice(names))
    kind = rng.random()
    if size == 2 or kind < 0.15:
        return negation(random_formula(rng, size - 2, names))
    if kind < 0.25 and size >= 5:
        both = max(1, (size - 3) // 2)
        left = rng.randint(1, max(1, both - 1))
        return equivalence(random_formula(rng, left, names), random_formula(rng, max(1, both - left), names))
    left = rng.randint(1, size - 2)
    connective = rng.choice((And, Or, Implies, Implies, Implies))
    return connective(random_formula(rng, left, names), random_formula(rng, size - 1 - left, names))


_provable: dict[tuple[frozenset[Formula], Formula], bool] = {}


def provable(goal: Goal) -> bool:
    """Return True if a goal has a proof, by exhaustive search: every move makes a goal lighter."""
    key = (frozenset(hypothesis.formula for hypothesis in goal.hypotheses), goal.conclusion)
    if key not in _provable:
        _provable[key] = any(all(map(provable, premises(goal, move))) for move in legal_moves(goal))
    return _provable[key]


def lemmas(seed: int, count: int, sizes: tuple[int, int] = SIZES) -> Iterator[Formula]:
    """Yield random formulas of which rather more than a half are theorems."""
    rng = Random(f"lemmas {seed}")
    for _ in range(count):
        names = rng.choice(ATOM_NAMES)
        wanted = rng.random() < 0.5
        for _ in range(300):
            formula = random_formula(rng, rng.randint(*sizes), names)
            if not wanted or provable(initial(formula)[0]):
                break
        yield formula


def walks(seed: int, count: int, sizes: tuple[int, int] = SIZES) -> Iterator[Walk]:
    """Return random lemmas, each with one random walk."""
    rng = Random(f"walks {seed}")
    return (random_walk(formula, provable(initial(formula)[0]), rng) for formula in lemmas(seed, count, sizes))


def random_walk(formula: Formula, theorem: bool, rng: Random) -> Walk:
    """Return a walk along legal moves until the lemma is proved or nothing applies."""
    script: list[Move] = []
    state = initial(formula)
    while state and (legal := legal_moves(state[0])):
        script.append(rng.choice(legal))
        state = apply(state, script[-1])
    return played(formula, theorem, tuple(script))


def played(formula: Formula, theorem: bool, script: Script) -> Walk:
    """Return the walk that a script makes."""
    return Walk(formula, theorem, script, tuple(replay(formula, script)))


def proofs(seed: int, count: int, sizes: tuple[int, int] = SIZES) -> Iterator[Claim]:
    """Yield random theorems, each with one random proof of at least one move."""
    rng = Random(f"proofs {seed}")
    found = 0
    number = 0
    while found < count:
        for formula in lemmas(seed + number * 1_000_003, count, sizes):
            if found < count and provable(initial(formula)[0]):
                found += 1
                yield Claim(formula, random_proof(formula, rng))
        number += 1


def random_proof(formula: Formula, rng: Random) -> Script:
    """Return a random walk that never leaves what is provable, to its end; for theorems only."""
    script: list[Move] = []
    state = initial(formula)
    while state:
        kept = [move for move in legal_moves(state[0]) if all(map(provable, premises(state[0], move)))]
        script.append(rng.choice(kept))
        state = apply(state, script[-1])
    return tuple(script)


def illegal_moves(state: State, rng: Random, sample: int | None = None) -> tuple[Move, ...]:
    """Return moves that do not apply to a state: all blind ones and some odd ones, or a sample of these."""
    goal = state[0]
    names = [hypothesis.name for hypothesis in goal.hypotheses]
    blind = [Move(rule.name, name) for rule in RULES.values() for name in (names if rule.takes_hypothesis else [None])]
    odd = [Move("imply1", "H77"), Move("destruct_or", "A"), Move("intro", "H"), Move("destruct_and")]
    legal = set(legal_moves(goal))
    found = [move for move in (*blind, *odd) if move not in legal]
    return tuple(found if sample is None or sample >= len(found) else rng.sample(found, sample))


class Difference(NamedTuple):
    """Where a prover and the embedded calculus part: after which moves of which lemma, and what each of them says."""

    formula: str
    script: tuple[str, ...]
    what: str
    native: object
    prover: object


def _refusal(prover: Backend, move: Move) -> bool:
    try:
        prover.apply(move)
    except IllegalMove:
        return True
    return False


def compare(
    prover: Backend, walk: Walk, rng: Random, counts: Counter[str], legal: int | None = 2, illegal: int | None = 3
) -> Iterator[Difference]:
    """Walk a lemma in a prover and in the embedded calculus at once.

    At every state the goals are compared as text, and up to `legal` legal moves and `illegal` illegal ones are tried
    there and taken back (all of them if None).
    """
    native = Native()
    native.start(walk.formula)
    prover.start(walk.formula)
    text = show(walk.formula, sugar=False)
    counts["lemmas"] += 1
    counts["theorems" if walk.theorem else "non-theorems"] += 1
    counts["proved" if walk.proved else "stuck"] += 1
    for number, state in enumerate(walk.states):
        done = tuple(map(str, walk.script[:number]))
        counts["states"] += 1
        counts["goals"] += len(state)
        here = native.goals()
        if (theirs := prover.goals()) != here:
            yield Difference(text, done, "goals", here, theirs)
            return
        if not state:
            break
        moves = legal_moves(state[0])
        for move in moves if legal is None else rng.sample(moves, min(legal, len(moves))):
            counts["legal moves"] += 1
            if _refusal(prover, move):
                yield Difference(text, done, "legal move refused", str(move), None)
                continue
            native.apply(move)
            if (theirs := prover.goals()) != (ours := native.goals()):
                yield Difference(text, (*done, str(move)), "goals", ours, theirs)
            native.back_to(number)
            prover.back_to(number)
        for move in illegal_moves(state, rng, illegal):
            counts["illegal moves"] += 1
            if not _refusal(prover, move):
                yield Difference(text, done, "illegal move accepted", None, str(move))
                prover.back_to(number)
        if (theirs := prover.goals()) != here:
            yield Difference(text, done, "goals after moves that were refused or taken back", here, theirs)
            return
        if number < len(walk.script):
            native.apply(walk.script[number])
            prover.apply(walk.script[number])


def main() -> int:
    """Compare at length; exit status 1 if anything differed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--prover", default="coq")
    parser.add_argument("--lemmas", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, help="legal and illegal moves tried at a state; all if not given")
    parser.add_argument("--mutations", type=int, default=0, help="mutated scripts to be certified as well")
    given = parser.parse_args()
    rng, counts, differences = Random(given.seed), Counter[str](), list[Difference]()
    start = time.perf_counter()
    with backend(given.prover) as prover:
        print(prover.version(), file=sys.stderr)
        for walk in walks(given.seed, given.lemmas):
            differences += compare(prover, walk, rng, counts, given.moves, given.moves)
        if given.mutations:
            from tests.backends.mutations import compare_certificates, mutants

            differences += compare_certificates(prover, list(mutants(given.seed, given.mutations)), counts)
    for difference in differences[:10]:
        print(difference, file=sys.stderr)
    seconds = round(time.perf_counter() - start, 1)
    print(json.dumps({**counts, "differences": len(differences), "seconds": seconds}, indent=1))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
