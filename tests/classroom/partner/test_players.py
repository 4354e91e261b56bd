"""Partners who ask voices: exact play and the escalating student, in this process, without a network."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import inf
from threading import Event, Timer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.classroom.partner.escalating import Escalating
from oasis.classroom.partner.exact import Exact
from oasis.classroom.partner.opinions import Opinion, Voice
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.partners import PARTNERS, partner
from oasis.classroom.partner.player import Player, Speaker
from oasis.lab.policies import policy_named
from oasis.policy import Policy
from oasis.student.settings import Settings
from oasis.student.student import CannotFollow
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths, lengths
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.rules import RULES, apply, legal_moves
from tactics.script import Script, parse_script, replay
from tests.classroom.partner.agents import AND_COMM, AND_COMM_PROOF, SYJ203_2
from tests.strategies import formulas

PROOF = parse_script(AND_COMM_PROOF)
SEVERAL = parse("A /\\ B -> C /\\ D -> (A /\\ C) /\\ (B /\\ D)")
"""Has several shortest proofs."""
DUMMETT = parse("(p -> q) \\/ (q -> p)")
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
    """The escalating student when the network has come."""
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


@pytest.mark.parametrize("comes_meanwhile", [False, True])
def test_where_nobody_else_is_sure_it_waits_for_the_network_that_is_being_loaded(
    comes_meanwhile: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_come = Event()

    def named_later(name: str, store: None) -> Policy:
        may_come.wait()
        return policy_named(name, store)

    monkeypatch.setattr("oasis.lab.policies.policy_named", named_later)
    player = Escalating(DUMMETT, Settings(), network="uniform")
    opinion = player.opinion(initial(DUMMETT))
    assert opinion.mover == "" and voice(opinion, "network").sentence == "It is coming."
    if comes_meanwhile:
        asked = player.mover

        def mover(state: State, moves: tuple[Move, ...]) -> tuple[Speaker, Move | None]:
            answer = asked(state, moves)
            may_come.set()
            player.wait()
            return answer

        monkeypatch.setattr(player, "mover", mover)
    else:
        Timer(0.2, may_come.set).start()
    assert player.episode() and player.script
    assert not player.is_coming and player.shares[2].moves == len(player.script)


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
    monkeypatch.setattr("oasis.lab.policies.policy_named", broken)
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
        assert list(player.curve.points().shown_moves) == [len(PROOF)] * helped
    with pytest.raises(CannotFollow):
        player.follow(PROOF)
    assert player.knows.helped == 0 and list(player.curve.points().shown_moves) == []


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
