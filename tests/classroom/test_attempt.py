"""An attempt: its moves against a list of states, hints and slips, pointing at formulas, and its proof as a tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event, NotAllowed, Refused
from oasis.classroom.proving.exercise import LIST_COST, POINTS, Terms
from oasis.classroom.proving.pointing import Place, as_they_came, moves_at, places
from oasis.classroom.proving.tree import Node, ProofTree
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import COQ, UNICODE, Notation, brief
from tactics.rules import RULES, IllegalMove, apply, legal_moves, premises
from tactics.script import ScriptError, parse_script, replay, show_script
from tactics.sequent import parse_state
from tests.strategies import Walk, walks

AND_COMM = parse("A /\\ B -> B /\\ A")
REST = "destruct_and H; split; assumption; assumption"
"""What proves it after `intro`."""


def make(attempt: Attempt, script: str) -> Attempt:
    """Make some more moves; return the attempt."""
    for move in parse_script(script):
        attempt.make(move)
    return attempt


def after(script: str, terms: Terms | None = None) -> Attempt:
    return make(Attempt(AND_COMM, terms=terms or Terms()), script)


@given(walks(), st.data())
def test_making_moves_is_replaying_a_script_and_a_jump_leads_to_its_step(walk: Walk, data: st.DataObject) -> None:
    attempt = make(Attempt(walk.formula), show_script(walk.script))
    assert attempt.states == list(walk.states) == replay(walk.formula, attempt.script)
    assert Attempt(walk.formula, list(walk.script)).states == attempt.states
    for _ in range(5):
        step = data.draw(st.integers(0, len(walk.script)))
        attempt.jump(step)
        assert attempt.state == walk.states[step]
        assert attempt.made + attempt.undone[::-1] == list(walk.script)


@given(walks())
def test_what_is_on_offer_applies_and_leaves_what_it_says(walk: Walk) -> None:
    attempt = Attempt(walk.formula, list(walk.script))
    state = attempt.state
    assert {offer.move for offer in attempt.offers()} == set(legal_moves(state[0]) if state else ())
    for offer in attempt.offers():
        assert offer.leaves + state[1:] == apply(state, offer.move)


def test_a_move_after_undo_forgets_what_was_undone_unless_it_is_the_same() -> None:
    attempt = after("intro; destruct_and H; split")
    attempt.jump(1)
    attempt.make(Move("destruct_and", "H"))
    assert attempt.undone == [Move("split")]
    attempt.undo()
    attempt.make(Move("split"))
    assert attempt.undone == []
    attempt.undo()
    with pytest.raises(IllegalMove):
        attempt.make(Move("left"))
    assert (attempt.made, attempt.undone) == ([Move("intro")], [Move("split")]), "what does not apply changes nothing"


@pytest.mark.parametrize(
    ("kind", "what", "told"),
    [
        ("undo", "", "no move to take back"),
        ("redo", "", "no move to make again"),
        ("jump", "3", "no step 3; choose one from 0"),
        ("move", "left", "left: the conclusion"),
        ("dance", "", "dance"),
    ],
)
def test_what_could_never_happen_is_refused_in_words(kind: str, what: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Attempt(AND_COMM).happen([Event(kind, what)])


def test_hints_say_more_each_time_in_one_state_and_begin_anew_in_the_next() -> None:
    attempt = after("intro", Terms(light=False))
    levels = [(attempt.take_hint(), attempt.hint_level) for _ in range(6)]
    assert levels == [*((Event("hint", str(level)), level) for level in (1, 2, 3, 4)), (None, 4), (None, 4)]
    attempt.make(Move("split"))
    assert attempt.hint_level == 0
    attempt.take_hint()
    assert attempt.hint_level == 1
    attempt.undo()
    assert attempt.take_hint() is None and attempt.hint_level == 4
    assert [hint.step for hint in attempt.hints] == [1] * 4 + [2]


def test_terms_say_which_moves_are_on_offer_and_allowed() -> None:
    attempt = after("intro", Terms(rules=("intro", "split")))
    assert [offer.move for offer in attempt.offers()] == [Move("split")]
    with pytest.raises(NotAllowed, match="destruct_and is not allowed here; the tactics are intro, split"):
        attempt.make(Move("destruct_and", "H"))
    assert attempt.slips == 0
    attempt = after("intro", Terms(rules=("intro", "imply4")))
    with pytest.raises(NotAllowed, match="curry is not allowed here; the tactics are intro, nested"):
        attempt.make(Move("imply2", "H"))


def test_help_costs_what_the_terms_say_and_never_all() -> None:
    attempt = after("intro", Terms(hint_cost=3))
    attempt.take_hint()
    attempt.take_hint()
    assert attempt.points == 0
    make(attempt, REST)
    assert attempt.points == POINTS - 6
    for _ in range(3):
        attempt.claim(right=False)
    assert attempt.points == 1


def test_a_hint_is_never_what_is_plain_already_and_none_is_given_without_hints_in_the_terms() -> None:
    dark = Terms(light=False)
    untouched, stuck = after("", dark), after("intro; destruct_and H; split", dark)
    assert untouched.take_hint() == Event("hint", "2") or untouched.only_move
    assert stuck.take_hint() == Event("hint", "1")
    assert Attempt(parse("p \\/ q"), terms=Terms(light=False, hints=1)).take_hint() == Event("hint", "1")
    lost = Attempt(parse("p \\/ q"), [Move("left")], terms=dark)
    assert [lost.take_hint(), lost.take_hint()] == [Event("hint", "1"), Event("hint", "3")]
    for terms in (Terms(hints=0), Terms(hints=1, light=True)):
        with pytest.raises(NotAllowed, match="no hints"):
            after("intro", terms).take_hint()
    assert after("intro", Terms(hints=2)).take_hint() == Event("hint", "2")


def test_moves_of_others_can_be_taken_over_and_are_counted() -> None:
    attempt = after("intro; split")
    attempt.take_over(parse_script("intro; destruct_and H; split"))
    assert attempt.given == 2
    assert attempt.script == parse_script("intro; destruct_and H; split")
    with pytest.raises(InputError):
        attempt.take_over(parse_script("intro; left"))
    assert len(attempt.made) == 3


def test_who_is_told_what_to_do_has_taken_all_hints_of_that_state_once() -> None:
    attempt = Attempt(parse("A \\/ B -> B \\/ A"), [Move("intro")])
    events = attempt.be_told()
    taken = LEVELS[-1] - attempt.terms.first_hint + 1
    assert [hint.level for hint in attempt.hints] == list(range(attempt.terms.first_hint, LEVELS[-1] + 1))
    assert attempt.helped == taken and [event.kind for event in events] == ["hint"] * taken
    assert attempt.be_told() == [] and attempt.helped == taken
    attempt.make(Move("destruct_or", "H"))
    attempt.take_hint()
    attempt.be_told()
    assert attempt.helped == 2 * taken


def test_nobody_is_told_more_than_the_hints_of_an_exercise_and_a_right_claim_ends_it() -> None:
    for hints in (0, *LEVELS[:-1]):
        attempt = Attempt(parse("A \\/ B -> B \\/ A"), [Move("intro")], terms=Terms(hints=hints))
        with pytest.raises(NotAllowed, match="nobody says what to do"):
            attempt.be_told()
        assert attempt.hints == []
    attempt = Attempt(parse("p \\/ ~p"))
    attempt.claim(right=True)
    assert (attempt.is_over, attempt.proved, attempt.points) == (True, False, POINTS)


def test_a_hint_where_only_one_move_applies_costs_nothing() -> None:
    attempt = Attempt(AND_COMM, terms=Terms(light=False))
    assert attempt.only_move == Move("intro")
    for _ in LEVELS:
        attempt.take_hint()
    assert (attempt.helped, attempt.hint_level) == (0, LEVELS[-1])
    assert attempt.copy().helped == 0
    attempt.make(Move("intro"))
    assert attempt.only_move is None
    attempt.take_hint()
    assert attempt.helped == 1
    assert after("intro", Terms(rules=("intro", "split"))).only_move == Move("split")


# Slips, and the list of moves


def slipped(*refused: str, turns: int = 0) -> Attempt:
    """Return an attempt with these refused moves and so many moves taken back for others, up to the proof."""
    attempt = after("intro")
    for text in refused:
        with pytest.raises(Refused):
            attempt.make(*parse_script(text))
    for _ in range(turns):
        attempt.make(Move("split"))
        attempt.undo()
        attempt.make(Move("destruct_and", "H"))
        attempt.undo()
    return make(attempt, REST)


@pytest.mark.parametrize(
    ("attempt", "slips", "points"),
    [
        (slipped(), 0, 10),
        (slipped("left"), 1, 10),
        (slipped("left", "right"), 2, 9),
        (slipped("left", "right", "contradiction"), 3, 9),
        (slipped(*["left"] * 6), 1, 10),
        (slipped("left", turns=1), 2, 9),
        (slipped(turns=2), 3, 9),
        (slipped(turns=20), 39, 1),
    ],
)
def test_two_slips_cost_a_point_and_one_alone_nothing(attempt: Attempt, slips: int, points: int) -> None:
    assert (attempt.slips, attempt.points) == (slips, points)


def test_moves_taken_back_are_one_slip_however_many_unless_they_are_made_again() -> None:
    attempt = after("intro; split; destruct_and H")
    attempt.undo()
    attempt.undo()
    assert attempt.slips == 1
    attempt.jump(0)
    assert attempt.slips == 1
    attempt.jump(3)
    assert attempt.slips == 0
    attempt.jump(1)
    attempt.make(Move("split"))
    assert attempt.slips == 1
    attempt.make(Move("destruct_and", "H"))
    assert attempt.slips == 0


def test_going_back_from_a_state_with_a_hint_is_no_slip() -> None:
    attempt = Attempt(parse("p \\/ q -> r \\/ s -> q \\/ p"))
    attempt.take_hint()
    make(attempt, "intro; intro; left").undo()
    assert attempt.slips == 1, "the hint was before, and it was none where only one move applies"
    attempt.redo()
    attempt.take_hint()
    for typed in ("destruct_or H", "right"):
        attempt.jump(2)
        assert attempt.slips == (typed == "right")
        attempt.make(*parse_script(typed))
        assert attempt.slips == (typed == "right"), "from the next state it is one again"
    assert attempt.copy() == attempt


def test_to_go_back_over_the_only_move_is_no_slip_after_a_hint_but_to_go_further_is() -> None:
    attempt = make(Attempt(parse("p /\\ q -> r \\/ s")), "intro; left")
    assert attempt.only_move == Move("destruct_and", "H")
    attempt.take_hint()
    attempt.make(Move("destruct_and", "H"))
    attempt.undo()
    assert attempt.slips == 0 and attempt.copy() == attempt
    attempt.undo()
    assert attempt.slips == 1, "of this move nobody had told"
    attempt.make(Move("right"))
    assert attempt.slips == 1
    attempt.make(Move("destruct_and", "H"))
    attempt.undo()
    assert attempt.slips == 2, "no hint was asked for here"


def test_where_no_move_applies_a_hint_that_would_say_nothing_after_a_wrong_claim_is_none() -> None:
    attempt = after("intro", Terms(rules=("intro",), hints=2))
    assert attempt.is_stuck and attempt.copy().take_hint() == Event("hint", "2")
    attempt.claim(right=False)
    claimed = attempt.helped
    assert not attempt.has_another_hint and attempt.take_hint() is None and attempt.helped == claimed


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("imply1", "apply needs a hypothesis, as in apply H."),
        ("imply1 H7", "apply: no hypothesis is called H7; there are H."),
        ("intro H7", "intro takes no hypothesis; leave out H7."),
        ("split H", "split takes no hypothesis; leave out H."),
    ],
)
def test_a_slip_of_the_fingers_is_told_and_is_no_slip(typed: str, told: str) -> None:
    attempt = after("intro")
    (move,) = parse_script(typed)
    with pytest.raises(InputError) as said:
        attempt.make(move)
    assert (str(said.value), attempt) == (told, after("intro"))
    assert not isinstance(said.value, Refused)


def test_where_the_moves_are_listed_there_are_no_slips_and_the_list_costs_nothing() -> None:
    attempt = after("intro", Terms(moves="listed"))
    assert attempt.shows_list and attempt.show_list() is None
    with pytest.raises(Refused):
        attempt.make(Move("left"))
    attempt.undo()
    assert attempt.slips == 0
    assert make(attempt, f"intro; {REST}").points == POINTS


@pytest.mark.parametrize("moves", ["point", "type"])
def test_the_list_of_moves_costs_once_and_stays(moves: str) -> None:
    attempt = after("intro", Terms(moves=moves))
    assert not attempt.shows_list
    assert [attempt.show_list(), attempt.show_list()] == [Event("listed"), None]
    assert make(attempt, REST).points == POINTS - LIST_COST
    attempt.undo()
    assert attempt.shows_list and attempt.listed


def test_the_order_on_offer_is_always_the_same_and_says_nothing() -> None:
    def orders() -> list[list[str]]:
        asked = [Attempt(parse(f"a{number} \\/ b")) for number in range(40)]
        return [[str(offer.move) for offer in attempt.offers()] for attempt in asked]

    assert all(sorted(order) == ["left", "right"] for order in orders())
    assert 10 <= [order[0] for order in orders()].count("left") <= 30
    assert orders() == orders()


@pytest.mark.parametrize(
    ("lemma", "script", "side"),
    [
        ("p -> q", "intro", None),
        ("p \\/ q -> q \\/ p", "intro; destruct_or H; left", (3, "left")),
        ("p \\/ q -> q \\/ p", "intro; right; destruct_or H; assumption", (2, "right")),
        ("p -> (p \\/ q) /\\ r", "intro; split; left; assumption", None),
        ("p -> (p \\/ q) /\\ (r \\/ s)", "intro; split; left; assumption; right", (5, "right")),
    ],
)
def test_the_side_chosen_last_is_on_the_way_to_the_goal(lemma: str, script: str, side: tuple[int, str] | None) -> None:
    assert Attempt(parse(lemma), list(parse_script(script))).side == side


# Pointing at formulas


def at(goal: str, place: str | None, side: str = "", rules: str = " ".join(RULES)) -> list[str]:
    """Return the moves that pointing at a hypothesis, or at the conclusion, of a goal offers."""
    (parsed,) = parse_state(goal)
    return sorted(map(str, moves_at(parsed, Place(place, side), rules.split())))


@given(walks())
def test_every_move_that_applies_follows_from_pointing_and_else_the_one_that_was_meant_is_refused(walk: Walk) -> None:
    attempt = Attempt(walk.formula)
    for state, move in zip(walk.states, (*walk.script, None), strict=True):
        for goal in state[:1]:
            legal = set(legal_moves(goal))
            found = {place: moves_at(goal, place, RULES) for place in places(goal)}
            assert legal <= {each for moves in found.values() for each in moves}
            for place, moves in found.items():
                assert moves and len(set(moves)) == len(moves)
                assert all(each.hypothesis in (None, place.hypothesis) for each in moves)
                if not set(moves) <= legal:
                    (meant,) = moves
                    with pytest.raises(Refused):
                        attempt.make(meant)
        if move is not None:
            attempt.make(move)


@given(walks())
def test_every_hypothesis_stays_in_its_row_and_what_takes_its_place_stands_there(walk: Walk) -> None:
    for move, before, after in zip(walk.script, walk.states, walk.states[1:], strict=False):
        rows = [each.name for each in as_they_came(before[0])]
        for goal in after[: len(after) - len(before) + 1]:
            now = as_they_came(goal)
            assert [each.name for each in now][: len(rows)] == rows, move
            assert sorted(now) == sorted(goal.hypotheses)


@pytest.mark.parametrize(
    ("goal", "place", "moves"),
    [
        ("|- p \\/ q", None, ["left", "right"]),
        ("p |- p", None, ["assumption"]),
        ("p |- p", "H", ["assumption"]),
        ("p -> q |- p -> q", None, ["assumption", "intro"]),
        ("p -> q, p |- p -> q", "H", ["assumption", "imply1 H"]),
        ("False |- q", "H", ["contradiction"]),
        ("False |- False", "H", ["assumption", "contradiction"]),
        ("False |- q", None, ["assumption"]),
        ("p -> q |- q", "H", ["imply1 H"]),
        ("(p /\\ q) -> r, p /\\ q |- q", "H", ["imply1 H", "imply2 H"]),
        ("(p -> q) -> r |- q", "H", ["imply4 H"]),
        ("q |- p", "H", ["assumption"]),
        ("q, p |- p", "H", ["imply1 H"]),
    ],
)
def test_the_connective_says_what_to_do(goal: str, place: str | None, moves: list[str]) -> None:
    assert at(goal, place) == moves


def test_half_a_disjunction_is_a_choice_and_a_forbidden_move_follows_only_if_no_other_does() -> None:
    assert [at("|- p \\/ q", None, half) for half in ("left", "right")] == [["left"], ["right"]]
    assert at("p \\/ q |- p \\/ q", None, "right") == ["right"]
    assert at("|- p -> q", None, "right") == ["intro"]
    assert at("|- p \\/ q", None, rules="left intro") == ["left"]
    assert at("p /\\ q |- q", "H", rules="intro") == ["destruct_and H"]


# The proof as a tree: every goal stands where its move left it, and an outline fits where it is drawn.


def tree(script: str) -> ProofTree:
    return ProofTree.of(parse("p \\/ q -> q \\/ p"), parse_script(script))


@given(walks())
def test_every_goal_stands_where_its_move_left_it_and_moves_where_their_goals_were_in_focus(walk: Walk) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    assert (found.root.goal,) == walk.states[0]
    for node in found.nodes():
        left = () if node.move is None else premises(node.goal, node.move)
        assert tuple(child.goal for child in node.children) == left
    made = [node for node in found.nodes() if node.move is not None]
    assert [(node.step, node.move) for node in made] == list(enumerate(walk.script))
    assert [node.goal for node in made] == [state[0] for state in walk.states[:-1]]
    still_open = [node for node in found.nodes() if node.move is None]
    assert tuple(node.goal for node in still_open) == walk.states[-1]
    assert found.focused is (still_open[0] if still_open else None)
    if found.focused is not None:
        assert found.focused.step == len(walk.script)


@given(walks())
def test_of_the_lines_of_an_outline_those_that_are_set_in_have_goals_beside_them(walk: Walk) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    lines = list(found.lines())
    splits: dict[Node, int] = {lines[0].node: 0}
    for line in lines[1:]:
        assert line.parent is not None
        splits[line.node] = splits[line.parent] + (len(line.parent.children) > 1)
        assert len(line.branch) == 2 * splits[line.node]
        assert (line.branch[-2:] in ("├ ", "└ ")) == (len(line.parent.children) > 1)


@given(walks(), st.integers(0, 100), st.sampled_from([COQ, UNICODE]))
def test_an_outline_says_all_that_fits_and_else_what_is_new(walk: Walk, width: int, notation: Notation) -> None:
    found = ProofTree.of(walk.formula, walk.script)
    lines, whole = (found.outline(notation, width=room).split("\n") for room in (width, None))
    assert len(lines) == len(whole) == len(list(found.nodes()))
    for line, all_of_it, (node, _, parent) in zip(lines, whole, found.lines(), strict=True):
        if cell_len(all_of_it) <= width:
            assert line == all_of_it
            continue
        shared = set() if parent is None else set(parent.goal.hypotheses)
        for each in node.goal.hypotheses:
            assert each in shared or f"{each.name} : {brief(each.formula, notation)}" in line
        assert line.endswith(f"{notation.turnstile} {brief(node.goal.conclusion, notation)}")
        assert cell_len(line) <= cell_len(all_of_it)


@given(walks(names=("A", "B", "H")))
def test_an_outline_in_ascii_is_in_ascii(walk: Walk) -> None:
    assert ProofTree.of(walk.formula, walk.script).outline(ascii_only=True, width=40).isascii()


def test_an_outline_says_which_goal_is_worked_on_and_which_waits() -> None:
    *_, now, later = tree("intro; destruct_or H").outline().split("\n")
    assert now.startswith("├ here ") and later.startswith("└ open "), "a goal that waits is open"
    with pytest.raises(ScriptError, match="Step 2: split"):
        tree("intro; split")
