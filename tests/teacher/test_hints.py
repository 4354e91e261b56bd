"""Hints: what they promise is kept, what they warn of is so, and how they read."""

from itertools import pairwise

import pytest
from hypothesis import given

from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.exact.values import lengths
from oasis.teacher.hints import LEVELS, Hint, Teacher
from oasis.teacher.reasons import reason
from tactics.goal import Goal, Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves, premises
from tactics.script import parse_script, replay
from tactics.sequent import parse_state
from tests.strategies import Walk, walks
from tests.teacher.reached import below

textbook = pytest.mark.parametrize("name", textbook_names())


def provable(engine: Sequents, state: State) -> bool:
    """Return True if a goal is provable, by the engine that the teacher does not ask."""
    return all(engine.decide([formula for _, formula in goal.hypotheses], goal.conclusion) for goal in state)


def losing(engine: Sequents, goal: Goal) -> list[Move]:
    """Return the moves that lose a goal, by that engine."""
    return [move for move in legal_moves(goal) if not provable(engine, premises(goal, move))]


def followed(teacher: Teacher, state: State, most: int) -> int:
    """Return the number of moves of a proof that follows every hint."""
    made = 0
    while state:
        state = apply(state, teacher.advice(state[0]).move)
        made += 1
        assert made <= most
    return made


def hint(lemma: str, script: str, level: int) -> Hint:
    moves = parse_script(script)
    return Teacher().hint(replay(parse(lemma), moves), moves, level)


@textbook
@pytest.mark.parametrize("is_shortest", [True, False])
def test_advice_leads_to_a_proof_as_long_as_promised_from_every_provable_goal(name: str, is_shortest: bool) -> None:
    start = initial(textbook_lemma(name).formula)
    teacher, engine = Teacher() if is_shortest else Teacher(max_goals=0), Sequents()
    found = lengths(textbook_lemma(name).formula)
    for goal in below(*start):
        if provable(engine, (goal,)):
            advice = teacher.advice(goal)
            assert advice.is_shortest is is_shortest
            assert not is_shortest or advice.length == found.shortest_proof((goal,))
            made = followed(teacher, (goal,), advice.length)
            assert made == advice.length if is_shortest else made >= 1
            assert list(advice.losing) == losing(engine, goal)


def test_a_prepared_teacher_knows_shortest_proofs_of_larger_lemmas() -> None:
    start = initial(resolve_lemma("SYJ203.4").formula)
    teacher = Teacher(max_goals=100)
    assert not teacher.advice(start[0]).is_shortest
    teacher.prepare(start)
    assert teacher.advice(start[0]).is_shortest
    assert followed(teacher, start, 22) == 22


@given(walks())
def test_a_state_is_called_provable_exactly_if_it_is(walk: Walk) -> None:
    teacher, engine = Teacher(), Sequents()
    for state in walk.states:
        assert teacher.provable(state) == provable(engine, state)


@given(walks())
def test_what_a_move_lost_is_said_with_a_model_that_refutes_it(walk: Walk) -> None:
    teacher, engine = Teacher(), Sequents()
    for move, before, after in zip(walk.script, walk.states, walk.states[1:], strict=False):
        loss = teacher.what_it_lost(before, move, after)
        assert (loss is not None) == (provable(engine, before) and not provable(engine, after))
        if loss is not None:
            assert loss.move == move
            assert loss.goal is after[loss.place - 1]
            assert provable(engine, after[: loss.place - 1])
            assert loss.countermodel is not None
            check(loss.countermodel.model, [formula for _, formula in loss.goal.hypotheses], loss.goal.conclusion)


@given(walks())
def test_a_hint_names_the_move_since_which_a_proof_is_lost(walk: Walk) -> None:
    engine = Sequents()
    found = Teacher().hint(walk.states, walk.script, 1)
    lost = [step for step, state in enumerate(walk.states) if not provable(engine, state)]
    assert found.provable == (not lost)
    assert found.step == (lost[0] if lost else None)
    assert found.lost_by == (walk.script[lost[0] - 1] if lost and lost[0] else None)


@given(walks())
def test_each_level_says_what_the_last_one_said_and_something_more(walk: Walk) -> None:
    teacher = Teacher()
    said = [teacher.hint(walk.states, walk.script, level).sentences() for level in LEVELS]
    for less, more in pairwise(said):
        assert more[: len(less)] == less
        nothing_to_do = not walk.states[-1] or not teacher.provable(walk.states[0])
        assert (len(more) > len(less)) != nothing_to_do


