"""Comparing state spaces: copies of a lemma, practice, and what is said of it."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import cycle, product
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from curricula import resolve_lemma
from curricula.copies import copies
from oasis.ground.names import LEARNERS
from oasis.lab.report import Report
from oasis.lab.sharing import plans, reports
from oasis.lab.students.plan import Plan
from oasis.student.settings import Settings
from oasis.student.student import School
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tests.thorough import thoroughly


class Episode(NamedTuple):
    """One attempt: the states in memory after it, the steps it took, and whether it ended in a proof."""

    states: int
    steps: int
    proved: bool


# Practice

LEMMAS = ["SYJ203.2", "SYJ206.2", "textbook/or_assoc", "textbook/double_negation_and", "textbook/peirce"]


def study(lemmas: Iterable[Formula], settings: Settings) -> list[Episode]:
    """Return a student's episodes on each lemma, `settings.episodes` on each, with nothing forgotten in between."""
    student = School(settings).student(settings.seed)
    practice = [student.practise(lemma, settings.episodes) for lemma in lemmas]
    return [
        Episode(*episode)
        for part in practice
        for episode in zip(part.states.tolist(), part.steps.tolist(), part.proved.tolist(), strict=True)
    ]


def planned(lemma: str = "SYJ203.2", *, copies: int = 3, students: int = 2, **settings: Any) -> dict[str, Plan]:
    """Return the plans of a comparison."""
    chosen = Settings(**{"learner": "epsilon-soft", **settings})
    return plans(resolve_lemma(lemma), chosen, copies=copies, students=students)


Trials = dict[str, dict[str, list[dict[str, Any]]]]


@cache
def practised() -> tuple[dict[str, Plan], Trials]:
    """Return plans of three students and twelve copies of SYJ203.2, and what these students did."""
    wanted = planned(copies=12, students=3)
    return wanted, {
        part: {
            kind.name: [dict(plan.attempt(place, seed)) for seed in plan.seeds]
            for place, kind in enumerate(plan.variants)
        }
        for part, plan in wanted.items()
    }


def practising(space: str, **more: object) -> Settings:
    return replace(Settings(learner="epsilon-soft", state_space=space, episodes=1), **more)  # type: ignore[arg-type]


EVERY_DAY = [*zip(cycle(["name", "match"]), cycle(LEMMAS), LEARNERS, strict=False)]
OTHERS = [each for each in product(["name", "match"], LEMMAS, LEARNERS) if each not in EVERY_DAY]


@pytest.mark.slow
@pytest.mark.parametrize(("space", "lemma", "learner"), [*EVERY_DAY, *thoroughly(*OTHERS)])
def test_in_name_and_match_renamed_copies_are_one_lemma_again_and_again(space: str, lemma: str, learner: str) -> None:
    formula = resolve_lemma(lemma).formula
    for seed in range(5):
        chosen = practising(space, learner=learner, seed=seed)
        renamed = list(study(copies(formula, 20, Random(seed)), chosen))
        assert renamed == list(study([formula], replace(chosen, episodes=20)))


@pytest.mark.slow
def test_in_simple_nothing_is_shared_between_renamed_copies() -> None:
    formulas = copies(resolve_lemma("SYJ203.2").formula, 10, Random(0))
    together = [episode.states for episode in study(formulas, practising("simple"))]
    growth = [after - before for before, after in zip([0, *together], together, strict=False)]
    # A student without memories of other copies has nothing but this copy's states.
    assert all(new >= 5 for new in growth)
    assert together[-1] > 5 * study(formulas, practising("match"))[0].states


@pytest.mark.slow
def test_a_memory_is_kept_from_lemma_to_lemma() -> None:
    lemma, other = parse("p \\/ q -> q \\/ p"), parse("r /\\ s -> r")
    for space in STATE_SPACES:
        chosen = practising(space, episodes=50)
        states = [episode.states for episode in study([lemma, other, lemma], chosen)]
        assert len(states) == 150
        assert states == sorted(states)
        assert states[99] > states[49]
        # Fifty episodes leave little of so small a lemma unseen, so that the third time is nothing new.
        assert states[149] == states[99]


