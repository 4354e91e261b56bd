"""Comparing state spaces: copies of a lemma, practice, and what is said and drawn of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib import colors

from curricula import resolve_lemma
from curricula.library import textbook_lemma
from oasis.ground.names import LEARNERS
from oasis.ground.pictures import FORMATS, styles
from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment, stacked
from oasis.lab.plots.sharing import figure, save_plot
from oasis.lab.sharing.experiments import CHOICES, Sharing, plans
from oasis.lab.sharing.findings import findings
from oasis.lab.sharing.reports import reports
from oasis.lab.students.copies import at_once, copies, relettered
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.student import School
from state_spaces import STATE_SPACES, Name
from tactics.errors import InputError
from tactics.formula import And, Formula, atoms
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import thoroughly


class Episode(NamedTuple):
    """One attempt: the states in memory after it, the steps it took, and whether it ended in a proof."""

    states: int
    steps: int
    proved: bool


Episodes = Sequence[Episode]


# Copies


def key(formula: Formula) -> object:
    return Name().view(initial(formula)).key


@settings(deadline=None)
@given(formulas(PLAIN_NAMES), st.integers(0, 30), st.randoms(use_true_random=False))
def test_copies_read_differently_and_are_the_same_lemma(formula: Formula, number: int, rng: Random) -> None:
    assume(atoms(formula))
    found = copies(formula, number, rng)
    assert len({show(copy) for copy in found}) == number
    assert {key(copy) for copy in found} <= {key(formula)}


def test_copies_draw_their_letters_anew_and_by_seed_and_there_are_enough() -> None:
    formula = textbook_lemma("exchange").formula
    assert copies(formula, 5, Random(1)) == copies(formula, 5, Random(1))
    assert not set(copies(formula, 5, Random(1))) & set(copies(formula, 5, Random(2)))
    assert len(set(copies(parse("p -> p"), 200, Random(0)))) == 200
    with pytest.raises(InputError, match="no atoms"):
        copies(parse("False -> False"), 3, Random(0))


def test_every_formula_of_a_sequence_gets_letters_that_no_other_has() -> None:
    theorems = [textbook_lemma(name).formula for name in CHOICES]
    drawn = relettered(3 * theorems, Random(4))
    assert len(set(drawn)) == 3 * len(CHOICES)
    assert [key(formula) for formula in drawn] == 3 * [key(formula) for formula in theorems]
    assert relettered(3 * theorems, Random(4)) == drawn != relettered(3 * theorems, Random(5))


def test_several_at_once_are_joined_copies_with_letters_of_their_own() -> None:
    formula = textbook_lemma("or_comm").formula
    for number, joined in enumerate(at_once(formula, 5), 1):
        assert len(atoms(joined)) == 2 * number
        parts: list[Formula] = []
        while len(parts) < number - 1:
            assert isinstance(joined, And)
            parts.append(joined.left)
            joined = joined.right
        assert {key(part) for part in [*parts, joined]} == {key(formula)}


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


def run_comparison(*arguments: Any, **options: Any) -> Sharing:
    """Run the plans of a comparison and return the result."""
    wanted = planned(*arguments, **options)
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        campaign = Experiment.start(store, wanted, name="a test")
        for _ in campaign.run(Serial()):
            pass
        return Sharing(wanted, {part: campaign.side_by_side(part) for part in wanted})


@cache
def quick_comparison() -> Sharing:
    """Return a comparison of three students on twelve copies of SYJ203.2."""
    return run_comparison(copies=12, students=3)


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
def test_every_experiment_is_taken_in_every_space_by_every_student() -> None:
    sharing = quick_comparison()
    assert sharing.seeds == (0, 1, 2)
    assert (sharing.lemma.name, sharing.copies, sharing.settings.learner) == ("SYJ203.2", 12, "epsilon-soft")
    lengths = {"copies": 12, "same": 12, "letterings": 5 * 9 * 5, "at-once": 5 * 40, "levels": 6}
    for (name, episodes), space in product(lengths.items(), STATE_SPACES):
        for array in sharing.record(name, space):
            assert array.shape == (3, episodes)
    rows = list(sharing.rows())
    assert len(rows) == 3 * len(STATE_SPACES) * sum(lengths.values())
    assert {row["seed"] for row in rows} == {0, 1, 2}


@pytest.mark.slow
def test_the_students_of_a_seed_practise_the_same_copies_in_every_space() -> None:
    (formula,) = {lemma.formula for lemma in planned(copies=12)["copies"].lemmas}
    letters = copies(formula, 12, Random("letters 1"))
    for space in STATE_SPACES:
        expected = study(letters, practising(space, seed=1))
        record = quick_comparison().record("copies", space)
        assert record.states[1].tolist() == [episode.states for episode in expected]
        assert record.proved[1].tolist() == [episode.proved for episode in expected]


# Sentences


def episodes(proofs: str, states: int = 10) -> Episodes:
    """Return an episode for each digit, 1 with a proof; every episode adds `states` states."""
    return [Episode(states * number, 5, mark == "1") for number, mark in enumerate(proofs, 1)]


def made_up(students: int = 2, **experiments: Mapping[str, Sequence[Episodes]]) -> Sharing:
    """Return a comparison with these episodes in some experiments (`_` for `-`), and idle ones in all others."""
    idle = [[Episode(1, 1, False)] * 25] * students
    wanted = planned(students=students)
    return Sharing(
        wanted,
        {
            name: {space: trial(experiments.get(name.replace("-", "_"), {}).get(space, idle)) for space in STATE_SPACES}
            for name in wanted
        },
    )


def trial(episodes: Sequence[Episodes]) -> Trial:
    """Return the trial that holds these episodes of students."""
    states, steps, proved = np.moveaxis(np.array(episodes, np.int32), -1, 0)
    never, nothing = np.zeros((len(episodes), 0, 1)), np.full((len(episodes), 1), "")
    return Trial(np.zeros_like(states), proved.astype(bool), steps, states, never, never, never, nothing, nothing)


def same(done: list[Episodes]) -> dict[str, list[Episodes]]:
    return dict.fromkeys(STATE_SPACES, done)


def said(experiment: str, **done: list[Episodes]) -> str:
    """Return the sentences on an experiment whose students had these episodes in each space."""
    found = findings(made_up(len(done["simple"]), **{experiment: done}))[experiment]
    return "\n".join(found.sentences)


def test_copies_are_one_lemma_only_where_every_episode_is_the_same() -> None:
    itself = same([episodes("0010"), episodes("0110")])
    for change in (episodes("0010", 11), episodes("1010"), [*episodes("001"), Episode(40, 6, False)]):
        changed = {**itself, "match": [change, itself["match"][1]]}
        found = findings(made_up(copies=changed, same=itself))["copies"]
        assert found.sentences[0].startswith("In Simple and Name the 3 copies are one lemma:")
        assert found.sentences[1].startswith("In Match they are not: ")
    everywhere = findings(made_up(copies=itself, same=itself))["copies"]
    assert everywhere.sentences[0].startswith("In Simple, Name and Match the 3 copies are one lemma:")
    nowhere = findings(made_up(copies=same([episodes("1111")] * 2), same=itself))["copies"]
    assert not any("one lemma" in sentence for sentence in nowhere.sentences)


def test_more_and_fewer_are_said_only_where_the_interval_leaves_out_nothing_at_all() -> None:
    few = [episodes(marks) for marks in ("1100", "1000", "1100", "1000")]
    many = [episodes(marks) for marks in ("1111", "1110", "1111", "1111")]
    other = [episodes(marks) for marks in ("1000", "1100", "1000", "1100")]
    text = said("levels", simple=few, name=many, match=few)
    assert "Name: 2.2 more proofs than in Simple (95 % interval 0.7 to 3.8)." in text
    assert "Match: 2.2 fewer proofs than in Name (95 % interval 0.7 to 3.8)." in text
    text = said("levels", simple=few, name=other, match=other)
    assert "Name: no difference to Simple in proofs that these students show (95 % interval −3.6 to 3.6)." in text
    assert "Match: with every student exactly as many proofs as in Name." in text


def test_memories_are_compared_with_the_first() -> None:
    done = {
        "simple": [episodes("0000", 100)] * 2,
        "name": [episodes("0000", 75)] * 2,
        "match": [episodes("0000", 110)] * 2,
    }
    text = said("same", **done)
    assert text.startswith("Simple keeps 400 states, Name 300 (25.0% fewer) and Match 440 (10.0% more).\n")
    text = said("same", **same(done["name"]))
    assert text.startswith("Simple keeps 300 states, Name 300 (exactly as many) and Match 300 (exactly as many).\n")


def test_a_rise_between_letterings_is_told_from_a_fall_and_from_nothing() -> None:
    done = {
        "simple": [episodes("10" * 4 + "1" * 2), *[episodes("00" * 4 + "1" * 2)] * 5],
        "name": [episodes("11" * 4 + "10"), *[episodes("11" * 4 + "00")] * 5],
        "match": [*[episodes("11" * 4 + "10")] * 3, *[episodes("10" * 4 + "11")] * 3],
    }
    rise, fall, nothing, *_ = findings(made_up(6, letterings=done))["letterings"].sentences
    assert "Simple" in rise
    assert "92 percentage points higher than in the first (95 % interval 53.9 to 100)" in rise
    assert "Name" in fall
    assert "92 percentage points lower than in the first" in fall
    assert "Match" in nothing
    assert "that of the first, as far as these students show" in nothing


def test_several_at_once_count_students_and_not_episodes() -> None:
    done = {
        "simple": [episodes("1000000000"), episodes("1000000000")],
        "name": [episodes("1010101010"), episodes("1010100000")],
        "match": [episodes("1111111111"), episodes("1111111101")],
    }
    found = findings(made_up(at_once=done))["at-once"]
    assert [part.value for part in found.summaries[1].parts] == [1, 1, 1, 0.5, 0.5]
    assert found.sentences[0] == (
        "The share of students that prove five at once: 0% in Simple, 50% in Name and 100% in Match."
    )


def test_the_growth_of_memories_is_that_of_the_last_ten_copies() -> None:
    slow = [Episode(200 + number, 5, False) for number in range(25)]
    none = [Episode(3, 5, False)] * 25
    done: dict[str, list[Episodes]] = {"simple": [episodes("0" * 25)] * 2, "name": [slow] * 2, "match": [none] * 2}
    sharing = made_up(copies=done)
    sharing.copies = 25
    text = "\n".join(findings(sharing)["copies"].sentences)
    assert "the last 10 copies brings: 10.0 in Simple, 1.0 in Name and 0.0 in Match." in text


@pytest.mark.parametrize(
    ("marks", "first"),
    [
        (["0001", "0100", "1000"], 2),
        (["0000", "0000", "0010"], None),
        (["0000", "0010", "0001"], 4),
        (["0000", "0010"], None),  # no student has a proof between the third episode and never
    ],
)
def test_the_first_proof_is_a_median_and_may_never_come(marks: list[str], first: int | None) -> None:
    found = findings(made_up(len(marks), levels=same([episodes(each) for each in marks])))["levels"]
    assert found.summaries[0].first.to_json()["value"] == first


# Pictures

SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", *thoroughly(".png", ".pdf")])
def test_the_picture_is_written_in_the_format_of_its_name_and_is_always_the_same(tmp_path: Path, suffix: str) -> None:
    assert {*SIGNATURES} == {*FORMATS}
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix.upper()}"
    for path in (one, other):
        save_plot(path, quick_comparison(), findings(quick_comparison()))
    assert one.read_bytes().startswith(SIGNATURES[suffix])
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_every_panel_has_named_axes_and_curves_that_are_the_means_of_the_students() -> None:
    drawing = figure(quick_comparison(), findings(quick_comparison()))
    panels = drawing.axes
    assert [panel.get_ylabel() for panel in panels] == [
        *("states in memory", "", "episodes with a proof"),
        *("proofs so far", "", "students with a proof"),
    ]
    assert [panel.get_xlabel() for panel in panels] == ["", "", "lettering", "copy", "episode", "how many"]
    assert [panel.get_title() for panel in panels[:2]] == ["12 renamed copies of SYJ203.2", "SYJ203.2 itself, 12 times"]
    (legend,) = drawing.legends
    assert [text.get_text() for text in legend.get_texts()] == [name.capitalize() for name in STATE_SPACES]
    assert "3 students" in legend.get_title().get_text()
    for column, experiment in enumerate(("copies", "same")):
        for line, space in zip(drawing.axes[column].lines, STATE_SPACES, strict=True):
            expected = quick_comparison().record(experiment, space).states.mean(axis=0)
            assert list(line.get_ydata()) == pytest.approx(list(expected))  # type: ignore[arg-type]
            assert list(line.get_xdata()) == [*range(1, 13)]  # type: ignore[arg-type]
        assert len(drawing.axes[column].collections) == len(STATE_SPACES)  # the shaded intervals
    assert drawing.axes[0].get_ylim() == drawing.axes[1].get_ylim()


def lightness(colour: str) -> float:
    return sum(part * weight for part, weight in zip(colors.to_rgb(colour), (0.3, 0.59, 0.11), strict=True))


@pytest.mark.slow
def test_kinds_are_told_apart_by_line_marker_and_lightness_in_every_picture() -> None:
    looks = [*styles(STATE_SPACES).values()]
    assert len({look.line for look in looks}) == len({look.marker for look in looks}) == len(looks)
    shades = sorted(lightness(look.colour) for look in looks)
    assert all(lighter - darker > 0.15 for darker, lighter in pairwise(shades))
    looks = [*styles(map(str, range(100))).values()]
    assert len({look.line for look in looks[:8]}) == len({look.marker for look in looks[:8]}) == 8
    assert len(set(looks)) == 100
    assert max(lightness(look.colour) for look in looks) < 0.75  # to be seen on white
    few, many = styles(["q", "sarsa"], ["sarsa", "q", "and-or-q"]), styles(["mine", "q"], ["sarsa", "q", "and-or-q"])
    assert few["q"] == many["q"] != few["sarsa"]
    assert many["mine"] == [*styles("abcd").values()][3]


@pytest.mark.slow
def test_a_lemma_of_one_copy_or_with_a_long_name_can_be_drawn() -> None:
    sharing = run_comparison(
        "forall Apples Bananas Cherries : Prop, Apples -> Bananas -> Cherries -> Bananas", copies=1
    )
    drawing = figure(sharing, findings(sharing))
    drawing.draw_without_rendering()
    assert len(drawing.axes[0].get_title()) < 50


WITHOUT = {
    "first_proof": "when practice proves for the first time says little of what is known",
    "sentences": "verdicts follow from one test of a whole report",
}
"""What the earlier report said that this one does not, and why."""


@pytest.mark.slow
def test_measures_are_the_numbers_of_the_earlier_report() -> None:
    wanted = planned(copies=12, students=6)
    trials = {
        part: {
            kind.name: [plan.attempt(place, seed)._asdict() for seed in plan.seeds]
            for place, kind in enumerate(plan.variants)
        }
        for part, plan in wanted.items()
    }
    new = {part: report.to_json() for part, report in reports(wanted, trials).items()}
    stacked_ = {
        part: {name: stacked(wanted[part], each) for name, each in kinds.items()} for part, kinds in trials.items()
    }
    for part, found in findings(Sharing(wanted, stacked_)).items():
        old = found.to_json()
        for space, numbers in old["spaces"].items():
            assert numbers.keys() == {"states", "proofs", "steps", "parts", "first_proof"}
            told = {name: by_space[space] for name, by_space in new[part]["numbers"].items()}
            for name in ("states", "steps"):
                for bound in ("value", "low", "high"):
                    assert told[name][bound] == pytest.approx(numbers[name][bound], abs=1e-12)
            assert told["proofs"]["value"] == pytest.approx(numbers["proofs"]["value"], abs=1e-12)
            column = {"letterings": "lettering", "at-once": "at once"}.get(part)
            for place, share in enumerate(numbers["parts"].values(), 1):
                assert told[f"{column} {place}"]["value"] == pytest.approx(share["value"], abs=1e-12)
