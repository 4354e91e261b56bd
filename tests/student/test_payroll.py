"""What a compiled student is paid for steps that are alike is what each of them pays by itself."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest

from curricula.library import thesis_lemma
from oasis.dagger.making import dagger
from oasis.dagger.weights import NAMES
from oasis.rewards import RowReward, Transition
from oasis.student.compiled.alike import Alike
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.settings import Settings
from tactics.goal import sequent
from tactics.parser import parse
from tests.thorough import thoroughly

SIXTEEN = "dagger:sound:" + ":".join(f"{name}=0.{number}" for number, name in enumerate(NAMES, 11))
LEMMA = thesis_lemma("42").formula
OF_THE_STEP = ["amount", "mean", "stuck", "rule", "opened"]
"""Columns of a row that say the same in every reward; the others are numbers that a reward gives as it goes."""


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["legal", *thoroughly("blind", "simplify")])
def test_steps_that_are_alike_have_the_row_that_each_has_by_itself(
    actions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(reward=SIXTEEN, actions=actions, learner="q-learning", max_steps=12)
    world = new_world(settings)
    student = CompiledStudent(settings, world)
    assert isinstance(student.reward, RowReward)
    asked, row = Mock(wraps=student.reward.row_between), student.reward.row_type
    monkeypatch.setattr(student.reward, "row_between", asked)
    student.practise(LEMMA, 60)
    alike = Alike(world)
    edges = np.flatnonzero(student._pays["is_known"].reshape(-1, 2).any(axis=1))
    assert asked.call_count < len(edges)  # some steps are alike
    for edge, state in zip(edges.tolist(), world.sources(edges).tolist(), strict=True):
        step, kind = world.transition(state, edge), alike.kind(state, edge)
        move, after = alike.done(kind, state, edge)
        like = Transition(alike.state(kind.state), move, alike.state(after))
        assert [*map(sequent, step.before)] == [*map(sequent, like.before)]
        assert [*map(sequent, step.after)] == [*map(sequent, like.after)]
        for ended in {not step.after, True}:
            rows = np.array([dagger(SIXTEEN).row(*each, ended) for each in (step, like)], row)
            assert rows[0][OF_THE_STEP] == rows[1][OF_THE_STEP]


def test_an_episode_that_was_paid_in_this_round_is_not_asked_about_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lemma = parse(r"a /\ b -> b /\ a \/ c")
    settings = Settings(reward="dagger:sparse:round=100", learner="uniform", seed=3)
    student = CompiledStudent(settings, new_world(settings))
    assert isinstance(student.reward, RowReward) and not student.reward.pays_failures
    asked = Mock(wraps=student.reward.finish)
    monkeypatch.setattr(student.reward, "finish", asked)
    proofs = int(student.practise(lemma, 100).proved.sum())
    first = [call.args[0].tobytes() for call in asked.call_args_list]
    assert 0 < len(first) < proofs < 100 and all(proved for _, proved in (call.args for call in asked.call_args_list))
    student.practise(lemma, 100)
    assert {*first} & {call.args[0].tobytes() for call in asked.call_args_list[len(first) :]}  # counters moved on
