"""What the experiments say: for each figure what is seen here, why, and what is seen with more episodes.

What the thesis saw is quoted; all else is worked out from the arrays, and no sentence says more than was measured:
"more" and "fewer" only where the interval of the difference between students of the same seed leaves out 0, and the
intervals of a figure are so wide that they hold together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from oasis.lab.statistics import Floats, Interval, difference, share_interval
from oasis.lab.students.trial import Trial
from oasis.lab.thesis.figures import CONDITIONS, MAX_STEPS, Figure
from oasis.lab.thesis.measures import Summary, actions, greedy_lengths, share, states, stretch, summary
from oasis.lab.thesis.study import Parts, Study, Trials
from oasis.lab.words import bounds, conjunction, rounded
from oasis.rewards.named import reward
from oasis.teacher.exact.values import Payoff, lengths
from state_spaces import Key
from state_spaces.reachable import Census
from tactics.formula import Formula
from tactics.goal import initial

_COUNTED: Final = 3
"""Lemmas of a class of which all goals are counted; the next has 78,514 before any is merged."""
DIFFERENCES: Final = 16
"""That are looked at in a figure, at most."""


@dataclass(frozen=True)
class Finding:
    """One figure: what it came to, and what that says.

    Attributes:
        figure: with its conditions, and what the thesis saw.
        parts: the averages, by name of the part.
        here: what is seen under the thesis's conditions.
        because: why.
        later: what is seen with more episodes.
    """

    figure: Figure
    parts: dict[str, tuple[Summary, ...]]
    here: tuple[str, ...]
    because: tuple[str, ...]
    later: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        figure = self.figure
        return {
            "figure": figure.number,
            "title": figure.title,
            "conditions": figure.conditions,
            "thesis_saw": figure.saw,
            "here": list(self.here),
            "because": list(self.because),
            "later": list(self.later),
            "parts": {
                part: {
                    "name": plan.name,
                    "students": len(plan.seeds),
                    "episodes": plan.episodes,
                    "variants": [summary.to_json() for summary in self.parts[part]],
                }
                for part, plan in figure.plans.items()
            },
        }


def findings(study: Study) -> tuple[Finding, ...]:
    """What the figures that are done show."""
    return tuple(finding(figure, study.parts(figure)) for figure in study.done)


def finding(figure: Figure, parts: Parts) -> Finding:
    """What one figure shows."""
    here, because, later = _SENTENCES[figure.number]
    return Finding(
        figure,
        {part: tuple(summary(name, trial) for name, trial in trials.items()) for part, trials in parts.items()},
        here=(*here(figure, parts), *_cut_short(parts)),
        because=tuple(because(figure, parts)),
        later=tuple(later(figure, parts)),
    )


# 7.1


def _algorithms(figure: Figure, parts: Parts) -> Iterator[str]:
    short, length = parts["short"], stretch(figure.short.episodes)
    for name, trial in short.items():
        first, last = share(trial, first=True), share(trial, last=True)
        gain = _gain_of_shares(last, first)
        yield (
            f"{name} proves {rounded(100 * first.mean())} % of the first {length} episodes and "
            f"{rounded(100 * last.mean())} % of the last {length}: {_points(gain, 'no change')}."
        )
    yield from _against(short, "epsilon-soft", ("sarsa", "q-learning"))
    yield from _against(short, "sarsa", ("q-learning",))


def _algorithms_because(figure: Figure, parts: Parts) -> Iterator[str]:
    short, students = parts["short"], len(figure.short.seeds)
    silent = [name for name in ("sarsa", "q-learning") if not short[name].value.any()]
    shortest, _ = _lengths(figure)
    if silent and figure.short.episodes < shortest:
        yield (
            f"A one-step update moves a reward back by one step an episode, and the shortest proof has {shortest:.0f} "
            f"moves: after {figure.short.episodes} episodes every one of {students} students of {conjunction(silent)} "
            "believes the lemma to be worth exactly 0."
        )
    told = int((short["epsilon-soft"].value != 0).sum())
    yield (
        f"epsilon-soft averages whole returns, which reach the first state at once: {told} of {students} students "
        "believe the lemma to be worth something else than 0."
    )
    other, length = share(short["q-learning"], last=True), stretch(figure.short.episodes)
    for name, trial in parts["beside"].items():
        ours = share(trial, last=True)
        yield (
            f"{name}, which the thesis does not have, proves {rounded(100 * ours.mean())} % of the last {length} "
            f"episodes: {_points(_gain_of_shares(ours, other), 'no difference', 'q-learning')}."
        )


# 7.2


def _epsilons(figure: Figure, parts: Parts) -> Iterator[str]:
    low, *_, high = parts["short"]
    yield from _against(parts["short"], low, (high,))


def _epsilons_because(figure: Figure, parts: Parts) -> Iterator[str]:
    short, legal = parts["short"], parts["beside"]
    low, *_, high = short
    for name in (low, high):
        fewer = _gain(actions(legal[name]), actions(short[name]))
        yield f"{name} with only legal moves on offer: {_count(fewer, 'actions in an episode')}; the rest do not apply."
    yield from (f"Legal moves alone: {sentence}" for sentence in _against(legal, low, (high,)))
    steps, ended = legal[low].steps, legal[low].proved
    if ended.any() and not ended.all():
        proved, stuck = steps[ended].mean(), steps[~ended].mean()
        yield (
            f"With {low} a proof there has {rounded(proved)} moves and an episode without one {rounded(stuck)}, so "
            f"more proofs make episodes {'longer' if proved > stuck else 'shorter'} on average."
        )


# 7.3


def _spaces(_: Figure, parts: Parts) -> Iterator[str]:
    yield from _memories(parts["short"])


def _class_because(figure: Figure, parts: Parts) -> Iterator[str]:
    counted = [(lemma.name, _goals(lemma.formula)) for lemma in figure.short.lemmas[:_COUNTED]]
    for (easier, before), (harder, goals) in pairwise(counted):
        yield (
            f"Of the {len(goals):,} goals that {harder} can lead to, as Name sees them, "
            f"{len(goals & before) or 'none'} can come up in {easier}."
        )
    if all(before.isdisjoint(goals) for (_, before), (_, goals) in pairwise(counted)):
        yield "So what a space saves in a class it saves within each lemma; nothing of them is carried to the next."
    for name, trial in parts["beside"].items():
        afresh, carried = trial.states.sum(axis=1).astype(np.float64), states(parts["short"][name])
        yield (
            f"{name}: {len(figure.short.lemmas)} memories, one for each lemma, hold {rounded(afresh.mean())} states in "
            f"all, one for the class {rounded(carried.mean())}: {_count(_gain(carried, afresh), 'states')}."
        )


# 7.4


def _letters(_: Figure, parts: Parts) -> Iterator[str]:
    brought = (
        f"{rounded((trial.states[:, -1] - trial.states[:, -2]).mean())} in {name}"
        for name, trial in parts["short"].items()
    )
    yield f"New states that the last copy brings: {conjunction(brought)}."
    yield from _memories(parts["short"])


def _letters_because(_: Figure, parts: Parts) -> Iterator[str]:
    short, itself = parts["short"], parts["beside"]
    alike = [name for name, trial in short.items() if _same(trial, itself[name])]
    if alike:
        yield (
            f"In {conjunction(alike)} the copies are one lemma: episode by episode every student takes as many "
            "actions, has as many states and finds the same proofs as on lemma 44 itself."
        )
    for name in (each for each in short if each not in alike):
        more = _gain(states(short[name]), states(itself[name]))
        yield (
            f"In {name} they are not: {rounded(states(short[name]).mean())} states for the copies, "
            f"{rounded(states(itself[name]).mean())} for lemma 44 itself as often: {_count(more, 'states')}."
        )


def _letters_later(figure: Figure, parts: Parts) -> Iterator[str]:
    yield from _memories(parts["long"])
    practised = figure.long.variants[0].settings.episodes
    begin, length = figure.long.episodes - practised, stretch(practised)
    found = {name: trial.proved[:, begin : begin + length].mean(axis=1) for name, trial in parts["long"].items()}
    simple, *others = found
    for name in others:
        gain = _gain_of_shares(found[name], found[simple])
        yield (
            f"When the last copy comes, {name} proves {rounded(100 * found[name].mean())} % of its first {length} "
            f"episodes: {_points(gain, 'no difference', simple)}."
        )


# 7.5


def _rewards(_: Figure, parts: Parts) -> Iterator[str]:
    yield from _against(parts["short"], "standard", ("terminating", "standard-qed"))
    yield from _against(parts["short"], "standard-qed", ("terminating",))


def _rewards_because(figure: Figure, parts: Parts) -> Iterator[str]:
    shortest, longest = _lengths(figure)
    for variant in figure.short.variants:
        payoff, gamma = Payoff.of(reward(variant.settings.reward)), variant.settings.gamma
        short, long = (payoff.collected(int(moves), payoff.proved, gamma) for moves in (shortest, longest))
        best = "short" if short > long else "long"
        yield (
            f"{variant.name} teaches {best} proofs: the shortest, of {shortest:.0f} moves, is worth {short:.3g} at the "
            f"start, the longest, of {longest:.0f}, {long:.3g} (γ {gamma:g})."
        )
    trial, gamma = parts["short"]["standard-qed"], CONDITIONS.gamma
    if trial.proved.any():
        taken = float(np.median(trial.steps[trial.proved]))
        yield (
            f"But a proof takes {taken:.0f} actions in these episodes (median), with those that do not apply: of the "
            f"100 that standard-qed pays for it {100 * gamma ** (taken - 1):.2g} arrive at the start, and the ±1 of "
            "every action decide."
        )


def _practised(figure: Figure, parts: Parts) -> Iterator[str]:
    """What many episodes of a lemma come to, in each variant."""
    shortest, longest = _lengths(figure)
    length = stretch(figure.long.episodes)
    for name, trial in parts["long"].items():
        last = share_interval(share(trial, last=True)).scaled(100)
        yield (
            f"{name} proves {rounded(last.value)} % of the last {length} episodes ({bounds(last)}); {_greedy(trial)}; "
            f"proofs have {shortest:.0f} to {longest:.0f}."
        )


_Sentences = Callable[[Figure, Parts], Iterator[str]]
_SENTENCES: Final[dict[str, tuple[_Sentences, _Sentences, _Sentences]]] = {
    "7.1": (_algorithms, _algorithms_because, _practised),
    "7.2": (_epsilons, _epsilons_because, _practised),
    "7.3": (_spaces, _class_because, lambda _, parts: _memories(parts["long"])),
    "7.4": (_letters, _letters_because, _letters_later),
    "7.5": (_rewards, _rewards_because, _practised),
}
"""What is seen, why, and what is seen later."""


def _against(trials: Trials, name: str, others: Iterable[str]) -> Iterator[str]:
    """One variant against others: proofs and actions."""
    for other in others:
        proofs = _gain_of_shares(share(trials[name]), share(trials[other]))
        taken = _gain(actions(trials[name]), actions(trials[other]))
        if _same(trials[name], trials[other]):
            yield f"{name} and {other}: the same proofs and actions, episode by episode."
        else:
            yield (
                f"{name} against {other}, share of proofs: {_points(proofs, 'no difference')}; in an episode "
                f"{_count(taken, 'actions')}."
            )


def _memories(trials: Trials) -> Iterator[str]:
    """Memories, proofs and actions of each state space against those of the first."""
    simple, *others = trials
    yield f"{simple} keeps {rounded(states(trials[simple]).mean())} states."
    for name in others:
        ours, theirs = states(trials[name]), states(trials[simple])
        proofs = _gain_of_shares(share(trials[name]), share(trials[simple]))
        taken = _gain(actions(trials[name]), actions(trials[simple]))
        yield (
            f"{name} keeps {rounded(ours.mean())}, {_count(_gain(ours, theirs), 'states')}; share of "
            f"proofs: {_points(proofs, 'no difference')}; in an episode {_count(taken, 'actions')}."
        )


def _greedy(trial: Trial) -> str:
    found = greedy_lengths(trial)
    proofs = found[np.isfinite(found)]
    if not len(proofs):
        return "no student has a greedy proof"
    whose = "every student has" if len(proofs) == len(found) else f"{len(proofs)} of {len(found)} students have"
    return f"{whose} a greedy proof, of {np.median(proofs):g} actions (median)"


def _same(one: Trial, other: Trial) -> bool:
    """Whether students of the same seed did the same, episode by episode."""
    both = min(len(one.proved), len(other.proved))
    return all(
        np.array_equal(getattr(one, name)[:both], getattr(other, name)[:both]) for name in ("proved", "steps", "states")
    )


def _gain(ours: Floats, theirs: Floats, span: float = np.inf) -> Interval:
    """How much more ours is than theirs, student by student as far as there are both; seeds count up from 0."""
    both = min(len(ours), len(theirs))
    return difference(ours[:both], theirs[:both], span=span, family=DIFFERENCES)


def _gain_of_shares(ours: Floats, theirs: Floats) -> Interval:
    """The same of shares, in percentage points."""
    return _gain(ours, theirs, span=1).scaled(100)


def _points(gain: Interval, alike: str, than: str = "") -> str:
    """A difference of percentages in words."""
    if not gain.sign:
        return f"{alike} that these students show ({bounds(gain)} percentage points)"
    less = "more" if gain.sign > 0 else "less"
    return f"{rounded(abs(gain.value))} percentage points {less}{than and ' than '}{than} ({bounds(gain)})"


def _count(gain: Interval, noun: str) -> str:
    if gain.low == gain.high == 0:
        return f"as many {noun} with every student"
    if not gain.sign:
        return f"no difference in {noun} that these students show ({bounds(gain)})"
    return f"{rounded(abs(gain.value))} {'more' if gain.sign > 0 else 'fewer'} {noun} ({bounds(gain)})"


def _goals(formula: Formula) -> set[Key]:
    """The goals that moves can lead to, each once under all its names."""
    census = Census(formula, ("name",), limit=100_000)
    for _ in census.count_goals():
        pass
    return census.goals["name"].keys


def _lengths(figure: Figure) -> tuple[float, float]:
    """The moves in the shortest and in the longest proof of a figure's lemma."""
    formula = figure.short.lemmas[0].formula
    shortest, longest, _ = lengths(formula).ends(initial(formula))
    return shortest, longest


def _cut_short(parts: Parts) -> Iterator[str]:
    """Nothing, unless the step limit was met, which the thesis does not have."""
    cut = sum(int((trial.steps >= MAX_STEPS).sum()) for trials in parts.values() for trial in trials.values())
    if cut:
        yield f"{cut:,} episodes met the limit of {MAX_STEPS:,} actions and were cut short, as none is in the thesis."
