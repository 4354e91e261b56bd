"""R†: the weighted sum of sixteen terms, on the seam on which every reward hangs.

A step becomes a row once: what its transition terms pay together, and the numbers of what is counted about it. What
counters pay is a table, which stands still for a round; so is what many steps pay one sum over arrays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.actions import SIMPLIFY
from oasis.dagger.alike import Alike
from oasis.dagger.beliefs.remembered import Remembered
from oasis.dagger.counters import Counters
from oasis.dagger.packing import packed
from oasis.dagger.shapes import Tactic, principal, shape
from oasis.dagger.steps import Step, seen
from oasis.dagger.tables import Tables
from oasis.dagger.term import Context, Form, OfGoal, OfProof, OfState, OfStep, OfUse, Packed, Reading
from oasis.dagger.terms import TERMS
from oasis.dagger.weights import Weights
from oasis.rewards import Dependence, RowReward
from oasis.rewards.rows import Rows
from state_spaces.canonical import label
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, State
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
_SUBTRACTED: Final = frozenset({"H"})
_OF_KIND: Final = frozenset({"C", "K_pre"})
_RULES: Final = {name: number for number, name in enumerate([*RULES, SIMPLIFY.rule])}
_REMEMBERED: Final = 2**18
"""Goals and rows, after which those that are remembered are worked out again."""


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
        self._alike = Alike(self.sees_names)
        self._belief = Remembered(context.belief, self._alike.state)
        self.context = replace(context, belief=self._belief)
        self.weights, self.gamma, self.round = weights, context.gamma, weights.round
        self.parts = tuple(
            Part(term.name, term.version(weights.reading).form, -weight if term.name in _SUBTRACTED else weight)
            for term in TERMS
            if (weight := weights.weights.get(term.name))
        )
        steps, states = self._of(OfStep), self._of(OfState)
        self._steps = [(form.value, weight) for form, weight in steps if not form.averaged]
        self._means = [(form.value, weight) for form, weight in steps if form.averaged]
        self._places = [(form, weight) for form, weight in states if not form.differenced]
        self._potentials = [(form, weight) for form, weight in states if form.differenced]
        self._of_focus = [(form, weight) for form, weight in self._potentials if form.of_focus]
        self._of_wholes = [(form, weight) for form, weight in self._potentials if not form.of_focus]
        self._uses, self._goals, self._proofs = self._of(OfUse), self._of(OfGoal), self._of(OfProof)
        self._names_tactics = bool(self._uses) or weights.options.compression == "ast"
        self.pays_at_end = bool(self._means or self._proofs)
        if self._uses or self._goals or (self._proofs and weights.reading is Reading.SOUND):
            self.dependence = Dependence.HISTORY
        else:
            of_kind = all(part.name in _OF_KIND for part in self.parts)
            self.dependence = Dependence.KIND if of_kind else Dependence.TRANSITION
        self.counters, self.clipped, self._lemma = Counters(), 0, b""
        self.leaks = context.belief.leaks and "S_KL" in weights.weights
        self._tables = Tables(self.counters, context, self._uses, self._goals)
        self._rows: dict[Hashable, tuple[float, ...]] = {}
        self._packed: dict[bytes, tuple[int, int]] = {}
        self._potential: dict[State, float] = {}
        self._focused: dict[Goal, float] = {}
        self._labels: dict[Goal, int] = {}

    def begin(self, lemma: Formula) -> None:
        """Proofs from now on are of this lemma."""
        self._lemma = lemma.digest

    def pay_one(self, row: tuple[Any, ...]) -> float:
        """As `pay`."""
        amount, _, tactic, _, settled, stuck, *_ = row
        self._tables.extend()
        return self._within(amount + float(self._tables.uses[tactic]) + float(self._tables.goals[settled, stuck]))

    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[Any, ...]:
        """As `ROW`; steps that differ in the names and the order of hypotheses alone have one."""
        if max(len(self._rows), len(self._alike)) > _REMEMBERED:
            for memory in (self._belief.known, self._rows, self._potential, self._focused, self._labels, self._alike):
                memory.clear()
        # What is after it says something only to those who ask about steps that no calculus makes, as `Pay.of` does.
        formula = principal(before[0], move)
        key = self._alike.state(before), move.rule, formula.id, len(after), after == before, ended
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._row(seen(before, move, after, ended), formula)
        return row

    def pay(self, rows: Rows) -> Floats:
        """The sum of all terms that pay step by step, clipped."""
        self._tables.extend()
        tables = self._tables
        amounts = rows["amount"] + tables.uses[rows["tactic"]] + tables.goals[rows["settled"], rows["stuck"]]
        self.clipped += int(np.count_nonzero(np.abs(amounts) > self.weights.clip))
        return np.asarray(np.clip(amounts, -self.weights.clip, self.weights.clip))

    def finish(self, rows: Rows, proved: bool) -> float:
        """The means over the episode, and what its proof is worth, clipped."""
        amount = float(rows["mean"].sum() / len(rows)) if self._means and len(rows) else 0.0
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

    def _row(self, step: Step, formula: Formula) -> tuple[Any, ...]:
        before, move, after, ended, moves = step
        context, alike = self.context, self._alike
        amount = mean = 0.0
        for value, weight in self._steps:
            amount += weight * value(context, step)
        for value, weight in self._means:
            mean += weight * value(context, step)
        if self._places and after:
            amount += self._sum(self._places, alike.state(after))
        if self._potentials:
            left = 0.0 if ended else context.gamma * self._potential_of(alike.state(after))
            amount += left - self._potential_of(alike.state(before))
        names_tactic = self._names_tactics and moves
        used = self.counters.tactics.number(Tactic(move.rule, shape(formula))) if names_tactic else 0
        goal = settled = 0
        closes = len(after) < len(before)
        if self._goals:
            goal = self._goal(before[0])
            if closes or ended:
                settled = goal if closes else self._goal(after[0])
        rule = _RULES[move.rule] if moves else -1
        return amount, mean, used, goal, settled, int(not closes), rule, len(after) - len(before)

    def _potential_of(self, state: State) -> float:
        """The sum of Φ over all terms that are paid as its difference, of a state with goals that stand for others."""
        known = self._potential.get(state)
        if known is None:
            focus = self._focused.get(state[0])
            if focus is None:
                focus = self._focused[state[0]] = self._sum(self._of_focus, state)
            known = focus + self._sum(self._of_wholes, state) if self._of_wholes else focus
            self._potential[state] = known
        return known

    def _sum(self, terms: Iterable[tuple[OfState, float]], state: State) -> float:
        return sum(weight * form.value(self.context, state) for form, weight in terms)

    def _goal(self, goal: Goal) -> int:
        goal = self._alike.goal(goal)
        number = self._labels.get(goal)
        if number is None:
            number = self._labels[goal] = self.counters.goals.number(label((goal,)).key)
        return number

    def _of(self, form: type[_Form]) -> tuple[tuple[_Form, float], ...]:
        return tuple((part.form, part.weight) for part in self.parts if isinstance(part.form, form))

    def _within(self, amount: float) -> float:
        clip = self.weights.clip
        self.clipped += abs(amount) > clip
        return min(max(amount, -clip), clip)
