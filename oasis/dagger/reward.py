"""R†: the weighted sum of sixteen terms, on the seam on which every reward hangs.

A step becomes a row once: what its transition terms pay together, and the numbers of what is counted about it. What
counters pay is a table, which stands still for a round; so is what many steps pay one sum over arrays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.alike import Alike
from oasis.dagger.beliefs.remembered import Remembered
from oasis.dagger.counters import Counters
from oasis.dagger.looks import Counts, Focus, Look, Looks, Use
from oasis.dagger.packing import packed
from oasis.dagger.shapes import Tactic, shape
from oasis.dagger.steps import Step, moves_of
from oasis.dagger.tables import Tables
from oasis.dagger.term import Context, Form, OfGoal, OfProof, OfState, OfStep, OfUse, Packed, Reading, Term
from oasis.dagger.weights import Weights
from oasis.ground.names import TERMS
from oasis.play.actions import SIMPLIFY
from oasis.rewards import Dependence, RowReward
from oasis.rewards.seam import Rows
from state_spaces.canonical import label
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, principal
from tactics.rules import RULES

Floats = NDArray[np.float64]
_Form = TypeVar("_Form", bound=Form)

ROW: Final = np.dtype(
    [
        ("amount", "f8"),  # what its transition terms pay
        ("mean", "f8"),  # what those pay that are averaged over an episode
        ("tactic", "i4"),  # by number; 0 if it does not apply
        ("goal", "i4"),  # in focus before it, by number
        ("settled", "i4"),  # the goal that it settles, by number, or 0
        ("stuck", "i1"),  # 0 if that is closed, 1 if it is stuck
        ("rule", "i1"),  # by number; -1 if it does not apply
        ("opened", "i4"),  # how many goals more are open after it
    ]
)
_RULES: Final = {name: number for number, name in enumerate([*RULES, SIMPLIFY.rule])}
_REMEMBERED: Final = 2**18
"""Proofs, after which those that are remembered are packed again."""


class Part(NamedTuple):
    """A term with its say in the sum.

    Attributes:
        name: the term's.
        form: the one of its reading.
        weight: what it is multiplied with, other than 0; the opposite of what was given for one that is subtracted.
    """

    name: str
    form: Form
    weight: float


class RewardDagger(RowReward):
    """The full reward.

    Args:
        weights: of the terms, and their options.
        context: what they look up; its options are those of the weights.

    Attributes:
        parts: the terms that have a say.
        counters: what it has counted.
        clipped: how many of the amounts that it was asked for went beyond the clip.
    """

    row_type = ROW

    def __init__(self, weights: Weights, context: Context) -> None:
        self.sees_names = weights.options.embedding == "sentence"
        alike = Alike(self.sees_names)
        belief = Remembered(context.belief, alike.state)
        self.context = replace(context, belief=belief)
        self.weights, self.gamma, self.round = weights, context.gamma, weights.round
        terms: dict[str, Term] = {name: TERMS.find(name, "dagger") for name in weights.weights}
        self.parts = tuple(
            Part(name, term.version(weights.reading).form, weights.weights[name] * (-1 if term.is_subtracted else 1))
            for name, term in terms.items()
        )
        steps = self._of(OfStep)
        self._by_counts = [each for each in steps if each[0].by_counts]
        self._by_chances = [(form.by_chances, weight) for form, weight in steps if form.by_chances]
        self._by_states = [each for each in steps if not each[0].by_counts and not each[0].by_chances]
        self._looks = Looks(self.context, belief, alike, self._of(OfState))
        self._uses, self._goals, self._proofs = self._of(OfUse), self._of(OfGoal), self._of(OfProof)
        self._names_tactics = bool(self._uses) or weights.options.compression == "ast"
        self.pays_failures = any(form.averaged for form, _ in steps)
        self.pays_at_end = self.pays_failures or bool(self._proofs)
        if self._uses or self._goals or (self._proofs and weights.reading is Reading.SOUND):
            self.dependence = Dependence.HISTORY
        else:
            of_kind = all(term.of_kind for term in terms.values())
            self.dependence = Dependence.KIND if of_kind else Dependence.TRANSITION
        self.counters, self.clipped, self._lemma = Counters(), 0, b""
        self.leaks = context.belief.leaks and "S_KL" in weights.weights
        self._tables = Tables(self.counters, context, self._uses, self._goals)
        self._packed: dict[bytes, tuple[int, int]] = {}
        self._surprises: dict[tuple[float, float], float] = {}

    def begin(self, lemma: Formula) -> None:
        """Proofs from now on are of this lemma."""
        self._lemma = lemma.digest

    def pay_one(self, row: tuple[Any, ...]) -> float:
        """As `pay`."""
        amount, _, tactic, _, settled, stuck, *_ = row
        self._tables.extend()
        return self._within(amount + self._tables.uses.item(tactic) + self._tables.goals.item(settled, stuck))

    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[Any, ...]:
        """As `ROW`; steps that differ in the names and the order of hypotheses alone have one."""
        look = self.look(before)
        assert look.focus is not None
        there = _named_there(before[0], move, look.focus.goal)
        return self.row_between(look, there, look if after == before else self.look(after), ended)

    def look(self, state: State) -> Look:
        """What there is to know of a state."""
        return self._looks.look(state)

    def row_between(self, before: Look, move: Move, after: Look, ended: bool) -> tuple[Any, ...]:
        """As `row`."""
        focus = before.focus
        assert focus is not None
        use = focus.uses.get(move) or self._use(focus, move)
        opens, leaves = len(before.state), len(after.state)
        moves = 0 if after is before else moves_of(before.state, move)
        counts = opens, leaves, moves, ended
        amount, mean = use.known.get(counts) or self._paid_by_counts(use, counts, before, move, after)
        if self._by_chances:
            amount += self._surprise(before, after, ended)
        if self._by_states:
            step = Step(before.state, move, after.state, ended, moves)
            for form, weight in self._by_states:
                value = weight * form.value(self.context, step)
                amount, mean = (amount, mean + value) if form.averaged else (amount + value, mean)
        amount += after.amount + (0.0 if ended else self.context.gamma * after.potential) - before.potential
        goal = settled = 0
        closes = leaves < opens
        if self._goals:
            goal = focus.number or self._goal(focus)
            if closes:
                settled = goal
            elif ended and after.focus:
                settled = self._goal(after.focus)
        rule, tactic = (_RULES[move.rule], use.tactic) if moves else (-1, 0)
        return amount, mean, tactic, goal, settled, int(not closes), rule, leaves - opens

    def pay(self, rows: Rows) -> Floats:
        """The sum of all terms that pay step by step, clipped."""
        self._tables.extend()
        tables = self._tables
        amounts = rows["amount"] + tables.uses[rows["tactic"]] + tables.goals[rows["settled"], rows["stuck"]]
        self.clipped += int(np.count_nonzero(np.abs(amounts) > self.weights.clip))
        return np.asarray(np.clip(amounts, -self.weights.clip, self.weights.clip))

    def finish(self, rows: Rows, proved: bool) -> float:
        """The means over the episode, and what its proof is worth, clipped."""
        amount = float(rows["mean"].sum() / len(rows)) if self.pays_failures and len(rows) else 0.0
        if proved and self._proofs:
            proof = self.proof(rows)
            self.counters.proved(self._lemma, proof.packed)
            amount += sum(weight * form.value(self.context, proof) for form, weight in self._proofs)
        return self._within(amount)

    def count(self, rows: Rows, times: NDArray[np.int64], closed: NDArray[np.int64]) -> None:
        """Count uses and tries, and work out what they pay from now on."""
        self.counters.tactics.add(rows["tactic"], times, closed)
        self.counters.goals.add(rows["goal"], times, closed)
        self.counters.end_round()
        self._tables.renew()

    def state(self) -> Any:
        """The counters, and what they were counted for."""
        return {"version": self.version, **self.counters.state()}

    def restore(self, state: Any) -> None:
        """Go on counting. Raises InputError if that was counted for other weights or by other knowledge."""
        if not isinstance(state, dict) or state.get("version") != self.version:
            raise InputError(
                "The weights or the knowledge of the reward R† are not those that this student was paid by; put them "
                "back, or train a new one."
            )
        self.counters.restore(state)
        self._tables.renew()

    def remark(self) -> str:
        """How often the clip bit, if it did."""
        if not self.clipped:
            return ""
        return (
            f"The clip of R†, ±{self.weights.clip:g}, bit {self.clipped:,} time{'s' * (self.clipped > 1)}, which can "
            "change what the best moves are; raise clip or lower the weights."
        )

    @property
    def version(self) -> str:
        """Stands for all that the reward depends on beside its counters."""
        return f"{self.weights.version} {self.context.knowledge.version} {self.context.belief.version}"

    def proof(self, rows: Rows) -> Packed:
        """The proof of an episode of these steps, packed."""
        key = rows.tobytes()
        sizes = self._packed.get(key)
        if sizes is None:
            if len(self._packed) > _REMEMBERED:
                self._packed.clear()
            sizes = self._packed[key] = self._sizes(rows[rows["rule"] >= 0])
        return Packed(*sizes, self.counters.best.get(self._lemma))

    def _sizes(self, done: Rows) -> tuple[int, int]:
        names, compression = [*self.counters.tactics.numbers], self.weights.options.compression
        tactics = [names[number - 1] for number in done["tactic"]] if compression == "ast" else []
        return packed(self.weights.reading, compression, tactics, done["rule"].tobytes(), done["opened"].tolist())

    def _use(self, focus: Focus, move: Move) -> Use:
        """A move of a goal that was not made before."""
        tactic = 0
        if self._names_tactics:
            tactic = self.counters.tactics.number(Tactic(move.rule, shape(principal(focus.goal, move))))
        use = focus.uses[move] = Use(tactic)
        return use

    def _paid_by_counts(self, use: Use, counts: Counts, before: Look, move: Move, after: Look) -> tuple[float, float]:
        """What those terms pay, and pay for the mean, that look at no more than the counts."""
        _, _, moves, ended = counts
        step, sums = Step(before.state, move, after.state, ended, moves), [0.0, 0.0]
        for form, weight in self._by_counts:
            sums[form.averaged] += weight * form.value(self.context, step)
        use.known[counts] = sums[0], sums[1]
        return use.known[counts]

    def _surprise(self, before: Look, after: Look, ended: bool) -> float:
        """What those terms pay that look at p(QED) alone, which is known where nothing more can be done."""
        is_over = ended or not after.state
        chances = float(not after.state) if is_over else self._looks.chance(after), self._looks.chance(before)
        known = self._surprises.get(chances)
        if known is None:
            if len(self._surprises) > _REMEMBERED:
                self._surprises.clear()
            known = sum(weight * value(self.context, *chances) for value, weight in self._by_chances)
            self._surprises[chances] = known
        return known

    def _goal(self, focus: Focus) -> int:
        if not focus.number:
            focus.number = self.counters.goals.number(label((focus.goal,)).key)
        return focus.number

    def _of(self, form: type[_Form]) -> tuple[tuple[_Form, float], ...]:
        return tuple((part.form, part.weight) for part in self.parts if isinstance(part.form, form))

    def _within(self, amount: float) -> float:
        clip = self.weights.clip
        self.clipped += abs(amount) > clip
        return min(max(amount, -clip), clip)


def _named_there(goal: Goal, move: Move, like: Goal) -> Move:
    """A move of a goal as it is called in one that is alike, whose hypotheses may have other names."""
    if move.hypothesis is None or like is goal:
        return move
    formula = principal(goal, move)
    return Move(move.rule, next(name for name, each in like.hypotheses if each is formula))
