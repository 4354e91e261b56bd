"""Committed choice: what a policy's moves come to when none is taken back, chosen by probabilities or by values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.propl import formula
from curricula.propl_lemmas import published
from oasis.escalation.costs import Counter
from oasis.neural.policies import policy_named
from oasis.play.committed import INVERTIBLE, Choosing, Committed, choices, committed
from oasis.play.judging import Judging
from oasis.play.policy import Floats, Uniform
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.formula import Atom, Formula
from tactics.goal import Goal, Move, State
from tactics.parser import parse
from tactics.rules import CAN_LOSE, legal_moves, premises
from tactics.script import replay
from tactics.sequent import parse_state
from tests.strategies import formulas, goals

choosings = st.builds(Choosing, st.booleans(), st.sampled_from(INVERTIBLE))
HARD = [formula(entry.number) for entry in published()["propl-test-hard"][:30]]


class Recorder:
    """A policy that prefers some rules, values goals by their number of hypotheses, and remembers what it was asked."""

    def __init__(self, *rules: str) -> None:
        self.rules = rules
        self.states: list[State] = []
        self.goals: list[Goal] = []

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        self.states += states
        shares = [np.array([1.0 + 9 * (move.rule in self.rules) for move in legal_moves(state[0])]) for state in states]
        return [each / each.sum() for each in shares]

    def values(self, goals: Sequence[Goal]) -> Floats:
        self.goals += goals
        return np.array([1 / (1 + len(goal.hypotheses)) for goal in goals])


def play(policy: object, lemma: Formula, choosing: Choosing | None = None, **settings: int) -> Committed:
    (played,) = committed(policy, [lemma], choosing, **settings)  # type: ignore[arg-type]
    return played


@given(st.lists(formulas(max_size=40), max_size=4), choosings, st.integers(0, 99))
def test_what_is_proved_is_a_proof_and_what_is_not_is_stuck(
    lemmas: list[Formula], choosing: Choosing, seed: int
) -> None:
    for lemma, played in zip(lemmas, committed(Recorder(), lemmas, choosing, seed=seed), strict=True):
        *_, last = replay(lemma, played.script)
        assert played.proved == (not last)
        assert played.proved or not legal_moves(last[0])
        assert (played.trials > 0) <= choosing.judge


@given(st.lists(formulas(max_size=30), min_size=1, max_size=5), choosings, st.integers(0, 99))
def test_a_lemma_goes_as_it_goes_alone(lemmas: list[Formula], choosing: Choosing, seed: int) -> None:
    beside = list(committed(Recorder(), lemmas, choosing, seed=seed))
    assert beside == list(committed(Recorder(), lemmas, choosing, seed=seed, together=1))
    assert beside == [play(Recorder(), lemma, choosing, seed=seed) for lemma in lemmas]


@pytest.mark.parametrize("invertible", INVERTIBLE)
def test_a_policy_that_knows_the_truth_loses_nothing_by_judging(invertible: str) -> None:
    played = list(committed(Exact(), HARD, Choosing(judge=True, invertible=invertible)))
    assert all(each.proved for each in played)
    assert sum(each.trials for each in played) > 2 * len(HARD)
    assert all((each.trials > 0) == (each.calls > 0) for each in played)


def test_eagerly_only_moves_that_can_lose_are_chosen_and_freely_every_move_is() -> None:
    eager, free = Recorder(), Recorder()
    list(committed(eager, HARD))
    rules = {move.rule for (goal,) in eager.states for move in legal_moves(goal)}
    assert rules == CAN_LOSE
    assert all(len(legal_moves(goal)) > 1 for (goal,) in eager.states)
    list(committed(free, HARD, Choosing(invertible="free")))
    assert {"intro", "destruct_or", "left"} <= {move.rule for (goal,) in free.states for move in legal_moves(goal)}


@pytest.mark.parametrize("invertible", INVERTIBLE)
def test_a_policy_is_asked_about_a_goal_once(invertible: str) -> None:
    recorder = Recorder()
    for judge in (False, True):
        list(committed(recorder, HARD, Choosing(judge, invertible), together=7))
    assert len(set(recorder.states)) == len(recorder.states) > 0
    assert len(set(recorder.goals)) == len(recorder.goals) > 0


def test_the_most_probable_move_is_made() -> None:
    lemma = parse("A -> A \\/ (B -> B)")
    free = Choosing(invertible="free")
    assert play(Recorder("right"), lemma).script == tuple(map(Move, ("intro", "right", "intro", "assumption")))
    assert play(Recorder("left"), lemma).script == tuple(map(Move, ("intro", "left", "assumption")))
    either = parse("A \\/ B -> (A \\/ B) \\/ C")
    assert play(Recorder("left"), either, free).script[1] == Move("left")
    assert play(Recorder("destruct_or"), either, free).script[1] == Move("destruct_or", "H")
    lost = play(Recorder("right"), parse("A -> A \\/ B"))
    assert lost == Committed(False, False, (Move("intro"), Move("right")), calls=1, trials=0)


def test_a_move_that_leaves_nothing_is_judged_the_best_and_trials_are_counted() -> None:
    lemma = parse("A -> (A -> A) \\/ B")
    played = play(Recorder(), lemma, Choosing(judge=True, invertible="free"))
    assert (played.calls, played.trials) == (2, 2)  # left and right; nothing else is a choice
    closing = play(Recorder(), parse("A -> A /\\ B -> A"), Choosing(judge=True, invertible="free"))
    assert (closing.script[2:], closing.trials) == ((Move("assumption"),), 2)  # destruct_and beside it


def test_a_play_is_cut_short_in_the_midst_of_moves_that_nobody_has_to_choose() -> None:
    looks = iter(range(100))
    (cut,) = committed(Uniform(), [parse("A & B & C & D -> A")], is_over=lambda: next(looks) >= 2)
    assert (cut.proved, cut.is_cut, len(cut.script)) == (False, True, 2)
    assert play(Uniform(), parse("A -> B -> C -> A"), max_moves=2) == Committed(False, True, (Move("intro"),) * 2, 0, 0)


@pytest.mark.parametrize("answer", [[0.5], [0.5, 2.0], [0.5, float("nan")], [0.5, "high"]])
def test_what_is_no_value_is_refused(answer: list[object]) -> None:
    class Wrong(Uniform):
        def values(self, goals: Sequence[Goal]) -> Floats:
            return np.array(answer)

    with pytest.raises(InputError, match="The policy Wrong has to give 2 values from 0 to 1"):
        play(Wrong(), Atom("A") | Atom("B"), Choosing(judge=True))


class Scribe(Uniform):
    """A policy that writes given moves, one after the other."""

    def __init__(self, *moves: Move | None, tactics: bool = False) -> None:
        super().__init__()
        self.moves, self.tactics = list(moves), tactics

    def written(self, goals: Sequence[Goal], *, tactics: bool = False) -> list[Move | None]:
        assert tactics == self.tactics
        return [self.moves.pop(0) for _ in goals]


@pytest.mark.parametrize("writing", ["free", "tactics"])
@pytest.mark.parametrize(
    ("moves", "proved", "is_illegal"),
    [
        ([Move("right"), Move("assumption")], True, False),
        ([Move("left")], False, False),
        ([Move("imply1", "H")], False, True),
        ([Move("destruct_or", "H7")], False, True),
        ([None], False, True),
    ],
)
def test_the_calculus_judges_what_is_written(
    moves: list[Move | None], proved: bool, is_illegal: bool, writing: str
) -> None:
    scribe = Scribe(Move("intro"), *moves, tactics=writing == "tactics")
    played = play(scribe, parse("A -> B \\/ A"), Choosing(invertible="free", writing=writing))
    assert (played.proved, played.is_illegal) == (proved, is_illegal)
    assert played.script == (Move("intro"), *(moves if not is_illegal else []))


def test_eagerly_no_more_is_written_than_what_can_lose_be_it_the_only_move() -> None:
    assert play(Scribe(Move("right")), parse("A -> B \\/ A"), Choosing(writing="free")).proved
    only = parse("((A -> B) -> B) -> B -> B \\/ C")
    assert play(Scribe(Move("imply4", "H9")), parse("((A -> B) -> C) -> D"), Choosing(writing="free")).is_illegal
    assert play(Scribe(Move("left")), only, Choosing(writing="free")).proved


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"judge": True}, "The policy Uniform has no values of goals"),
        ({"writing": "free"}, "writes none; leave out --writing, or name"),
        ({"judge": True, "writing": "free"}, "leave out --judge or --writing"),
        ({"writing": "loose"}, "writing is one of masked, tactics, free, not 'loose'"),
        ({"invertible": "lazy"}, "invertible is one of eager, free, not 'lazy'"),
        ({"temperature": -1.0}, "temperature"),
        ({"temperature": np.inf}, "temperature"),
        ({"judge": True, "temperature": 1.0}, "leave out --judge and --writing"),
        ({"writing": "free", "temperature": 1.0}, "leave out --judge and --writing"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        play(Uniform(), parse("A \\/ B"), Choosing(**settings))


@given(goals(), st.integers(0, 8))
def test_a_goal_is_provable_if_and_only_if_all_are_at_which_it_comes_to_a_choice(goal: Goal, most: int) -> None:
    for moves in (most, 64):
        left = choices(goal, moves)
        assert provable(goal) == (left is not None and all(map(provable, left)))
        if moves == 64:
            assert all(len(Choosing().candidates(each)) > 1 for each in left or ())


def provable(goal: Goal) -> bool:
    return Sequents().decide([formula for _, formula in goal.hypotheses], goal.conclusion)


def test_what_need_not_be_chosen_is_made_so_far_and_no_further() -> None:
    (goal,) = parse_state("H : A \\/ B, H0 : C \\/ D, H1 : E \\/ F ⊢ X \\/ Y")
    found = [choices(goal, moves) for moves in (0, 1, 2, 7, 64)]
    assert [len(each or ()) for each in found] == [1, 2, 3, 8, 8]
    assert choices(parse_state("H : A, H0 : A -> B ⊢ A /\\ B")[0]) == []
    assert choices(parse_state("H : A ⊢ A /\\ B")[0]) is None


def test_moves_are_drawn_by_their_probabilities_at_a_temperature_and_ties_by_lot() -> None:
    """The recorder likes `left` ten times as well as `right`."""
    lemma = parse("A \\/ B")
    chosen = [play(Uniform(), lemma, seed=seed).script[0].rule for seed in range(200)]
    assert 60 < chosen.count("left") < 140
    for temperature, share in ((1.0, 10 / 11), (2.0, 10**0.5 / (1 + 10**0.5)), (0.5, 100 / 101)):
        choosing = Choosing(temperature=temperature)
        plays = [play(Recorder("left"), lemma, choosing, seed=seed) for seed in range(1_000)]
        found = np.mean([played.script[0].rule == "left" for played in plays])
        assert found == pytest.approx(share, abs=4 * (share * (1 - share) / 1_000) ** 0.5)
    assert {play(Recorder("left"), lemma, seed=seed).script[0].rule for seed in range(50)} == {"left"}


# Judging: choosing by values, as a policy.


@given(goals())
def test_a_move_is_as_likely_as_the_worst_that_it_leaves_is_good(goal: Goal) -> None:
    shares, nothing = Judging(Recorder()).probabilities([(goal,), ()])
    left = [[1 / (1 + len(each.hypotheses)) for each in premises(goal, move)] for move in legal_moves(goal)]
    worth = np.array([min(each, default=1.0) for each in left])
    assert not len(nothing) and len(shares) == len(worth)
    assert not len(worth) or shares == pytest.approx(worth / worth.sum())


@given(formulas(max_size=30))
def test_its_most_probable_move_is_the_one_that_judging_makes(lemma: Formula) -> None:
    by_policy = next(committed(Judging(Exact()), [lemma], Choosing(), seed=3))
    by_judge = next(committed(Exact(), [lemma], Choosing(judge=True), seed=3))
    assert by_policy.proved == by_judge.proved


def test_judging_has_a_name_and_needs_values_and_where_all_is_lost_moves_are_equally_likely() -> None:
    (goal,), lost = parse_state("⊢ A \\/ (A -> A)"), parse_state("⊢ A \\/ B")
    assert Judging(Exact()).probabilities([lost])[0].tolist() == [0.5, 0.5]
    assert policy_named("judging:teacher", None).probabilities([(goal,)])[0].tolist() == [0.0, 1.0]
    with pytest.raises(InputError, match="Uniform has no values of goals"):
        Judging(Uniform()).probabilities([(goal,)])
    with pytest.raises(InputError, match="judging: takes no run"):
        policy_named("judging:3", None)


class Computing(Recorder):
    """A policy that counts and keeps what it computes."""

    forwards, gpu_seconds = 0, 0.0

    def values(self, goals: Sequence[Goal]) -> Floats:
        self.forwards += len(goals)
        self.gpu_seconds += 0.5
        return super().values(goals)

    def forget(self) -> None:
        self.goals.clear()


def test_what_the_judge_computes_is_counted_and_can_be_forgotten() -> None:
    state = parse_state("⊢ A \\/ B")
    judge, counter = Computing(), Counter(lambda: 0.0)
    judging = Judging(judge)
    judging.probabilities([state])
    with counter.counting(judging) as spending:
        judging.probabilities([state])
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == (judge.forwards / 2, 0.5)
    assert len(judge.goals) == judge.forwards > 0
    judging.forget()
    assert not judge.goals
    teacher = Judging(Exact())
    with counter.counting(teacher) as spending:
        teacher.probabilities([state])
        teacher.forget()
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == (0, None)
