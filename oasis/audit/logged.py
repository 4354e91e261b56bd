"""A log of R†: for every step that a student makes what each term says of it and pays for it.

The student is a plain one, which is asked about every step and does number for number what a compiled one does; so this
is what `oasis train` with the same settings and seed pays, a hundred times slower.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, TextIO

from curricula.lemma import Lemma
from oasis.dagger.episodes import Episode
from oasis.dagger.explain import Explainer, Explanation
from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import Step
from oasis.rewards import Outcome, Reward, Transition, Uses
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State


class _Listening(Reward):
    """R†, whose episodes are explained when they end."""

    pays_at_end = True

    def __init__(self, reward: RewardDagger) -> None:
        self.dependence, self.leaks = reward.dependence, reward.leaks
        self.round, self.gamma, self.terms = reward.round, reward.gamma, reward.weights.names
        self._reward = reward
        self._lemma: Formula | None = None
        self._explainer = Explainer(reward)
        self.explained: list[Explanation] = []

    def begin(self, lemma: Formula) -> None:
        self._lemma = lemma
        self._reward.begin(lemma)

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return self._reward.step(before, move, after, ended)

    def end(self, outcome: Outcome) -> float:
        assert self._lemma is not None
        last = len(outcome.path) - 1
        steps = [Step.of(*step, place == last and not outcome.truncated) for place, step in enumerate(outcome.path)]
        self.explained.append(self._explainer.explanation(Episode(self._lemma, tuple(steps), outcome.proved)))
        return self._reward.end(outcome) if self._reward.pays_at_end else 0.0

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self._reward.refresh(steps)
        self._explainer = Explainer(self._reward)


def columns(terms: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the file.

    `step` counts from 1; the last line of an episode has `end` there, and how it ended as its move: the terms then say
    what they say of the whole episode, and paid is what comes on top of the last step. `goals` are those left. `total`
    there is all that the episode is paid, the sum of its rewards, and `discounted` what of that a learner maximises.
    """
    paid = (f"paid {name}" for name in terms)
    return ("lemma", "episode", "step", "move", "goals", *terms, *paid, "reward", "total", "discounted")


def log(settings: Settings, lemmas: Iterable[Lemma], stream: TextIO) -> Iterator[int]:
    """Let a new student practise lemmas, write CSV with a line for each step, and tell after each episode how many.

    Args:
        settings: of the student; its reward is R†.
        lemmas: to practise, one after the other.
        stream: where the lines go, those of an episode when it is over.

    Raises InputError if the reward is not R†, or if it fails.
    """
    student = PlainStudent(settings)
    if not isinstance(student.reward, RewardDagger):
        raise InputError(f"The terms of R† are logged, and {settings.reward} has none; name weights of R†.")
    listening = student.reward = _Listening(student.reward)
    csv.writer(stream, lineterminator="\n").writerow(columns(listening.terms))
    done = 0
    for lemma in lemmas:
        for episode in range(1, settings.episodes + 1):
            student.practise(lemma.formula, 1)
            whole = StringIO()
            for explanation in listening.explained:
                rows = ([lemma.name, episode, *line] for line in _lines(explanation))
                csv.writer(whole, lineterminator="\n").writerows(rows)
            listening.explained.clear()
            stream.write(whole.getvalue())  # at once, so that whoever interrupts has no part of an episode
            stream.flush()
            done += 1
            yield done


def _lines(explanation: Explanation) -> Iterator[list[Any]]:
    """The columns from `step` on, of each step and of the end."""
    for number, step in enumerate(explanation.steps, 1):
        said = step.terms
        values, paid = ([getattr(each, what) for each in said.values()] for what in ("value", "paid"))
        yield [number, str(step.move), len(step.after), *values, *paid, step.reward, "", ""]
    how = "proved" if explanation.proved else "stuck" if explanation.stuck else "cut short"
    left = len(explanation.steps[-1].after) if explanation.steps else 1
    values, paid = [said.value for said in explanation.episode.values()], [*explanation.at_end.values()]
    yield ["end", how, left, *values, *paid, explanation.end, explanation.total, explanation.discounted]
