"""What a student is told of signs, moves and points, and never whether a lemma has a proof before that was paid for."""

from collections.abc import Collection
from datetime import datetime
from unittest.mock import Mock

import pytest
from hypothesis import given

from curricula import Lemma, resolve_lemma
from curricula.course import course
from oasis.backends.base import BackendError, BackendMissing
from oasis.backends.native import Native
from oasis.classroom.desk.progress import course_exercises
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.effects import gloss, reason, refusal, would_leave
from oasis.classroom.proving.events import Refused
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.lines import Lines
from oasis.classroom.proving.referees import verdicts
from oasis.classroom.proving.rules import page
from oasis.classroom.proving.signs import brackets, card
from oasis.classroom.proving.telling import IS_THERE_A_PROOF, NO_PROOF, NOTHING_LOST, Light
from oasis.classroom.proving.words import cost, slip, worth
from oasis.ground.names import PROVERS
from oasis.ground.registry import Entry
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.hints import LEVELS, Teacher
from tactics.claims import Claim
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.parser import parse
from tactics.printer import COQ, UNICODE, brief, show
from tactics.rules import RULES, SPEAKING, TACTICS, apply, legal_moves, premises
from tactics.script import parse_script
from tactics.sequent import parse_state
from tests.classroom.people import PROOF
from tests.strategies import Walk, goals, walks


def test_the_card_has_each_sign_of_a_notation_with_an_example_that_can_be_typed() -> None:
    assert [sign.sign for sign in card(UNICODE)] == ["⊢", "∧", "∨", "→", "¬", "↔", "⊥"]
    for sign, typed in zip(card(UNICODE), card(), strict=True):
        assert sign.sign in sign.example
        assert sign.typed == typed.sign
        if sign.sign == UNICODE.turnstile:
            assert parse_state(sign.example) == parse_state(typed.example)
        else:
            assert show(parse(typed.example), UNICODE) == sign.example
    assert all(text.isascii() for sign in card(COQ) for text in sign) and brackets().isascii()


def test_what_binds_tighter_is_said_as_it_is_read() -> None:
    said = brackets(UNICODE)
    assert "→ groups to the right: p → q → r is p → (q → r)." in said
    assert parse("p → q → r") is parse("p → (q → r)")
    order = [said.index(sign) for sign in "¬∧∨→"]
    assert order == sorted(order)
    assert parse("¬p ∧ q ∨ r → s") is parse("(((¬p) ∧ q) ∨ r) → s")


# What is said of a move before it is made, and of one that does not apply.

