"""Chapter 7 done again: its conditions and claims as data, what is true beforehand, and a few real students."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment
from oasis.lab.students.plan import Plan
from oasis.lab.study import answers
from oasis.lab.thesis import (
    AS_THERE,
    BOTH,
    CONDITIONS,
    LEGAL,
    LONGER,
    Figure,
    _bins,
    figures,
    figures_of,
    plans,
    study,
    tables,
)
from oasis.rewards.named import reward
from oasis.store import Store
from oasis.teacher.exact.values import Payoff, lengths
from state_spaces.reachable import Census
from tactics.formula import Formula, atoms, renamed
from tactics.goal import initial

few = partial(figures, share=0.004, episodes=10)
FIGURES = {figure.number: figure for figure in figures()}
SEVEN = [f"7.{number}" for number in range(1, 6)]


def test_the_numbers_are_those_of_the_thesis_whose_conditions_come_first() -> None:
    sizes = [
        (len(plan.variants), plan.episodes, len(plan.seeds))
        for plan in (FIGURES[number].plans[AS_THERE] for number in SEVEN)
    ]
    assert sizes == [(3, 15, 500), (5, 10, 500), (3, 6, 75), (3, 10, 75), (3, 10, 100)]
    names = {number: [lemma.name for lemma in FIGURES[number].plans[AS_THERE].lemmas] for number in SEVEN}
    assert names["7.1"] == names["7.5"] == ["thesis/43"]
    assert names["7.2"] == ["thesis/42"]
    assert names["7.3"] == [f"thesis/{number}" for number in range(41, 47)]
    assert list(plans(figures()))[:5] == [f"{number}, as in the thesis" for number in SEVEN]


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES.keys())
def test_conditions_differ_in_nothing_but_what_they_are_called_by(figure: Figure) -> None:
    compared = {"7.1": {"learner"}, "7.2": {"epsilon"}, "7.3": {"state_space"}, "7.4": {"state_space"}}
    there = figure.plans[AS_THERE]
    changed = {
        name
        for variant in there.variants
        for name in vars(CONDITIONS)
        if name != "episodes" and getattr(variant.settings, name) != getattr(CONDITIONS, name)
    }
    assert changed == compared.get(figure.number, changed)
    for part, plan in figure.plans.items():
        assert plan.lemmas == there.lemmas
        assert (4_990 <= plan.episodes <= 5_000) == (part in (LONGER, BOTH))
        for variant, ours in zip(plan.variants, there.variants, strict=True):
            same = replace(variant.settings, episodes=ours.settings.episodes)
            legal = replace(ours.settings, actions="legal", forget_errors=False)
            assert same == (legal if part in (LEGAL, BOTH) else ours.settings)


def test_claims_are_about_kinds_and_measures_that_there_are() -> None:
    for figure in FIGURES.values():
        tested = {"proofs", "actions", "gain" if next(iter(figure.plans.values())).checkpoints else "states"}
        study([figure]).check([variant.name for variant in figure.plans[AS_THERE].variants], tested)
        assert {claim.where for claim in study([figure]).claims} == {tuple(plans([figure]))}


def test_the_copies_are_one_lemma_in_letters_that_never_come_again() -> None:
    formulas = [lemma.formula for lemma in FIGURES["7.4"].plans[AS_THERE].lemmas]
    assert len(set(formulas)) == 10
    assert len({renamed(each, {atom.name: f"x{n}" for n, atom in enumerate(atoms(each))}) for each in formulas}) == 1


def test_what_is_said_to_be_known_beforehand_is_true() -> None:
    assert "339 goals" in FIGURES["7.3"].because
    assert "of its 59" in FIGURES["7.3"].because
    goals = [_goals(lemma.formula) for lemma in FIGURES["7.3"].plans[AS_THERE].lemmas[:3]]
    assert [len(each) for each in goals[1:]] == [59, 339]
    assert all(before.isdisjoint(after) for before, after in pairwise(goals))
    lemma = FIGURES["7.5"].plans[AS_THERE].lemmas[0].formula
    shortest, longest, _ = lengths(lemma).ends(initial(lemma))
    worth = {}
    for name in ("terminating", "standard", "standard-qed"):
        payoff = Payoff.of(reward(name))
        worth[name] = [payoff.collected(int(moves), payoff.proved, 0.9) for moves in (shortest, longest)]
    assert "of 16 moves, is worth 8.15 at the start, and the longest, of 58, 9.98." in FIGURES["7.5"].because
    assert [shortest, longest, *np.round(worth["standard"], 2)] == [16, 58, 8.15, 9.98]
    assert [short > long for short, long in worth.values()] == [True, False, True]


def _goals(formula: Formula) -> set[Any]:
    census = Census(formula, ("name",), limit=100_000)
    for _ in census.count_goals():
        pass
    return set(census.goals["name"].keys)


def test_bins_are_round_and_hold_every_episode_once() -> None:
    for episodes, width in ((1, 1), (15, 1), (51, 2), (4_998, 100), (5_000, 100), (5_001, 200)):
        starts, ends = _bins(episodes)
        assert starts[0] == 0
        assert ends[-1] == episodes
        assert starts[1:].tolist() == ends[:-1].tolist()
        assert len(starts) == 1 or ends[0] == width


@pytest.mark.slow
def test_figures_are_reported_part_by_part_as_they_are_done(store: Store) -> None:
    chosen = few(["7.1", "7.3"])
    begun: Experiment[Plan] = Experiment.start(
        store, plans(chosen), command="thesis", name="a few figures", study=study(chosen)
    )
    for progress in begun.run(Serial()):
        if progress.part == "7.3, more episodes":
            break
    halfway = {figure.number: [*found] for figure, found in figures_of(begun)}
    assert halfway == {"7.1": [AS_THERE, LEGAL, LONGER], "7.3": [AS_THERE, LEGAL]}
    for _ in begun.run(Serial()):
        pass
    (algorithms, found), (_, memories) = figures_of(Experiment.resume(store, command="thesis"))
    silent = found[AS_THERE].trials
    assert not any(trial["value"].any() for kind in ("sarsa", "q-learning") for trial in silent[kind])
    assert any(trial["value"].any() for trial in silent["epsilon-soft"])
    claimed, numbers = tables(algorithms, found)
    assert [row[0] for row in claimed.rows] == [claim.says for claim in algorithms.claims]
    assert len(answers(algorithms.claims, found)) == len(claimed.sentences) == 8
    assert len(numbers.rows) == 3 * 4 and numbers.rows[0][0] == "as in the thesis, 15 episodes (2)"
    assert {each.name for each in memories[AS_THERE].curves} == {"proofs by then", "actions by then", "states by then"}
    one, *_ = memories[AS_THERE].trials["Simple"]
    assert one["episode"].tolist() == [1, 2, 3, 4, 5, 6]
    curve = next(each for each in memories[AS_THERE].curves if each.name == "states by then")
    assert curve.take(one).tolist() == one["states"].tolist()
