"""Partners: an agent that learns what a student of its settings learns, exact play, and the escalating student."""

import gc
from collections.abc import Callable, Collection
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.classroom.partner.agent import EXAM_PLAYS, MOST_SHOWN, SETTLED, Agent
from oasis.classroom.partner.escalating import Escalating
from oasis.classroom.partner.exact import Exact
from oasis.classroom.partner.opinions import Opinion, Voice
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.partners import PARTNERS, partner
from oasis.classroom.partner.player import Player
from oasis.ground.names import LEARNERS
from oasis.play.actions import SIMPLIFY
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import CannotFollow
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths, lengths, shortest_script
from oasis.teacher.hints import Teacher
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.rules import RULES, apply, legal_moves
from tactics.script import Script, parse_script, replay
from tests.classroom.partner.agents import (
    AND_COMM,
    AND_COMM_PROOF,
    DUMMETT,
    PROOF,
    SYJ203_2,
    remembered,
    switched_settings,
)
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples, paired

LEMMAS = formulas(PLAIN_NAMES, max_steps=6, max_size=20)
LEARNING = sorted(set(LEARNERS) - {"uniform"})


@pytest.mark.slow
@given(LEMMAS, switched_settings())
def test_it_learns_exactly_what_the_plain_student_learns(formula: Formula, given: Settings) -> None:
    student, agent = PlainStudent(given), Agent(formula, given)
    practice = student.practise(formula, 20)
    agent.practise(20)
    assert remembered(agent) == remembered(student)
    assert (agent.knows.episodes, agent.knows.proved) == (20, int(practice.proved.sum()))


@pytest.mark.slow
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


# Proofs that it is shown


@pytest.mark.parametrize(("learner", "space"), paired(LEARNING, STATE_SPACES, len(STATE_SPACES)))
def test_whoever_is_shown_a_proof_finds_it_sooner(learner: str, space: str) -> None:
    given = Settings(learner=learner, state_space=space, epsilon=0.4)
    proof = shortest_script(SYJ203_2)
    assert proof is not None
    shown, alone = Agent(SYJ203_2, given), Agent(SYJ203_2, given)
    shown.follow(proof)
    alone.practise(len(proof))
    assert shown.exam().lengths == (len(proof),) * EXAM_PLAYS != alone.exam().lengths
    assert shown.knows.episodes == 0 and shown.knows.helped == 1
    assert list(shown.curve.points().shown) == [0]


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
    assert f"played your proof {MOST_SHOWN} times" in Agent(AND_COMM, Settings(alpha=0.001)).follow(PROOF)


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
def test_what_cannot_be_followed_teaches_nothing(script: str, learner: str, most: int, sentence: str) -> None:
    agent = Agent(AND_COMM, Settings(learner=learner, max_steps=most))
    with pytest.raises(InputError, match=sentence):
        agent.follow(parse_script(script))
    assert agent.states == 0 and agent.knows.helped == 0


def test_an_episode_can_begin_where_somebody_stands_and_the_next_begins_at_the_lemma() -> None:
    agent = Agent(AND_COMM, Settings())
    agent.start_from(PROOF[:2])
    assert (agent.script, agent.state) == (PROOF[:2], replay(AND_COMM, PROOF[:2])[-1])
    seen = []

    def watch() -> None:
        seen.append(agent.script)
        with pytest.raises(InputError, match="Step 1"):
            agent.start_from(parse_script("left"))

    assert agent.episode(watch)
    assert seen[0] == PROOF[:2] and all(script[:2] == PROOF[:2] for script in seen)
    assert agent.state == () and replay(AND_COMM, agent.script)[-1] == ()
    assert (agent.knows.episodes, agent.knows.helped, agent.knows.best) == (0, 1, None)
    seen.clear()
    assert agent.episode(watch)
    assert seen[0] == () and agent.knows.episodes == 1


@given(LEMMAS, switched_settings(), st.integers(1, 5))
def test_an_episode_left_before_any_step_counts_for_nothing(formula: Formula, given: Settings, step: int) -> None:
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


