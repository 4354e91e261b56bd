"""The agent learns what the student learns whose settings it has, whoever watches, asks, shows and switches."""

from __future__ import annotations

import gc
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.actions import SIMPLIFY
from oasis.classroom.partner.agent import EXAM_PLAYS, MOST_SHOWN, SETTLED, Agent
from oasis.student.learners import LEARNERS
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import CannotFollow
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import RULES, apply, legal_moves
from tactics.script import Script, parse_script, replay
from tests.classroom.partner.agents import AND_COMM, AND_COMM_PROOF, SYJ203_2, remembered, switched_settings
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples, thoroughly

LEMMAS = formulas(PLAIN_NAMES, max_steps=6, max_size=20)
PROOF = parse_script(AND_COMM_PROOF)
LEARNING = sorted(set(LEARNERS) - {"uniform"})


@given(LEMMAS, switched_settings())
def test_it_learns_exactly_what_the_plain_student_learns(formula: Formula, given: Settings) -> None:
    student, agent = PlainStudent(given), Agent(formula, given)
    practice = student.practise(formula, 20)
    agent.practise(20)
    assert remembered(agent) == remembered(student)
    assert (agent.knows.episodes, agent.knows.proved) == (20, int(practice.proved.sum()))


@given(LEMMAS, switched_settings())
def test_whoever_watches_and_asks_changes_nothing(formula: Formula, given: Settings) -> None:
    alone, watched = Agent(formula, given), Agent(formula, given)
    alone.practise(10)

    def ask() -> None:
        assert replay(formula, watched.script)[-1] == watched.state
        assert watched.intends in [belief.move for belief in watched.beliefs(watched.state).actions]
        watched.beliefs(initial(formula))
        assert watched.exam() == watched.exam()
        watched.curve.points(3)

    for _ in range(10):
        assert watched.episode(ask)
        assert watched.intends is None
    assert remembered(watched) == remembered(alone)
    assert watched.knows == alone.knows


@pytest.mark.parametrize("learner", ["sarsa", "q-learning", "sarsa-lambda", "q-lambda"])
def test_whoever_watches_sees_what_every_step_has_taught_before_the_next(learner: str) -> None:
    agent = Agent(SYJ203_2, Settings(learner=learner))
    agent.practise(5)
    learned = sum(remembered(agent)[1])
    seen = []
    agent.episode(lambda: seen.append(sum(remembered(agent)[1]) - learned))
    assert seen == list(range(len(seen))) and len(seen) > 1


@given(LEMMAS, switched_settings())
def test_beliefs_are_those_of_the_policy_and_asking_meets_no_state(formula: Formula, given: Settings) -> None:
    agent = Agent(formula, given)
    agent.practise(5)
    states = agent.states
    stands, random = initial(formula), Random(0)
    while stands and (legal := legal_moves(stands[0])):
        beliefs = agent.beliefs(stands)
        assert sum(belief.share for belief in beliefs.actions) == pytest.approx(1)
        greedy = {belief.move for belief in beliefs.actions if belief.is_greedy}
        assert greedy == {each.move for each in beliefs.actions if each.value == max(b.value for b in beliefs.actions)}
        assert beliefs.choice in greedy if len(greedy) == 1 else beliefs.choice is None
        if given.actions == "legal":
            assert [belief.move for belief in beliefs.actions] == list(legal)
        if not beliefs.met:
            assert {(belief.value, belief.visits) for belief in beliefs.actions} == {(given.initial_value, 0)}
        stands = apply(stands, random.choice(legal))
    assert agent.states == states


