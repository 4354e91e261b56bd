"""What R† makes of a script: for each step the value of every term, what it pays and why, and what comes together.

All terms are worked out, those of weight 0 as well, by the formulas and the counters of the reward that is
explained. What is paid for a step is asked of that reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from oasis.dagger.episodes import Episode
from oasis.dagger.making import described
from oasis.dagger.reward import ROW, RewardDagger
from oasis.dagger.steps import Step
from oasis.dagger.tables import Tables
from oasis.dagger.term import Form, OfGoal, OfProof, OfState, OfStep, OfUse, Term
from oasis.dagger.wording import REASONS, Facts, compressed, goals, of_goals, signed
from oasis.ground.names import TERMS
from oasis.ground.plural import conjunction, counted
from oasis.rewards import asked, paid
from oasis.rewards.seam import Rows
from tactics.goal import Move, State


class Said(NamedTuple):
    """What a term says of a step, or of an episode.

    Attributes:
        value: in the range of the term. Of a feature of states, that of the state after the step.
        paid: what it adds to the sum, with its weight. Of a potential, its difference.
        why: in a few words.
    """

    value: float
    paid: float
    why: str


class ExplainedStep(NamedTuple):
    """A step.

    Attributes:
        move: what was done.
        after: the state after it.
        terms: by their names.
        reward: what is paid, the sum of all that the terms pay, clipped.
        clipped: whether it was.
    """

    move: Move
    after: State
    terms: Mapping[str, Said]
    reward: float
    clipped: bool


@dataclass(frozen=True)
class Explanation:
    """All that there is to say about a script.

    Attributes:
        reward: what is explained.
        proved: whether no goal is left.
        stuck: whether goals are left, and no move.
        start: the values of the features of states, of the state before the first step.
        steps: one after the other.
        episode: what the terms say of all of it; what they pay there is what they paid for the steps and at the end.
        at_end: what each term pays on top of the last step.
        end: all of it, clipped.
        end_clipped: whether it was.
    """

    reward: RewardDagger
    proved: bool
    stuck: bool
    start: Mapping[str, float]
    steps: Sequence[ExplainedStep]
    episode: Mapping[str, Said]
    at_end: Mapping[str, float]
    end: float
    end_clipped: bool

    @property
    def total(self) -> float:
        """All that is paid, without a discount."""
        return sum(step.reward for step in self.steps) + self.end

    @property
    def discounted(self) -> float:
        """What that is worth before the first step, Σ γ^t r_t, where the end is paid together with the last step."""
        gamma, last = self.reward.context.gamma, max(0, len(self.steps) - 1)
        return sum(gamma**time * step.reward for time, step in enumerate(self.steps)) + gamma**last * self.end

    @property
    def clipped(self) -> int:
        """How often the clip bit."""
        return sum(step.clipped for step in self.steps) + self.end_clipped

    @property
    def weights(self) -> dict[str, float]:
        """What the terms are multiplied with before they are added, so below 0 for one that is subtracted."""
        return dict.fromkeys(self.reward.weights.names, 0.0) | {part.name: part.weight for part in self.reward.parts}

    @property
    def potentials(self) -> tuple[str, ...]:
        """The names of the terms with a say that pay γΦ(s′) − Φ(s)."""
        forms = {part.name: part.form for part in self.reward.parts}
        return tuple(name for name, form in forms.items() if isinstance(form, OfState) and form.differenced)

    def sentences(self) -> Iterator[str]:
        """How the script ends, what it is paid in all, and what a reader may wonder at."""
        steps = counted(len(self.steps), "step")
        left = len(self.steps[-1].after) if self.steps else 1
        if self.proved:
            yield f"A proof in {steps}."
        elif self.stuck:
            are = "is" if left == 1 else "are"
            yield f"Stuck after {steps}: no rule applies any more, and {goals(left)} {are} open."
        else:
            yield f"It stops after {steps} with {goals(left)} open, and is paid as an episode that is cut short there."
        if paid := {name: amount for name, amount in self.at_end.items() if amount}:
            parts = ", ".join(f"{name} {signed(amount)}" for name, amount in paid.items())
            yield f"Of the total, {signed(self.end)} comes on top of the last step: {parts}."
        if len(self.steps) > 1:
            gamma = self.reward.context.gamma
            yield f"Discounted by γ {gamma:g} a step, as a student counts it, the total is {signed(self.discounted)}."
        potentials = self.potentials
        if self.stuck and sum(self.episode[name].paid for name in potentials) > 0:
            yield (
                "A dead end can pay more than 0: where an episode ends, Φ is 0, so what lay below 0 is given back. "
                "Discounted, potentials pay −Φ of the first state for every episode that ends, and so prefer none."
            )
        if means := [name for name in potentials if TERMS.find(name).is_mean]:
            yield (
                f"The value of {conjunction(means)} is a mean over the states after the steps; paid are the "
                "differences γΦ(s′) − Φ(s), not that mean."
            )
        clip = self.reward.weights.clip
        if self.clipped:
            amounts = counted(self.clipped, "amount")
            yield f"The clip of ±{clip:g} cut {amounts}, so that the terms add up to something else than the total."

    def to_json(self) -> dict[str, Any]:
        """All of it by names; `weights` are as they were given, that of the subtracted one not yet turned."""
        weights, context = self.reward.weights, self.reward.context
        return {
            "reading": str(weights.reading),
            "reward": described(weights),
            "weights": {name: weights.weights.get(name, 0.0) for name in weights.names},
            "clip": weights.clip,
            "gamma": context.gamma,
            "belief": weights.belief,
            "leaks": context.belief.leaks,
            "knowledge": weights.knowledge,
            "proved": self.proved,
            "stuck": self.stuck,
            "start": dict(self.start),
            "steps": [
                {
                    "move": str(step.move),
                    "goals": len(step.after),
                    "terms": {name: said.value for name, said in step.terms.items()},
                    "paid": {name: said.paid for name, said in step.terms.items()},
                    "why": {name: said.why for name, said in step.terms.items()},
                    "reward": step.reward,
                    "clipped": step.clipped,
                }
                for step in self.steps
            ],
            "end": {"paid": dict(self.at_end), "reward": self.end, "clipped": self.end_clipped},
            "episode": {name: said.value for name, said in self.episode.items()},
            "paid": {name: said.paid for name, said in self.episode.items()},
            "why": {name: said.why for name, said in self.episode.items()},
            "clipped": self.clipped,
            "total": self.total,
            "discounted": self.discounted,
        }


def explain(reward: RewardDagger, episode: Episode) -> Explanation:
    """Explain an episode step by step; the counters of the reward stay as they are.

    Raises InputError if the belief fails, or if something else does that the reward looks up.
    """
    return asked(reward, lambda: Explainer(reward).explanation(episode))


class Explainer:
    """Explains episodes by what a reward has counted by now; who counts more makes another one.

    Args:
        reward: whose terms are explained; its counters stay as they are.
    """

    def __init__(self, reward: RewardDagger) -> None:
        self._reward = reward
        self._reading, self._context, self._clip = reward.weights.reading, reward.context, reward.weights.clip
        self._terms: dict[str, Term] = {name: TERMS.find(name) for name in reward.weights.names}
        self._forms = {name: term.version(self._reading).form for name, term in self._terms.items()}
        self._weights = {part.name: part.weight for part in reward.parts}
        # One that counts for all terms, whatever their weights are, by the same counters.
        self._whole = RewardDagger(replace(reward.weights, weights=dict.fromkeys(self._terms, 1.0)), self._context)
        counters = self._whole.counters
        self._tables = {
            name: Tables(
                counters,
                self._context,
                ((form, 1.0),) if isinstance(form, OfUse) else (),
                ((form, 1.0),) if isinstance(form, OfGoal) else (),
            )
            for name, form in self._forms.items()
            if isinstance(form, (OfUse, OfGoal))
        }
        counters.restore(reward.counters.state())
        for table in self._tables.values():
            table.renew()

    def explanation(self, episode: Episode) -> Explanation:
        """All that there is to say about an episode."""
        self._whole.begin(episode.lemma)
        self._reward.begin(episode.lemma)
        rows: Rows = np.array([self._whole.row(*step[:4]) for step in episode.steps], ROW)
        for table in self._tables.values():
            table.extend()
        steps = [self._step(step, row) for step, row in zip(episode.steps, rows, strict=True)]
        ended = bool(episode.steps) and episode.steps[-1].ended
        means = {name: _mean([step.terms[name].value for step in steps]) for name in self._terms}
        proof = self._whole.proof(rows) if episode.proved else None
        at_end, whole = dict.fromkeys(self._terms, 0.0), {}
        for name, form in self._forms.items():
            weight = self._weights.get(name, 0.0)
            if isinstance(form, OfProof):
                value = form.value(self._context, proof) if proof else 0.0
                at_end[name] = weight * value + 0.0
                why = compressed(self._reading, proof) if proof else "there is no proof"
            else:
                is_mean = self._terms[name].is_mean
                value = means[name] if is_mean else sum(step.terms[name].value for step in steps)
                why = f"{'mean' if is_mean else 'sum'} over {counted(len(steps), 'step')}"
                if isinstance(form, OfStep) and form.averaged:
                    at_end[name] = weight * means[name] + 0.0
            whole[name] = Said(value, sum(step.terms[name].paid for step in steps) + at_end[name], why)
        return Explanation(
            self._reward,
            episode.proved,
            ended and not episode.proved,
            {
                name: form.value(self._context, episode.states[0])
                for name, form in self._forms.items()
                if isinstance(form, OfState)
            },
            steps,
            whole,
            at_end,
            min(max(sum(at_end.values()), -self._clip), self._clip),
            abs(sum(at_end.values())) > self._clip,
        )

    def _step(self, step: Step, row: Any) -> ExplainedStep:
        facts = self._facts(step, row)
        terms = {}
        for name, form in self._forms.items():
            value = self._value(name, form, step, row)
            amount = self._weights.get(name, 0.0) * self._due(form, step, value) + 0.0  # never -0
            terms[name] = Said(value, amount, REASONS.get(name, of_goals)(facts))
        amounts = sum(said.paid for said in terms.values())
        reward = paid(self._reward, *step[:4])
        return ExplainedStep(step.move, step.after, terms, reward, abs(amounts) > self._clip)

    def _value(self, name: str, form: Form, step: Step, row: Any) -> float:
        match form:
            case OfStep():
                return form.value(self._context, step)
            case OfState():
                return form.value(self._context, step.after) if step.after else 0.0
            case OfUse():
                return float(self._tables[name].uses[row["tactic"]])
            case OfGoal():
                return float(self._tables[name].goals[row["settled"], row["stuck"]])
        return 0.0

    def _due(self, form: Form, step: Step, value: float) -> float:
        """What a term of weight 1 pays for a step."""
        if isinstance(form, OfState) and form.differenced:
            return (0.0 if step.ended else self._context.gamma * value) - form.value(self._context, step.before)
        return 0.0 if isinstance(form, OfStep) and form.averaged else value

    def _facts(self, step: Step, row: Any) -> Facts:
        tactics, goals = self._whole.counters.tactics, self._whole.counters.goals
        settled = int(row["settled"])
        closed = int(goals.closed[settled])
        return Facts(
            self._reading,
            self._context,
            step,
            int(tactics.tried[row["tactic"]]),
            int(tactics.closed[row["tactic"]]),
            int(tactics.tried.sum()),
            ("stuck" if row["stuck"] else "closed") if settled else "",
            closed,
            int(goals.tried[settled]) - closed,
        )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