@pytest.mark.parametrize("change", [{"alpha": "1/n"}, {"epsilon": 0.8, "planning": 3}])
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
    with pytest.raises(InputError, match=r"--epsilon is .*; give a number from 0 to 1"):
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
    fresh = Agent(AND_COMM, agent.settings)
    for each in (agent, fresh):
        each.practise(20)
    assert remembered(agent) == remembered(fresh) and agent.knows == fresh.knows


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


@pytest.mark.slow
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


def test_the_exam_of_an_agent_that_learns_nothing_stays_random() -> None:
    agent = Agent(AND_COMM, Settings(learner="uniform"))
    for _ in range(10):
        agent.practise(4)
        assert len(set(agent.exam().lengths)) > 1


@pytest.mark.slow
def test_an_agent_makes_no_reference_cycles() -> None:
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


# Exact play and the escalating student, in this process, without a network

KINDS: dict[str, Callable[[Formula], Player]] = {
    "exact": lambda formula: Exact(formula, Settings()),
    "escalating": lambda formula: Escalating(formula, Settings(), network="uniform"),
}


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Callable[[Formula], Player]:
    return KINDS[request.param]


def voice(opinion: Opinion, name: str) -> Voice:
    (found,) = [each for each in opinion.voices if each.name == name]
    return found


def figures(opinion: Opinion, name: str, head: str) -> dict[Move, float | None]:
    (column,) = [each for each in voice(opinion, name).columns if each.head == head]
    return dict(zip(opinion.moves, column.figures, strict=True))


def escalating(
    formula: Formula, given: Settings | None = None, rules: Collection[str] = tuple(RULES), **named: str
) -> Escalating:
    """Return the escalating student once its network is loaded."""
    player = Escalating(formula, given or Settings(), rules, **named)
    player.wait()
    return player


@given(formulas(max_size=20), st.data())
def test_exact_play_is_a_shortest_proof_and_says_how_long_each_is(formula: Formula, data: st.DataObject) -> None:
    player, shortest = Exact(formula, Settings()), lengths(formula).shortest_proof(initial(formula))
    assert player.episode()
    if shortest is None:
        assert player.script == () and player.opinion(initial(formula)).choice is None
    else:
        assert replay(formula, player.script)[-1] == () and len(player.script) == shortest
        assert player.knows.best == player.script
    state = initial(formula)
    for _ in range(data.draw(st.integers(0, 3))):
        if state and legal_moves(state[0]):
            state = apply(state, data.draw(st.sampled_from(legal_moves(state[0]))))
    opinion = player.opinion(state)
    assert opinion.moves == (legal_moves(state[0]) if state else ())
    if opinion.moves:
        by_move = {move: inf if length is None else length for move, length in lengths_of(state).items()}
        assert figures(opinion, "teacher", "proof") == by_move
        can = Teacher().provable(state)
        assert voice(opinion, "teacher").sentence.startswith("The shortest proof" if can else "There is no proof")


def lengths_of(state: State) -> dict[Move, int | None]:
    return Lengths(GoalGraph(state[:1])).by_move(state[0])


def test_exact_play_keeps_to_the_rules_of_the_exercise() -> None:
    rules = tuple(rule for rule in RULES if rule != "assumption")
    player = Exact(AND_COMM, Settings(), rules)
    assert player.episode() and player.script == ()
    assert player.opinion(initial(AND_COMM)).voices[0].sentence == "There is no proof from here."


@pytest.mark.slow
def test_the_escalating_student_moves_by_search_until_the_table_has_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    player = escalating(SYJ203_2, network="uniform")
    start = initial(SYJ203_2)
    before = player.opinion(start)
    assert (before.mover, before.choice) == ("search", Move("intro"))
    assert not voice(before, "table").is_sure
    for episode in range(8):
        # On a fast machine the table learns the lemma before the first episode.
        monkeypatch.setattr("oasis.classroom.partner.escalating.PRACTICE_SECONDS", 0.1 * (episode > 0))
        assert player.episode() and player.state == ()
        assert replay(SYJ203_2, player.script)[-1] == ()
    after = player.opinion(start)
    assert after.mover == "table" and voice(after, "table").is_sure
    table, search, network = player.shares
    assert table.moves > 0 < search.moves and network.moves == 0
    assert table.cost.episodes > 0 < search.cost.expansions
    assert player.knows.proved == player.knows.episodes == 8