def test_beliefs_say_shares_of_an_epsilon_soft_policy_and_values_of_the_goal_in_focus() -> None:
    agent, after_intro = Agent(AND_COMM, Settings(epsilon=0.2)), replay(AND_COMM, PROOF[:1])[-1]
    assert agent.beliefs(()).actions == () and agent.beliefs(()).choice is None
    never_met = agent.beliefs(after_intro)
    assert not never_met.met and never_met.choice is None
    assert [belief.share for belief in never_met.actions] == [0.5, 0.5]
    agent.practise(200)
    shares = {belief.move.rule: belief.share for belief in agent.beliefs(after_intro).actions}
    assert shares == pytest.approx({"split": 0.1, "destruct_and": 0.9})
    assert agent.beliefs(after_intro).choice == Move("destruct_and", "H")
    by_goal = Agent(AND_COMM, Settings(learner="and-or-q", alpha=1.0))
    by_goal.practise(300)
    states = replay(AND_COMM, PROOF)
    assert [by_goal.beliefs(state).actions[0].value for state in states[3:5]] == pytest.approx([0.9, 0.9])
    assert max(belief.value for belief in by_goal.beliefs(states[2]).actions) == pytest.approx(0.9**3)


# Proofs that it is shown.


@cache
def _found() -> Script:
    """The shortest proof that a student found who practised for long."""
    teacher = Agent(SYJ203_2, Settings())
    teacher.practise(3000)
    assert teacher.knows.best is not None
    return teacher.knows.best


EVERYDAY = {learner: [*STATE_SPACES][number % len(STATE_SPACES)] for number, learner in enumerate(LEARNING)}
"""Each learner with one state space, and each state space with a learner."""


@pytest.mark.parametrize(
    ("learner", "space"),
    [
        *EVERYDAY.items(),
        *thoroughly(*(pair for pair in product(LEARNING, STATE_SPACES) if pair not in EVERYDAY.items())),
    ],
)
def test_whoever_is_shown_a_proof_finds_it_sooner(learner: str, space: str) -> None:
    given = Settings(learner=learner, state_space=space, epsilon=0.4)
    proof = _found()
    shown, alone = Agent(SYJ203_2, given), Agent(SYJ203_2, given)
    shown.follow(proof)
    alone.practise(len(proof))
    assert shown.exam().lengths == (len(proof),) * EXAM_PLAYS != alone.exam().lengths
    assert shown.knows.episodes == 0 and shown.knows.helped == 1
    assert list(shown.curve.points().shown_moves) == [len(proof)]


@pytest.mark.parametrize("learner", LEARNING)
@pytest.mark.parametrize("alpha", [0.1, 0.7, "1/n"])
def test_a_proof_is_played_until_its_first_move_is_worth_something(learner: str, alpha: float | str) -> None:
    agent = Agent(AND_COMM, Settings(learner=learner, alpha=alpha))
    said = agent.follow(PROOF)
    (first,) = agent.beliefs(initial(AND_COMM)).actions
    assert first.value > 0.3
    times = "twice" if first.visits == 2 else f"{first.visits} times"
    assert learner == "dyna-q" or f"played your proof {times};" in said  # which also plans
    assert said.endswith(f"the first move is worth {first.value:.2f} now.")


def test_a_proof_that_is_shown_again_is_played_again_and_all_plays_are_told() -> None:
    agent = Agent(AND_COMM, Settings())
    said = [agent.follow(PROOF) for _ in range(3)]
    (first,) = agent.beliefs(initial(AND_COMM)).actions
    times = int(said[0].removeprefix("It has played your proof ").split()[0])
    assert first.visits == times + 2
    assert [each.partition(";")[0] for each in said[1:]] == [
        f"It has played your proof once more, {times + more} times in all" for more in (1, 2)
    ]
    agent.change(reward="standard")
    assert "more" not in agent.follow(PROOF)  # it has begun anew
    slow = Agent(AND_COMM, Settings(alpha=0.001))
    assert f"played your proof {MOST_SHOWN} times" in slow.follow(PROOF)


@pytest.mark.parametrize("learner", ["sarsa", "q-lambda", "and-or-q"])
def test_playing_a_proof_is_what_the_plain_student_does_so_many_times(learner: str) -> None:
    agent, student = Agent(AND_COMM, Settings(learner=learner)), PlainStudent(Settings(learner=learner))
    agent.follow(PROOF)
    (first,) = agent.beliefs(initial(AND_COMM)).actions
    for _ in range(first.visits):
        student.follow(AND_COMM, PROOF)
    assert remembered(agent) == remembered(student)
    before = student.q_values(initial(AND_COMM))[PROOF[0]]
    student.follow(AND_COMM, PROOF)
    assert student.q_values(initial(AND_COMM))[PROOF[0]] == pytest.approx(before, abs=SETTLED)


