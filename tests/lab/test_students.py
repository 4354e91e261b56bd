"""What is measured of students, on made-up trials with known answers; and what a report of them says beside it."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve
from oasis.lab.measure import Trial
from oasis.lab.report import Report
from oasis.lab.students.measures import STUDENTS
from oasis.lab.students.plan import ANSWERS, Plan, Variant, checkpoints
from oasis.lab.students.reported import answers, episodes, report, table
from oasis.lab.students.truth import truths
from oasis.student.settings import Settings

ASKED = (0, 1, 2, 4)


def plan(*learners: str, lemmas: str = "SYJ203.2", seeds: int = 8, **settings: Any) -> Plan:
    """Return a plan of four episodes in which students are asked four times."""
    found = resolve(lemmas)
    base = Settings(episodes=4 // len(found.lemmas), **settings)
    kinds = tuple(Variant(name, replace(base, learner=name)) for name in learners)
    return Plan(found.name, found.lemmas, kinds, tuple(range(seeds)), ASKED)


def trial(proved: str = "0000", lemmas: int = 1, **arrays: Any) -> dict[str, Any]:
    """Return what a student did; arrays at checkpoints may be of one number."""
    asked = {"chance": 0, "missing": 1, "own_regret": 0, "actions": 10, "value": 0} | arrays
    return {
        "lemma": np.repeat(np.arange(lemmas), len(proved) // lemmas),
        "proved": np.array([mark == "1" for mark in proved]),
        "steps": np.full(len(proved), 10),
        "states": np.arange(1, 1 + len(proved)),
        "max_steps": np.array(200),
        "checkpoints": np.array(ASKED),
        **{name: np.broadcast_to(np.asarray(asked[name], np.float64), (len(ASKED), lemmas)) for name in ANSWERS},
    }


def reported(made: Plan, *each: Any) -> Report:
    """Return the report of kinds each of which did one thing, or one thing with each seed."""
    kinds = (done if isinstance(done, list) else [done] * len(made.seeds) for done in each)
    return report(made, {variant.name: trials for variant, trials in zip(made.variants, kinds, strict=True)})


def measured(name: str, *trials: Trial) -> list[float]:
    """Return a measure of trials, seed by seed."""
    (measure,) = (each for each in STUDENTS.measures if each.name == name)
    return [float(number) for number in np.ravel(measure.of(trials, "seeds"))]


def test_a_lemma_is_known_from_the_checkpoint_after_which_every_play_proves_for_good() -> None:
    late, soon, lost = [[0], [1], [0.9], [1]], [[0], [1], [1], [1]], [[1], [1], [1], [0.5]]
    assert measured("knows from", *(trial(chance=each) for each in (late, soon, lost, 1, 0))) == [4, 1, 4, 0, 4]
    both = trial(lemmas=2, chance=np.array([soon, late])[..., 0].T)
    assert measured("knows from", both) == [4]
    found = reported(plan("sarsa", lemmas="thesis/41,thesis/42"), [both] * 7 + [trial(lemmas=2)])
    assert found.never(STUDENTS.headline, "sarsa") == 1
    assert found.to_json()["by_lemma"]["knows from"]["sarsa"] == [pytest.approx(1.375), 4]
    assert "Knows from: of 8 students each, 1 of sarsa did not get there" in "\n".join(found.sentences())


def test_a_lemma_without_a_proof_keeps_nobody_from_knowing_the_others() -> None:
    mixed = trial(lemmas=2, chance=np.array([[0, 0], [0, 1], [0, 1], [0, 1]]), missing=np.array([[0, 1]] * 4))
    assert measured("knows from", mixed) == [1] and measured("knows from", trial(missing=0)) == [0]
    alone, both = plan("sarsa", lemmas="textbook/peirce"), plan("sarsa", lemmas="textbook/peirce,thesis/42")
    said = "has no proof, so it counts as known from the first episode on, with nothing missing."
    assert f"textbook/peirce {said}" in reported(both, mixed).sentences()
    assert "No student proved anything" not in "\n".join(reported(alone, trial(missing=0)).sentences())


def test_the_other_measures_are_what_they_say() -> None:
    done = trial("0011", missing=[[1], [0.5], [0.5], [0]], value=[[0], [0], [0], [0.3]], own_regret=0.25)
    done |= {"truth": np.array([0.5]), "max_steps": np.array(10)}
    wanted: dict[str, Any] = {
        "missing": [1, 0.5, 0.5, 0],
        "missing, mean": [(0.75 + 0.5 + 0.5) / 4],
        "missing, end": [0],
        "belief off by": [0.2],
        "own regret": [0.25],
        "actions": [10],
        "while exploring": [0.5],
        "cut short": [0.5],
        "states": [4],
    }
    assert {name: measured(name, done) for name in wanted} == {name: pytest.approx(v) for name, v in wanted.items()}


def test_lemmas_count_alike_however_often_they_were_practised() -> None:
    assert measured("while exploring", trial("1100", 2)) == [0.5]
    assert measured("while exploring", trial("1100", 2) | {"lemma": np.array([0, 0, 0, 1])}) == [pytest.approx(1 / 3)]
    assert measured("while exploring", trial("1111", 2) | {"lemma": np.zeros(4)}) == [0.5]


def test_who_explores_less_is_not_ahead_for_it() -> None:
    made = plan("sarsa", "q-learning", "dyna-q")
    found = reported(made, trial("0000", chance=1), trial("1111", chance=1), trial("1111"))
    said = "\n".join(found.sentences())
    assert "Knows from: sarsa is ahead with 0 episodes, 4 episodes less than dyna-q" in said
    assert "not told apart from q-learning" in said and "exploring" not in said.lower()


def test_what_is_measured_in_different_units_is_not_compared_and_it_is_said() -> None:
    made = plan("sarsa", "q-learning")
    for settings, compared in (
        ({}, ["knows from", "missing, mean", "missing, end", "belief off by"]),
        ({"reward": "standard"}, ["knows from", "missing, mean", "missing, end"]),
        ({"gamma": 0.5}, ["knows from", "missing, mean", "missing, end"]),
    ):
        paid = Variant("paid", replace(made.variants[1].settings, **settings))
        found = reported(replace(made, variants=(made.variants[0], paid)), trial(), trial(value=0.3))
        assert [measure.name for measure in found.compared] == compared
        assert ("in which nobody is ahead." in "\n".join(found.sentences())) == bool(settings)


def test_what_no_policy_is_worth_exactly_is_left_out_in_one_sentence() -> None:
    found = reported(plan("sarsa"), trial(missing=np.nan, actions=np.nan, own_regret=np.nan))
    assert found.sentences()[0].startswith("Left out: “missing”, “missing, mean”, “missing, end” and “actions”, as a ")
    assert "missing" in found.to_json()["left_out"]


def test_remarks_say_what_may_help_what_cannot_be_and_what_is_not_known() -> None:
    nothing = "\n".join(reported(plan("sarsa"), trial()).sentences())
    assert "Give them more --episodes, or an easier lemma: the shortest proof of this one has 10 actions." in nothing
    several, false = plan("sarsa", lemmas="thesis/41,thesis/42"), plan("sarsa", lemmas="textbook/peirce")
    assert "or easier lemmas: the shortest proof among these has 4" in "\n".join(
        reported(several, trial(lemmas=2)).sentences()
    )
    assert "whether there is a proof at all says oasis decide." in "\n".join(reported(false, trial()).sentences())
    wild = [trial("1111", value=number) for number in (-2e18, 8e17, *[0.3] * 6)]
    made = plan("q-learning", "and-or-q", "uniform", reward="standard")
    said = "\n".join(reported(made, wild, trial("1111"), trial("1111")).sentences())
    assert "q-learning: 2 of 8 students believe in the end that a lemma is worth less than −11.0 or more" in said
    assert "and-or-q looks at no reward, so --reward makes no difference to it." in said
    assert said.count("The uniform player learns nothing") == 1


def test_what_is_exactly_true_is_told_once_for_kinds_of_which_the_same_is_true() -> None:
    made = plan("sarsa", "q-learning", "uniform", lemmas="thesis/41,thesis/42")
    first, *_, last = table(made, truths(made)).rows
    assert first == ("thesis/41", "sarsa", "4", "ε-soft (ε 0.4) 0.709")
    assert last == ("thesis/42", "uniform", "10", "–")
    alike = plan("q-learning", "dyna-q")
    assert table(alike, truths(alike)).rows == (("SYJ203.2", "q-learning and dyna-q", "10", "V* 0.387"),)


def test_files_have_a_row_for_each_episode_and_for_each_answer() -> None:
    made = plan("sarsa", "q-learning", lemmas="thesis/41,thesis/42", seeds=2)
    done = {variant.name: [trial("0110", 2, chance=0.5)] * 2 for variant in made.variants}
    *_, last = rows = [*episodes(made, done)]
    assert (len(rows), [*last.values()]) == (16, ["q-learning", 1, 4, "thesis/42", 0, 10, 4])
    *_, last = rows = [*answers(made, done)]
    assert (len(rows), [*last.values()]) == (32, ["q-learning", 1, 4, "thesis/42", 0.5, 1, 0, 10, 0])


@given(st.integers(1, 100_000))
def test_students_are_asked_before_the_first_episode_and_eight_times_in_each_doubling(number: int) -> None:
    found = checkpoints(number)
    assert (found[0], found[-1]) == (0, number)
    assert [*found[:9]] == [*range(min(8, number) + 1)]
    assert all(after - before < 1 + 0.091 * after for before, after in pairwise(found))
    assert len(found) <= 10 + 8 * max(0, np.log2(number / 8))
