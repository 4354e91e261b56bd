"""Lessons: what their files say, mistakes in them, changes while a class works, letters of one's own, and checks."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve, resolve_lemma
from curricula.course import course
from curricula.library import textbook_lemma, textbook_names
from oasis.classroom.lessons.checking import Checked, Verdict, check
from oasis.classroom.lessons.exams import Exams, ExamTerms
from oasis.classroom.lessons.following import FollowedLessons, read_lessons
from oasis.classroom.lessons.handing import HandedLessons, hand_out
from oasis.classroom.lessons.lesson import TEMPLATE, Entry, Lesson, in_words, write_lesson
from oasis.classroom.lessons.letters import own_letters
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.ground.limits import LimitReached
from oasis.teacher.countermodels.forcing import check as check_model
from oasis.teacher.deciding.sequents import Sequents
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import RULES, legal_moves
from tests.classroom.people import terms
from tests.strategies import formulas
from tests.teacher.reached import below
from tests.teacher.test_restricted import shortest

WHOLE = """
title = "Conjunction"
about = "Both sides, in any order."
tactics = ["intro", "assumption", "split", "destruct_and"]
hints = 3
hint_cost = 2
light = false
agent = "hidden"
due = 2026-12-01T18:00:00+01:00
[[exercise]]
lemma = "textbook/and_comm"
[[exercise]]
lemma = "A /\\\\ B -> A"
theorem = true
hints = 2
light = true
tactics = ["intro"]
"""


def lesson(text: str, folder: Path = Path()) -> Lesson:
    return Lesson.parse(text, "lesson.toml", "week 1", folder)


def exercise(terms: str) -> Exercise:
    (only,) = lesson(f'lemmas = ["p -> p"]\n{terms}').exercises_for("Ada")
    return only


def test_a_lesson_is_what_its_file_says() -> None:
    found = lesson(WHOLE)
    assert (found.name, found.title, found.about) == ("week 1", "Conjunction", "Both sides, in any order.")
    one, other = found.exercises
    rules = ("intro", "assumption", "split", "destruct_and")
    due = datetime(2026, 12, 1, 17, tzinfo=UTC)
    terms = Terms(rules=rules, hints=3, hint_cost=2, light=False, agent="hidden", due=due)
    assert one == Entry(Exercise("textbook/and_comm", parse("p /\\ q -> q /\\ p"), "week 1", terms), None)
    terms = replace(terms, rules=("intro",), hints=2, light=True)
    assert other == Entry(Exercise("A /\\ B -> A", parse("A /\\ B -> A"), "week 1", terms), True)


def test_what_is_left_out_is_as_always_and_a_tactic_may_be_given_by_either_name() -> None:
    assert exercise("") == Exercise("p -> p", parse("p -> p"), "week 1", Terms())
    assert (exercise("").terms.moves, exercise("").terms.light) == ("point", True)
    assert lesson('lemmas = ["p -> p"]').title == "week 1"
    assert exercise('tactics = ["nested", "imply4", "intro"]').terms.rules == ("imply4", "intro")


@given(terms)
def test_terms_are_what_is_written(expected: Terms) -> None:
    text = f"hints = {expected.hints}\nhint_cost = {expected.hint_cost}\nlight = {str(expected.light).lower()}\n"
    text += f"agent = '{expected.agent}'\ntactics = {list(expected.rules)}\nmoves = '{expected.moves}'\n"
    text += f"due = {expected.due.isoformat()}" if expected.due else ""
    assert exercise(text).terms == expected
    (own,) = lesson(f"[[exercise]]\nlemma = 'p -> p'\n{text}").exercises_for("Ada")
    assert own.terms == expected
    assert len(in_words(expected)) == 6


def test_a_world_a_curriculum_and_a_named_text_can_stand_for_lemmas() -> None:
    found = lesson('lemmas = ["course/pairs", "thesis", "swap : p /\\\\ q -> q /\\\\ p"]')
    pairs = next(world.lemmas for world in course() if world.name == "pairs")
    thesis = [f"thesis/{number}" for number in range(41, 47)]
    assert [each.name for each in found.exercises_for("Ada")] == [*pairs, *thesis, "swap"]


def test_a_whole_curriculum_brings_its_non_theorems_and_a_single_lemma_does_not() -> None:
    said = {entry.exercise.name: entry.theorem for entry in lesson('lemmas = ["course/absurd"]').exercises}
    for lemma in resolve("course/absurd").lemmas:
        assert said[lemma.name] is (False if lemma.status == "non-theorem" else None)
    assert lesson('lemmas = ["textbook/peirce"]').exercises[0].theorem is None


def test_files_are_named_from_the_folder_of_the_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more, elsewhere = tmp_path / "more", tmp_path / "elsewhere"
    more.mkdir()
    elsewhere.mkdir()
    (tmp_path / "own.lemmas").write_text("swap : A /\\ B -> B /\\ A\nself : A -> A\n")
    (elsewhere / "own.lemmas").write_text("other : B -> B\n")
    (more / "week.toml").write_text('lemmas = ["../own.lemmas/self"]\n')
    (tmp_path / "all.toml").write_text('lemmas = ["own.lemmas"]\n')
    monkeypatch.chdir(elsewhere)
    assert [each.name for each in Lesson.read(tmp_path / "all.toml").exercises_for("Ada")] == ["swap", "self"]
    found = Lesson.read(more / "week.toml")
    assert (found.name, [each.name for each in found.exercises_for("Ada")]) == ("week", ["self"])


def test_a_due_time_without_a_zone_is_this_machines_and_a_day_lasts_till_its_end() -> None:
    local = exercise("due = 2026-12-01T18:00:00").terms.due
    assert local == datetime(2026, 12, 1, 18).astimezone()
    assert local is not None and local.tzinfo is not None
    assert exercise("due = 2026-12-01").terms.due == datetime(2026, 12, 1, 23, 59, 59).astimezone()
    zoned = exercise("due = 2026-12-01T18:00:00+05:30").terms.due
    assert zoned is not None
    assert zoned.utcoffset() == timedelta(hours=5.5)


def test_an_exam_has_no_help_whatever_is_said_and_a_teacher_is_told_what_is_passed_over() -> None:
    quiet = lesson('exam = true\nhints = 0\nlight = false\nlemmas = ["p -> p"]')
    loud = lesson('exam = true\n[[exercise]]\nlemma = "p -> p"\nhints = 4\nagent = "shown"')
    for found in (quiet, loud, lesson('exam = true\nlemmas = ["p -> p"]')):
        terms = found.exercises[0].exercise.terms
        assert (terms.hints, terms.light, terms.agent) == (0, False, "hidden")
    assert not quiet.remarks and "what is said of them is passed over" in loud.remarks[0]


def test_of_an_exam_it_is_said_when_it_is_held_and_what_to_look_at_once_more() -> None:
    held = lesson(
        "exam = true\nopens = 2020-05-04T10:00:00\ncloses = 2020-05-04T11:00:00\nattempts = 2\n"
        'extra = { " Ada  Lovelace" = 20 }\nresults = "when shown"\nlemmas = ["p -> p"]'
    ).held
    assert ExamTerms.from_json(json.loads(json.dumps(held.to_json()))) == held
    assert held.in_words("ada lovelace") == [
        "It opens 2020-05-04 10:00.",
        "It closes 2020-05-04 11:20, which is 20 minutes more than for others; what is there then is handed in.",
        "Each exercise can be begun twice.",
        "The points are told when your teacher shows them.",
    ]
    assert "It closes 2020-05-04 11:00; what is there then is handed in." in held.in_words("Bob")
    closed = "It closed 2020-05-04 11:20; set another time."
    assert held.remarks() == held.remarks(["ADA LOVELACE"]) == [closed]
    unknown = "Nobody on the list of the class is called Ada Lovelace, who has extra time; correct it."
    assert held.remarks(["Bob"]) == [closed, unknown]
    assert ExamTerms().in_words() == ExamTerms().remarks([]) == []


def test_with_own_letters_students_get_the_same_exercise_in_letters_that_stay() -> None:
    found = lesson('letters = "own"\nlemmas = ["textbook/and_comm", "course/cases"]')
    space = STATE_SPACES["name"]()
    for entry, own in zip(found.exercises, found.exercises_for("Ada"), strict=True):
        assert (own.name, own.place, own.terms) == (entry.exercise.name, "week 1", entry.exercise.terms)
        assert space.view(initial(own.formula)).key == space.view(initial(entry.exercise.formula)).key
    assert found.exercises_for("Ada") == found.exercises_for(" ada ")
    assert len({found.exercises_for(f"student {number}") for number in range(30)}) == 30


MISTAKES = {
    "title = Conjunction": "lesson.toml, line 1, column 9: this is not TOML",
    'lemmas = ["p -> p"]\ntitle = Two\n': "lesson.toml, line 2, column 9: this is not TOML",
    'title = """': "lesson.toml, end of document: this is not TOML",
    "a = " + "[" * 5000: "brackets are nested too deep",
    'lemmas = ["p -> p"]\nexam = "yes"': "exam is true or false",
    "attempts = 1": "attempts is said of an exam; add exam = true, or strike attempts",
    "exam = true\nattempts = 0": "attempts is at least 1, not 0",
    "exam = true\nopens = 2030-12-02\ncloses = 2030-12-01": "it closes 2030-12-01 23:59, before it opens 2030-12-02 00",
    'exam = true\nextra = { "Ada" = 5 }': "extra is time after closes; add a time",
    'exam = true\ncloses = 2030-12-01\nextra = { "Ada" = 0 }': "extra is from 1 to 1,440 minutes, not 0 for Ada",
    'exam = true\ncloses = 2030-12-01\nextra = { "Ada" = "5" }': "extra is minutes by name, as in",
    'exam = true\nresults = "never"': "results is one of at once, when shown, not 'never'",
    'exam = true\ncloses = "noon"': "closes is a day or a time without quotes",
    "exam = true\nopens = 0001-01-01": "opens is a time of our days",
    '[[exercise]]\nlemma = "p -> p"\nattempts = 2': "exercise 1: there is no key 'attempts' here; it is of the whole",
    'tactcs = ["intro"]': r"lesson.toml: there is no key 'tactcs'; did you mean tactics\?",
    "colour = 1": "there is no key 'colour'; there are name, title,",
    'tactics = "intro"': "tactics is a list of names",
    "tactics = [1]": "tactics is a list of names",
    'tactics = ["intr"]': r"there is no tactic 'intr'; did you mean intro\?",
    'tactics = ["cut"]': "there is no tactic 'cut'; there are intro, assumption,",
    "tactics = []": "At least one tactic must be allowed",
    "hints = true": "hints is a number, as in hints = 4, not true",
    "hints = 5": "hints is one of 0, 1, 2, 3, 4, not 5",
    "hint_cost = -1": "hint_cost is from 0 to 10",
    "hint_cost = 11": r"lesson.toml: hint_cost is from 0 to 10, the points of an exercise, not 11\.",
    '[[exercise]]\nlemma = "p -> p"\nhint_cost = 20': "exercise 1: hint_cost is from 0 to 10",
    'lemmas = ["A /\\ B -> A"]': r"write each \\ twice, as in \"A /\\\\ B -> A\", or use single quotes",
    'lemmas = ["a/\\b -> a"]': r"exercise 1: a backslash and the letter behind it .*; write each \\ twice",
    "hints = four": r"\(Invalid value\); hints is a number, as in hints = 4\.",
    "light = 1": "light is true or false, not 1",
    'moves = "all"': "moves is one of point, type, listed, not 'all'",
    "moves = true": 'moves is a word in quotes, as in moves = "point", not true',
    'agent = "seen"': "agent is one of hidden, asked, shown, not 'seen'",
    'due = "tomorrow"': 'due is a day or a time without quotes.*, not "tomorrow"',
    "due = 18:00:00": "due is a day or a time without quotes",
    "due = 0001-01-01": "due is a time of our days",
    "due = 9999-12-31": "due is a time of our days",
    "due = 1969-12-31T23:59:59Z": "due is a time of our days",
    'letters = "other"': "letters is one of same, own, not 'other'",
    'name = "week/1"': "a lesson cannot be called 'week/1'",
    'name = ""': "a lesson cannot be called ''",
    f'name = "{"x" * 61}"': "1 to 60 characters",
    'title = "Nothing to do"': "there is no exercise; write one",
    'lemmas = "p -> p"': "lemmas is a list of lemmas",
    '[exercise]\nlemma = "p -> p"': r"exercise is \[\[exercise\]\] in double brackets",
    "[[exercise]]\nhints = 1": "exercise 1: a lemma is missing",
    '[[exercise]]\nlemma = "p -> p"\ntheoren = true': r"exercise 1: there is no key 'theoren'; did you mean theorem\?",
    '[[exercise]]\nlemma = "p -> p"\nletters = "own"': "exercise 1: there is no key 'letters'",
    'lemmas = ["p -> p"]\ntheorem = false': r"no key 'theorem' here; .* in an \[\[exercise\]\] of its own",
    '[[exercise]]\nlemma = "p -> p"\nlemmas = ["p"]': r"no key 'lemmas' here; .* write it above all \[\[exercise\]\]",
    'lemmas = ["p -> p"]\npool = ["q -> q"]': r"no key 'pool' here; .* in an \[\[exercise\]\] of its own",
    '[[exercise]]\nlemma = "p -> p"\npool = "q -> q"': "exercise 1: pool is a list of lemmas",
    '[[exercise]]\nlemma = "thesis"\npool = ["q -> q"]': "thesis has 6 lemmas, and a pool is of one exercise",
    '[[exercise]]\nlemma = "p -> p"\npool = ["p -> p"]': "two lemmas of the pool are called p -> p",
    '[[exercise]]\nlemma = "p -> p"\nhints = 9': "exercise 1: hints is one of",
    'lemmas = ["p -> p", "p ->"]': "lesson.toml, exercise 2: column 5: a formula is expected here",
    'lemmas = ["textbook/and_com"]': "exercise 1: There is no lemma.* did you mean textbook/and_comm",
    'lemmas = ["-"]': "exercise 1: Standard input cannot be read here",
    'lemmas = ["p -> p", "p  ->  p"]': "two exercises are called p -> p",
}


