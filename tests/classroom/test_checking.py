"""What is said of a lesson before a class gets it: every exercise that cannot be done is found, and none wrongly."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from curricula.library import textbook_lemma, textbook_names
from oasis.classroom.lessons.checking import Checked, Verdict, check
from oasis.classroom.lessons.lesson import TEMPLATE, Entry, Lesson
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.limits import LimitReached
from oasis.teacher.countermodels.forcing import check as check_model
from oasis.teacher.deciding.sequents import Sequents
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.rules import RULES, legal_moves
from tests.strategies import formulas
from tests.teacher.reached import below
from tests.teacher.test_restricted import shortest

NOW = datetime(2030, 1, 1).astimezone()
HARDER = "fine as a first exercise, and `oasis curricula show choices` lists harder ones"
SMALLER = "try a smaller lemma, or more time by oasis lesson check --seconds"


def lesson(*given_exercises: Exercise, theorem: bool | None = None) -> Lesson:
    return Lesson("week", "Week", "", tuple(Entry(each, theorem) for each in given_exercises))


def checked(text: str, theorem: bool | None = None, terms: Terms | None = None, seconds: float = 20) -> Checked:
    formula = resolve_lemma(text).formula
    (found,) = check(lesson(Exercise(text, formula, "week", terms or Terms()), theorem=theorem), seconds, now=NOW)
    return found


def said(found: Checked) -> list[str]:
    return [finding.text for finding in found.findings]


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), st.frozensets(st.sampled_from(list(RULES)), min_size=1))
def test_the_verdict_is_that_of_a_search_with_the_rules_allowed(formula: Formula, rules: frozenset[str]) -> None:
    (goal,) = initial(formula)
    below(goal, most=500)
    (found,) = check(lesson(Exercise("it", formula, "week", Terms(rules=tuple(rules)))), 60)
    best = shortest(goal, rules)
    if not Sequents().decide((), formula):
        assert found.verdict is Verdict.NO_PROOF
        assert found.countermodel is not None
        check_model(found.countermodel.model, (), formula)
    elif best == float("inf"):
        assert found.verdict is Verdict.OUT_OF_REACH
        assert found.moves is None
    else:
        assert found.verdict is Verdict.PROVABLE
        assert (found.moves, found.is_shortest) == (best, True)
    assert found.has_error == (found.verdict is not Verdict.PROVABLE)


@pytest.mark.parametrize("name", textbook_names())
def test_the_textbook_has_its_optimum_and_it_is_said_where_no_move_can_lose_a_proof(name: str) -> None:
    lemma = textbook_lemma(name)
    found = checked(lemma.name)
    assert found.moves == lemma.shortest
    assert found.optimum == ("" if lemma.shortest is None else str(lemma.shortest))
    assert (found.verdict is Verdict.NO_PROOF) == (lemma.status == "non-theorem") == found.has_error
    goals = below(*initial(found.exercise.formula))
    is_safe = all(legal_moves(goal) and shortest(goal, frozenset(RULES)) < float("inf") for goal in goals)
    proves_itself = any(text.startswith("It proves itself") for text in said(found))
    is_easy = any(
        text.startswith("Nobody can go wrong in it, as every move leads to a proof; ") for text in said(found)
    )
    assert is_easy == (is_safe and not proves_itself)


TO_SAY_SO = (
    "It has no proof; take another lemma, or write theorem = false below this one in an [[exercise]] of its own, "
    "if students are to say so."
)
ITSELF = f"It proves itself: {{}} are enough; {HARDER}."


@pytest.mark.parametrize(
    ("text", "theorem", "rules", "told"),
    [
        ("A -> B -> A /\\ B", None, "", ITSELF.format("assumption, contradiction, intro, split")),
        ("A -> B -> A /\\ B", None, "intro split assumption left", ITSELF.format("assumption, intro, split")),
        ("A \\/ B -> B \\/ A", None, "", ""),
        ("textbook/peirce", None, "", TO_SAY_SO),
        ("textbook/peirce", False, "", ""),
        ("textbook/or_comm", False, "", "It has a proof; strike theorem = false, or take a lemma that has none."),
        (
            *("textbook/or_comm", None, "intro assumption destruct_or left"),
            "It has a proof, but none with the tactics allowed; add to its line of tactics, or strike that line.",
        ),
    ],
)
def test_what_is_wrong_with_an_exercise_is_told(text: str, theorem: bool | None, rules: str, told: str) -> None:
    found = checked(text, theorem, Terms(rules=tuple(rules.split()) or tuple(RULES)))
    assert said(found) == ([told] if told else [])
    assert found.has_error == (bool(told) and not told.startswith("It proves itself"))
    assert (found.countermodel is not None) == (text == "textbook/peirce")


def test_a_lemma_that_is_said_to_have_a_proof_must_have_one_with_the_tactics_allowed() -> None:
    assert checked("textbook/peirce", theorem=True).has_error
    assert checked("textbook/or_comm", theorem=False, terms=Terms(rules=("intro",))).has_error


@pytest.mark.parametrize(
    ("texts", "is_given"),
    [
        (["p -> p", "p -> q -> p", "(p -> q) -> (p -> q)", "(p -> q) -> r -> p -> q"], True),
        (["p /\\ q -> p", "False -> p", "(p -> p) -> q", "p \\/ q -> q \\/ p"], False),
    ],
)
def test_what_is_among_its_premises_is_said_so(texts: list[str], is_given: bool) -> None:
    among = "What is to be proved is among its premises; take that premise out, if that is not meant."
    assert [among in said(checked(text)) for text in texts] == [is_given] * 4


def test_the_same_exercise_in_other_letters_is_found() -> None:
    texts = ["p \\/ q -> q \\/ p", "A \\/ B -> B \\/ A", "A \\/ B -> A \\/ B", "x \\/ y -> y \\/ x"]
    found = list(check(lesson(*(Exercise(text, parse(text)) for text in texts)), 20))
    same = [[text for text in said(each) if "same" in text] for each in found]
    assert same == [[], [f"It is the same as {texts[0]}, up to letters; leave one of them out."], [], [same[1][0]]]


def test_too_long_is_what_has_a_longer_shortest_proof_than_is_wanted() -> None:
    exercise = Exercise("SYJ203.3", resolve_lemma("SYJ203.3").formula)
    (found,) = check(lesson(exercise), 20, too_long=16)
    assert not found.findings
    (found,) = check(lesson(exercise), 20, too_long=15)
    assert said(found) == [
        "Its shortest proof has 16 moves, and that is more than 15; take a smaller lemma, or allow so many by "
        "oasis lesson check --too-long 16."
    ]
    assert not found.has_error


def test_a_due_date_in_the_past_is_told_once() -> None:
    past, future = Terms(due=NOW - timedelta(days=1)), Terms(due=NOW + timedelta(days=1))
    names = {"textbook/or_comm": past, "textbook/or_assoc": future, "textbook/and_absorption": past}
    given_exercises = [Exercise.of(resolve_lemma(name), "week", terms) for name, terms in names.items()]
    found = list(check(lesson(*given_exercises), 20, now=NOW))
    assert [said(each) for each in found] == [["It was due 2029-12-31 00:00, like 1 more; set another date."], [], []]


def test_what_takes_too_long_is_unknown_and_no_error() -> None:
    found = checked("SYJ202.6", seconds=0.3)
    assert found.verdict is Verdict.UNKNOWN
    assert not found.has_error
    assert said(found) == [f"Whether it can be proved was not found out: 0.3 seconds were not enough; {SMALLER}."]


def test_of_a_long_proof_some_length_is_known_even_if_the_shortest_is_not() -> None:
    found = checked("SYJ203.9", seconds=1.5)
    assert found.verdict is Verdict.PROVABLE
    assert not found.is_shortest
    assert found.moves is not None and found.moves >= 52
    assert found.optimum == f"at most {found.moves}"
    assert said(found)[0] == f"Whether a proof is shorter was not found out: 1.5 seconds were not enough; {SMALLER}."


def test_without_time_to_look_a_restricted_exercise_is_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise LimitReached("10 goals were not enough")

    monkeypatch.setattr("oasis.classroom.lessons.checking.GoalGraph", too_large)
    found = checked("textbook/or_comm", terms=Terms(rules=("intro", "assumption", "destruct_or", "left")))
    assert found.verdict is Verdict.UNKNOWN
    assert said(found) == [f"Whether it can be proved was not found out: 10 goals were not enough; {SMALLER}."]
    found = checked("textbook/or_comm", terms=Terms(rules=("intro", "assumption", "destruct_or", "left", "right")))
    assert (found.verdict, found.moves, found.is_shortest) == (Verdict.PROVABLE, 6, False)


# An exam.


def test_of_an_exam_it_is_told_what_stands_in_the_course_or_in_another_lesson_up_to_letters() -> None:
    given = {
        "in_course": "B \\/ A -> A \\/ B",
        "in_lesson": "(B -> B -> A) -> B -> A",
        "its_own": "A -> B -> A /\\ (B /\\ A)",
    }
    exam = replace(lesson(*(Exercise(name, parse(text), "week") for name, text in given.items())), is_exam=True)
    other = Lesson("other", "Monday", "", (Entry(Exercise("once", parse("(p -> p -> q) -> p -> q"), "other")),))

    def known(given: Lesson) -> dict[str, list[str]]:
        found = check(given, now=NOW, beside=[exam, other])
        return {each.exercise.name: [text for text in said(each) if text.startswith("It stands in")] for each in found}

    told = known(exam)
    assert told["in_course"][0].startswith("It stands in the course (")
    assert told["in_lesson"] == [
        "It stands in the lesson Monday, too, up to letters, so who has met it there knows its proof; an exam is "
        "better with another lemma."
    ]
    assert told["its_own"] == []
    assert not any(known(replace(exam, is_exam=False)).values())