OTHER = "Choose another formula or tactic."


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        ("|- p -> q", "intro", "intro leaves: ⊢ q with H : p."),
        ("p |- q /\\ r", "split", "split leaves: ⊢ q; then ⊢ r."),
        ("p \\/ q |- r", "destruct_or H", "destruct_or H leaves: ⊢ r with H : p; then ⊢ r with H : q."),
        ("p -> q |- r", "imply1 H", "apply H leaves if p is among the hypotheses: ⊢ r with H : q."),
        ("p |- q", "assumption", "assumption closes this goal if q is among the hypotheses."),
        ("p |- q", "split", "split: It fails if the conclusion is no conjunction."),
    ],
)
def test_what_a_move_would_leave_is_told_by_its_formula_alone(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    assert would_leave(goal, made, UNICODE) == told


def test_why_nested_makes_two_goals_is_said_of_its_formulas() -> None:
    (goal,) = parse_state("(p -> q) -> r, p \\/ q |- r")
    nested, cases = parse_script("imply4 H; destruct_or H0")
    assert reason(goal, nested, UNICODE) == "H gives r only once p → q is proved."
    assert reason(goal, cases, UNICODE) == ""
    closed, begun = parse_script("assumption; left")
    (goal,) = parse_state("p |- p \\/ q")
    assert [gloss(goal, move, UNICODE) for move in (closed, begun)] == ["it is given", "prove p"]


@given(goals())
def test_the_preview_of_a_move_names_the_goals_that_it_leaves(goal: Goal) -> None:
    for move in legal_moves(goal):
        told = would_leave(goal, move)
        assert all(f"|- {brief(after.conclusion)}" in told for after in premises(goal, move))


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        ("p -> q |- r", "imply1 H", "apply H does not apply: H leads from p to q, and p is not there yet."),
        ("p |- q", "split", f"split does not apply: the conclusion is q, and not of the form A ∧ B. {OTHER}"),
        ("p |- q", "imply4 H", f"nested H does not apply: H is p, and not of the form (C → D) → B. {OTHER}"),
    ],
)
def test_why_a_move_does_not_apply_is_said_with_what_to_do(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    attempt = Attempt(goal.conclusion)
    attempt.states[-1] = (goal,)
    with pytest.raises(Refused) as refused:
        attempt.make(made)
    assert refusal(goal, refused.value, UNICODE) == told


# What is said of points, in the same words everywhere


def attempt(terms: Terms | None = None) -> Attempt:
    """Return an attempt with two hints, a wrong claim and a slip."""
    begun = Attempt(parse("p \\/ q -> q \\/ p"), terms=terms or Terms())
    begun.make(Move("intro"))
    begun.take_hint()
    begun.take_hint()
    begun.claim(right=False)
    with pytest.raises(Refused):
        begun.make(Move("split"))
    return begun


def test_what_points_were_lost_for_is_told_and_what_was_before_is_told_apart() -> None:
    begun = attempt()
    now = worth(5, begun, begun.helped, begun.slips, listed=False)
    assert now == "5 of 10 points: two hints, a wrong claim, a slip"
    more = worth(1, begun, begun.helped + 1, begun.slips + 2, listed=True)
    assert more == "1 of 10 points: two hints, a wrong claim, earlier help, three slips, the list"


def test_where_nothing_was_lost_nothing_is_told_and_what_others_have_done_is() -> None:
    assert worth(10, Attempt(parse("p -> p")), 0, 0, listed=False) == "10 of 10 points"
    due = datetime(2020, 12, 1, 18).astimezone()
    late = worth(9, Attempt(parse("p -> p")), 0, 2, listed=False, late=due)
    assert late == "9 of 10 points: two slips; late, as it was due 2020-12-01 18:00"
    begun = Attempt(parse("p -> p -> p"))
    begun.take_over((Move("intro"), Move("intro")))
    assert worth(8, begun, begun.helped, begun.slips, listed=False) == "8 of 10 points: two moves of somebody else's"


def test_costs_are_told_before_they_are_taken() -> None:
    assert (cost(1), cost(3), cost(0)) == ("a point", "three points", "nothing")
    assert cost(0, is_done=True) == "nothing, as this lemma is done"
    assert slip(0, 1) == "That is a slip; every second one costs a point."
    assert slip(1, 1) == "That is a slip, and every second one costs a point: this one does."
    assert slip(0, 0) == "That is a slip, which costs nothing any more."


# Light, hints and words never say whether a lemma has a proof before that was paid for.

STATES = 40
"""That are looked at of each lemma of the course; there are too many of some."""
SMALL = [each for each in course_exercises() if each.place != f"course/{course()[-1].name}"]
"""The lemmas of the course but for the last world's."""
STUCK = ["There is no proof from here, and no move applies."]
ADVISER = Adviser(60)


def after(lemma: str, script: str, terms: Terms | None = None) -> Attempt:
    return Attempt(parse(lemma), list(parse_script(script)), terms=terms or Terms(light=False))


def answer(lemma: str, script: str, level: int, terms: Terms | None = None) -> list[str]:
    """Return the hint of a level after some moves."""
    attempt = after(lemma, script, terms)
    found = Adviser(60, attempt.terms.only).answer(attempt, level)
    assert found is not None
    return found.sentences()


def maybe(where: str) -> list[str]:
    return [IS_THERE_A_PROOF, f"If there is one, look at {where}."]


def walked(exercise: Exercise) -> Collection[Attempt]:
    """Return attempts at an exercise at different states that are not done, those near the beginning first."""
    found: dict[tuple[Goal, ...], Attempt] = {}
    pending = [Attempt(exercise.formula, terms=exercise.terms)]
    while pending and len(found) < STATES:
        attempt = pending.pop(0)
        if attempt.proved or attempt.state in found:
            continue
        found[attempt.state] = attempt
        for offer in attempt.offers():
            further = attempt.copy()
            further.make(offer.move)
            pending.append(further)
    return found.values()


@pytest.mark.parametrize("exercise", SMALL, ids=lambda exercise: exercise.name)
def test_light_and_hints_never_say_whether_there_is_a_proof(exercise: Exercise) -> None:
    teacher = Teacher()
    has_proof = teacher.provable(Attempt(exercise.formula).state)
    for attempt in walked(exercise):
        light, first, second = ADVISER.light(attempt), ADVISER.judge(attempt), ADVISER.judge(attempt, 2)
        assert first is not None and second is not None and first.light is light
        is_lost = has_proof and not teacher.provable(attempt.state)
        assert light is (Light.DARK if is_lost or attempt.is_stuck else Light.ON)
        if light is Light.ON:
            assert first.sentences() == [NOTHING_LOST]
            assert (first.hint, first.loss, first.countermodel, second.hint) == (None, None, None, None)
            said, where = second.sentences()
            names = ["the conclusion", *(name for name, _ in attempt.state[0].hypotheses)]
            assert [said, where] in [maybe(name) for name in names]
        elif attempt.is_stuck:
            assert first.sentences() == STUCK
            assert first.hint is None and first.loss is None and first.countermodel is not None
        else:
            assert first.hint is not None and first.hint.step
            assert first.sentences()[0].startswith("There is no proof from here since move ")
        claimed = attempt.copy()
        claimed.claim(right=False)
        for level in LEVELS:
            judged = ADVISER.judge(claimed, level)
            assert judged is not None and IS_THERE_A_PROOF not in judged.sentences()
            if attempt.only_move is not None:
                told = ADVISER.answer(attempt, level)
                assert told is not None and told.sentences()[0].startswith("Only one move applies here: ")


def test_of_the_only_move_no_more_is_told_than_the_hints_of_the_exercise_say() -> None:
    def only(script: str, hints: int) -> str:
        *said, _ = answer("p /\\ q -> p", script, 1, Terms(light=False, hints=hints))
        return " ".join(said)

    assert only("", 1) == "Only one move applies here."
    assert only("", 2) == "Only one move applies here. Look at the conclusion."
    assert only("intro", 2) == "Only one move applies here. Look at H."
    assert only("intro", 3) == "Only one move applies here, by destruct_and."
    assert only("intro", 4) == "Only one move applies here: destruct_and H."


def test_a_second_hint_is_about_the_way_or_whether_there_is_one() -> None:
    assert answer("p \\/ q -> q \\/ p", "intro", 2) == maybe("H")
    assert answer("(p -> q) -> p -> q", "intro; intro", 2) == [
        "Only one move applies here: apply H.",
        "That only one move applies does not mean that it leads to a proof.",
    ]
    assert answer("p \\/ q", "", 2) == answer("p \\/ q", "", 2, Terms(light=False, hints=2)) == maybe("the conclusion")
    assert answer("p \\/ q", "left", 2) == [*STUCK, IS_THERE_A_PROOF]
    assert answer("p \\/ q -> p", "intro; destruct_or H; assumption", 2) == [*STUCK, IS_THERE_A_PROOF]
    assert answer("p \\/ q", "", 3) == answer("p \\/ q", "left", 4) == [NO_PROOF]


def test_with_some_tactics_alone_what_is_said_is_said_of_them() -> None:
    without = Terms(light=False, rules=WITHOUT_RIGHT)
    assert Adviser(60, without.only).light(after("p \\/ q -> q \\/ p", "intro", without)) is Light.ON
    (said,) = answer("p \\/ q -> q \\/ p", "intro", 3, without)
    assert said == "This lemma has a proof, but none with these tactics."
    (said,) = answer("p -> q \\/ p", "intro; left", 1, without)
    assert said == "There is no proof from here with these tactics, and no move applies."


# The adviser says of an attempt what the teacher would, and nothing where it does not know.

OR_COMM = parse("A \\/ B -> B \\/ A")
WITHOUT_RIGHT = tuple(rule for rule in RULES if rule != "right")


def or_comm(script: str) -> Attempt:
    return Attempt(OR_COMM, list(parse_script(script)))


@given(walks())
def test_without_a_limit_answers_are_the_teachers(walk: Walk) -> None:
    attempt, adviser, teacher = Attempt(walk.formula), Adviser(60), Teacher()
    for move in (*walk.script, None):
        states, made = attempt.states, attempt.made
        assert adviser.on_track(attempt) == teacher.provable(states[-1])
        for level in (1, 4):
            assert adviser.hint(attempt, level) == teacher.hint(states, made, level)
        assert adviser.has_proof(attempt) == teacher.valid(states[0])
        refuted = adviser.countermodel(attempt)
        assert (refuted is None) == teacher.provable(states[-1])
        if refuted is not None:
            check(refuted.model, refuted.hypotheses, refuted.conclusion)
        if move is not None:
            attempt.make(move)


def test_by_some_rules_a_lemma_may_be_lost_that_still_has_a_proof() -> None:
    attempt, adviser = or_comm("intro; left"), Adviser(rules=WITHOUT_RIGHT)
    assert Adviser().on_track(or_comm("intro")) is True
    assert adviser.on_track(or_comm("intro")) is False
    assert adviser.shortest(attempt) is None
    assert adviser.has_proof(attempt) is True
    hint = adviser.hint(attempt, 2)
    assert hint is not None and hint.step == 0


def test_a_claim_that_there_is_no_proof_is_about_all_twelve_rules() -> None:
    assert Adviser(rules=["intro"]).has_proof(or_comm("")) is True
    assert Adviser(rules=["intro"]).has_proof(Attempt(parse("p \\/ ~p"))) is False


def test_the_loss_is_of_the_move_that_the_hint_names() -> None:
    adviser, attempt = Adviser(), or_comm("intro; left; destruct_or H")
    hint = adviser.hint(attempt, 1)
    assert hint is not None
    loss = adviser.loss(attempt, hint)
    assert loss is not None and loss.countermodel is not None
    assert str(loss.move) == "left"
    on_track = adviser.hint(or_comm("intro"), 1)
    assert on_track is not None
    assert adviser.loss(or_comm("intro"), on_track) is None
    assert adviser.countermodel(or_comm("intro")) is None
    refuted = adviser.countermodel(or_comm("intro; left"))
    assert refuted is not None and refuted.sequent() == "A \\/ B |- B"


@pytest.mark.slow
def test_what_takes_too_long_is_unknown_and_does_not_spoil_the_next_question() -> None:
    adviser = Adviser(0.2, [rule for rule in RULES if rule != "split"])
    hard = Attempt(resolve_lemma("SYJ203.9").formula)
    assert adviser.on_track(hard) is None
    assert adviser.hint(hard, 4) is None
    assert adviser.shortest(hard) is None
    assert adviser.on_track(or_comm("intro")) is True
    assert adviser.on_track(or_comm("intro; left")) is False


# Provers: a sentence from each that is there, whatever happens to it.


class Absent(Native):
    """A prover that is not installed."""

    version = certify = Mock(side_effect=BackendMissing("Nothing is installed; install it."))


class Fails(Native):
    """A prover that answers, and dies of the first claim."""

    certify = Mock(side_effect=BackendError("It died; try again."))


@pytest.fixture
def classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for Coq and Lean."""
    monkeypatch.setitem(PROVERS.entries, "coq", Entry(f"{__name__}:Absent", asked=True))
    monkeypatch.setitem(PROVERS.entries, "lean", Entry(f"{__name__}:Fails", asked=True))


@given(walks())
def test_a_proof_is_certified_and_anything_else_is_refused_with_the_reason(walk: Walk) -> None:
    (said,) = verdicts(walk.formula, walk.script, ["native"])
    with Native() as native:
        if walk.states[-1]:
            (certificate,) = native.certify([Claim(walk.formula, walk.script)])
            assert said == f"Refused by {native.version()}: {certificate.reason}"
            assert said.endswith("open.")
        else:
            assert said == f"Certified by {native.version()}."


@pytest.mark.usefixtures("classes")
def test_provers_that_are_not_here_say_nothing_unless_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(OR_COMM, PROOF) == ["It died; try again."]
    assert verdicts(OR_COMM, PROOF, ["coq"]) == ["Nothing is installed; install it."]
    monkeypatch.setitem(PROVERS.entries, "lean", Entry(f"{__name__}:Absent", asked=True))
    assert verdicts(OR_COMM, PROOF) == verdicts(OR_COMM, PROOF, ()) == []


@pytest.mark.usefixtures("classes")
def test_a_prover_that_fails_keeps_no_other_from_answering() -> None:
    said = verdicts(OR_COMM, PROOF, ["lean", "native", "coq"])
    assert said == ["It died; try again.", *verdicts(OR_COMM, PROOF, ["native"]), "Nothing is installed; install it."]
    assert said[1].startswith("Certified by ")
    with pytest.raises(InputError, match=r"--certify is one of native, coq, .* not 'oracle'"):
        verdicts(OR_COMM, PROOF, ["oracle"])


# The classroom in lines of text: what a student types and reads.

TYPED = "p \\/ q -> q \\/ p"


def lines(lemma: str = TYPED, seconds: float = 20) -> Lines:
    return Lines(resolve_lemma(lemma), Adviser(seconds))


def told(room: Lines, *typed: str) -> list[str]:
    """Type some lines; return the answer to the last one."""
    said: list[str] = []
    for line in typed:
        said = room.answer(line)
    return said


def test_brackets_that_a_student_typed_are_shown_back() -> None:
    assert lines("p -> (q -> (p))").greeting()[1] == "You typed p -> (q -> (p)), which is the same."
    for typed in ("(p -> q) -> p -> q", "p->q->p", "textbook/and_comm"):
        assert "typed" not in " ".join(lines(typed).greeting())


def test_a_proof_ends_with_its_length_and_that_of_the_shortest() -> None:
    room = lines("A -> B -> A")
    assert told(room, "script") == ["No move is made yet."]
    said = told(room, "intro", "intro", "assumption")
    assert said == ["Proved in 3 moves.", "No proof is shorter.", "intro; intro; assumption"]
    assert room.is_over
    room = lines("SYJ203.1")
    room.answer("hint")
    said = told(room, "intro; imply3 H; imply4 H0; intro; imply1 H; assumption; assumption")
    assert said[:3] == ["Proved in 7 moves.", "The shortest proof has 4 moves.", "You took 1 hint."]


def test_goals_and_the_moves_on_offer_are_shown_with_what_they_leave() -> None:
    room = lines()
    cases, left, right = sorted(told(room, "intro", "moves"))
    assert cases == "  destruct_or H: prove q \\/ p with H : p; then prove q \\/ p with H : q"
    assert (left, right) == ("  left: prove q", "  right: prove p")
    assert told(room, "destruct_or H") == ["2 goals are left; this is the first.", "  H : p", "  to prove: q \\/ p"]


def test_of_several_moves_those_before_the_first_that_fails_are_made() -> None:
    for typed, why in (
        ("split", "split: the conclusion is not of the form A /\\ B."),
        ("apply H7", "apply: no hypothesis is called H7; there are H."),
        ("splt", "splt is not a tactic; did you mean split?"),
    ):
        said = told(lines(), f"intro; left; {typed}; assumption")
        assert said[:2] == [why, "Stopped at move 3 of 4; the 2 before it stand."]
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
    assert "here. In move 2 you chose the left side" in told(room, "destruct_or H", "state")[-1]
    stuck, why, *_ = told(room, "hint")
    assert (stuck, why) == ("There is no proof from here, and no move applies.", "There is no proof of p |- q.")
    lost, back, where, *_ = told(room, "hint")
    assert lost == "There is no proof from here since move 2, left."
    assert (back, where) == ("Go back to before move 2.", "Look at H.")


def test_a_teacher_out_of_time_says_so_and_answers_the_next_question() -> None:
    room = lines("SYJ203.6", seconds=1e-9)
    assert told(room, "check") == ["There is no answer in time."]
    assert told(room, "hint") == ["There is no hint in time; try a move, and ask again."]


def test_what_is_neither_move_nor_command_is_told_what_to_do() -> None:
    assert told(lines(), "qed now") == ["qed is neither a tactic nor a command; type help to see both."]
    assert told(lines(), "assumtion") == ["assumtion is neither a tactic nor a command; did you mean assumption?"]
    assert told(lines(), "move") == ["move is neither a tactic nor a command; did you mean moves?"]
    assert told(lines(), "", "   ") == told(lines(), "Proof.") == told(lines(), "{ (* cases *)") == []
    assert told(lines(), "- intro.")[1:] == told(lines(), "intro")[1:]
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
