"""AO*: exact shortest proofs, with a lower bound that says at any time how much shorter a proof could be.

Each goal has a lower bound on its shortest proof and the length of the shortest that is known. What is expanded next is
found from the first goal downwards by taking the move with the least bound, which sums over the goals that it leaves;
what an expansion changes is handed up. When the two numbers of the first goal meet, no proof is shorter (Martelli and
Montanari 1973; Nilsson 1980). Until a proof is known, three expansions of four go where one seems near: along proof
numbers, to which moves that the policy finds unlikely add (as in `oasis.search.proof_number`).

Goals here are sequents without what a shortest proof cannot need (`oasis.search.bounds`), and not all moves are tried.
What is left out loses no shortest proof:

**Early or never.** Call a hypothesis *separable* if nothing below the goal asks for it as a whole, be it as what is to
be proved or as what `imply1` asks for, and if one rule alone can ever apply to it. If that rule leaves one goal, a
proof that uses the hypothesis does so in some of its branches, once in each. To use it at once instead saves all uses
but one, and nothing misses what it replaces. So either its move comes first, or the hypothesis is left out: these two
are tried, and only the move where it is a landmark. The same holds for `imply4` on (C -> D) -> B where D is a
hypothesis: what it leaves first has a proof of two moves, `intro` and `assumption`, and below it has no shorter one.
And it holds for `intro`, if what it is used on can never be a hypothesis: it comes first, or no branch uses the
conclusion, which then gives way to falsum.

**Closed at once.** A goal that `assumption` or `contradiction` closes needs one move and has no shorter proof.

**imply1 instead of imply4.** Where both apply, what `imply1` leaves is one of the two goals that `imply4` leaves.

**left and right.** If no disjunction can be a hypothesis below, then of the goals that a move on a hypothesis leaves
one keeps the conclusion. So a proof of a disjunction uses `left` or `right` once at most, and may as well begin with
it; or it never uses the conclusion, which then gives way to falsum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from math import inf, log2
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from oasis.ground.limits import LimitReached
from oasis.play.solving import MEMORY, OPEN, PROVED, REFUTED, Budget
from oasis.search.bounds import Inference, Outlook, Relaxation
from oasis.search.goals import slots
from oasis.search.search import Search
from tactics.formula import Formula, Or
from tactics.goal import Goal, Hypothesis, Move, initial
from tactics.printer import UNICODE
from tactics.rules import premises

if TYPE_CHECKING:
    from oasis.search.picture import Drawing

_LEAST: Final = 1e-9
"""What a move's share counts for at least."""
_Key = tuple[int, tuple[int, ...]]
"""The numbers of a conclusion and of hypotheses in increasing order."""


class _Way(NamedTuple):
    """A move, or what is left out of a goal, and what that leaves."""

    cost: int  # 1, or 0 where something is left out
    doubt: float  # how much more the policy takes it to cost
    rule: str
    principal: int | None
    left: tuple[_Sequent, ...]


class _Sequent:
    """A goal with nothing left that a shortest proof cannot need.

    Attributes:
        lower: moves that every proof has at least; infinite if there is none.
        upper: moves of the shortest proof that is known.
        effort: its proof number: goals that may have to be expanded before a proof is known, and doubts on the way.
        ways: one of them begins a shortest proof; None before the goal is expanded.
        parents: the goals with a way to it.
    """

    __slots__ = ("conclusion", "effort", "hypotheses", "landmarks", "lower", "parents", "reached", "upper", "ways")

    def __init__(self, conclusion: int, outlook: Outlook) -> None:
        self.conclusion, self.hypotheses = conclusion, outlook.hypotheses
        self.landmarks, self.reached = outlook.landmarks, outlook.reached
        self.lower: float = outlook.bound
        self.effort: float = 1
        self.upper: float = inf
        self.ways: tuple[_Way, ...] | None = None
        self.parents: list[_Sequent] = []

    @property
    def is_settled(self) -> bool:
        """Whether the length of its shortest proof is known."""
        return self.lower == self.upper


