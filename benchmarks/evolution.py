"""Where does a population earn its keep? Searches on lemmas that are hard for all, at equal processor time.

`python -m benchmarks.evolution FILE` tries each lemma with each search and seed, one after the other, writes a line of
JSON for each try to FILE, and prints the table of what is there. Run again, it goes on where it stopped. Beside the
searches and the ladder `escalate` there are searches that know what an evolution knows of moves that cannot lose
(`safe`, a policy that leaves no choice where there is such a move), and evolutions that lack something: a population
(`anew` alone), all generators but one, the prover, ratings that mean anything.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.markdown import table
from curricula.resolve import resolve_lemma
from oasis.escalation.escalation import Climbing
from oasis.escalation.ladder import EXPLORER, Asked, Ladder
from oasis.escalation.solvers import NETWORK
from oasis.ground.names import SEARCHES
from oasis.ground.splitmix import SplitMix64
from oasis.neural.policies import policy_named
from oasis.play.choices import Evolving
from oasis.play.policy import Floats, Uniform
from oasis.play.solving import Budget, is_proof, solve
from oasis.search.cache import GoalCache
from oasis.search.evolution.evolution import Evolution
from oasis.search.search import Search
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.rules import first_safe, legal_moves

LEMMAS: Final = (
    *("SYJ206.7", "SYJ201.3", "SYJ202.4", "SYJ206.8"),
    *("random:size=128,atoms=8,kind=theorem,seed=2/35", "random:size=256,atoms=10,kind=theorem,seed=1/7"),
)
SEEDS: Final = 10
SECONDS: Final = 15.0
USUAL: Final = Evolving()


class Safe(Uniform):
    """The uniform policy, but where a move cannot lose it makes that one, as an evolution does."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [self._shares(state[0]) for state in states]

    def _shares(self, goal: Goal) -> Floats:
        moves = legal_moves(goal)
        safe = first_safe(moves)
        return np.array([1 / len(moves) if safe is None else float(move == safe) for move in moves])


class Lot:
    """A rater that knows nothing."""

    def __init__(self, seed: int) -> None:
        self._rng = SplitMix64.seeded(seed)

    def rank(self, drafts: Sequence[State]) -> list[int]:
        return [int(place) for place in np.argsort([self._rng.random() for _ in drafts])]


def evolving(*, is_safe: bool = False, **other: Any) -> Callable[[Goal, int], Search]:
    policy = Safe() if is_safe else Uniform()
    return lambda goal, seed: Evolution(goal, policy, seed=seed, settings=replace(USUAL, **other))


def searching(name: str, *, is_safe: bool = False) -> Callable[[Goal, int], Search]:
    policy = Safe() if is_safe else Uniform()
    return lambda goal, seed: SEARCHES[name](goal, policy, cache=GoalCache(), seed=seed)


SEARCHERS: Final[dict[str, Callable[[Goal, int], Search]]] = {
    "evolution": evolving(),
    "evolution, safe": evolving(is_safe=True),
    "evolution, safe, 2,000 a query": evolving(is_safe=True, expansions=2000),
    "best-first": searching("best-first"),
    "proof-number": searching("proof-number"),
    "ao-star": searching("ao-star"),
    "best-first, safe": searching("best-first", is_safe=True),
    "proof-number, safe": searching("proof-number", is_safe=True),
    "anew alone": evolving(generators=("anew",)),
    "continue alone": evolving(generators=("continue",)),
    "without decompose": evolving(generators=("continue", "mutate", "recombine", "anew")),
    "without a prover": evolving(queries=0),
    "rated by lot": lambda goal, seed: Evolution(goal, seed=seed, rater=Lot(seed)),
    "prover best-first": evolving(prover="best-first"),
    "edits 9": evolving(edits=9),
}
ESCALATE: Final = "escalate"


class Try(NamedTuple):
    """What came of a lemma: `seconds` of processor time, and `length` of the proof, None if there is none."""

    lemma: str
    search: str
    seed: int
    seconds: float
    length: int | None


def tried(lemma: str, search: str, seed: int, seconds: float) -> Try:
    formula = resolve_lemma(lemma).formula
    began = process_time()
    script = climbed(formula, seed, seconds) if search == ESCALATE else searched(formula, search, seed, seconds)
    spent = process_time() - began
    if script is not None:
        assert is_proof(formula, script)
    return Try(lemma, search, seed, round(spent, 2), None if script is None else len(script))


def searched(formula: Formula, search: str, seed: int, seconds: float) -> Any:
    (goal,) = initial(formula)
    found = SEARCHERS[search](goal, seed)
    list(found.run(Budget(seconds=seconds), process_time))
    return found.script()


def climbed(formula: Formula, seed: int, seconds: float) -> Any:
    ladder = Ladder.named(ESCALATE, NETWORK, EXPLORER, "")
    climbing = Climbing(ladder=ladder, asked=Asked(network=policy_named(NETWORK, None)), seed=seed, clock=process_time)
    return solve(formula, climbing, Budget(seconds=seconds)).script


def told(found: Sequence[Try]) -> str:
    """For each lemma and search how many seeds have a proof, and the median of the seconds; infinite if open."""
    lemmas, searches = dict.fromkeys(each.lemma for each in found), dict.fromkeys(each.search for each in found)
    rows = []
    for lemma, search in product(lemmas, searches):
        tries = [each for each in found if (each.lemma, each.search) == (lemma, search)]
        if tries:
            proved = np.array([each.length is not None for each in tries])
            median = np.median([each.seconds if each.length is not None else np.inf for each in tries])
            lengths = [each.length for each in tries if each.length is not None]
            seconds = f"{median:.1f}" if np.isfinite(median) else "–"
            moves = f"{np.median(lengths):.0f}" if lengths else "–"
            rows.append([lemma, search, f"{proved.sum()} of {len(tries)}", seconds, moves])
    return table(["lemma", "search", "proved", "median seconds", "median moves"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the tries are written, a line of JSON for each")
    parser.add_argument("--lemma", action="append", help="a lemma to try, instead of the usual ones")
    parser.add_argument("--search", action="append", choices=[*SEARCHERS, ESCALATE], help="likewise a search")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of processor time for a try")
    parser.add_argument("--table", action="store_true", help="only print what is there")
    options = parser.parse_args()
    lines = options.file.read_text().splitlines() if options.file.exists() else []
    found = [Try(*json.loads(line)) for line in lines]
    done = {(each.lemma, each.search, each.seed) for each in found}
    with ExitStack() as stack:
        file = None if options.table else stack.enter_context(options.file.open("a"))
        for lemma in options.lemma or LEMMAS:
            for seed, search in product(range(options.seeds), options.search or [*SEARCHERS, ESCALATE]):
                if file is not None and (lemma, search, seed) not in done:
                    found.append(tried(lemma, search, seed, options.seconds))
                    file.write(json.dumps(found[-1]) + "\n")
                    file.flush()
    print(told(found))


if __name__ == "__main__":
    main()