# What it plans.


def test_a_plan_is_its_greedy_play_up_to_where_it_would_draw_lots_and_none_is_endless() -> None:
    agent = Agent(AND_COMM, Settings())
    assert [step.moves for step in agent.plan()] == [PROOF[:1]]  # there is but one first move
    agent.follow(PROOF)
    plan = agent.plan()
    assert tuple(step.action for step in plan) == PROOF
    for step, state in zip(plan, replay(AND_COMM, PROOF), strict=False):
        (best,) = [each for each in agent.beliefs(state).actions if each.is_greedy]
        assert step.worth == ("Q", best.value)
    agent = Agent(AND_COMM, Settings(actions="simplify"))
    assert agent.plan()[0].action == SIMPLIFY and agent.plan()[0].moves == parse_script("intro; split")
    blind = Agent(AND_COMM, Settings(actions="blind", initial_value=0.0))
    blind.practise(3)
    assert replay(AND_COMM, [move for step in blind.plan() for move in step.moves])


def test_what_simplify_does_can_be_followed_and_nothing_else() -> None:
    agent = Agent(AND_COMM, Settings(actions="simplify"))
    other = parse_script("intro; split; destruct_and H; assumption; destruct_and H; assumption")
    agent.follow(other)
    assert agent.beliefs(initial(AND_COMM)).actions[0].move == SIMPLIFY
    before = remembered(agent)
    with pytest.raises(CannotFollow, match="at move 1, intro, no action of simplify does the same; switch the actions"):
        agent.follow(PROOF)
    assert remembered(agent) == before and agent.knows.helped == 1


@pytest.mark.parametrize(
    ("script", "learner", "most", "sentence"),
    [
        ("intro", "sarsa", 9, "Only a whole proof can be shown"),
        ("split", "sarsa", 9, "Step 1: split"),
        (AND_COMM_PROOF, "uniform", 9, "learns from nothing"),
        (AND_COMM_PROOF, "sarsa", 4, "and a student makes 4 at most"),
    ],
)
def test_what_cannot_be_followed_is_refused_and_teaches_nothing(
    script: str, learner: str, most: int, sentence: str
) -> None:
    agent = Agent(AND_COMM, Settings(learner=learner, max_steps=most))
    with pytest.raises(InputError, match=sentence):
        agent.follow(parse_script(script))
    assert agent.states == 0 and agent.knows.helped == 0


# From hand to hand.


def test_an_episode_can_begin_where_somebody_stands_and_the_next_begins_at_the_lemma() -> None:
    agent = Agent(AND_COMM, Settings())
    agent.start_from(PROOF[:2])
    assert (agent.script, agent.state) == (PROOF[:2], replay(AND_COMM, PROOF[:2])[-1])
    seen = []
    assert agent.episode(lambda: seen.append(agent.script))
    assert seen[0] == PROOF[:2] and all(script[:2] == PROOF[:2] for script in seen)
    assert agent.state == () and replay(AND_COMM, agent.script)[-1] == ()
    assert (agent.knows.episodes, agent.knows.helped, agent.knows.best) == (0, 1, None)
    seen.clear()

    def disturb() -> None:
        seen.append(agent.script)
        with pytest.raises(InputError, match="Step 1"):
            agent.start_from(parse_script("left"))

    assert agent.episode(disturb)
    assert seen[0] == () and agent.knows.episodes == 1


@given(LEMMAS, switched_settings(), st.integers(1, 5))
def test_an_episode_can_be_left_before_any_step_and_counts_for_nothing(
    formula: Formula, given: Settings, step: int
) -> None:
    agent = Agent(formula, given)
    steps = 0

    def leave() -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            agent.leave()

    ended = agent.episode(leave)
    assert ended == (steps < step)
    assert agent.knows.episodes == ended
    if not ended:
        assert agent.state == initial(formula) and agent.script == ()
    assert agent.episode()


# Settings.


