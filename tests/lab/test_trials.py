"""Trials: every episode is recorded, checkpoints show what was known then, asking changes nothing."""

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.lemma import Lemma
from curricula.orders import ORDERS
from oasis.lab.measure import Trial
from oasis.lab.students.plan import ANSWERS, Plan, Variant, attempt
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
    return attempt(plan, plan.variants[0], 7, office.student), office


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
        trial = attempt(renamed, variant, seed, School(variant.settings).student)
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
        attempt(replace(PLAN, checkpoints=asked), variant, seed, school.student) for asked in ((), (*asked[:-1], 36))
    )
    kept = ("lemma", "proved", "steps", "states", "best")
    assert same({"": {**questioned, **{name: silent[name] for name in kept}}}, {"": questioned})


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
def test_a_school_gives_the_same_student_again(variant: Variant) -> None:
    school = School(variant.settings)
    first, other, again = (attempt(PLAN, variant, seed, school.student) for seed in (1, 2, 1))
    alone = attempt(PLAN, variant, 1, School(variant.settings).student)
    assert same({"": first}, {"": again})
    assert same({"": first}, {"": alone})
    assert not same({"": first}, {"": other})


def test_the_arrays_have_the_types_that_are_promised() -> None:
    trial = attempt(PLAN, VARIANTS[0], 0, School(SETTINGS).student)
    kinds = {name: array.dtype for name, array in trial.items()}
    assert {name for name, kind in kinds.items() if kind.kind == "U"} == {"best", "script"}
    assert {name for name, kind in kinds.items() if kind == np.int32} == {
        *("lemma", "steps", "states", "checkpoints", "max_steps")
    }
    assert kinds["proved"] == np.bool_ and {kinds[name] for name in ANSWERS} == {np.dtype(np.float64)}


def test_taught_afresh_a_lemma_knows_nothing_of_those_before() -> None:
    afresh = attempt(PLAN, Variant("v", SETTINGS, "afresh"), 3, School(SETTINGS).student)
    for place, lemma in enumerate(LEMMAS):
        alone = Plan("p", (lemma,), (Variant("v", SETTINGS),), (3,), (12,))
        trial = attempt(alone, alone.variants[0], 3, School(SETTINGS).student)
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


def test_students_inside_a_prover_are_refused() -> None:
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