def test_what_the_search_says_is_true() -> None:
    player = escalating(DUMMETT, network="uniform")
    opinion = player.opinion(initial(DUMMETT))
    assert opinion.mover == "network"  # nobody has a proof, so the last voice moves
    assert voice(opinion, "search").sentence == "No proof: all was tried."
    assert set(figures(opinion, "search", "proof").values()) == {inf}
    shares = figures(opinion, "network", "net")
    assert list(shares.values()) == pytest.approx([0.5, 0.5])
    player = escalating(AND_COMM, network="teacher")
    state = replay(AND_COMM, PROOF[:1])[-1]
    opinion = player.opinion(state)
    known = {move: length for move, length in figures(opinion, "search", "proof").items() if length is not None}
    assert known.items() <= lengths_of(state).items() and known
    assert voice(opinion, "network").sentence == "Provable with 100%."


def test_a_network_that_is_missing_or_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tactics.errors.find_spec", lambda name: None)
    player = escalating(DUMMETT)
    opinion = player.opinion(initial(DUMMETT))
    assert "pip install" in voice(opinion, "network").sentence and opinion.mover == ""
    player = escalating(AND_COMM)
    assert player.episode() and player.state == ()

    def broken(name: str, store: None) -> None:
        raise MemoryError("there was no room for it")

    monkeypatch.undo()
    monkeypatch.setattr("oasis.neural.policies.policy_named", broken)
    player = escalating(AND_COMM)
    with pytest.raises(MemoryError, match="no room"):
        player.opinion(initial(AND_COMM))


def test_where_rules_are_left_out_the_search_is_silent_and_nobody_uses_them() -> None:
    rules = tuple(rule for rule in RULES if rule != "destruct_and")
    player = escalating(AND_COMM, Settings(max_steps=20), rules, network="first")
    state = replay(AND_COMM, PROOF[:1])[-1]
    opinion = player.opinion(state)
    assert [move.rule for move in opinion.moves] == ["split"]
    assert "all tactics" in voice(opinion, "search").sentence and opinion.mover == "network"
    assert player.episode() and {move.rule for move in player.script} <= set(rules)


def test_it_learns_from_a_proof_that_it_is_shown(make: Callable[[Formula], Player]) -> None:
    player = make(AND_COMM)
    said = player.follow(PROOF)
    assert "your proof" in said
    assert player.knows.helped == 1 and player.knows.episodes == 0
    if isinstance(player, Escalating):
        assert player.knows.exam is not None and player.knows.exam.share == 1
        assert player.opinion(initial(AND_COMM)).mover == "table" and said.startswith("Its table has played your proof")
    with pytest.raises(InputError, match="leaves goals"):
        player.follow(PROOF[:2])


@pytest.mark.slow
def test_it_begins_where_it_is_told_and_can_be_left(make: Callable[[Formula], Player]) -> None:
    player = make(AND_COMM)
    player.start_from(PROOF[:2])
    assert player.script == PROOF[:2]
    assert player.episode() and player.script[:2] == PROOF[:2] and player.state == ()
    assert (player.knows.helped, player.knows.episodes) == (1, 0)
    seen: list[Move | None] = []

    def leave() -> None:
        seen.append(player.intends)
        player.leave()

    assert not player.episode(leave)
    assert seen == [Move("intro")] and player.script == () and player.intends is None
    with pytest.raises(InputError):
        player.start_from(parse_script("split"))


