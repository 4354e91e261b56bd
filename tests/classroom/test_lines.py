"""The classroom in lines: what a student reads, and that it is so."""

from __future__ import annotations

import pytest
from hypothesis import given

from curricula import Lemma, resolve_lemma
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.lines import Lines
from oasis.classroom.proving.rules import page
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF
from tactics.errors import InputError
from tactics.printer import UNICODE
from tactics.rules import RULES, SPEAKING, TACTICS, apply, legal_moves
from tactics.sequent import parse_state
from tests.strategies import Walk, walks

OR_COMM = "p \\/ q -> q \\/ p"


def lines(lemma: str = OR_COMM, seconds: float = 20) -> Lines:
    return Lines(resolve_lemma(lemma), Adviser(seconds))


def told(room: Lines, *typed: str) -> list[str]:
    """What is said to the last of some lines."""
    said: list[str] = []
    for line in typed:
        said = room.answer(line)
    return said


def test_brackets_that_a_student_typed_are_shown_back() -> None:
    assert lines("p -> (q -> (p))").greeting()[:2] == [
        "Prove forall p q : Prop, p -> q -> p",
        "You typed p -> (q -> (p)), which is the same.",
    ]
    for typed in ("(p -> q) -> p -> q", "p->q->p", "textbook/and_comm"):
        assert "typed" not in " ".join(lines(typed).greeting())


def test_a_proof_ends_with_its_length_and_that_of_the_shortest() -> None:
    room = lines("A -> B -> A")
    assert told(room, "intro", "intro", "assumption") == ["Proved in 3 moves.", "No proof is shorter.",
                                                          "intro; intro; assumption"]  # fmt: skip
    assert room.is_over
    room = lines("SYJ203.1")
    room.answer("hint")
    said = told(room, "intro; imply3 H; imply4 H0; intro; imply1 H; assumption; assumption")
    assert said[:3] == ["Proved in 7 moves.", "The shortest proof has 4 moves.", "You took 1 hint."]


def test_goals_and_the_moves_on_offer_are_shown_with_what_they_leave() -> None:
    room = lines()
    assert sorted(told(room, "intro", "moves")) == [
        "  destruct_or H: prove q \\/ p with H : p; then prove q \\/ p with H : q",
        "  left: prove q",
        "  right: prove p",
    ]
    assert told(room, "destruct_or H") == ["2 goals are left; this is the first.", "  H : p", "  to prove: q \\/ p"]


def test_of_several_moves_those_before_the_first_that_fails_are_made() -> None:
    said = told(lines(), "intro; left; split; assumption")
    assert said[:2] == ["Made 2 moves, and then not split.", "split: the conclusion is not of the form A /\\ B."]
    assert said[-1] == "  to prove: q"


def test_rules_are_called_by_either_name_and_kept_by_the_name_in_the_table() -> None:
    room = lines("(p -> q) -> p -> q")
    assert told(room, "intro", "intro", "moves")[-1] == "  apply H: prove q with H : q"
    assert told(room, "apply H", "script") == ["intro; intro; imply1 H"]
    assert "apply H (or imply1 H)" in told(room, "help")[0]


def test_moves_are_taken_back_and_made_again() -> None:
    room = lines()
    assert told(room, "intro", "left", "undo")[0] == "Took back left."
    assert told(room, "redo")[0] == "Made left again."
    assert told(room, "go 0")[-1] == "  to prove: p \\/ q -> q \\/ p"
    assert told(room, "go 2", "script") == ["intro; left"]
    assert told(room, "go 7") == ["There is no step 7; choose one from 0, the beginning, to 2."]
    assert told(lines("SYJ203.1"), "intro; imply3 H", "undo")[0] == "Took back split_or H."
    assert told(room, "go back") == ["Say to which step, as in go 2; go 0 is the beginning."]


