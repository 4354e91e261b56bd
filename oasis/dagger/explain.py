"""What R† makes of a script: for each step the value of every term, what it pays and why, and what comes together.

All terms are worked out, those of weight 0 as well, by the formulas and the counters of the reward that is
explained. What is paid for a step is asked of that reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from oasis.dagger.counters import Amounts
from oasis.dagger.episodes import Episode
from oasis.dagger.making import described
from oasis.dagger.reward import RewardDagger
from oasis.dagger.rows import ROW
from oasis.dagger.shapes import tactics_on_offer
from oasis.dagger.term import Form, OfBelief, OfGoal, OfProof, OfState, OfStep, OfTries, OfUse, Reading, Step, Term
from oasis.dagger.terms.bayesian import chances
from oasis.dagger.wording import REASONS, Facts, compressed, goals, of_goals, signed
from oasis.ground.names import TERMS
from oasis.ground.plural import conjunction, counted
from oasis.rewards import asked, closed, paid
from oasis.rewards.seam import Rows
from state_spaces.canonical import label
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
        reward: what is paid, the sum of all that the terms pay; clipped in the reading that clips steps.
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
        end: all of it, clipped; in the reading that clips totals, what lets the total be within the clip.
        end_clipped: whether the clip bit.
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
    def worth(self) -> dict[str, float]:
        """The part of each term in `discounted`, before the clip."""
        gamma, last = self.reward.context.gamma, max(0, len(self.steps) - 1)
        return {
            term: sum(gamma**time * step.terms[term].paid for time, step in enumerate(self.steps)) + gamma**last * end
            for term, end in self.at_end.items()
        }

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
        reading = self.reward.weights.reading
        return tuple(name for name, _, _ in self.reward.parts if TERMS.find(name).version(reading).is_potential)

    @property
    def headline(self) -> str:
        """How the script ends, and what it is paid in all: what a learner maximises, and the plain sum."""
        steps = counted(len(self.steps), "step")
        left = len(self.steps[-1].after) if self.steps else 1
        if self.proved:
            how = f"A proof in {steps}."
        elif self.stuck:
            are = "is" if left == 1 else "are"
            how = f"Stuck after {steps}: no rule applies any more, and {goals(left)} {are} open."
        else:
            how = f"It stops after {steps} with {goals(left)} open, and is paid as an episode that is cut short there."
        gamma = self.reward.context.gamma
        return (
            f"{how} It is paid {signed(self.total)} in all; discounted by γ {gamma:g} a step, which is what learners "
            f"maximise, {signed(self.discounted)}."
        )

    def sentences(self) -> Iterator[str]:
        """What is paid at the end, and what a reader may wonder at."""
        if paid := {name: amount for name, amount in self.at_end.items() if round(amount, 4)}:
            parts = ", ".join(f"{name} {signed(amount)}" for name, amount in paid.items())
            yield f"Of the total, {signed(self.end)} comes on top of the last step: {parts}."
        potentials = self.potentials
        if self.stuck and sum(self.episode[name].paid for name in potentials) > 0:
            yield (
                "A dead end can pay more than 0: where an episode ends, Φ is 0, so what lay below 0 is given back. "
                "Discounted, potentials pay −Φ of the first state for every episode that ends, and so prefer none."
            )
        if potentials:
            yield (
                f"The value of {conjunction(potentials)} is that of the state after a step, in all the mean over them; "
                "paid are the differences γΦ(s′) − Φ(s), not that mean."
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
            "paid_discounted": self.worth,
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
        versions = {name: term.version(self._reading) for name, term in self._terms.items()}
        self._forms = {name: version.form for name, version in versions.items()}
        self._potentials = {name for name, version in versions.items() if version.is_potential}
        self._weights = {part.name: part.weight for part in reward.parts}
        # One that counts for all terms, whatever their weights are, by the same counters.
        self._whole = RewardDagger(replace(reward.weights, weights=dict.fromkeys(self._terms, 1.0)), self._context)
        counters = self._whole.counters
        counters.restore(reward.counters.state())
        self._amounts = {name: Amounts(counters, self._context, [(form, 1.0)]) for name, form in self._forms.items()}

    def explanation(self, episode: Episode) -> Explanation:
        """All that there is to say about an episode."""
        self._whole.begin(episode.lemma)
        self._reward.begin(episode.lemma)
        rows: Rows = np.array([self._whole.row(*step[:4]) for step in episode.steps], ROW)
        for amounts in self._amounts.values():
            amounts.extend()
        steps = [self._step(step, row) for step, row in zip(episode.steps, rows, strict=True)]
        ended = bool(episode.steps) and episode.steps[-1].ended
        means = {name: _mean([step.terms[name].value for step in steps]) for name in self._terms}
        proof = self._whole.proof(rows) if episode.proved else None
        at_end, whole = dict.fromkeys(self._terms, 0.0), {}
        for name, form in self._forms.items():
            is_mean = self._terms[name].is_mean or name in self._potentials
            value = means[name] if is_mean else sum(step.terms[name].value for step in steps)
            why = f"{'mean' if is_mean else 'sum'} over {counted(len(steps), 'step')}"
            if isinstance(form, OfProof):
                value = form.value(self._context, proof) if proof else 0.0
                why = compressed(self._reading, proof) if proof else "there is no proof"
            elif isinstance(form, OfTries):
                value = self._amounts[name].of_tries(rows["goal"], closed(rows["opened"])) if steps else 0.0
                why = f"{counted(len(set(rows['goal'].tolist())), 'goal')} tried"
            if isinstance(form, OfProof | OfTries) or (isinstance(form, OfStep) and form.averaged):
                at_end[name] = self._weights.get(name, 0.0) * value + 0.0
            whole[name] = Said(value, sum(step.terms[name].paid for step in steps) + at_end[name], why)
        before = sum(step.reward for step in steps) if self._reading is Reading.SEED else 0.0
        total = before + sum(at_end.values())
        end = total if self._reading is Reading.SHAPED else min(max(total, -self._clip), self._clip)
        return Explanation(
            self._reward,
            episode.proved,
            ended and not episode.proved,
            {
                name: self._of_state(name, form, episode.states[0])
                for name, form in self._forms.items()
                if isinstance(form, OfState) or name in self._potentials
            },
            steps,
            whole,
            at_end,
            end - before,
            end != total,
        )

    def _step(self, step: Step, row: Any) -> ExplainedStep:
        facts = self._facts(step, row)
        terms = {}
        for name, form in self._forms.items():
            value = self._value(name, form, step, row)
            due = 0.0 if isinstance(form, OfStep) and form.averaged else value
            if name in self._potentials:
                before = self._of_state(name, form, step.before)
                facts = facts._replace(potentials=(before, value))
                due = (0.0 if step.ended else self._context.gamma * value) - before
            why = REASONS.get(name, of_goals)(facts)
            terms[name] = Said(value, self._weights.get(name, 0.0) * due + 0.0, why)  # never -0
        amounts = sum(said.paid for said in terms.values())
        reward = paid(self._reward, *step[:4])
        clips = self._reading is Reading.SOUND
        return ExplainedStep(step.move, step.after, terms, reward, clips and abs(amounts) > self._clip)

    def _value(self, name: str, form: Form, step: Step, row: Any) -> float:
        if isinstance(form, OfState) or name in self._potentials:
            return self._of_state(name, form, step.after) if step.after else 0.0
        match form:
            case OfStep():
                return form.value(self._context, step)
            case OfBelief():
                return form.value(self._context, *chances(self._context, step))
            case OfUse():
                return float(self._amounts[name].uses[row["tactic"]])
            case OfGoal():
                return float(self._amounts[name].settles[row["settled"]])
        return 0.0

    def _of_state(self, name: str, form: Form, state: State) -> float:
        """What a term of states is worth in one with goals."""
        if isinstance(form, OfState):
            return form.value(self._context, state)
        amounts = self._amounts[name]
        if isinstance(form, OfUse):
            offer = amounts.offer(tactics_on_offer(state[0]))
            return float(amounts.offers[offer])
        goal = amounts.goal(label(state[:1]).key)
        return float(amounts.potentials[goal])

    def _facts(self, step: Step, row: Any) -> Facts:
        tactics, goals = self._whole.counters.tactics, self._whole.counters.goals
        settled = int(row["settled"])
        closed_before = int(goals.closed[settled])
        return Facts(
            self._reading,
            self._context,
            step,
            int(tactics.tried[row["tactic"]]),
            int(tactics.closed[row["tactic"]]),
            int(tactics.tried.sum()),
            ("closed" if row["opened"] < 0 else "stuck") if settled else "",
            closed_before,
            int(goals.tried[settled]) - closed_before,
            (0.0, 0.0),
        )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