def test_after_a_bad_move_the_hint_is_what_to_do_instead() -> None:
    found = hint("A | B => B | A", "intro; left; destruct_or H", 3)
    assert not found.provable
    assert found.sentences() == [
        "No: since move 2, left, this cannot be proved any more.",
        "No move applies here.",
        "Go back to before move 2.",
        "Look at H.",
        "Use destruct_or.",
    ]


def test_in_a_proved_state_and_for_a_lemma_without_a_proof_there_is_nothing_to_do() -> None:
    assert hint("A => A", "intro; assumption", 4).sentences() == ["Nothing is left to prove."]
    found = hint("A | ~A", "left", 4)
    assert (found.provable, found.step, found.advice) == (False, 0, None)
    assert found.sentences() == ["This lemma cannot be proved, whatever the moves; oasis countermodel shows why."]


def test_many_moves_to_be_warned_of_are_cut_short() -> None:
    (goal,) = parse_state("A \\/ B, (C -> D) -> E, (D -> C) -> E |- (A \\/ B) /\\ F \\/ (B \\/ A)")
    sentences = Teacher().advice(goal).sentences(4)
    assert sentences[-1] == "left, imply4 H0 and imply4 H1 would make it unprovable."
    (goal,) = parse_state("A \\/ B, (C -> D) -> E, (D -> C) -> E, (A -> C) -> E |- (A \\/ B) /\\ F \\/ (B \\/ A)")
    sentences = Teacher().advice(goal).sentences(4)
    assert sentences[-1] == "left, imply4 H0 and 2 other moves would make it unprovable."


REASONS = {
    "intro": ("|- A -> B", "To prove A -> B, assume A and prove B."),
    "intro of a negation": ("|- ~ A", "To prove ~ A, that is, False follows from A, assume A and prove False."),
    "assumption": ("B, A |- A", "H0 says A, and that is to be proved."),
    "contradiction": ("B, False |- A", "H0 says False, from which everything follows."),
    "split": ("|- A /\\ B", "To prove A /\\ B, prove A, and then B."),
    "left": ("|- A \\/ B", "To prove A \\/ B one side is enough, and A on the left can be proved."),
    "right": ("|- A \\/ B", "To prove A \\/ B one side is enough, and B on the right can be proved."),
    "destruct_and H": ("A /\\ B |- C", "H says A /\\ B, so both A and B can be used."),
    "destruct_or H": ("A \\/ B |- C", "H says A \\/ B, so there are two cases: prove C from A, and again from B."),
    "imply1 H": ("A -> B, A |- C", "H says A -> B and H0 says A, so B follows."),
    "imply2 H": (
        "A /\\ B -> C |- D",
        "H says A /\\ B -> C; to have both at once or one after the other is the same, so this is A -> B -> C.",
    ),
    "imply3 H": (
        "A \\/ B -> C |- D",
        "H says A \\/ B -> C; each of the two alone is enough, so this is A -> C and B -> C.",
    ),
    "imply4 H": (
        "(A -> B) -> C |- D",
        "H says (A -> B) -> C; its left side can be proved, so do that first, with B -> C in place of H, and then "
        "prove D with C there.",
    ),
}


@pytest.mark.parametrize(("name", "expected"), REASONS.items(), ids=REASONS)
def test_every_rule_has_a_reason_in_words(name: str, expected: tuple[str, str]) -> None:
    text, sentence = expected
    (goal,) = parse_state(text)
    (move,) = parse_script(name.removesuffix(" of a negation"))
    assert move in legal_moves(goal)
    assert reason(goal, move) == sentence


def test_there_is_no_advice_on_a_goal_that_cannot_be_proved() -> None:
    (goal,) = parse_state("A \\/ B |- A")
    with pytest.raises(ValueError, match="no advice on a goal that cannot be proved"):
        Teacher().advice(goal)


def test_the_limit_of_a_teacher_holds_for_advice_too() -> None:
    (goal,) = initial(resolve_lemma("SYJ203.3").formula)
    with pytest.raises(LimitReached, match="0 seconds were not enough"):
        Teacher(Limit(0)).advice(goal)