def test_who_has_lost_the_proof_is_told_with_which_move_and_why() -> None:
    room = lines()
    assert told(room, "intro", "hint") == ["No move so far has lost a proof."]
    said = told(room, "left", "check")
    assert said[:2] == ["There is no proof from here since move 2, left.", "There is no proof of p \\/ q |- q."]
    assert told(room, "destruct_or H", "state")[-1].startswith(
        "No move applies here. In move 2 you chose the left side"
    )
    assert told(room, "hint")[:2] == [
        "There is no proof from here, and no move applies.",
        "There is no proof of p |- q.",
    ]
    assert told(room, "hint")[:3] == [
        "There is no proof from here since move 2, left.",
        "Go back to before move 2.",
        "Look at H.",
    ]


def test_a_teacher_out_of_time_says_so_and_answers_the_next_question() -> None:
    room = lines("SYJ203.6", seconds=1e-9)
    assert told(room, "check") == ["There is no answer in time."]
    assert told(room, "hint") == ["There is no hint in time; try a move, and ask again."]


def test_what_is_neither_move_nor_command_is_told_what_to_do() -> None:
    assert told(lines(), "qed now") == ["qed is neither a tactic nor a command; type help to see both."]
    assert told(lines(), "assumtion") == ["assumtion is neither a tactic nor a command; did you mean assumption?"]
    assert told(lines(), "move") == ["move is neither a tactic nor a command; did you mean moves?"]
    assert told(lines(), "intro; aply H") == ["Step 2: aply is not a tactic; did you mean apply?"]
    assert told(lines(), "", "   ") == []
    assert told(lines(), "help cut") == [f"cut is not a tactic; the tactics are {', '.join(TACTICS)}."]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_page_with_the_rule_and_an_example_of_it(rule: str) -> None:
    read = page(rule)
    assert read.does.endswith(".")
    assert read.fails.startswith("It fails if ")
    assert read.typed.startswith(SPEAKING.get(rule, rule))
    before = parse_state(read.example)
    after = parse_state(read.leaves.replace(" and ", "; ").replace("done", "proved"))
    assert after in {apply(before, move) for move in legal_moves(before[0]) if move.rule == rule}
    assert told(lines(), f"help {rule}") == read.lines


def test_a_page_shows_the_rule_in_letters_and_in_the_notation_asked_for() -> None:
    assert page("apply") == page("imply1")
    assert (page("imply1").name, page("imply1").other, page("split").other) == ("apply", "imply1", "")
    assert (page("imply1").before, page("imply1").after) == (".., H : A -> B, A |- G", ".., H : B, A |- G")
    assert page("imply4", UNICODE).after == ".., H : D → B ⊢ C → D and .., H : B ⊢ G"
    assert page("assumption").after == "done"
    with pytest.raises(InputError, match="cut is not a tactic"):
        page("cut")


@given(walks())
def test_any_walk_can_be_typed_and_each_answer_is_one_line_a_sentence(walk: Walk) -> None:
    room = Lines(Lemma("it", walk.formula, None, "a test", None, None), Adviser(20))
    for move in walk.script:
        said = room.answer(str(move))
        assert said
        assert not any("\n" in line for line in said)
    assert room.attempt.states == list(walk.states)
    assert room.is_over == (not walk.states[-1])


def test_that_there_is_no_proof_can_be_said_and_is_judged() -> None:
    room = lines("p \\/ ~p")
    assert told(room, "check") == told(lines(), "check") == ["No move so far has lost a proof."]
    assert told(room, "hint")[0] == IS_THERE_A_PROOF
    assert told(room, "hint") == [NO_PROOF]
    said = room.answer("no proof")
    assert said[0] == "Yes: this lemma has no proof."
    assert any("stage 0" in sentence for sentence in said) and not any("world" in sentence for sentence in said)
    assert room.is_over
    room = lines()
    assert told(room, "intro", "no proof") == ["This lemma has a proof, though a move so far may have lost it."]
    assert told(lines(), "no proof") == ["This lemma has a proof."]
    assert told(room, "no proof")[0].startswith("This lemma has a proof, as you know")
    assert not room.is_over
    assert room.attempt.wrong_claims == 1