@pytest.mark.parametrize(("text", "words"), MISTAKES.items(), ids=range(len(MISTAKES)))
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        lesson(text)
    assert str(error.value).startswith("lesson.toml")


TIMES = "2026-11-22T18:00,2026-11-22 9:00,2026-12-1,22.11.2026,22/11/2026,2026-11-31,2026-11-31T18:00:00"


@pytest.mark.parametrize("time", TIMES.split(","))
def test_a_time_that_is_none_is_told_what_a_time_looks_like(time: str) -> None:
    said = r"line 2, column \d+: .* due is a day or a time without quotes, with two digits for month, day and hour, as"
    with pytest.raises(InputError, match=said):
        lesson(f'lemmas = ["p -> p"]\ndue = {time}\nhints = 2\n')


@given(st.text())
def test_whatever_a_file_holds_it_is_a_lesson_or_told_in_words(text: str) -> None:
    said = ""
    try:
        assert lesson(text).exercises
    except InputError as error:
        said = str(error)
    assert said.startswith("lesson.toml") or not said


def test_what_cannot_be_read_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file .*; oasis lesson new .* writes one"):
        Lesson.read(tmp_path / "nothing.toml")
    (tmp_path / "latin.toml").write_bytes('title = "é"'.encode("latin-1"))
    with pytest.raises(InputError, match="is not text in UTF-8"):
        Lesson.read(tmp_path / "latin.toml")
    with pytest.raises(InputError, match="cannot be read"):
        Lesson.read(tmp_path)