def test_why_names_a_voice_a_move_and_what_was_looked_at(make: Callable[[Formula], Player]) -> None:
    player, state = make(AND_COMM), replay(AND_COMM, PROOF[:1])[-1]
    reason = player.why(state, UNICODE)
    assert reason.move in legal_moves(state[0]) and reason.sentences
    goals = [goal for after in replay(AND_COMM, PROOF) for goal in after]
    formulas_there = {formula for goal in goals for formula in (goal.conclusion, *dict(goal.hypotheses).values())}
    assert {formula for formula, _ in reason.parts} <= formulas_there
    assert 0 < sum(share for _, share in reason.parts) <= 1.0001
    assert player.why((), UNICODE).move is None


def test_changing_what_the_table_is_begins_anew_and_moves_stay_legal() -> None:
    player = Escalating(AND_COMM, Settings(), network="uniform")
    player.episode()
    assert "keeps" in player.change(epsilon=0.1)
    assert player.knows.episodes == 1 and player.settings.epsilon == 0.1
    with pytest.raises(InputError, match="legal moves alone"):
        player.change(actions="blind")
    assert "anew" in player.change(learner="sarsa")
    assert player.knows.episodes == 0 and player.script == ()
    assert "nothing to switch" in Exact(AND_COMM, Settings()).change(learner="sarsa")


def test_what_is_not_about_values_keeps_the_counts_also_of_a_table_that_has_not_practised() -> None:
    player = Escalating(AND_COMM, Settings(), network="uniform")
    for change, word, helped in ((None, "", 1), ({"epsilon": 0.1}, "keeps", 1), ({"learner": "uniform"}, "anew", 0)):
        said = player.follow(PROOF) if change is None else player.change(**change)
        assert word in said and player.knows.helped == helped
        assert list(player.curve.points().shown) == [0] * helped
    with pytest.raises(CannotFollow):
        player.follow(PROOF)
    assert player.knows.helped == 0 and list(player.curve.points().shown) == []


SEVERAL = parse("A /\\ B -> C /\\ D -> (A /\\ C) /\\ (B /\\ D)")
"""Has several shortest proofs."""


def test_exact_play_of_a_seed_is_the_same_whatever_was_looked_at() -> None:
    def played(seed: int, *, is_asked: bool) -> Script:
        player = Exact(SEVERAL, Settings(seed=seed))

        def ask() -> None:
            if is_asked:
                player.opinion(player.state)
                player.why(player.state, UNICODE)

        ask()
        assert player.episode(ask)
        return player.script

    seeds = range(10)
    scripts = [played(seed, is_asked=False) for seed in seeds]
    assert scripts == [played(seed, is_asked=True) for seed in seeds]
    assert len(set(scripts)) > 1  # else there was nothing to draw


@pytest.mark.slow
def test_every_kind_of_partner_can_be_had_by_its_name() -> None:
    for kind in PARTNERS:
        found: Partner = partner(kind, AND_COMM, Settings())
        assert found.opinion(initial(AND_COMM)).moves == (Move("intro"),)
        assert found.episode() and found.knows.episodes == 1


def test_a_lemma_whose_shortest_proof_is_out_of_reach_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.classroom.partner.voices.teacher._GOALS", 3)
    monkeypatch.setattr("oasis.classroom.partner.voices.teacher.SECONDS", 60.0)  # also on a busy machine
    lemma = resolve_lemma("SYJ203.3").formula
    player = Exact(lemma, Settings())
    opinion = player.opinion(initial(lemma))
    assert opinion.voices[0].sentence == "There is a proof; the shortest is out of reach."
    assert opinion.choice == Move("intro")
    assert player.episode() and player.state == ()


def test_a_plan_is_made_by_the_voices_that_would_move(make: Callable[[Formula], Player]) -> None:
    player = make(AND_COMM)
    plan = player.plan()
    assert replay(AND_COMM, [step.action for step in plan])[-1] == () and len(plan) == 5
    assert [step.worth for step in plan] == [("proof", length) for length in (5, 4, 3, 1, 1)]  # of the goal in focus
    assert make(DUMMETT).plan() == () or isinstance(player, Escalating)  # whose network moves without a proof
