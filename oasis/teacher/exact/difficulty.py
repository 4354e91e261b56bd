"""How hard a lemma is, exactly: what two lemmas must have in common to be called equally hard."""

from __future__ import annotations

from collections.abc import Collection
from math import inf, isinf
from typing import Final, NamedTuple

from oasis.ground.limits import Limit, LimitReached
from oasis.ground.plural import counted
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.smallest import smallest
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import MOST, Lengths
from tactics.formula import Formula
from tactics.goal import initial, sequent
from tactics.unnamed import NONE, RULE_NAMES

UNPROVED: Final = "no proof with these tactics"


class Difficulty(NamedTuple):
    """How hard a lemma is. Names of atoms and hypotheses make no difference to it.

    What is counted of a lemma with a proof are goals that can come up before anything is lost, each once whatever its
    hypotheses are called and wherever it stands; a move of such a goal loses if it leaves a goal without a proof.

    Attributes:
        moves: in a shortest proof; None if there is none.
        losing: the moves that lose.
        first: the fewest moves after which one of them can be made; None if none can ever.
        vain: of a lemma without a proof the most moves that can be made until none is left, else None.
        worlds: of its smallest countermodel; None for a lemma that has a proof, be it with other tactics.
    """

    moves: int | None
    losing: int = 0
    first: int | None = None
    vain: int | None = None
    worlds: int | None = None

    def sentence(self) -> str:
        """The same in words, without a capital and a full stop."""
        if self.moves is None:
            wide = "" if self.worlds is None else f", a countermodel of {counted(self.worlds, 'world')}"
            return f"{UNPROVED if self.worlds is None else 'no proof'}{wide}, at most {_moves(self.vain or 0)} in vain"
        lose = f"{_moves(self.losing)} that lose" if self.losing != 1 else "1 move that loses"
        after = "" if self.first is None else f", the first after {self.first:,}"
        return f"a shortest proof of {_moves(self.moves)}, {lose}{after}"


def difficulty(
    formula: Formula, limit: Limit | None = None, rules: Collection[str] = RULE_NAMES, max_goals: int = MOST
) -> Difficulty:
    """Return how hard a lemma is with these rules.

    Raises LimitReached, also if it is not certain that no countermodel has fewer worlds than the one that was found.
    """
    start = initial(formula)
    graph = GoalGraph(start, limit, max_goals, rules)
    lengths = Lengths(graph)
    length = lengths.shortest_proof(start)
    if length is None:
        return Difficulty(None, vain=int(lengths.ends(start)[2]), worlds=_worlds(formula, limit))
    losing, first = _losing(lengths, graph.number[sequent(start[0])])
    return Difficulty(length, losing, None if isinf(first) else int(first))


def _losing(lengths: Lengths, root: int) -> tuple[int, float]:
    """How many moves lose, of goals that are reached before one did, and after how few moves the first is at hand.

    What a move leaves has a smaller number than its goal, so all ways to a goal are known when its turn comes. The
    second goal that a move leaves comes up once the first is proved.
    """
    graph, shortest = lengths.graph, lengths.shortest
    after = {root: 0.0}
    losing, first = 0, inf
    for goal in range(root, -1, -1):
        if goal not in after:
            continue
        for move in range(graph.first_move[goal], graph.first_move[goal + 1]):
            one, other = graph.premises[move].tolist()
            if isinf(shortest[one] + shortest[other]):
                losing += int(graph.times[move])
                first = min(first, after[goal])
                continue
            steps = after[goal] + 1
            for premise in (one, other):
                if premise != NONE:
                    after[premise] = min(steps, after.get(premise, inf))
                    steps += float(shortest[premise])
    return losing, first


def _worlds(formula: Formula, limit: Limit | None) -> int | None:
    """How many worlds the smallest countermodel has; None if there is a proof. Raises LimitReached."""
    found = Intuit(limit or Limit()).decide((), formula)
    if not isinstance(found, Kripke):
        return None
    model, is_smallest = smallest(found, (), formula, limit)
    if not is_smallest:
        raise LimitReached(f"whether a countermodel has fewer than {len(model.true)} worlds was not found out")
    return len(model.true)


def _moves(number: int) -> str:
    return counted(number, "move")