class AOStar(Search):
    """AO* for shortest proofs."""

    between_checks: ClassVar[int] = 1
    _relaxation: Relaxation
    _first: _Sequent | None = None

    @cached_property
    def _known(self) -> dict[_Key, _Sequent | None]:
        """The goals that were reached; None for one without a proof."""
        return {}

    def brackets(self) -> Iterator[tuple[Goal, float, float]]:
        """What is known of the goals that were reached: each with bounds on its shortest proof, infinite if none."""
        for sequent in {each for each in self._known.values() if each is not None}:
            yield self._named(sequent), sequent.lower, sequent.upper

    def check_invariants(self) -> None:
        """Raise AssertionError if what is kept does not fit together."""
        self.graph.check_invariants()
        for sequent in filter(None, self._known.values()):
            assert 1 <= sequent.lower <= sequent.upper
            assert (sequent.upper < inf) == (sequent.effort == 0)
            for way in sequent.ways or ():
                assert all(sequent in each.parents for each in way.left)
                assert sequent.upper <= way.cost + sum(each.upper for each in way.left)
            if sequent.ways:
                assert sequent.lower >= min(way.cost + sum(each.lower for each in way.left) for way in sequent.ways)
        assert self._first is None or self.root.length <= self._first.upper

    @property
    def bound(self) -> int:
        """Moves that every proof has at least; of a goal that was refuted, 1."""
        return int(1 if self._first is None or self._first.lower == inf else min(self._first.lower, self.root.length))

    def _search(self) -> Iterator[None]:
        if self.root.status is REFUTED:
            return
        try:
            self._relaxation = Relaxation(self.goal.conclusion, tuple(formula for _, formula in self.goal.hypotheses))
        except LimitReached as reached:
            self.ended_by = str(reached)
            return
        number = self._relaxation.number
        hypotheses = tuple(sorted(number[formula.id] for _, formula in self.goal.hypotheses))
        first = self._first = self._reach(number[self.goal.conclusion.id], hypotheses)
        if first is None:
            self.graph.refute(self.root)
            return
        self._settle(first)
        while first.lower < self.root.length:
            self._expand(_frontier(first, eagerly=self.expansions % 4 > 0 and first.upper == inf))
            self.expansions += 1
            self._settle(first)
            yield

    def _settle(self, first: _Sequent) -> None:
        """Hand the graph what became known of the goal that is to be proved."""
        if first.lower == inf:
            self.graph.refute(self.root)
        elif first.upper < self.root.length:
            self._tell(first)

    def _reach(self, conclusion: int, hypotheses: tuple[int, ...]) -> _Sequent | None:
        """The goal without what it does not need; None if it certainly has no proof."""
        key = conclusion, hypotheses
        if key in self._known:
            return self._known[key]
        closing = next((each for each in (conclusion, self._relaxation.falsum) if each in hypotheses), None)
        outlook: Outlook | None = Outlook(1, (closing or 0,), 0, 0)
        if closing is None:
            outlook = self._relaxation.outlook(conclusion, hypotheses)
        known = outlook and self._known.get((conclusion, outlook.hypotheses))
        if known is None and outlook is not None:
            known = self._known[conclusion, outlook.hypotheses] = _Sequent(conclusion, outlook)
            if closing is not None:
                known.upper, known.effort, known.ways = 1, 0, ()
        self._known[key] = known
        return known

    def _expand(self, sequent: _Sequent) -> None:
        """Work out the ways of a goal, and hand up what that changes."""
        ways: list[_Way] = []
        moves, left_out = self._choices(sequent)
        doubts = self._doubts(sequent, moves)
        for (inference, principal), doubt in zip(moves, doubts, strict=True):
            left = [self._reach(*key) for key in _premises(sequent, inference, principal)]
            whole = tuple(each for each in left if each is not None)
            if len(whole) == len(left):
                ways.append(_Way(1, doubt, inference.rule, principal, whole))
        rest = left_out and self._reach(*left_out)
        if rest is not None:
            ways.append(_Way(0, 0.0, "", None, (rest,)))
        self.rng.shuffle(ways)
        sequent.ways = tuple(ways)
        for way in ways:
            for each in way.left:
                each.parents.append(sequent)
        _hand_up(sequent)

    def _choices(self, sequent: _Sequent) -> tuple[list[tuple[Inference, int | None]], _Key | None]:
        """The moves that are tried, and a goal in which something is left out, if that is tried beside them."""
        relaxation, hypotheses, conclusion = self._relaxation, sequent.hypotheses, sequent.conclusion
        moves: list[tuple[Inference, int | None]] = [
            (each, None) for each in relaxation.on_conclusion[conclusion] if each.premises
        ]
        on_conclusion = len(moves)
        for principal in dict.fromkeys(hypotheses):
            applicable = [
                each for each in relaxation.on_hypothesis[principal] if each.given is None or each.given in hypotheses
            ]
            if len(applicable) == 2 and applicable[1].rule == "imply4":
                applicable.pop()
            moves += [(each, principal) for each in applicable]
        early = [move for move in moves if self._is_early(sequent, *move)]
        for move in early:
            if move[0].bit & sequent.landmarks:
                return [move], None
        without_conclusion = relaxation.falsum, hypotheses
        if early:
            move = early[self.rng.below(len(early))]
            if move[1] is None:
                return [move], without_conclusion
            place = hypotheses.index(move[1])
            return [move], (conclusion, hypotheses[:place] + hypotheses[place + 1 :])
        if isinstance(relaxation.formulas[conclusion], Or) and not sequent.reached & relaxation.disjunctions:
            return moves[:on_conclusion], without_conclusion
        return moves, None

    def _is_early(self, sequent: _Sequent, inference: Inference, principal: int | None) -> bool:
        """Whether a move comes first or never."""
        relaxation, reached = self._relaxation, sequent.reached
        if principal is None:
            return inference.rule == "intro" and not reached >> 3 * sequent.conclusion & 1
        if relaxation.is_used_whole(principal, reached):
            return False
        for other in relaxation.on_hypothesis[principal]:
            if other is not inference and (other.given is None or reached >> 3 * other.given & 1):
                return False
        if len(inference.premises) == 1:
            return True
        if inference.rule != "imply4":
            return False
        implication = inference.premises[0][1]
        assert implication is not None
        right = next(each for each in relaxation.on_conclusion[implication] if each.rule == "intro").premises[0][1]
        return right in sequent.hypotheses

    def _doubts(self, sequent: _Sequent, moves: list[tuple[Inference, int | None]]) -> list[float]:
        """How unlikely the policy finds moves, in powers of two, beside the likeliest of them."""
        if len(moves) == 1 or self.proposals.is_uniform:
            return [0.0] * len(moves)
        goal, formulas = self._named(sequent), self._relaxation.formulas
        number = self.graph.goals.add(goal)
        called = [slot for slot, _, _ in self.graph.goals.edges(number)]
        shares = dict(zip(called, self.proposals.shares(number), strict=True))
        names = {formula: name for name, formula in goal.hypotheses}
        by_move = slots(goal)
        found = [
            max(_LEAST, shares[by_move[Move(each.rule, None if of is None else names[formulas[of]])]])
            for each, of in moves
        ]
        return [log2(max(found) / share) for share in found]

    def _named(self, sequent: _Sequent) -> Goal:
        """A goal with names for its hypotheses."""
        formulas = self._relaxation.formulas
        named = [Hypothesis(f"H{place}", formulas[each]) for place, each in enumerate(sequent.hypotheses)]
        return Goal(tuple(named), formulas[sequent.conclusion])

    def drawing(self, most: int) -> Drawing:
        """The goals that it reached, without what a shortest proof cannot need, and the shortest known proof."""
        from oasis.search.picture import Dot, Drawing
        from tactics.sequent import show_goal

        dots: list[Dot] = []
        again: list[tuple[int, int]] = []
        place: dict[_Sequent, int] = {}
        pending: deque[tuple[_Sequent, int | None, str, bool]] = deque()
        if self._first is not None:
            pending.append((self._first, None, "", self._first.upper < inf))
        while pending:
            sequent, above, move, on_proof = pending.popleft()
            if sequent in place:
                again.append((above or 0, place[sequent]))
            elif len(dots) < most or on_proof:
                place[sequent] = len(dots)
                status = PROVED if sequent.upper < inf else REFUTED if sequent.lower == inf else OPEN
                text = show_goal(self._named(sequent), UNICODE)
                dots.append(Dot(text, status, above, move, status is REFUTED, on_proof))
                for way in sequent.ways or ():
                    on_it = on_proof and way is _best(sequent)
                    for each in way.left:
                        below = each, place[sequent], way.rule or "without what it does not need", on_it
                        # The proof first, so that it hangs where it belongs.
                        if on_it:
                            pending.appendleft(below)
                        else:
                            pending.append(below)
        return Drawing(tuple(dots), tuple(again), len(set(self._known.values()) - {None}) - len(dots))

    @property
    def reached(self) -> int:
        """Goals."""
        return len(self._known)

    def _tell(self, first: _Sequent) -> None:
        """Hand the graph the shortest proof that is known."""
        pending = [(self.goal, first)]
        while pending:
            goal, sequent = pending.pop()
            node = self.graph.reach(self.graph.goals.add(goal))
            if node.length > sequent.upper:
                self.graph.expand(node)
            if node.length <= sequent.upper:
                continue
            way = _best(sequent)
            while not way.rule:
                way = _best(way.left[0])
            formula = None if way.principal is None else self._relaxation.formulas[way.principal]
            name = next((name for name, each in goal.hypotheses if each is formula), None)
            pending += zip(premises(goal, Move(way.rule, name)), way.left, strict=True)
        assert self.root.length <= first.upper


