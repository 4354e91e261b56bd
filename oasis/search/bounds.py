"""Lower bounds on the length of shortest proofs, and what a shortest proof of a goal cannot need; all of it proven.

A proof is a tree with a goal at each node, so its length is 1 and for each of its moves the number of goals that the
move leaves. Played depth first it is a sequence of moves, and one forgets who obtained what and where: what has been a
hypothesis stays one, for every goal (the delete relaxation of planning). Then there are only three kinds of facts: that
a formula has been a hypothesis, that it has been a conclusion to be proved, and that it has been proved. A rule on a
formula is an *action*, which needs some facts and yields others. Every proof yields that the conclusion is proved.

**Landmarks.** An action or a fact is a landmark of a fact if every sequence of actions that yields the fact has it. The
first achiever of a fact needs all its own needs before; so the landmarks of a fact are itself and what is common to all
its achievers, an achiever's being itself and all landmarks of its needs. The largest solution of these equations, from
all landmarks downwards, has no more than the true ones (Zhu and Givan 2003; Keyder, Richter and Helmert 2010).

**The bound.** Every landmark action of the conclusion's being proved occurs in every proof. So the length is at least 1
and the number of goals left, summed over these actions. A landmark fact whose first achiever can be any of several
actions, none of them a landmark, adds the least of their numbers: no action is counted twice as long as these sets are
disjoint from each other, and those that overlap are left out. What can be a first achiever: an action that does not
itself have the fact as a landmark of its needs. Where the conclusion cannot be proved even so, the goal has no proof;
and where a model refutes it, which tells sooner.

**Models.** A world that has all hypotheses of a goal and lacks its conclusion refutes it, in every Kripke model (Kripke
1965): what is said is certain, and only what is missed is left to chance. All models are drawn at random and have three
worlds, one below two others, of which each is a model of classical logic; all of them are looked at at once, each as a
bit of an integer.

**Relevance.** In a shortest proof every move on a hypothesis leaves, in each goal that keeps the conclusion, something
that is used there; otherwise the proof of that goal proves what was there before. So a hypothesis is used only if a
chain of needs leads from the conclusion's being proved back to it; the chain need not go on behind an atom that is a
hypothesis already, as atoms are never consumed. All other hypotheses can be left out: fewer hypotheses never have a
shorter proof, as each proof stays one when a hypothesis is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from oasis.ground.limits import LimitReached
from oasis.ground.splitmix import SplitMix64
from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, subformulas
from tactics.goal import Goal
from tactics.rules import Premise, Rule, inferences

MAX_FORMULAS: Final = 10_000
"""Formulas that may be hypothesis or conclusion below one goal."""
MODELS: Final = 1024
"""How many random models are looked at."""
ALL_MODELS: Final = (1 << MODELS) - 1
"""All of them, as bits."""
_Worlds = tuple[int, int, int]
"""For the lower world and the two above it, which models have a formula there, as bits."""
_UNREACHED: Final = -1
"""All landmarks at once: those of a fact that nothing yields; -1 has every bit."""


class Outlook(NamedTuple):
    """What is known of a goal before any of its moves is tried.

    Attributes:
        bound: moves that every proof has at least.
        hypotheses: those that a shortest proof can need, in increasing order; of equal atoms one.
        landmarks: actions and facts that every proof has, as bits.
        reached: facts that can come true below it, as bits.
    """

    bound: int
    hypotheses: tuple[int, ...]
    landmarks: int
    reached: int


class Inference(NamedTuple):
    """A rule on a formula, in numbers.

    Attributes:
        rule: its name.
        given: what must be among the hypotheses, or None.
        premises: for each what it adds to the hypotheses, and its conclusion, None for the old one.
        bit: of the action among landmarks; 0 for a rule that leaves nothing.
    """

    rule: str
    given: int | None
    premises: tuple[tuple[tuple[int, ...], int | None], ...]
    bit: int


class _Effect(NamedTuple):
    """That an action yields a fact, whatever else it yields.

    Attributes:
        one, other, third: the facts that it needs; the same ones again where there are fewer.
        bits: of the action, 0 if it costs nothing, and of the fact, among landmarks.
        fact: what it yields.
    """

    one: int
    other: int
    third: int
    bits: int
    fact: int


class Relaxation:
    """The relaxed problem of all goals below one.

    Formulas are numbered from 0; formula f has three facts: 3f, it has been a hypothesis; 3f + 1, a conclusion; 3f + 2,
    it has been proved.

    Args:
        conclusion, hypotheses: of the goal.

    Attributes:
        formulas: by their numbers.
        number: of a formula by its id.
        falsum: the number of `FALSE`.
        on_hypothesis, on_conclusion: what the rules can do with each formula that can be one.

    Raises LimitReached where there are too many formulas.
    """

    def __init__(self, conclusion: Formula, hypotheses: tuple[Formula, ...]) -> None:
        self.formulas: list[Formula] = []
        self.number: dict[int, int] = {}
        self.on_hypothesis: dict[int, tuple[Inference, ...]] = {}
        self.on_conclusion: dict[int, tuple[Inference, ...]] = {}
        self._bits = 0  # given away
        self._weight_2 = self._actions = 0  # those of actions that leave two goals, and those of all actions
        self._fact_bits: dict[int, int] = {}
        self._facts: dict[int, int] = {}  # by their bits
        self._consumers: list[list[_Effect]] = []  # by a fact that is needed
        self._achievers: list[list[_Effect]] = []  # by the fact that is yielded
        self._asked: list[int] = []  # by formula: facts that ask for it as a whole
        self._pending: list[tuple[int, bool]] = []
        self.falsum = self._as_conclusion(FALSE)  # which any conclusion may give way to
        self._as_conclusion(conclusion)
        for formula in hypotheses:
            self._as_hypothesis(formula)
        while self._pending:
            formula_number, is_hypothesis = self._pending.pop()
            if is_hypothesis:
                self._on_hypothesis(formula_number)
            else:
                self._on_conclusion(formula_number)
        models = Countermodels()
        self._having = [models.having(formula) for formula in self.formulas]
        self.disjunctions = sum(1 << 3 * n for n, formula in enumerate(self.formulas) if isinstance(formula, Or))
        self.is_atomic = [not isinstance(formula, Binary) for formula in self.formulas]

    def is_used_whole(self, formula: int, reached: int) -> bool:
        """Whether a hypothesis can be used otherwise than by a rule on it: as what is to be proved, or as a given."""
        return bool(reached & self._asked[formula])

    def outlook(self, conclusion: int, hypotheses: tuple[int, ...]) -> Outlook | None:
        """What is known of a goal below that of the relaxation; None if it has no proof."""
        if _is_refuted(self._having[conclusion], [self._having[each] for each in hypotheses]):
            return None
        landmarks, reached = self._landmarks(conclusion, hypotheses)
        needed = landmarks[3 * conclusion + 2]
        if needed == _UNREACHED:
            return None
        relevant = self._relevant(conclusion, hypotheses, landmarks)
        kept: list[int] = []
        for formula in hypotheses:
            if relevant[3 * formula] and not (kept and kept[-1] == formula and self.is_atomic[formula]):
                kept.append(formula)
        return Outlook(1 + self._weight(needed, landmarks), tuple(kept), needed, reached)

    def _landmarks(self, conclusion: int, hypotheses: tuple[int, ...]) -> tuple[list[int], int]:
        """The landmarks of every fact, and which facts are reached."""
        consumers = self._consumers
        landmarks = [_UNREACHED] * len(consumers)
        queue = list({3 * conclusion + 1, *(3 * formula for formula in hypotheses)})
        waits = bytearray(len(consumers))
        reached = 0
        for fact in queue:
            landmarks[fact] = 0
            waits[fact] = 1
            reached |= 1 << fact
        for fact in queue:  # which grows
            waits[fact] = 0
            for one, other, third, bits, after in consumers[fact]:
                before = landmarks[after]
                now = before & (landmarks[one] | landmarks[other] | landmarks[third] | bits)
                if now != before:
                    landmarks[after] = now
                    if before == _UNREACHED:
                        reached |= 1 << after
                    if not waits[after]:
                        waits[after] = 1
                        queue.append(after)
        return landmarks, reached

    def _weight(self, needed: int, landmarks: list[int]) -> int:
        """Goals left, summed over landmark actions and over disjoint sets of actions of which each proof has one."""
        counted = needed & self._actions
        weight = counted.bit_count() + (counted & self._weight_2).bit_count()
        facts = needed & ~self._actions
        while facts:
            own = facts & -facts
            facts ^= own
            first = 0  # the actions that can achieve it first
            least = 2
            for one, other, third, bits, _ in self._achievers[self._facts[own]]:
                before = landmarks[one] | landmarks[other] | landmarks[third]
                if before & own:  # as -1 has
                    continue
                bit = bits ^ own
                if not bit or bit & counted:
                    break
                first |= bit
                if not bit & self._weight_2:
                    least = 1
            else:
                if first:
                    counted |= first
                    weight += least
        return weight

    def _relevant(self, conclusion: int, hypotheses: tuple[int, ...], landmarks: list[int]) -> bytearray:
        """For each fact 1 if a chain of needs leads from the conclusion's being proved to it."""
        relevant = bytearray(len(landmarks))
        settled = {3 * formula for formula in hypotheses if self.is_atomic[formula]}
        pending = [3 * conclusion + 2]
        relevant[pending[0]] = 1
        achievers = self._achievers
        while pending:
            fact = pending.pop()
            if fact in settled:
                continue
            for one, other, third, _, _ in achievers[fact]:
                if landmarks[one] | landmarks[other] | landmarks[third] != _UNREACHED:
                    if not relevant[one]:
                        relevant[one] = 1
                        pending.append(one)
                    if not relevant[other]:
                        relevant[other] = 1
                        pending.append(other)
                    if not relevant[third]:
                        relevant[third] = 1
                        pending.append(third)
        return relevant

    def _numbered(self, formula: Formula) -> int:
        number = self.number.get(formula.id)
        if number is not None:
            return number
        number = here = self._new(formula)
        while isinstance(formula, Implies):  # each asks for its antecedent, which may be one too
            formula, above = formula.left, here
            known = self.number.get(formula.id)
            here = self._new(formula) if known is None else known
            self._asked[here] |= 1 << 3 * above
            if known is not None:
                break
        return number

    def _new(self, formula: Formula) -> int:
        number = self.number[formula.id] = len(self.formulas)
        if number == MAX_FORMULAS:
            raise LimitReached(f"{MAX_FORMULAS:,} formulas were not enough")
        self.formulas.append(formula)
        self._consumers += [], [], []
        self._achievers += [], [], []
        self._asked.append(1 << 3 * number + 1)
        return number

    def _as_hypothesis(self, formula: Formula) -> int:
        number = self._numbered(formula)
        if number not in self.on_hypothesis:
            self.on_hypothesis[number] = ()
            self._pending.append((number, True))
        return number

    def _as_conclusion(self, formula: Formula) -> int:
        number = self._numbered(formula)
        if number not in self.on_conclusion:
            self.on_conclusion[number] = ()
            self._pending.append((number, False))
        return number

    def _on_hypothesis(self, number: int) -> None:
        found: list[Inference] = []
        for inference in inferences(self.formulas[number], True):
            each = self._inference(*inference)
            found.append(each)
            needs = [3 * number] if each.given is None else [3 * number, 3 * each.given]
            # The goals that a move leaves are proved one after the other.
            for added, conclusion in each.premises:
                left = [3 * formula for formula in added]
                if conclusion is not None:
                    left.append(3 * conclusion + 1)
                self._act(needs, each.bit, left)
                if conclusion is not None:
                    needs = [*needs, 3 * conclusion + 2]
        self.on_hypothesis[number] = tuple(found)

    def _on_conclusion(self, number: int) -> None:
        found: list[Inference] = []
        posed, proved = 3 * number + 1, 3 * number + 2
        for inference in inferences(self.formulas[number], False):
            each = self._inference(*inference)
            found.append(each)
            needs = [posed] if each.given is None else [posed, 3 * each.given]
            for added, conclusion in each.premises:
                assert conclusion is not None
                self._act([posed], each.bit, [3 * conclusion + 1, *(3 * formula for formula in added)])
                needs.append(3 * conclusion + 2)
            self._act(needs, each.bit, [proved])
        self.on_conclusion[number] = tuple(found)

    def _inference(self, rule: Rule, given: Formula | None, premises: tuple[Premise, ...]) -> Inference:
        bit = 0
        if premises:
            bit = self._next_bit()
            self._actions |= bit
            if len(premises) == 2:
                self._weight_2 |= bit
        left = tuple(
            (
                tuple(map(self._as_hypothesis, premise.added)),
                None if premise.conclusion is None else self._as_conclusion(premise.conclusion),
            )
            for premise in premises
        )
        return Inference(rule.name, None if given is None else self._numbered(given), left, bit)

    def _act(self, needs: list[int], bit: int, yields: list[int]) -> None:
        for fact in yields:
            if fact not in self._fact_bits:
                self._fact_bits[fact] = self._next_bit()
                self._facts[self._fact_bits[fact]] = fact
        one, other, third = (*needs, needs[0], needs[0])[:3]
        for fact in yields:
            effect = _Effect(one, other, third, bit | self._fact_bits[fact], fact)
            self._achievers[fact].append(effect)
            for need in {one, other, third}:
                self._consumers[need].append(effect)

    def _next_bit(self) -> int:
        self._bits += 1
        return 1 << self._bits


