"""Lemmas that climb for good, with the calculus, students and searches; networks are stood in for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from curricula import resolve_lemma
from oasis.escalation.climb import Record, why_open
from oasis.escalation.costs import Counter
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import NETWORK, Asked, Ladder, asked_by, built
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import SPENT, Searching, Slice
from oasis.play.policy import LAST, Floats, Policy, Uniform
from oasis.play.solving import OPEN, PROVED
from oasis.search.cache import GoalCache
from oasis.search.proof_number import ProofNumber
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.training import EXPLORATION
from oasis.teacher.policy import Exact
from tactics.errors import InputError, LibraryMissing
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.script import parse_script
from tests.escalation.doubles import Acting, Network, Watch, escalation, proved

SETTINGS = Settings(learner="and-or-q", episodes=50, seed=1)
WHO = (("network", "tiny"), ("language model", "hf:X"))


def plain(settings: Settings = SETTINGS) -> Pupil:
    """Return a student in plain Python, who need not be compiled."""
    return Pupil(PlainStudent(settings), lambda: PlainStudent(settings), {})


def lemmas(*names: str) -> list[Formula]:
    return [resolve_lemma(name).formula for name in names]


def climbed(
    ladder: Ladder, formulas: Sequence[Formula], network: Policy | None = None, pupil: Pupil | None = None
) -> tuple[Escalation, list[Record]]:
    made = Escalation(ladder, formulas, pupil=pupil, asked=Asked(network), seconds=60, seed=0)
    assert [*made]
    return made, list(made.records)


def test_the_network_plays_and_is_searched_with_where_nobody_else_is_asked() -> None:
    made, records = climbed(Ladder.named("network", network="exact"), lemmas("SYJ203.2", "SYJ203.3"), Exact())
    assert [record.by for record in records] == ["network", "network"]
    assert [stage.name for stage in made.climb.stages] == ["greedy", "judged", "samples", "network-search"]
    assert all(record.of("greedy").cost.plays for record in records)


def test_who_writes_proofs_is_asked_last_and_tokens_are_counted() -> None:
    ladder = Ladder.named("network+language", "wrong", language="uniform")
    only = replace(ladder, stages=("greedy", "language"))
    made = Escalation(only, lemmas("textbook/or_comm"), pupil=None, asked=Asked(LAST, Uniform()), seconds=60, seed=0)
    assert [*made]
    (record,) = made.records
    assert (record.by, record.stage) == ("language model", "language")
    assert record.of("greedy").is_spent and record.cost.tokens > 0
    with pytest.raises(InputError, match="needs a policy that writes proofs"):
        Ladder.named("table+language")


def test_a_search_makes_up_for_a_network_that_is_wrong() -> None:
    _, (record,) = climbed(Ladder(NETWORK, "wrong"), lemmas("textbook/or_comm"), Network(Watch(), "left"))
    assert (record.by, record.stage) == ("network", "network-search")
    assert record.of("greedy").is_spent
    assert record.of("judged").is_spent


def test_without_values_no_premises_are_judged() -> None:
    class Silent(Exact):
        def values(self, goals: Sequence[Goal]) -> None:  # type: ignore[override]
            return None

    made, _ = climbed(Ladder(NETWORK, "silent"), lemmas("SYJ203.1"), Silent())
    assert "judged" not in [stage.name for stage in made.climb.stages]


def test_without_its_libraries_the_stages_of_the_network_are_left_out_in_a_sentence() -> None:
    def missing(name: str) -> Policy:
        raise LibraryMissing(f"{name} needs torch: pip install it")

    said: list[str] = []
    ladder, asked = asked_by(Ladder.named("escalate", language="hf:X"), missing, said.append)
    assert ladder == Ladder(("table", "search"), "")
    assert asked == Asked()
    assert said == [f"The stages of the {who} are left out. {name} needs torch: pip install it" for who, name in WHO]


def test_a_ladder_is_named_by_its_parts_in_any_order() -> None:
    assert Ladder.named("search+table").stages == ("table", "search")
    assert Ladder.named("escalate").stages == ("table", "search", *NETWORK)
    assert Ladder.named("escalate", language="first").stages == ("table", "search", *NETWORK, "language")
    with pytest.raises(InputError, match="'tabel' is no ladder; take escalate, or some of table, search, network"):
        Ladder.named("tabel+search")


def test_searches_of_neighbouring_seeds_are_others_at_every_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    class Seen(ProofNumber):
        def __init__(self, goal: Goal, policy: Policy | None = None, *, seed: int = 0, **others: Any) -> None:
            super().__init__(goal, policy, seed=seed, **others)
            seeds.append(self.rng.state)

    monkeypatch.setattr("oasis.search.proof_number.ProofNumber", Seen)
    (formula,) = lemmas("SYJ203.1")
    for seed in range(3):
        stage = Searching(Uniform, "proof-number", GoalCache(), Counter(), seed, "search", expansions=1)
        for visit in range(3):
            stage.attempt(formula, Slice(1.0, visit))
    assert len(set(seeds)) == 9


@pytest.mark.parametrize("false", ["intro", "split", "intro; assumption; assumption"])
def test_a_script_that_is_no_proof_is_an_error_and_proves_nothing(false: str) -> None:
    lying = Acting("search", Watch(), lambda lemma, part: replace(proved(lemma), script=parse_script(false)))
    made = escalation([lying], [parse("A -> A")], lying.watch)
    with pytest.raises(AssertionError, match=r"claims to prove .* with a script that does not"):
        list(made)
    (record,) = made.records
    assert (record.status, record.stage, record.script, record.order) == (OPEN, "", None, None)


def test_a_search_below_the_network_asks_the_student_and_without_one_nobody() -> None:
    formula = parse("A \\/ (B -> B)")
    pupil, ladder = plain(replace(SETTINGS, shown=20)), Ladder(("search",), "")
    pupil.learn(formula, parse_script("right; intro; assumption"))
    found = []
    for student in (pupil, None):
        (stage,) = built(ladder, student, Asked(), GoalCache(), Counter(), 0)
        assert isinstance(stage, Searching) and stage.search == ladder.search
        found.append(stage.policy())
    found.append(pupil.student.policy(epsilon=EXPLORATION))
    by_student, by_nobody, known = (policy.probabilities([initial(formula)])[0].tolist() for policy in found)
    assert by_student == known != by_nobody == [0.5, 0.5]


@pytest.mark.slow
def test_expansions_are_counted_for_a_lemma_and_it_is_told_whether_it_was_the_time_that_was_not_enough() -> None:
    ladder, hard = Ladder(("search",), "", expansions=1_000), lemmas("SYJ202.5")
    made, (record,) = climbed(ladder, hard)
    assert record.status is OPEN
    assert 1_000 <= record.of("search").cost.expansions < 1_300, "a search ends behind the batch under way"
    assert record.of("search").visits > 1 and record.of("search").is_spent
    assert made.climb.pace.left > 30, "so nobody waits for the end of the time"
    assert why_open(record, ladder.stages) == "all that is to be tried was tried"
    made = Escalation(replace(ladder, expansions=None), hard, pupil=None, asked=Asked(), seconds=0.2, seed=0)
    assert [*made]
    assert why_open(made.records[0], ladder.stages) == "the time was not enough"


def test_a_proof_too_long_to_write_down_is_not_looked_for_again_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.escalation.stages.LONGEST", 5)
    (short,), (long,) = lemmas("textbook/and_elim"), lemmas("SYJ203.4")
    stage = Searching(Uniform, "proof-number", GoalCache(), Counter(), 0, "search")
    assert stage.attempt(short, Slice(10)).status is PROVED
    tried = stage.attempt(long, Slice(10))
    assert (tried.status, tried.script, tried.reason == SPENT) == (OPEN, None, True)
    assert tried.length is not None and tried.length > 5
    ladder = Ladder(("search",), "")
    _, (record,) = climbed(ladder, [long])
    assert (record.status, record.too_long) == (OPEN, tried.length)
    assert Record.from_json(record.to_json()).too_long == tried.length
    assert why_open(record, ladder.stages).startswith(f"a proof was found, but of its {tried.length} moves only")


def test_who_cannot_be_asked_is_refused_before_anything_is_begun() -> None:
    class Broken(Uniform):
        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            return [np.array([7.0]) for _ in states]

    class WithoutValues:
        probabilities = Uniform().probabilities

    for kind, told in ((Broken, "are 7 together"), (WithoutValues, "fails with AttributeError")):
        made: Any = kind()
        with pytest.raises(InputError, match=f"policy {kind.__name__} {told}"):
            asked_by(Ladder.named("network"), lambda name, made=made: made)  # type: ignore[misc]


def test_who_fails_at_work_is_called_by_name() -> None:
    class Later(Uniform):
        policy = "of my own"  # which is nobody that it passes questions on to

        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            if any(goal.hypotheses for state in states for goal in state):
                raise KeyError("x")
            return super().probabilities(states)

    with pytest.raises(InputError, match="The policy Later fails with KeyError"):
        climbed(Ladder(NETWORK, "later"), lemmas("textbook/or_comm"), Later())
