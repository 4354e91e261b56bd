"""What R† makes of a script: for each step the value of every term, what it pays and why, and what comes together.

All terms are worked out, those of weight 0 as well, by the counters of the reward that is explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from oasis.dagger.counters import Counters
from oasis.dagger.episodes import Episode
from oasis.dagger.making import described
from oasis.dagger.reward import RewardDagger
from oasis.dagger.rows import ROW
from oasis.dagger.term import OfProof, OfState, OfTries, Term
from oasis.dagger.wording import REASONS, Facts, compressed, goals, of_goals, signed
from oasis.ground.names import TERMS
from oasis.ground.plural import conjunction, counted
from oasis.rewards import asked, finished, paid_rows
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
        """The discounted return, Σ γ^t r_t."""
        return self._before([step.reward for step in self.steps], self.end)

    @property
    def worth(self) -> dict[str, float]:
        """The part of each term in `discounted`, before the clip."""
        return {
            name: self._before([step.terms[name].paid for step in self.steps], end) for name, end in self.at_end.items()
        }

    def _before(self, amounts: Sequence[float], end: float) -> float:
        """Return the discounted sum of amounts, where the end is paid together with the last."""
        gamma, last = self.reward.context.gamma, max(0, len(amounts) - 1)
        return sum(gamma**time * amount for time, amount in enumerate(amounts)) + gamma**last * end

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


class _Told(NamedTuple):
    """What a term says of the state before the first step, if it is of states, of each step, and of the episode."""

    start: float | None
    steps: list[Said]
    whole: Said
    at_end: float


class Explainer:
    """Explains episodes by what a reward has counted so far; make another one after it has counted more.

    Each term is asked as a reward of its own, with weight 1 and the same counters.

    Args:
        reward: whose terms are explained; its counters stay as they are.
    """

    def __init__(self, reward: RewardDagger) -> None:
        self._original, self._reading, self._counters = reward, reward.weights.reading, Counters()
        self._counters.restore(reward.counters.state())
        self._reward = RewardDagger(reward.weights, reward.context, self._counters)
        self._terms: dict[str, Term] = {name: TERMS.find(name) for name in reward.weights.names}
        self._weights = {part.name: part.weight for part in reward.parts}
        self._alone = {
            name: RewardDagger(
                replace(reward.weights, weights={name: -1.0 if term.is_subtracted else 1.0}),
                reward.context,
                self._counters,
            )
            for name, term in self._terms.items()
        }

    def explanation(self, episode: Episode) -> Explanation:
        """All that there is to say about an episode."""
        steps, proved, reward = episode.steps, episode.proved, self._reward
        rows = self._rows(reward, episode)
        amounts, unclipped = paid_rows(reward, rows).tolist(), reward.unclipped(rows).tolist()
        bites = reward.clipped
        end = finished(reward, rows, proved)
        told = {name: self._told(name, alone, episode) for name, alone in self._alone.items()}
        return Explanation(
            self._original,
            proved,
            bool(steps) and steps[-1].ended and not proved,
            {name: each.start for name, each in told.items() if each.start is not None},
            [
                ExplainedStep(
                    step.move,
                    step.after,
                    {name: each.steps[place] for name, each in told.items()},
                    amounts[place],
                    amounts[place] != unclipped[place],
                )
                for place, step in enumerate(steps)
            ],
            {name: each.whole for name, each in told.items()},
            {name: each.at_end for name, each in told.items()},
            end,
            reward.clipped > bites,
        )

    def _told(self, name: str, alone: RewardDagger, episode: Episode) -> _Told:
        """Return what a term says, by the reward that is this term alone."""
        rows, weight, start = self._rows(alone, episode), self._weights.get(name, 0.0), None
        term, version = self._terms[name], self._terms[name].version(self._reading)
        if version.is_potential or isinstance(version.form, OfState):
            start = alone.of_state(episode.states[0])
        steps = []
        for step, row, due in zip(episode.steps, rows, alone.unclipped(rows).tolist(), strict=True):
            facts, value = Facts(self._reading, alone.context, step, row, self._counters), due + float(row["mean"])
            if version.is_potential:
                value = alone.of_state(step.after) if step.after else 0.0
                facts = facts._replace(potentials=(alone.of_state(step.before), value))
            steps.append(Said(value, weight * due + 0.0, REASONS.get(name, of_goals)(facts)))  # never -0
        at_end = alone.at_end(rows, episode.proved)
        is_mean = term.is_mean or version.is_potential
        value = sum(said.value for said in steps) / (max(1, len(steps)) if is_mean else 1)
        why = f"{'mean' if is_mean else 'sum'} over {counted(len(steps), 'step')}"
        if isinstance(version.form, OfProof):
            value, why = at_end, "there is no proof"
            if episode.proved:
                why = compressed(self._reading, alone.proof(rows))
        elif isinstance(version.form, OfTries):
            value, why = at_end, f"{counted(len({*rows['goal'].tolist()}), 'goal')} tried"
        due_at_end = weight * at_end + 0.0
        return _Told(start, steps, Said(value, sum(said.paid for said in steps) + due_at_end, why), due_at_end)

    def _rows(self, reward: RewardDagger, episode: Episode) -> Rows:
        """Return the steps of an episode as a reward sees them."""
        reward.begin(episode.lemma)
        return np.array([reward.row(*step[:4]) for step in episode.steps], ROW)
