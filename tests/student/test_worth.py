"""Exact exams: what greedy policies are worth on the states of a lemma, and what is best there."""

from dataclasses import replace
from math import inf, isnan, nan, sqrt
from typing import Any

import numpy as np
import pytest

from curricula.resolve import resolve, resolve_lemma
from oasis.ground.limits import LimitReached
from oasis.lab.students.plan import conditions, known
from oasis.play.actions import ACTION_SPACES
from oasis.play.policy import FIRST, Uniform
from oasis.play.states import PROVED, States, worth
from oasis.rewards.named import reward
from oasis.student.compiled.student import CompiledStudent
from oasis.student.compiled.world import World
from oasis.student.policy import Tabular
from oasis.student.settings import Settings
from oasis.student.student import School, Student
from oasis.teacher.exact.policies import amounts, best, best_of, states_of
from oasis.teacher.exact.values import Payoff, Values, lengths
from state_spaces import Simple
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tests.strategies import PAID_BY_KIND
from tests.student.plugins import Tidy
from tests.student.truth import solve
from tests.thorough import everyday

pytestmark = pytest.mark.slow

OWN_LEARNER, OWN_REWARD = "tests.student.plugins:HALFWAY", "tests.student.plugins:Tidy"
"""Expected Sarsa for ε = 1/2, without a compiled form, and a reward of transitions."""
LEMMAS = {
    name: resolve_lemma(name).formula for name in ("SYJ203.1", "SYJ203.2", "textbook/or_over_and", "textbook/and_comm")
} | {"an atom": parse("p"), "excluded middle": parse("p \\/ ~ p"), "many goals": parse("(p -> p) /\\ (q -> q) /\\ r")}
TOO_LARGE = ("203.4", "203.5", "203.6", "matching_parts", "two_truths", "wider_door", "three_laws", "shared_burden")
ALL = [lemma for lemma in resolve("course").lemmas if not lemma.name.endswith(TOO_LARGE)]
SPACES = [("legal", False), ("blind", False), ("blind", True), ("simplify", False)]
spaces = pytest.mark.parametrize(("space", "forgets"), SPACES)
lemmas = pytest.mark.parametrize("lemma", LEMMAS.values(), ids=LEMMAS)


@spaces
@lemmas
def test_the_best_values_are_those_of_another_solver_without_regret(lemma: Formula, space: str, forgets: bool) -> None:
    graph = States(lemma, ACTION_SPACES[space])
    for paying, gamma in [(reward(name), 0.9) for name in PAID_BY_KIND] + [(Tidy(), 0.7)]:
        paid = amounts(graph, paying, forgets=forgets)
        assert paid is not None
        for epsilon in () if forgets else (0.0, 0.4, 1.0):
            truth = solve(lemma, space, paying, gamma, epsilon).v
            expected = [truth.get(state, 0.0) for state in graph.states]
            assert best(graph, paid, gamma, epsilon) == pytest.approx(expected, abs=1e-9)
        value = best(graph, paid, gamma)
        table = Tabular(Table(graph, paid + gamma * value[graph.after]), graph.space)
        found = worth(table, graph, gamma, paid)
        assert found.paid == pytest.approx(value[graph.root], abs=1e-9)
        assert worth(Uniform(graph.space), graph, gamma, paid).paid <= value[graph.root] + 1e-9


class Table:
    """Values of each action of each state of a graph; equal ones are equal to the last bit."""

    def __init__(self, graph: States, values: Any) -> None:
        self._graph, self._values = graph, np.round(values, 9)

    def q_values(self, state: State) -> dict[Move, float]:
        place = self._graph.states.index(state)
        values = self._values[self._graph.first[place] : self._graph.first[place + 1]].tolist()
        return dict(zip(self._graph.space.actions(state), values, strict=True))


@pytest.mark.parametrize("lemma", everyday(ALL[::7], ALL), ids=lambda lemma: lemma.name)
def test_an_empty_table_is_worth_what_the_closed_form_over_goals_says(lemma: Any) -> None:
    known_lengths, uniform = lengths(lemma.formula), Uniform()
    graph = States(lemma.formula)
    for paying in map(reward, PAID_BY_KIND):
        expected = Values(known_lengths, Payoff.of(paying), 0.9, 1.0).v(initial(lemma.formula))
        assert worth(uniform, graph, 0.9, amounts(graph, paying)).paid == pytest.approx(expected, abs=1e-9)