@pytest.mark.slow
def test_an_episode_says_what_happened() -> None:
    (first,) = study([parse("p -> p")], practising("name"))
    assert first == Episode(states=2, steps=2, proved=True)
    (stuck,) = study([parse("p -> q")], practising("match"))
    assert stuck == Episode(states=2, steps=1, proved=False)


@pytest.mark.slow
def test_every_part_is_taken_in_every_space_by_every_student() -> None:
    wanted, trials = practised()
    lengths = {"copies": 12, "same": 12, "letterings": 5 * 9 * 5, "at-once": 5 * 40, "levels": 6}
    for part, episodes in lengths.items():
        assert [*trials[part]] == [*STATE_SPACES]
        for each in trials[part].values():
            assert [trial["proved"].shape for trial in each] == 3 * [(episodes,)]
    assert wanted["copies"].name == "12 renamed copies of SYJ203.2, one episode each"


@pytest.mark.slow
def test_the_students_of_a_seed_practise_the_same_copies_in_every_space() -> None:
    wanted, trials = practised()
    (formula,) = {lemma.formula for lemma in wanted["copies"].lemmas}
    letters = copies(formula, 12, Random("letters 1"))
    for space in STATE_SPACES:
        expected = study(letters, practising(space, seed=1))
        trial = trials["copies"][space][1]
        assert trial["states"].tolist() == [episode.states for episode in expected]
        assert trial["proved"].tolist() == [episode.proved for episode in expected]


# Reports


@pytest.mark.slow
def test_copies_are_one_lemma_to_whom_every_episode_is_the_same() -> None:
    found = reports(*practised())
    assert [*found] == ["copies", "same", "letterings", "at-once", "levels"]
    alike = found["copies"].samples["as itself"]
    assert (alike["name"] == 1).all() and (alike["match"] == 1).all() and (alike["simple"] < 1).all()
    assert "as itself" not in found["same"].samples
    wanted, trials = practised()
    with pytest.raises(InputError, match="never asked what they know"):
        wanted["same"].report(trials["same"])


def trial(proofs: str, states: int = 1) -> dict[str, Any]:
    """Return what a student did who had an episode for each digit, 1 with a proof; each adds so many states."""
    number = len(proofs)
    return {
        "lemma": np.arange(number),
        "proved": np.array([mark == "1" for mark in proofs]),
        "steps": np.full(number, 5),
        "states": states * np.arange(1, number + 1),
        "max_steps": np.array(200),
    }


def reported(part: str, *students: dict[str, Any]) -> Report:
    """Return the report of a part in which students did the same in every space."""
    done = dict.fromkeys(STATE_SPACES, students)
    return reports({part: planned()[part]}, {"same": done, part: done})[part]


def test_fifths_of_a_part_are_counted_by_episodes_or_by_students() -> None:
    students = trial("1100010000"), trial("1100010001")
    found = reported("letterings", *students)
    assert [found.samples[f"lettering {place}"]["name"].tolist() for place in (1, 5)] == [[1, 1], [0, 0.5]]
    assert found.samples["rise"]["name"].tolist() == [-1, -0.5]
    found = reported("at-once", *students)
    assert [found.number(each, "match").value for each in found.numbers if "at once" in each.name] == [1, 0, 1, 0, 0.5]
    (curve,) = (each for each in found.curves if each.name == "by at once")
    assert found.number(curve, "match").value.tolist() == [1, 0, 1, 0, 0.5]


def test_proofs_states_and_what_the_last_copies_add_are_counted() -> None:
    grown = trial("0" * 20 + "1" * 5, 3)
    grown["states"][:15] = 48  # nothing that is new but in the last ten episodes
    found = reported("copies", grown)
    wanted = {"proofs": 5, "states": 75, "steps": 5, "states a copy": 2.7, "as itself": 1, "cut short": 0}
    assert {name: found.samples[name]["name"].item() for name in wanted} == pytest.approx(wanted)
    assert found.to_json()["curves"]["proofs so far"]["simple"]["value"][-6:] == [0, 1, 2, 3, 4, 5]
