"""The experiments: one memory for all lemmas, the same luck in every space, and what renaming does not change."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from curricula import resolve_lemma
from oasis.lab.copies import copies
from oasis.lab.sharing.experiments import experiments
from oasis.student.learners import LEARNERS
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.parser import parse
from tests.lab.comparisons import Episode, planned, quick, study, taught
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

LEMMAS = ["SYJ203.2", "SYJ206.2", "textbook/or_assoc", "textbook/double_negation_and", "textbook/peirce"]


def settings(space: str, **more: object) -> Settings:
    return replace(Settings(learner="epsilon-soft", state_space=space, episodes=1), **more)  # type: ignore[arg-type]


EVERY_DAY = [
    ("name", "SYJ203.2", "epsilon-soft"),
    ("match", "SYJ203.2", "q-learning"),
    ("name", "SYJ206.2", "dyna-q"),
    ("match", "SYJ206.2", "q-lambda"),
    ("name", "textbook/or_assoc", "sarsa"),
    ("match", "textbook/or_assoc", "sarsa-lambda"),
    ("name", "textbook/double_negation_and", "uniform"),
    ("match", "textbook/peirce", "and-or-q"),
]
OTHERS = [each for each in product(["name", "match"], LEMMAS, LEARNERS) if each not in EVERY_DAY]


@pytest.mark.parametrize(("space", "lemma", "learner"), [*EVERY_DAY, *thoroughly(*OTHERS)])
def test_in_name_and_match_renamed_copies_are_one_lemma_again_and_again(space: str, lemma: str, learner: str) -> None:
    formula = resolve_lemma(lemma).formula
    for seed in range(5):
        chosen = settings(space, learner=learner, seed=seed)
        renamed = list(study(copies(formula, 20, Random(seed)), chosen))
        assert renamed == list(study([formula], replace(chosen, episodes=20)))


def test_in_simple_nothing_is_shared_between_renamed_copies() -> None:
    formulas = copies(resolve_lemma("SYJ203.2").formula, 10, Random(0))
    together = [episode.states for episode in study(formulas, settings("simple"))]
    growth = [after - before for before, after in zip([0, *together], together, strict=False)]
    # A student without memories of other copies has nothing but this copy's states.
    assert all(new >= 5 for new in growth)
    assert together[-1] > 5 * study(formulas, settings("match"))[0].states


def test_a_memory_is_kept_from_lemma_to_lemma() -> None:
    lemma, other = parse("p \\/ q -> q \\/ p"), parse("r /\\ s -> r")
    for space in STATE_SPACES:
        chosen = settings(space, episodes=50)
        states = [episode.states for episode in study([lemma, other, lemma], chosen)]
        assert len(states) == 150
        assert states == sorted(states)
        assert states[99] > states[49]
        # Fifty episodes leave little of so small a lemma unseen, so that the third time is nothing new.
        assert states[149] == states[99]


def test_what_was_learned_of_a_lemma_helps_with_its_copy() -> None:
    first, second = copies(resolve_lemma("textbook/or_comm").formula, 2, Random(1))
    proofs = dict.fromkeys(STATE_SPACES, 0)
    for space in STATE_SPACES:
        for seed in range(20):
            taught = list(study([first, second], settings(space, episodes=100, seed=seed)))
            proofs[space] += sum(episode.proved for episode in taught[100:120])
    assert proofs["name"] > 1.25 * proofs["simple"]
    assert proofs["match"] > 1.25 * proofs["simple"]


def test_an_episode_says_what_happened() -> None:
    (first,) = study([parse("p -> p")], settings("name"))
    assert first == Episode(states=2, steps=2, proved=True)
    (stuck,) = study([parse("p -> q")], settings("match"))
    assert stuck == Episode(states=2, steps=1, proved=False)


def test_every_experiment_is_taken_in_every_space_by_every_student() -> None:
    sharing = quick()
    assert sharing.seeds == (0, 1, 2)
    assert (sharing.lemma.name, sharing.copies, sharing.settings.learner) == ("SYJ203.2", 12, "epsilon-soft")
    lengths = {"copies": 12, "same": 12, "letterings": 5 * 9 * 5, "at-once": 5 * 40, "levels": 6}
    assert [experiment.name for experiment in sharing.experiments] == list(lengths)
    for name, episodes in lengths.items():
        for space in STATE_SPACES:
            for array in sharing.record(name, space):
                assert array.shape == (3, episodes)
    rows = list(sharing.rows())
    assert len(rows) == 3 * len(STATE_SPACES) * sum(lengths.values())
    assert list(rows[0]) == ["experiment", "state_space", "seed", "episode", "states", "steps", "proved"]
    assert {row["seed"] for row in rows} == {0, 1, 2}
    for experiment in experiments(resolve_lemma("SYJ203.1"), 5):
        assert len(experiment.lemmas) * experiment.episodes % max(1, len(experiment.parts)) == 0


def test_the_students_of_a_seed_practise_the_same_copies_in_every_space() -> None:
    (formula,) = {lemma.formula for lemma in planned(copies=12)["copies"].lemmas}
    letters = copies(formula, 12, Random("letters 1"))
    for space in STATE_SPACES:
        expected = study(letters, settings(space, seed=1))
        record = quick().record("copies", space)
        assert record.states[1].tolist() == [episode.states for episode in expected]
        assert record.proved[1].tolist() == [episode.proved for episode in expected]


def test_equal_seeds_give_equal_students_whatever_seed_comes_first() -> None:
    later = taught(copies=12, students=2, seed=1)
    assert later.seeds == (1, 2)
    rows = [row for row in quick().rows() if row["seed"] > 0]
    assert list(later.rows()) == rows


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [({"copies": 0}, "--copies must be at least 1, not 0"), ({"students": 1}, "--seeds must be at least 2, not 1")],
)
def test_too_few_copies_or_students_are_refused(numbers: dict[str, int], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        planned(**numbers)  # type: ignore[arg-type]
