"""How R† looks at a step: once, as a row of numbers that stay what they are, whatever is counted.

A row says what the terms pay together that look at the step alone, and the numbers of what is counted about it. Steps
that differ in the names and the order of hypotheses alone have one and the same row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from oasis.dagger.counters import Amounts
from oasis.dagger.shapes import tactic, tactics_on_offer
from oasis.dagger.term import Context, Form, OfBelief, OfGoal, OfState, OfStep, OfTries, OfUse, Step, asks_belief
from oasis.play.actions import SIMPLIFY
from state_spaces.canonical import label
from tactics.goal import Goal, Move, Sequent, State, sequent
from tactics.rules import RULES

ROW: Final = np.dtype(
    [
        ("amount", "f8"),  # what terms pay that look at the step alone
        ("mean", "f8"),  # what those pay that are averaged over an episode
        ("tactic", "i4"),  # by number; 0 if the move does not apply
        ("offer", "i4"),  # the tactics that the goal in focus before it offers, by number
        ("next_offer", "i4"),  # that of the state after it; 0 if the episode ends
        ("goal", "i4"),  # in focus before it, by number
        ("next_goal", "i4"),  # in focus after it; 0 if the episode ends, or if no potential looks at it
        ("settled", "i4"),  # the goal that it closes or leaves stuck, by number; else 0
        ("told", "i4"),  # the states before and after it, by number, where the belief learns; else 0
        ("rule", "i1"),  # by number; -1 if it does not apply
        ("opened", "i4"),  # how many goals more are open after it
    ]
)
RULE_NUMBERS: Final = {name: number for number, name in enumerate([*RULES, SIMPLIFY.rule])}
_REMEMBERED: Final = 2**18
"""States and goals, after which those that are remembered are looked at again."""


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


@dataclass(slots=True)
class _Focus:
    """What there is to know of a goal in focus.

    Attributes:
        goal: the one that stands for all that differ from it in the names and the order of hypotheses alone.
        potential: the sum of all Φ that look at this goal alone.
        number: of the goal; 0 while nobody asked.
        offer: of the tactics that it offers; 0 while nobody asked.
    """

    goal: Goal
    potential: float
    number: int = 0
    offer: int = 0


@dataclass(slots=True)
class _Look:
    """What there is to know of a state.

    Attributes:
        state: the one that stands for those that are alike; empty if it is proved.
        focus: its first goal; None if it is proved.
        potential: the sum of all Φ that stand still; 0 if it is proved.
        amount: what those terms of states pay for coming to it that are no potentials.
        chance: p(QED); None while nobody asked.
    """

    state: State
    focus: _Focus | None = None
    potential: float = 0.0
    amount: float = 0.0
    chance: float | None = None


class Observer:
    """Turns steps into rows.

    Args:
        parts: the terms with a say.
        context: what they look up; its belief remembers.
        amounts: gives numbers to what is counted.
        names_tactics: whether tactics have numbers although no term counts them.
        sees_names: whether only states that show the same are alike, as where goals are read as text.
    """

    def __init__(
        self, parts: Sequence[Part], context: Context, amounts: Amounts, *, names_tactics: bool, sees_names: bool
    ) -> None:
        self._context, self._amounts, self._sees_names = context, amounts, sees_names
        forms = [(form, weight) for _, form, weight in parts]
        if amounts.surprises is not None:
            forms = [(form, weight) for form, weight in forms if not asks_belief(form)]
        steps = [(form, weight) for form, weight in forms if isinstance(form, OfStep)]
        states = [(form, weight) for form, weight in forms if isinstance(form, OfState)]
        self._at_once = [(form.value, weight) for form, weight in steps if not form.averaged]
        self._averaged = [(form.value, weight) for form, weight in steps if form.averaged]
        self._of_beliefs = [(form.value, weight) for form, weight in forms if isinstance(form, OfBelief)]
        self._places = [(form.value, weight) for form, weight in states if not form.differenced]
        self._of_focus = [(form.value, weight) for form, weight in states if form.differenced and form.of_focus]
        self._of_wholes = [(form.value, weight) for form, weight in states if form.differenced and not form.of_focus]
        uses = [form for form, _ in forms if isinstance(form, OfUse)]
        self._names_tactics = names_tactics or bool(uses)
        self._names_offers = any(form.differenced for form in uses)
        self._names_goals = any(isinstance(form, OfGoal | OfTries) for form, _ in forms)
        self._names_next_goals = any(isinstance(form, OfGoal) and form.differenced for form, _ in forms)
        self._looks: dict[State, _Look] = {}
        self._focuses: dict[Goal, _Focus] = {}
        self._alike: dict[Goal | Sequent, _Focus] = {}

    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[Any, ...]:
        """A step as `ROW` has it; arguments as in `Reward.step`."""
        context, here = self._context, self._look(before)
        step = Step.of(before, move, after, ended)
        there = self._look(after) if step.moves else here
        amount = there.amount - here.potential + (0.0 if ended else context.gamma * there.potential)
        for value, weight in self._at_once:
            amount += weight * value(context, step)
        if self._of_beliefs:
            chances = 0.0 if ended and after else self._chance(there), self._chance(here)
            for of_chances, weight in self._of_beliefs:
                amount += weight * of_chances(context, *chances)
        mean = sum([weight * value(context, step) for value, weight in self._averaged])
        used = offer = next_offer = goal = next_goal = settled = told = 0
        closes = len(after) < len(before)
        if step.moves and self._names_tactics:
            used = self._amounts.tactic(tactic(before[0], move))
        if self._names_offers:
            offer, next_offer = self._offer(here), 0 if ended else self._offer(there)
        if self._names_goals:
            goal, next_goal = self._goal(here), self._goal(there) if self._names_next_goals and not ended else 0
            settled = goal if closes else self._goal(there) if ended else 0
        if self._amounts.surprises is not None:
            told = self._amounts.surprises.number(here.state, there.state, ended)
        rule, opened = RULE_NUMBERS[move.rule] if step.moves else -1, len(after) - len(before)
        return amount, mean, used, offer, next_offer, goal, next_goal, settled, told, rule, opened

    def of_state(self, state: State) -> float:
        """Return what terms of states are worth in a state with goals: potentials, and pay for coming to it."""
        look, amounts = self._look(state), self._amounts
        potential = look.potential + look.amount
        if self._names_offers:
            offer = self._offer(look)  # before the array is looked at, which it may replace
            potential += amounts.offers.item(offer)
        if self._names_goals:
            goal = self._goal(look)
            potential += amounts.potentials.item(goal)
        return potential + (0.0 if amounts.surprises is None else amounts.surprises.of_state(look.state))

    def _look(self, state: State) -> _Look:
        known = self._looks.get(state)
        if known is None:
            if max(len(self._looks), len(self._focuses)) > _REMEMBERED:
                for memory in (self._looks, self._focuses, self._alike, self._context.belief.known):
                    memory.clear()
            focuses = [*map(self._focus, state)]
            alike = tuple([focus.goal for focus in focuses])
            known = self._looks.get(alike)
            if known is None:
                known = self._looks[alike] = self._looked_at(alike, focuses[0]) if focuses else _Look((), chance=1.0)
            self._looks[state] = known
        return known

    def _looked_at(self, state: State, focus: _Focus) -> _Look:
        return _Look(state, focus, focus.potential + self._sum(self._of_wholes, state), self._sum(self._places, state))

    def _focus(self, goal: Goal) -> _Focus:
        found = self._focuses.get(goal)
        if found is None:
            seen = goal if self._sees_names else sequent(goal)
            found = self._alike.get(seen)
            if found is None:
                found = self._alike[seen] = _Focus(goal, self._sum(self._of_focus, (goal,)))
            self._focuses[goal] = found
        return found

    def _sum(self, terms: Sequence[tuple[Callable[[Context, State], float], float]], state: State) -> float:
        return sum([weight * value(self._context, state) for value, weight in terms])

    def _chance(self, look: _Look) -> float:
        if look.chance is None:
            look.chance = float(self._context.belief.probabilities([look.state])[0])
        return look.chance

    def _offer(self, look: _Look) -> int:
        focus = look.focus
        if focus is None:
            return 0
        if not focus.offer:
            focus.offer = self._amounts.offer(tactics_on_offer(focus.goal))
        return focus.offer

    def _goal(self, look: _Look) -> int:
        focus = look.focus
        if focus is None:
            return 0
        if not focus.number:
            focus.number = self._amounts.goal(label((focus.goal,)).key)
        return focus.number
