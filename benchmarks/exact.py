"""What exact exams cost: `python -m benchmarks.exact` prints a table of sizes and processor seconds.

A walk is that of an untaught student, which reaches every state. A reward of one's own is asked about every edge once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

import numpy as np

from curricula import resolve
from oasis.ground.limits import LimitReached
from oasis.play.actions import ACTION_SPACES, ActionSpace
from oasis.play.states import States
from oasis.rewards import Dependence
from oasis.rewards.named import Terminating
from oasis.student.settings import Settings
from oasis.student.student import School
from oasis.teacher.exact.policies import amounts, best
from tactics.formula import Formula

LEMMAS = {"all textbook lemmas": "textbook"} | {f"SYJ203.{level}": f"SYJ203.{level}" for level in (1, 2, 3, 4)}
REPEATED = 20
HEADS = ("", "states (edges)", "graph, s", "V*, s", "V*, own reward, s", "first walk, s", "a walk, ms", "20 plays, ms")


class Looking(Terminating):
    """A reward that looks at transitions, and is asked about each."""

    dependence = Dependence.TRANSITION


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Processor seconds that some work takes on average."""
    start = process_time()
    for _ in range(times):
        work()
    return (process_time() - start) / times


def row(title: str, formulas: list[Formula], space: ActionSpace) -> str:
    """A row of the table, for all formulas together."""
    graphs: list[States] = []
    try:
        built = seconds(lambda: graphs.extend(States(each, space) for each in formulas))
    except LimitReached as reached:
        return f"| {title}, {space.name} | {reached} |" + " |" * (len(HEADS) - 2)
    states, edges = [len(graph) for graph in graphs], sum(len(graph.after) for graph in graphs)
    size = f"{states[0]:,}" if len(graphs) == 1 else f"median {median(states):.0f}, most {max(states)}"
    student = School(Settings(actions=space.name)).student(0)

    def optimum(reward: Terminating) -> None:
        for graph in graphs:
            best(graph, np.asarray(amounts(graph, reward)), 0.9)

    def walks() -> None:
        for graph in graphs:
            student.worth(graph)

    def plays() -> None:
        for formula in formulas:
            student.examine(formula, 20)

    once = [built, *(seconds(partial(optimum, reward)) for reward in (Terminating(), Looking()))]
    once.append(seconds(walks))
    plays()
    often = [1000 * seconds(work, REPEATED) for work in (walks, plays)]
    told = [*(f"{each:.3f}" for each in once), *(f"{each:.2f}" for each in often)]
    return " | ".join([f"| {title}, {space.name}", f"{size} ({edges:,})", *told]) + " |"


def main() -> None:
    """Print the table."""
    School(Settings()).student(0).worth(States(resolve("SYJ203.1").lemmas[0].formula))  # compiled by now
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    for title, name in LEMMAS.items():
        for space in ACTION_SPACES.values():
            print(row(title, [lemma.formula for lemma in resolve(name).lemmas], space))


if __name__ == "__main__":
    main()
