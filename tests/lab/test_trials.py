"""Trials: every episode is recorded, checkpoints show what was known then, asking changes nothing; and their orders."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import linregress

from curricula.lemma import Lemma
from oasis.lab.measure import Trial
from oasis.lab.students.orders import BLOCKS, EXPLORATION, LONGEST_BLOCK, MASTERED, ORDERS, WINDOW, Record, block_length
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.students.trial import ANSWERS, attempt
from oasis.play.exam import PLAYS, Exam, graded
from oasis.play.policy import Floats
from oasis.play.states import States, Worth
from oasis.student.settings import Settings
from oasis.student.student import Practice, School
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import Script, parse_script, replay
from tests.lab.plans import LEMMAS, PLAN, SETTINGS, VARIANTS, same
from tests.thorough import examples

every_order = pytest.mark.parametrize("order", ORDERS)


@dataclass
class Clerk:
    """A student who learns nothing; its answers count what it was made to do."""

    settings: Settings
    seed: int
    practised: Counter[Formula] = field(default_factory=Counter)

    @property
    def states(self) -> int:
        return self.practised.total()

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        assert episodes > 0
        numbers = np.arange(1, episodes + 1, dtype=np.int32)
        attempts = self.practised[lemma] + numbers
        practice = Practice(attempts % 3 == 0, attempts, self.states + numbers)
        self.practised[lemma] += episodes
        return practice

    def best(self, lemma: Formula) -> Script | None:
        return (Move("intro"),) * self.practised[lemma] or None

    def examine(self, lemma: Formula, plays: int = PLAYS, seed: int | None = None) -> Exam:
        return graded(plays, [(Move("assumption"),) * self.practised[lemma]] * (plays - 1))

    def worth(self, states: States, amounts: Floats | None = None) -> Worth:
        return Worth(0.5, 0.25, float(self.practised[states.lemma]), 0.0)

    def value(self, lemma: Formula) -> float:
        return self.states + self.seed / 1000


class Office:
    """A school whose students are clerks, which it keeps."""

    def __init__(self) -> None:
        self.clerks: list[Clerk] = []

    def student(self, seed: int) -> Any:
        self.clerks.append(Clerk(SETTINGS, seed))
        return self.clerks[-1]


checkpoints = st.sets(st.integers(0, PLAN.episodes)).map(lambda numbers: tuple(sorted(numbers)))


def by_clerk(order: str, asked: tuple[int, ...]) -> tuple[Trial, Office]:
    office = Office()
    plan = Plan("p", LEMMAS, (Variant("v", SETTINGS, order),), (7,), asked)
    return attempt(plan, plan.variants[0], 7, office), office


@every_order
@given(checkpoints)
def test_checkpoints_show_what_was_practised_until_then(order: str, asked: tuple[int, ...]) -> None:
    trial, _ = by_clerk(order, asked)
    assert trial["checkpoints"].tolist() == [*asked]
    assert {trial[name].shape for name in ANSWERS} == {(len(asked), len(LEMMAS))}
    for checkpoint, actions, value in zip(asked, trial["actions"], trial["value"], strict=True):
        practised = np.bincount(trial["lemma"][:checkpoint], minlength=len(LEMMAS))
        assert actions.tolist() == practised.tolist()
        known = practised if order == "afresh" else [checkpoint] * len(LEMMAS)
        assert value.tolist() == [states + 0.007 for states in known]


@every_order
@given(checkpoints)
def test_every_episode_is_recorded_once(order: str, asked: tuple[int, ...]) -> None:
    trial, office = by_clerk(order, asked)
    for array in (trial["lemma"], trial["proved"], trial["steps"], trial["states"]):
        assert array.shape == (PLAN.episodes,)
    for lemma in range(len(LEMMAS)):
        # The clerk counts the episodes of a lemma in its steps.
        assert trial["steps"][trial["lemma"] == lemma].tolist() == [*range(1, 1 + int((trial["lemma"] == lemma).sum()))]
    if order == "afresh":
        assert trial["states"].tolist() == trial["steps"].tolist()
        assert len(office.clerks) == len(LEMMAS)
    else:
        assert trial["states"].tolist() == [*range(1, PLAN.episodes + 1)]
        assert len(office.clerks) == 1
    assert {clerk.seed for clerk in office.clerks} == {7}


def test_the_best_script_of_each_lemma_is_kept_and_that_of_the_last_exam() -> None:
    trial, _ = by_clerk("fixed", (12, 24))
    assert trial["best"].tolist() == ["; ".join(["intro"] * 12)] * 3
    assert trial["script"].tolist() == ["; ".join(["assumption"] * number) for number in (12, 12, 12)]
    unasked, _ = by_clerk("fixed", ())
    assert unasked["script"].tolist() == ["", "", ""]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
def test_scripts_that_are_kept_prove_their_lemmas_in_as_many_moves_as_are_told(variant: Variant) -> None:
    renamed = replace(PLAN, renamed=True)
    for seed in range(5):
        trial = attempt(renamed, variant, seed, School(variant.settings))
        for formula, best, script, chance in zip(
            renamed.formulas(seed), trial["best"], trial["script"], trial["chance"][-1], strict=True
        ):
            assert bool(script) == (chance > 0.1)
            for text in filter(None, (str(best), str(script))):
                *_, last = replay(formula, parse_script(text))
                assert last == ()
        for lemma in range(len(LEMMAS)):
            proofs = trial["steps"][(trial["lemma"] == lemma) & trial["proved"]]
            assert bool(trial["best"][lemma]) == bool(len(proofs))
            if len(proofs) and variant.settings.actions == "legal":
                assert len(parse_script(str(trial["best"][lemma]))) == min(proofs)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
@settings(max_examples=5)
@given(asked=checkpoints, seed=st.integers(0, 2**63 - 1))
def test_asking_a_student_changes_nothing(variant: Variant, asked: tuple[int, ...], seed: int) -> None:
    school = School(variant.settings)
    silent, questioned = (
        attempt(replace(PLAN, checkpoints=asked), variant, seed, school) for asked in ((), (*asked[:-1], 36))
    )
    kept = ("lemma", "proved", "steps", "states", "best")
    assert same({"": {**questioned, **{name: silent[name] for name in kept}}}, {"": questioned})


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
def test_a_school_gives_the_same_student_again(variant: Variant) -> None:
    school = School(variant.settings)
    first, other, again = (attempt(PLAN, variant, seed, school) for seed in (1, 2, 1))
    alone = attempt(PLAN, variant, 1, School(variant.settings))
    assert same({"": first}, {"": again})
    assert same({"": first}, {"": alone})
    assert not same({"": first}, {"": other})


def test_the_arrays_have_the_types_that_are_promised() -> None:
    trial = attempt(PLAN, VARIANTS[0], 0, School(SETTINGS))
    kinds = {name: array.dtype for name, array in trial.items()}
    assert {name for name, kind in kinds.items() if kind.kind == "U"} == {"best", "script"}
    assert {name for name, kind in kinds.items() if kind == np.int32} == {
        *("lemma", "steps", "states", "checkpoints", "max_steps")
    }
    assert kinds["proved"] == np.bool_ and {kinds[name] for name in ANSWERS} == {np.dtype(np.float64)}


def test_taught_afresh_a_lemma_knows_nothing_of_those_before() -> None:
    afresh = attempt(PLAN, Variant("v", SETTINGS, "afresh"), 3, School(SETTINGS))
    for place, lemma in enumerate(LEMMAS):
        alone = Plan("p", (lemma,), (Variant("v", SETTINGS),), (3,), (12,))
        trial = attempt(alone, alone.variants[0], 3, School(SETTINGS))
        mine = slice(12 * place, 12 * (place + 1))
        for name in ("proved", "steps", "states"):
            assert trial[name].tolist() == afresh[name][mine].tolist()
        for name in ANSWERS:
            assert trial[name][-1].tolist() == [afresh[name][-1][place]]


@pytest.mark.parametrize("order", ["easiest", "progress"])
def test_blocks_cut_at_checkpoints_are_whole_blocks_to_the_order(order: str) -> None:
    orders = {by_clerk(order, asked)[0]["lemma"].tobytes() for asked in ((), (1, 2, 3), tuple(range(1, 37)))}
    assert len(orders) == 1


def test_a_plan_comes_back_from_json_as_it_was() -> None:
    odd = replace(SETTINGS, epsilon=0.1 + 0.2, alpha=1e-6, initial_value=-1e9)
    lemma = Lemma("", parse("p"), None, "", None, 99)
    for plan in (PLAN, replace(PLAN, lemmas=(lemma,), variants=(Variant("odd", odd, "easiest"),), checkpoints=())):
        again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
        assert again == plan
        assert [type(lemma.status) for lemma in again.lemmas] == [type(lemma.status) for lemma in plan.lemmas]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"lemmas": ()}, "A comparison needs at least one lemma."),
        ({"seeds": ()}, "A comparison needs at least one seed."),
        ({"lemmas": (*LEMMAS, LEMMAS[1])}, "The lemma L1 is there twice; leave one of the two out."),
        ({"variants": (VARIANTS[0],) * 2}, "The variant fixed is there twice; leave one of the two out."),
        ({"seeds": (1, 2, 1)}, "The seed 1 is there twice; leave one of the two out."),
        ({"seeds": (1, -2)}, f"--seed is -2; give a whole number from 0 to {2**63 - 1:,}."),
        ({"seeds": (2**63,)}, f"--seed is {2**63}; give a whole number from 0 to {2**63 - 1:,}."),
        ({"checkpoints": (-1,)}, "Checkpoints must increase and lie between 0 and 36, the last episode."),
        ({"checkpoints": (1, 37)}, "Checkpoints must increase and lie between 0 and 36, the last episode."),
        ({"checkpoints": (5, 5)}, "Checkpoints must increase and lie between 0 and 36, the last episode."),
        (
            {"variants": (VARIANTS[0], Variant("longer", replace(SETTINGS, episodes=13)))},
            "The students have different numbers of episodes; give all of them the same --episodes.",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        replace(PLAN, **change)
    assert str(refused.value) == sentence


def test_unknown_orders_and_students_inside_a_prover_are_refused() -> None:
    with pytest.raises(InputError, match="--order is one of fixed, shuffled, easiest, progress, afresh, not 'late'"):
        Variant("v", SETTINGS, "late")
    with pytest.raises(InputError, match="native"):
        Variant("v", replace(SETTINGS, backend="coq"))


def test_a_plan_of_another_version_is_refused_in_one_sentence() -> None:
    stored = PLAN.to_json()
    del stored["seeds"]
    with pytest.raises(InputError, match="was written by another version of Oasis"):
        Plan.from_json(stored)
    stored = PLAN.to_json()
    stored["variants"][0]["settings"]["mood"] = "good"
    with pytest.raises(InputError, match=r"another version of Oasis \(.*mood.*\); go on with it in that one\."):
        Plan.from_json(stored)


# Orders of lemmas

LARGE, SMALL, MIDDLE = (parse(text) for text in ("p /\\ q -> q /\\ p", "p", "p -> p"))
FORMULAS = [LARGE, SMALL, MIDDLE]
EPISODES = 200
Proves = Callable[[int, int], bool]
"""Whether the attempt at this lemma, the one of this number, is a proof."""


def taught(
    order: str, proves: Proves, *, lemmas: list[Formula] = FORMULAS, episodes: int = EPISODES, seed: int = 0
) -> list[int]:
    """Return the lemma that each episode of a trial practises."""
    blocks = ORDERS[order](lemmas, episodes, seed)
    block = next(blocks)
    made: list[int] = []
    practised: Counter[int] = Counter()
    while True:
        assert block.episodes > 0
        proved = []
        for _ in range(min(block.episodes, episodes * len(lemmas) - len(made))):
            practised[block.lemma] += 1
            proved.append(proves(block.lemma, practised[block.lemma]))
            made.append(block.lemma)
        if len(made) == episodes * len(lemmas):
            return made
        block = blocks.send(np.array(proved, dtype=np.bool_))


def by_chance(*chances: float) -> Proves:
    rng = Random(0)
    return lambda lemma, _: rng.random() < chances[lemma]


@every_order
@settings(max_examples=examples(60))
@given(
    chances=st.lists(st.sampled_from([0.0, 0.3, 0.9, 1.0]), min_size=1, max_size=6),
    episodes=st.integers(1, 300),
    seed=st.integers(0, 2**63 - 1),
)
def test_an_order_has_blocks_for_all_episodes_and_the_same_ones_again(
    order: str, chances: list[float], episodes: int, seed: int
) -> None:
    lemmas = [SMALL] * len(chances)
    one, other = (taught(order, by_chance(*chances), lemmas=lemmas, episodes=episodes, seed=seed) for _ in range(2))
    assert one == other
    assert len(one) == episodes * len(lemmas)
    assert set(one) <= set(range(len(lemmas)))


@pytest.mark.parametrize("order", ["fixed", "afresh"])
def test_a_fixed_order_is_that_of_the_curriculum(order: str) -> None:
    assert taught(order, by_chance(1, 0, 1)) == [0] * EPISODES + [1] * EPISODES + [2] * EPISODES


@given(st.integers(0, 2**63 - 1))
def test_a_shuffled_order_has_each_lemma_once_and_in_one_go(seed: int) -> None:
    made = taught("shuffled", by_chance(0, 0, 0), seed=seed)
    order = list(dict.fromkeys(made))
    assert sorted(order) == [0, 1, 2]
    assert made == [lemma for lemma in order for _ in range(EPISODES)]


def test_shuffled_orders_are_all_equally_likely() -> None:
    orders = Counter(
        tuple(dict.fromkeys(taught("shuffled", by_chance(0, 0, 0), episodes=1, seed=seed))) for seed in range(600)
    )
    assert len(orders) == 6
    assert all(70 < number < 130 for number in orders.values())


def test_the_easiest_order_goes_from_what_is_easy_to_what_is_hard_and_stays_there() -> None:
    made = taught("easiest", lambda lemma, number: lemma != 0 and number > (0, 0, 60)[lemma])
    block = block_length(EPISODES)
    window = WINDOW * block
    # The small one to mastery; a look at the others, smaller first; the middle one to mastery; the large one.
    assert made[:window] == [1] * window
    assert made[window : window + 2 * block] == [2] * block + [0] * block
    middle = Counter(made)[2]
    assert 60 + MASTERED * window <= middle <= 60 + window
    assert made[window + 2 * block :] == [2] * (middle - block) + [0] * (len(made) - window - block - middle)


def test_the_easiest_order_leaves_a_lemma_that_stays_hard_and_gives_what_is_left_to_the_hardest() -> None:
    made = taught("easiest", by_chance(0.0, 0.5, 0.0))
    assert Counter(made) == {0: EPISODES, 1: EPISODES, 2: EPISODES}
    assert made[-1] == 0  # of two that are equally hard the larger one comes last
    counts = Counter(taught("easiest", by_chance(0.2, 1.0, 0.6)))
    assert counts[1] == WINDOW * block_length(EPISODES)
    assert counts[2] == EPISODES
    assert counts[0] > EPISODES


@pytest.mark.parametrize("falling", [False, True])
def test_the_progress_order_goes_where_something_changes(falling: bool) -> None:
    def proves(lemma: int, number: int) -> bool:
        if lemma != 2:
            return lemma == 1
        # Its share of proofs goes from one end to the other, evenly spread.
        return (number * 0.618 % 1 < number / len(FORMULAS) / EPISODES) is not falling

    made = taught("progress", proves)
    assert Counter(made)[2] > 0.7 * len(made)


def test_the_progress_order_explores_comes_back_and_looks_at_small_lemmas_first() -> None:
    counts = Counter(taught("progress", lambda lemma, _: lemma == 1, episodes=2000))
    assert all(0.25 < count / 6000 < 0.42 for count in counts.values())
    # The first lemma learns for long; the second only begins to when it has been tried for a while.
    made = taught("progress", lambda lemma, number: (lemma == 0 and number % 300 < number // 2) or number > 150)
    assert Counter(made)[1] > EXPLORATION * len(made) / len(FORMULAS) / 2
    block = block_length(EPISODES)
    assert taught("progress", by_chance(1, 1, 1))[: 6 * block : block] == [1, 2, 0, 1, 2, 0]


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=8), min_size=2, max_size=30))
def test_a_slope_is_that_of_the_least_squares_line(blocks: list[list[bool]]) -> None:
    record = Record()
    for block in blocks:
        record.add(np.array(block))
    recent = [sum(block) / len(block) for block in blocks][-WINDOW:]
    assert record.slope == pytest.approx(linregress(range(len(recent)), recent).slope, abs=1e-12)
    assert record.rate == pytest.approx(np.mean(recent))
    assert record.episodes == sum(map(len, blocks))


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_a_lemma_is_mastered_by_a_full_window_and_not_by_less(blocks: list[bool]) -> None:
    record = Record()
    for block in blocks:
        record.add(np.array([block]))
    assert record.mastered == (len(blocks) >= WINDOW and sum(blocks[-WINDOW:]) >= MASTERED * WINDOW)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_blocks_grow_with_the_episodes_within_their_bounds(fewer: int, more: int) -> None:
    assume(fewer <= more)
    assert 1 <= block_length(fewer) <= block_length(more) <= LONGEST_BLOCK
    assert block_length(fewer) * BLOCKS <= max(fewer, BLOCKS)


def test_another_seed_gives_another_order() -> None:
    assert len({tuple(taught("progress", by_chance(0, 0, 0), seed=seed)) for seed in range(9)}) > 5