def _is_refuted(conclusion: _Worlds, hypotheses: Sequence[_Worlds]) -> bool:
    """Whether a world of some model has the hypotheses and lacks the conclusion."""
    for lacking, *having in zip(conclusion, *hypotheses, strict=True):
        against = ALL_MODELS & ~lacking
        for each in having:
            against &= each
        if against:
            return True
    return False


class Countermodels:
    """Random Kripke models over all atoms that come up; the same ones for every search."""

    def __init__(self) -> None:
        self._rng = SplitMix64.seeded(0)
        self._having: dict[Formula, _Worlds] = {}

    def refute(self, goal: Goal) -> bool:
        """Return True if a world of some model has the hypotheses of a goal and lacks its conclusion."""
        return _is_refuted(self.having(goal.conclusion), [self.having(formula) for _, formula in goal.hypotheses])

    def having(self, formula: Formula) -> _Worlds:
        """In which models the worlds have a formula."""
        known = self._having.get(formula)
        if known is None:
            for part in subformulas(formula):  # sides first, so that nothing recurses
                if part not in self._having:
                    self._having[part] = self._worked_out(part)
            known = self._having[formula]
        return known

    def _worked_out(self, formula: Formula) -> _Worlds:
        if isinstance(formula, Atom):
            one, other = self._drawn(), self._drawn()
            return one & other & self._drawn(), one, other
        if not isinstance(formula, Binary):
            return 0, 0, 0
        left, right = self._having[formula.left], self._having[formula.right]
        if isinstance(formula, And):
            return left[0] & right[0], left[1] & right[1], left[2] & right[2]
        if isinstance(formula, Implies):
            one, other = ALL_MODELS & ~left[1] | right[1], ALL_MODELS & ~left[2] | right[2]
            return (ALL_MODELS & ~left[0] | right[0]) & one & other, one, other
        return left[0] | right[0], left[1] | right[1], left[2] | right[2]

    def _drawn(self) -> int:
        bits = 0
        for _ in range(MODELS // 64):
            bits = bits << 64 | self._rng.next()
        return bits