def _premises(sequent: _Sequent, inference: Inference, principal: int | None) -> Iterator[_Key]:
    """What a move leaves of a goal."""
    others = list(sequent.hypotheses)
    if principal is not None:
        others.remove(principal)
    for added, conclusion in inference.premises:
        yield sequent.conclusion if conclusion is None else conclusion, tuple(sorted([*others, *added]))


def _frontier(sequent: _Sequent, *, eagerly: bool) -> _Sequent:
    """The goal to be expanded next, which is the first that is not settled behind the best of the ways.

    The best is the one with the least bound; eagerly, with the least effort, and then what is proved is passed over.
    """
    while sequent.ways is not None:
        best, least = None, inf
        for way in sequent.ways:
            value = way.doubt if eagerly else way.cost
            for each in way.left:
                value += each.effort if eagerly else each.lower
            if value < least:
                best, least = way, value
        assert best is not None
        sequent = next(each for each in best.left if (each.upper == inf if eagerly else not each.is_settled))
    return sequent


def _hand_up(sequent: _Sequent) -> None:
    """Work out the numbers of a goal from those behind its ways, and so on for all whose ways lead to it."""
    pending = [sequent]
    while pending:
        sequent = pending.pop()
        assert sequent.ways is not None
        lower = upper = effort = inf
        for way in sequent.ways:
            way_lower = way_upper = float(way.cost)
            way_effort = way.doubt
            for each in way.left:
                way_lower += each.lower
                way_upper += each.upper
                way_effort += each.effort
            lower, upper, effort = min(lower, way_lower), min(upper, way_upper), min(effort, way_effort)
        lower = max(lower, sequent.lower)
        if upper < inf:
            effort = 0
        if (lower, upper, effort) != (sequent.lower, sequent.upper, sequent.effort):
            sequent.lower, sequent.upper, sequent.effort = lower, upper, effort
            pending += sequent.parents


def _best(sequent: _Sequent) -> _Way:
    """The way to the shortest proof that is known."""
    assert sequent.ways
    return min(sequent.ways, key=lambda way: way.cost + sum(each.upper for each in way.left))


def shortest_length(formula: Formula, seconds: float) -> int | None:
    """Return the number of moves in a shortest proof; None if there is none, or if that is not known in time."""
    search = AOStar(initial(formula)[0])
    for _ in search.run(Budget(seconds=seconds, memory=MEMORY)):
        pass
    return search.length if search.length == search.bound else None