def test_a_byte_order_mark_does_no_harm_and_titles_are_one_line_that_a_terminal_can_show(tmp_path: Path) -> None:
    (tmp_path / "notepad.toml").write_bytes(b'\xef\xbb\xbflemmas = ["p -> p"]\r\n')
    assert Lesson.read(tmp_path / "notepad.toml").exercises
    assert lesson('title = "a\\u001b[2J\\n b"\nlemmas = ["p -> p"]').title == "a [2J b"


def test_the_template_is_a_lesson_and_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "week 1.toml"
    write_lesson(path)
    assert path.read_text() == TEMPLATE
    assert [each.name for each in Lesson.read(path).exercises_for("Ada")][-2:] == ["triple", "too_much"]
    path.write_text("mine")
    with pytest.raises(InputError, match="nothing is overwritten"):
        write_lesson(path)
    assert path.read_text() == "mine"
    with pytest.raises(InputError, match="cannot be written"):
        write_lesson(tmp_path / "no folder" / "week 1.toml")
    with_name = lesson(TEMPLATE.replace("# name", "name"))
    assert (with_name.name, lesson(TEMPLATE).name) == ("week_1", "week 1")
    with_due = TEMPLATE.replace("# due", "due")
    assert lesson(with_due).exercises[0].exercise.terms.due == datetime(2030, 12, 1, 18).astimezone()
    assert lesson(TEMPLATE.replace("# exam", "exam")).is_exam