def check(student: Student, lemma: Formula, plays: int = 400) -> None:
    """Check a student's exact exam against its policy, a sampled exam, and the best that can be done."""
    settings = student.settings
    graph, exact = states_of(lemma, settings.actions), known(student, lemma)
    assert graph is not None
    assert exact is not None
    assert exact.missing >= 1 - exact.chance - 1e-9 or not lengths(lemma).shortest_proof(initial(lemma))
    paid = amounts(graph, reward(settings.reward), forgets=settings.forget_errors)
    assert student.worth(graph, paid) == pytest.approx(Student.worth(student, graph, paid), rel=1e-9)
    optimum = best_of(lemma, *conditions(settings))
    assert optimum is not None
    assert student.worth(graph, paid).paid <= optimum + 1e-9
    share = student.examine(lemma, plays, seed=7).share
    assert abs(share - exact.chance) <= 4.5 * sqrt(exact.chance * (1 - exact.chance) / plays) + 1e-9


@spaces
@pytest.mark.parametrize(
    ("learner", "kept"),
    [("q-learning", "simple"), ("q-learning", "name"), ("epsilon-soft", "match"), (OWN_LEARNER, "simple")],
)
def test_an_exact_exam_agrees_with_plays_and_the_best(space: str, forgets: bool, learner: str, kept: str) -> None:
    is_own = learner == OWN_LEARNER  # and plays in plain Python
    paid = OWN_REWARD if is_own else "terminating"
    settings = Settings(learner=learner, reward=paid, actions=space, forget_errors=forgets, state_space=kept)
    student = School(replace(settings, max_steps=5000, epsilon=0.7)).student(1)
    lemma = LEMMAS["SYJ203.1" if is_own else "SYJ203.2"]
    for episodes in (0, 5, 40):
        student.practise(lemma, episodes)
        check(student, lemma, 60 if is_own else 400)


@pytest.mark.parametrize("lemma", everyday(ALL[::9], ALL), ids=lambda lemma: lemma.name)
@spaces
def test_exact_exams_agree_with_plays_on_every_lemma(lemma: Any, space: str, forgets: bool) -> None:
    settings = Settings(actions=space, forget_errors=forgets, max_steps=5000, initial_value=0.5)
    student = School(settings).student(2)
    student.practise(lemma.formula, 30)
    check(student, lemma.formula)


def test_too_many_states_are_said_to_be_and_rewards_of_whole_episodes_have_no_regret() -> None:
    with pytest.raises(LimitReached, match="50,000 states were not enough"):
        States(resolve_lemma("SYJ203.4").formula)
    settings = Settings(reward="tests.student.plugins:Brief")
    assert best_of(LEMMAS["SYJ203.2"], *conditions(settings)) is None
    exact = known(School(settings).student(1), LEMMAS["SYJ203.2"])
    assert exact is not None
    assert exact.chance == pytest.approx(0.5)
    assert isnan(exact.regret)
    assert known(School(settings).student(1), resolve_lemma("SYJ203.4").formula) is None
    small = CompiledStudent(Settings(), World(Simple(), ACTION_SPACES["legal"], max_states=1200))
    assert known(small, LEMMAS["SYJ203.2"]) is not None
    assert known(small, resolve_lemma("SYJ203.3").formula) is None
    assert known(small, LEMMAS["textbook/or_over_and"]) is not None
    assert small.practise(LEMMAS["SYJ203.2"], 100).proved.any()


def test_whatever_plays_has_an_exact_exam() -> None:
    assert worth(FIRST, States(LEMMAS["SYJ203.2"]), 0.9) == pytest.approx((1, 0.9**9, 10, nan), nan_ok=True)


def test_who_is_paid_for_ever_is_worth_no_number() -> None:
    graph = States(LEMMAS["excluded middle"], ACTION_SPACES["blind"])
    paid = amounts(graph, reward("standard"))
    assert worth(Uniform(graph.space), graph, 1.0, paid).paid == -inf
    assert len(graph) == 1 + len({*graph.states} - {()})
    assert graph.states[PROVED] == ()