@pytest.mark.parametrize("change", [{"epsilon": 0.05}, {"alpha": "1/n"}, {"epsilon": 0.8, "planning": 3}])
def test_how_much_it_explores_and_how_fast_it_learns_leave_it_what_it_knows(change: dict[str, object]) -> None:
    agent = Agent(AND_COMM, Settings())
    agent.practise(50)
    before = remembered(agent)
    assert "it keeps what it has learned" in agent.change(**change)
    assert remembered(agent) == before and agent.knows.episodes == 50
    agent.practise(1)
    assert agent.knows.episodes == 51
    before = remembered(agent)
    assert agent.change(**change) == "It goes on as before."
    with pytest.raises(InputError, match="--epsilon must lie between 0 and 1"):
        agent.change(epsilon=2)
    assert remembered(agent) == before


@pytest.mark.parametrize(
    "change", [{"learner": "sarsa"}, {"reward": "standard"}, {"state_space": "name"}, {"actions": "blind"}, {"seed": 1}]
)
def test_where_values_would_mean_something_else_it_begins_anew(change: dict[str, object]) -> None:
    agent = Agent(AND_COMM, Settings())
    agent.practise(50)
    sentence = agent.change(**change)
    assert sentence.startswith("It begins anew: ") and str(next(iter(change.values()))) in sentence
    assert remembered(agent) == remembered(Agent(AND_COMM, agent.settings))
    agent.practise(20)
    fresh = Agent(AND_COMM, agent.settings)
    fresh.practise(20)
    assert remembered(agent) == remembered(fresh) and agent.knows == fresh.knows


def test_what_is_changed_in_the_midst_of_an_episode_leaves_it_only_if_it_begins_anew() -> None:
    agent = Agent(AND_COMM, Settings())
    said = []
    assert agent.episode(lambda: said.append(agent.change(epsilon=0.1)))
    assert not agent.episode(lambda: said.append(agent.change(learner="sarsa")))
    assert said[0].endswith("keeps what it has learned.") and said[-1].startswith("It begins anew")
    assert agent.knows.episodes == 0 and agent.settings.learner == "sarsa"


@given(LEMMAS, switched_settings(), st.sets(st.sampled_from(sorted(RULES)), min_size=1, max_size=6))
def test_on_the_terms_of_an_exercise_it_uses_no_other_rules(formula: Formula, given: Settings, rules: set[str]) -> None:
    agent = Agent(formula, given, rules)
    used: set[str] = set()
    for _ in range(5):
        agent.episode()
        used |= {move.rule for move in agent.script}
        assert {belief.move.rule for belief in agent.beliefs(initial(formula)).actions} <= {*rules, "simplify"}
    used |= {move.rule for move in agent.exam().script or ()}
    assert used <= rules


# What it knows.


@settings(max_examples=examples(60))
@given(switched_settings())
def test_its_proofs_are_proofs_and_the_best_is_no_longer_than_any(given: Settings) -> None:
    formula = parse("(A \\/ B) /\\ (A -> C) /\\ (B -> C) -> C")
    agent = Agent(formula, given)
    lengths = []
    for _ in range(30):
        agent.episode()
        if agent.state == ():
            lengths.append(len(agent.script))
    knows = agent.knows
    for script in filter(None, [knows.best, agent.exam().script]):
        assert replay(formula, script)[-1] == ()
    assert knows.proved == len(lengths)
    assert len(knows.best or ()) == min(lengths, default=0)


def test_luck_is_not_taken_for_knowledge() -> None:
    agent = Agent(AND_COMM, Settings(learner="uniform"))
    for _ in range(10):
        agent.practise(4)
        assert len(set(agent.exam().lengths)) > 1


def test_it_makes_nothing_that_only_the_cycle_collector_could_remove() -> None:
    agent = Agent(SYJ203_2, Settings())
    agent.practise(20)
    gc.collect()
    gc.disable()
    try:
        for learner in LEARNERS:
            agent.change(learner=learner)
            agent.practise(30)
            agent.episode(agent.leave)
            assert agent.knows.episodes == 30
        assert gc.collect() == 0
    finally:
        gc.enable()