def test_students_have_an_exam_alone_and_else_all_lessons() -> None:
    lines = ('name = "week"\n', "exam = false\n", 'name = "finals"\nexam = true\n')
    week, no_exam, exam = (lesson(f'{line}lemmas = ["p -> p"]') for line in lines)
    assert [each.is_exam for each in (week, no_exam, exam)] == [False, False, True]
    for lessons, had in (([week, exam, no_exam], (exam,)), ([week, no_exam], (week, no_exam)), ([], ())):
        assert Exams("Ann", {}, lessons).lessons(lessons) == had


def test_terms_are_told_in_words() -> None:
    assert in_words(Terms())[0] == "All tactics may be used."
    due = datetime(2300, 12, 1, 18).astimezone()
    strict = Terms(rules=("intro", "split"), hints=1, hint_cost=0, light=True, agent="hidden", due=due)
    assert in_words(strict)[0] == "Tactics: intro, split."
    assert in_words(strict)[2] == "There are no hints."
    assert in_words(Terms(moves="listed"))[1] == "All moves that apply are listed."
    assert in_words(Terms(moves="type"))[1].startswith("Moves are typed; 2 slips cost")
    assert in_words(strict)[-1] == "Due 2300-12-01 18:00."
    past = datetime(2020, 12, 1, 18).astimezone()
    assert in_words(Terms(due=past))[-1] == "It was due 2020-12-01 18:00: what is done now counts, and is late."


