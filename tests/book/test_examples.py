"""The programs in examples/ that are about students; those of networks and of doors are tested beside these."""

import json
import re
import shutil
from pathlib import Path

import pytest

from curricula.library import textbook_lemma
from oasis.rewards import Transition, Uses
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Learner, Parameters
from oasis.student.memory import Memory
from oasis.student.plain import PlainStudent
from oasis.student.policy import Choose
from oasis.student.settings import Settings
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import apply
from tests.commands import Oasis
from tests.examples import EXAMPLES, example


@pytest.mark.slow
def test_a_study_of_ones_own_says_what_the_lab_says(capsys: pytest.CaptureFixture[str]) -> None:
    study = example("compare_learners")
    study.main(["--seeds", "10"])
    heads, *lines = capsys.readouterr().out.splitlines()
    assert heads.split()[:3] == ["episodes", "q-learning", "and-or-q"]
    told = [[float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", line)] for line in lines]
    assert [row[0] for row in told] == list(study.EXAMINED_AFTER)
    for _, ones, others, value, low, high in told:
        assert value == pytest.approx(others - ones, abs=0.11) and low <= value <= high
    assert told[1][4] > 0, "after ten episodes and-or-q knows more, as docs/which-learner.md has it"


@pytest.mark.slow
def test_rewards_of_ones_own_pay_students(oasis: Oasis, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "own_reward.py", tmp_path)
    names = ["terminating", "own_reward:FewGoals", "own_reward:NewRules"]
    command = ["compare", "SYJ203.2", "--learner", "q-learning", "--reward", ",".join(names), "--episodes", "40"]
    found = oasis.json(*command, "--seeds", "2", "--workers", "1")
    shares = {of_kind["value"] for of_kind in found["numbers"]["while exploring"].values()}
    assert len(shares) == 3, "each of the rewards makes other students"


def test_double_q_learning_is_that_of_two_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    settings = Settings(learner="own_learner:DOUBLE", alpha="0.9/n^0.6", episodes=60)
    ours, again, theirs = PlainStudent(settings), PlainStudent(settings), PlainStudent(settings)
    tables: list[dict[int, float]] = [{}, {}]

    def textbook(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
        """Sutton & Barto (2018), 6.7, with both tables written out."""
        observation, _ = environment.reset()
        truncated = False
        while observation.actions and not truncated:
            action = policy(observation)
            observation, reward, _, truncated, _ = environment.step(action)
            other, one = tables if parameters.rng.below(2) == 0 else tables[::-1]
            ahead = 0.0
            if observation.actions:
                best = max(observation.actions, key=lambda each: one.get(each.pair, 0))
                ahead = other.get(best.pair, 0)
            q.visit(action.pair)
            alpha = parameters.alpha.at(q.visits[action.pair])
            old = one.get(action.pair, 0.0)
            one[action.pair] = old + alpha * (reward + parameters.gamma * ahead - old)
            q.values[action.pair] = sum(table.get(action.pair, 0) for table in tables) / 2

    monkeypatch.setattr(theirs, "_learner", Learner(textbook))
    lemma = textbook_lemma("and_comm").formula
    for student in (ours, again, theirs):
        student.practise(lemma, 60)
    assert ours.memory.values == again.memory.values, "students of one process have tables of their own"
    assert max(ours.memory.values) > 0
    assert ours.memory.values == pytest.approx(theirs.memory.values)
    assert ours.examine(lemma).share == 1


def test_a_reward_that_counts_goes_on_from_what_was_stored() -> None:
    module, goal, intro = example("own_reward"), initial(parse("p -> p")), Move("intro")
    after = apply(goal, intro)
    counted, again = module.NewRules(), module.NewRules()
    counted.refresh({Transition(goal, intro, after): Uses(3, 3, 3)})
    again.restore(json.loads(json.dumps(counted.state())))
    paid = [reward.step(goal, intro, after, False) for reward in (module.NewRules(), counted, again)]
    assert paid == pytest.approx([0.1, 0.025, 0.025])
