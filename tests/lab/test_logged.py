"""The log of R†: it says of every step what the student was paid for it, and changes nothing in what it does."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import pytest

from curricula import resolve
from curricula.lemma import Lemma
from oasis.dagger.episodes import replayed
from oasis.dagger.explain import explain
from oasis.dagger.making import dagger
from oasis.dagger.weights import NAMES
from oasis.lab.rewarding.logged import COLUMNS, log
from oasis.student.environment import ProofEnvironment
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.script import parse_script

OR, AND = (resolve(text).lemmas[0] for text in ("A -> B \\/ A", "textbook/and_comm"))


def logged(settings: Settings, lemma: Lemma = OR) -> list[dict[str, str]]:
    stream = StringIO()
    numbers = list(log(settings, [lemma], stream))
    assert numbers == list(range(1, settings.episodes + 1))
    stream.seek(0)
    return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    ("weights", "lemma", "max_steps", "how"),
    [
        ("sound:round=3", OR, 9, {"proved", "stuck"}),
        ("seed:round=3", OR, 9, {"proved", "stuck"}),
        ("correct:P=0.1", AND, 5, {"proved", "cut short"}),
    ],
)
def test_the_rewards_are_those_that_a_student_of_the_same_seed_is_paid(
    weights: str, lemma: Lemma, max_steps: int, how: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(learner="q-learning", reward=f"dagger:{weights}", episodes=40, seed=5, max_steps=max_steps)
    lines = logged(settings, lemma)
    paid: list[Any] = []
    step = ProofEnvironment.step

    def watched(self: ProofEnvironment, action: Any) -> Any:
        answer = step(self, action)
        paid.append((str(action), len(answer[0]), answer[1]))
        return answer

    monkeypatch.setattr(ProofEnvironment, "step", watched)
    PlainStudent(settings).practise(lemma.formula, settings.episodes)
    steps = [line for line in lines if line["step"] != "end"]
    assert [(line["move"], int(line["goals"])) for line in steps] == [each[:2] for each in paid]
    ends = {place for place, line in enumerate(lines) if line["step"] == "end"}
    assert {lines[place]["move"] for place in ends} == how
    with_end = [
        float(line["reward"]) + (float(lines[place + 1]["reward"]) if place + 1 in ends else 0.0)
        for place, line in enumerate(lines)
        if place not in ends
    ]
    assert with_end == pytest.approx([each[2] for each in paid], abs=1e-12)


def test_a_line_says_what_the_explanation_of_its_step_says() -> None:
    settings = Settings(learner="q-learning", reward="dagger:sound", episodes=1, seed=5)
    *steps, end = logged(settings)
    script = parse_script("; ".join(line["move"] for line in steps))
    explained = explain(dagger("dagger:sound", settings.gamma), replayed(OR.formula, script)).to_json()
    assert tuple(end) == COLUMNS and len(steps) == len(explained["steps"])
    for line, step in zip(steps, explained["steps"], strict=True):
        assert {name: float(line[name]) for name in NAMES} == step["terms"]
        assert {name: float(line[f"paid {name}"]) for name in NAMES} == step["paid"]
    assert {name: float(end[name]) for name in NAMES} == explained["episode"]
    assert float(end["reward"]) == explained["end"]["reward"]


def test_a_reward_without_terms_is_refused() -> None:
    with pytest.raises(InputError, match="terminating has none"):
        logged(Settings(episodes=1))
