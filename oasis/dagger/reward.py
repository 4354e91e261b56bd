"""R†: the weighted sum of sixteen terms, on the seam on which every reward hangs.

A step becomes a row once (`oasis.dagger.rows`). What counters pay stands still for a round (`oasis.dagger.counters`);
so what many steps pay is one sum over arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, Final, TypeVar

import numpy as np

from oasis.dagger.counters import Amounts, Counters
from oasis.dagger.packing import packed
from oasis.dagger.rows import ROW, Observer, Part
from oasis.dagger.term import (
    Context,
    Floats,
    Form,
    OfGoal,
    OfProof,
    OfStep,
    OfTries,
    OfUse,
    Packed,
    Reading,
    Term,
)
from oasis.dagger.weights import Weights
from oasis.ground.names import TERMS
from oasis.rewards import Dependence, RowReward, closed
from oasis.rewards.seam import Rows
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State

_Form = TypeVar("_Form", bound=Form)
_Amounts = TypeVar("_Amounts", float, Floats)
_REMEMBERED: Final = 2**18
"""Proofs, after which those that are remembered are packed again."""


class RewardDagger(RowReward):
    """The full reward.

    The clip limits what each step pays in the reading that does what the prose asks; as printed, the total of an
    episode. What is shaped is not clipped, as that could change what the best moves are.

    Args:
        weights: of the terms, and their options.
        context: what they look up; its options are those of the weights.
        counters: which it goes on with.

    Attributes:
        parts: the terms that have a say.
        counters: what it has counted.
        clipped: how many of the amounts that it was asked for went beyond the clip.
    """

    row_type = ROW

    def __init__(self, weights: Weights, context: Context, counters: Counters | None = None) -> None:
        self.weights, self.gamma, self.round = weights, context.gamma, weights.round
        self.sees_names = weights.options.embedding == "sentence"
        self.context = context
        terms: dict[str, Term] = {name: TERMS.find(name, "dagger") for name in weights.weights}
        self.parts = tuple(
            Part(name, term.version(weights.reading).form, weights.weights[name] * (-1 if term.is_subtracted else 1))
            for name, term in terms.items()
        )
        reading, forms = weights.reading, [(part.form, part.weight) for part in self.parts]
        self._proofs = self._of(OfProof)
        self._tries, counted = bool(self._of(OfTries)), self._of(OfUse, OfGoal, OfTries)
        self.counters, self.clipped, self._lemma = counters or Counters(), 0, b""
        self._amounts = Amounts(self.counters, context, forms)
        learns = self._amounts.surprises is not None
        self._averages = any(form.averaged for form, _ in self._of(OfStep))
        self._clips_totals = reading is Reading.SEED
        self._clip_of_steps = weights.clip if reading is Reading.SOUND else inf
        self._clip_of_ends = inf if reading is Reading.SHAPED else weights.clip
        of_kind = all(isinstance(form, OfStep) and form.of_kind for form, _ in forms) and not self._clips_totals
        self.pays_failures = self._averages or self._tries or self._clips_totals
        self.pays_at_end = self.pays_failures or bool(self._proofs)
        if counted or learns or (self._proofs and reading is Reading.SOUND):
            self.dependence = Dependence.HISTORY
        else:
            self.dependence = Dependence.KIND if of_kind else Dependence.TRANSITION
        self.leaks = context.belief.leaks and "S_KL" in weights.weights
        names_tactics = learns or (bool(self._proofs) and weights.options.compression == "ast")
        self._observer = Observer(
            self.parts, context, self._amounts, names_tactics=names_tactics, sees_names=self.sees_names
        )
        self._packed: dict[bytes, tuple[int, int]] = {}

    def begin(self, lemma: Formula) -> None:
        """Proofs from now on are of this lemma."""
        self._lemma = lemma.digest

    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[Any, ...]:
        """As `ROW`; steps that differ in the names and the order of hypotheses alone have one."""
        return self._observer.row(before, move, after, ended)

    def of_state(self, state: State) -> float:
        """Return what terms of states are worth in a state with goals: potentials, and pay for coming to it."""
        return self._observer.of_state(state)

    def pay(self, rows: Rows) -> Floats:
        """The sum of all terms that pay step by step."""
        return np.asarray(self._within(self.unclipped(rows), self._clip_of_steps))

    def pay_one(self, row: tuple[Any, ...]) -> float:
        """As `pay`."""
        return float(self._within(self._sum(row), self._clip_of_steps))

    def unclipped(self, rows: Rows) -> Floats:
        """Pay as `pay` does, without the clip."""
        return np.asarray(self._sum(map(rows.__getitem__, ROW.names or ())))

    def finish(self, rows: Rows, proved: bool) -> float:
        """What the whole episode is worth: means over it, goals that it tried, its proof, and the clip of the total."""
        before = float(self.unclipped(rows).sum()) if self._clips_totals else 0.0
        return self._within(before + self.at_end(rows, proved), self._clip_of_ends) - before

    def at_end(self, rows: Rows, proved: bool) -> float:
        """Pay as `finish` does, without the clip."""
        amount = float(rows["mean"].sum() / len(rows)) if self._averages and len(rows) else 0.0
        if self._tries:
            amount += self._amounts.of_tries(rows["goal"], closed(rows["opened"]))
        if proved and self._proofs:
            proof = self.proof(rows)
            self.counters.proved(self._lemma, proof.packed)
            amount += sum(weight * form.value(self.context, proof) for form, weight in self._proofs)
        return amount

    def count(self, rows: Rows, uses: Rows) -> None:
        """Count uses and tries, and work out what they pay from now on."""
        self.counters.tactics.add(rows["tactic"], uses["times"], uses["closed"])
        self.counters.goals.add(rows["goal"], uses["times"], uses["closed"])
        self.counters.end_round()
        self._amounts.renew()
        if self._amounts.surprises is not None:
            self._amounts.surprises.learn(rows, uses, [*self.counters.tactics.numbers])

    def state(self) -> Any:
        """The counters, what the belief has learned, and what they were counted for."""
        learned = {} if self._amounts.surprises is None else {"belief": self.context.belief.belief.to_json()}
        return {"version": self.version, **self.counters.state(), **learned}

    def restore(self, state: Any) -> None:
        """Go on counting. Raises InputError if that was counted for other weights or by other knowledge."""
        if not isinstance(state, dict) or state.get("version") != self.version:
            raise InputError(
                "The weights or the knowledge of the reward R† are not those that this student was paid by; put them "
                "back, or train a new one."
            )
        self.counters.restore(state)
        self._amounts.renew()
        if self._amounts.surprises is not None:
            self.context.belief.restore(state.get("belief"))
            self._amounts.surprises.renew()

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
        key = rows[["tactic", "rule", "opened"]].tobytes()
        if key not in self._packed:
            if len(self._packed) > _REMEMBERED:
                self._packed.clear()
            self._packed[key] = self._sizes(rows[rows["rule"] >= 0])
        return Packed(*self._packed[key], self.counters.best.get(self._lemma))

    def _sizes(self, done: Rows) -> tuple[int, int]:
        names, compression = [*self.counters.tactics.numbers], self.weights.options.compression
        tactics = [names[number - 1] for number in done["tactic"]] if compression == "ast" else []
        return packed(self.weights.reading, compression, tactics, done["rule"].tobytes(), done["opened"].tolist())

    def _sum(self, row: Iterable[Any]) -> Any:
        """Return what a row pays, or rows do: the fields of `ROW`, as numbers or as arrays."""
        amount, _, tactic, offer, next_offer, goal, next_goal, settled, told, *_ = row
        counted = self._amounts
        after = counted.offers[next_offer] + counted.potentials[next_goal]
        before = counted.offers[offer] + counted.potentials[goal]
        total = amount + (counted.uses[tactic] + counted.settles[settled]) + (self.context.gamma * after - before)
        return total if counted.surprises is None else total + counted.surprises.amounts[told]

    def _within(self, amounts: _Amounts, clip: float) -> _Amounts:
        """One amount, or an array of them, cut to the clip; those that it bites are counted."""
        if clip < inf and (bites := int(np.count_nonzero(abs(amounts) > clip))):
            self.clipped += bites
            amounts = np.clip(amounts, -clip, clip)
        return amounts

    def _of(self, *forms: type[_Form]) -> tuple[tuple[_Form, float], ...]:
        return tuple((part.form, part.weight) for part in self.parts if isinstance(part.form, forms))