# A lesson that changes while a class works: it is read again, and a broken one changes nothing.

ONE, TWO = 'lemmas = ["textbook/and_comm"]', 'lemmas = ["textbook/and_comm", "textbook/or_comm"]'


def names(followed: FollowedLessons) -> list[str]:
    """Return the names of the lesson's exercises."""
    return [exercise.name for lesson in followed.lessons for exercise, *_ in lesson.exercises]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a lesson."""
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    return path


def test_a_changed_lesson_is_read_again_once_and_a_file_that_says_the_same_is_no_change(path: Path) -> None:
    followed = FollowedLessons([path])
    assert not followed.renew()
    path.write_text(f"# a remark\n{ONE}")
    assert not followed.renew()
    os.utime(path, (1, 1))
    assert not followed.renew()
    path.write_text(TWO)
    assert followed.renew() and not followed.renew()
    assert names(followed) == ["textbook/and_comm", "textbook/or_comm"]


def test_a_broken_or_missing_lesson_stays_as_it_was_and_is_told_once(path: Path) -> None:
    followed = FollowedLessons([path])
    path.write_text("lemmas = [")
    assert followed.renew() and not followed.renew()
    assert followed.trouble.startswith(f"A lesson cannot be read, so it stays as it was: {path}")
    assert names(followed) == ["textbook/and_comm"]
    path.unlink()
    assert followed.renew() and not followed.renew()
    path.write_text(TWO)
    assert followed.renew()
    assert (followed.trouble, len(names(followed))) == ("", 2)


def test_a_lesson_that_was_never_read_is_none_with_a_sentence(tmp_path: Path) -> None:
    followed = FollowedLessons([tmp_path / "week.toml"])
    assert followed.lessons == () and "There is no file" in followed.trouble
    assert FollowedLessons([]).lessons == () and not FollowedLessons([]).renew()


def test_several_lessons_are_followed_and_no_two_of_one_name(path: Path) -> None:
    two = path.with_name("two.toml")
    two.write_text(f'name = "week"\n{TWO}')
    with pytest.raises(InputError, match="Two lessons are called week; give one of them another name"):
        read_lessons([path, two])
    followed = FollowedLessons([path, two])
    assert (len(followed.lessons), "Two lessons are called week" in followed.trouble) == (1, True)
    two.write_text(TWO)
    assert followed.renew()
    assert ([lesson.name for lesson in followed.lessons], followed.trouble) == (["week", "two"], "")
    assert followed.lessons == read_lessons([path, two])


def test_who_comes_when_a_lesson_is_broken_is_handed_it_as_it_was(path: Path) -> None:
    by_way_of, followed = path.with_name("handed"), FollowedLessons([path])
    hand_out(followed, by_way_of)
    before = HandedLessons(by_way_of)
    assert before.lessons == followed.lessons and not before.renew()
    path.write_text("lemmas = [")
    assert followed.renew()
    hand_out(followed, by_way_of)
    after = HandedLessons(by_way_of)
    assert after.lessons == before.lessons != () and after.trouble == followed.trouble != ""
    assert before.renew() and before.trouble == after.trouble
    assert not before.renew()


# Letters of one's own: another name for every atom, and nothing else is different.

AND_COMM = parse("A /\\ B -> B /\\ A")
text = st.text(max_size=12)


@given(formulas(max_size=30), st.tuples(text, text, text))
def test_the_old_names_of_the_atoms_lead_back(formula: Formula, names: tuple[str, str, str]) -> None:
    own = own_letters(formula, *names)
    pairs = list(zip(atoms(own), atoms(formula), strict=True))
    assert renamed(own, {new.name: old.name for new, old in pairs}) is formula
    space = STATE_SPACES["name"]()
    assert space.view(initial(own)).key == space.view(initial(formula)).key
    assert not initial(own)[0].avoid


@given(text, st.sampled_from(["ß", "Ada", "ada ", " ADA", "Straße", "STRASSE"]))
def test_the_case_of_a_students_name_makes_no_difference(lesson: str, student: str) -> None:
    known = own_letters(AND_COMM, lesson, "1", student)
    assert own_letters(AND_COMM, lesson, "1", student.swapcase()) is known
    assert own_letters(AND_COMM, lesson, "1", f"  {student} ") is known


def test_most_of_a_class_get_letters_of_their_own() -> None:
    students = {own_letters(AND_COMM, "lesson", "and_comm", f"student {number}") for number in range(30)}
    lessons = {own_letters(AND_COMM, f"lesson {number}", "and_comm", "Ada") for number in range(30)}
    assert min(len(students), len(lessons)) > 25


def test_letters_are_the_same_for_ever() -> None:
    shown = [show(own_letters(AND_COMM, "week 1", "textbook/and_comm", name)) for name in ("Ada", "Grace")]
    assert shown == ["u /\\ n -> n /\\ u", "v /\\ e -> e /\\ v"]


def test_a_lemma_with_many_atoms_has_enough_letters() -> None:
    formula = resolve_lemma("SYJ202.6").formula
    assert len(atoms(own_letters(formula, "lesson", "pigeons", "Ada"))) == len(atoms(formula)) > 20


# Checking a lesson before a class gets it: every exercise that cannot be done is found, and none wrongly.

NOW = datetime(2030, 1, 1).astimezone()
HARDER = "fine as a first exercise, and `oasis curricula show choices` lists harder ones"
SMALLER = "try a smaller lemma, or more time by oasis lesson check --seconds"


def lesson_of(*given_exercises: Exercise, theorem: bool | None = None) -> Lesson:
    return Lesson("week", "Week", "", tuple(Entry(each, theorem) for each in given_exercises))


def checked(text: str, theorem: bool | None = None, terms: Terms | None = None, seconds: float = 20) -> Checked:
    formula = resolve_lemma(text).formula
    (found,) = check(lesson_of(Exercise(text, formula, "week", terms or Terms()), theorem=theorem), seconds, now=NOW)
    return found


def said(found: Checked) -> list[str]:
    return [finding.text for finding in found.findings]


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), st.frozensets(st.sampled_from(list(RULES)), min_size=1))
def test_the_verdict_is_that_of_a_search_with_the_rules_allowed(formula: Formula, rules: frozenset[str]) -> None:
    (goal,) = initial(formula)
    below(goal, most=500)
    (found,) = check(lesson_of(Exercise("it", formula, "week", Terms(rules=tuple(rules)))), 60)
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
    is_easy = any(text.startswith("Nobody can go wrong in it, as every move leads") for text in said(found))
    assert is_easy == (is_safe and not proves_itself)


TO_SAY_SO = (
    "It has no proof; take another lemma, or write theorem = false below this one in an [[exercise]] of its own, "
    "if students are to say so."
)
A_PROOF = "It has a proof; strike theorem = false, or take a lemma that has none."
ITSELF = f"It proves itself: {{}} are enough; {HARDER}."


@pytest.mark.parametrize(
    ("text", "theorem", "rules", "told"),
    [
        ("A -> B -> A /\\ B", None, "", ITSELF.format("assumption, contradiction, intro, split")),
        ("A -> B -> A /\\ B", None, "intro split assumption left", ITSELF.format("assumption, intro, split")),
        ("A \\/ B -> B \\/ A", None, "", ""),
        ("textbook/peirce", None, "", TO_SAY_SO),
        ("textbook/peirce", True, "", TO_SAY_SO),
        ("textbook/peirce", False, "", ""),
        *(("textbook/or_comm", False, rules, A_PROOF) for rules in ("", "intro")),
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


def test_what_is_among_its_premises_is_said_so() -> None:
    among = "What is to be proved is among its premises; take that premise out, if that is not meant."
    for text in ("p -> p", "p -> q -> p", "(p -> q) -> (p -> q)", "(p -> q) -> r -> p -> q"):
        assert among in said(checked(text))
    for text in ("p /\\ q -> p", "False -> p", "(p -> p) -> q", "p \\/ q -> q \\/ p"):
        assert among not in said(checked(text))


def test_the_same_exercise_in_other_letters_is_found() -> None:
    texts = ["p \\/ q -> q \\/ p", "A \\/ B -> B \\/ A", "A \\/ B -> A \\/ B", "x \\/ y -> y \\/ x"]
    found = list(check(lesson_of(*(Exercise(text, parse(text)) for text in texts)), 20))
    same = [[text for text in said(each) if "same" in text] for each in found]
    assert same == [[], [f"It is the same as {texts[0]}, up to letters; leave one of them out."], [], [same[1][0]]]


def test_too_long_is_what_has_a_longer_shortest_proof_than_is_wanted() -> None:
    given = lesson_of(Exercise("SYJ203.3", resolve_lemma("SYJ203.3").formula))
    (short,), (long,) = (list(check(given, 20, too_long=most)) for most in (16, 15))
    assert not short.findings and not long.has_error
    (told,) = said(long)
    assert told.startswith("Its shortest proof has 16 moves, and that is more than 15;") and "--too-long 16." in told


def test_a_due_date_in_the_past_is_told_once() -> None:
    past, future = Terms(due=NOW - timedelta(days=1)), Terms(due=NOW + timedelta(days=1))
    names = {"textbook/or_comm": past, "textbook/or_assoc": future, "textbook/and_absorption": past}
    given_exercises = [Exercise.of(resolve_lemma(name), "week", terms) for name, terms in names.items()]
    found = list(check(lesson_of(*given_exercises), 20, now=NOW))
    assert [said(each) for each in found] == [["It was due 2029-12-31 00:00, like 1 more; set another date."], [], []]


@pytest.mark.slow
def test_what_takes_too_long_is_unknown_and_no_error() -> None:
    found = checked("SYJ202.6", seconds=0.3)
    assert found.verdict is Verdict.UNKNOWN
    assert not found.has_error
    assert said(found) == [f"Whether it can be proved was not found out: 0.3 seconds were not enough; {SMALLER}."]


@pytest.mark.slow
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


def test_of_an_exam_it_is_told_what_stands_in_the_course_or_in_another_lesson_up_to_letters() -> None:
    given = {
        "in_course": "B \\/ A -> A \\/ B",
        "in_lesson": "(B -> B -> A) -> B -> A",
        "its_own": "A -> B -> A /\\ (B /\\ A)",
    }
    exam = replace(lesson_of(*(Exercise(name, parse(text), "week") for name, text in given.items())), is_exam=True)
    other = Lesson("other", "Monday", "", (Entry(Exercise("once", parse("(p -> p -> q) -> p -> q"), "other")),))

    def known(given: Lesson) -> dict[str, list[str]]:
        found = check(given, now=NOW, beside=[exam, other])
        return {each.exercise.name: [text for text in said(each) if text.startswith("It stands in")] for each in found}

    told = known(exam)
    assert told["in_course"][0].startswith("It stands in the course (")
    assert [text.partition(", so who")[0] for text in told["in_lesson"]] == [
        "It stands in the lesson Monday, too, up to letters"
    ]
    assert told["its_own"] == []
    assert not any(known(replace(exam, is_exam=False)).values())
