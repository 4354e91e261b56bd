"""Lessons: what a class is to prove and on which terms, as a teacher writes it into a small TOML file.

Here such a file is read, and becomes exercises for a student. Whether these can be done is checked elsewhere
(`oasis.classroom.lessons.checking`).
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, UTC, date, datetime, time
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from curricula import Status, resolve
from oasis.classroom.lessons.exams import RESULTS, ExamTerms
from oasis.classroom.lessons.letters import own_letters
from oasis.classroom.lessons.pools import Variant, pool_of
from oasis.classroom.people.names import proper_name
from oasis.classroom.proving.exercise import LIST_COST, LISTED, POINTS, SLIPS, Exercise, Terms
from oasis.classroom.proving.words import minute
from oasis.ground.files import writing
from tactics.errors import InputError, check_choice, did_you_mean
from tactics.goal import Move
from tactics.rules import RULES, SPEAKING, rule_named, spoken

LETTERS: Final = ("same", "own")
"""Which letters the atoms have: those of the lemma for everybody, or others for each student."""
LONGEST_NAME: Final = 60
"""Characters in the name of a lesson."""
TEMPLATE: Final = """\
# A lesson for a class. Lines that begin with # are remarks; oasis lesson check FILE says what is wrong.
# Work is kept under the name of the lesson, which is that of its file if none is given here, without .toml; do not
# change it when students have begun.
# name = "week_1"
title = "Conjunction"
about = "To use A and B, take both. To prove it, prove both."

# What may be used; leave the line out to allow all twelve tactics.
tactics = ["intro", "assumption", "split", "destruct_and"]
# How much a hint may say: 1 is the proof lost? 2 where to look, 3 which tactic, 4 the move; 0 for no hints.
hints = 4
# Each hint costs so many of the 10 points of an exercise. To say that there is no proof where there is one costs as
# much as three hints; that it is wrong is told at once.
hint_cost = 1
# How moves are made: "point" by pointing at formulas or typing, "type" by typing alone, "listed" from a list of all
# that apply. But for "listed" each student may ask for the list, which costs 5 points, and slips count: a move that
# does not apply, or one that is taken back for another; two cost a point.
moves = "point"
# Whether a light shows all the time if a move has lost the proof. That is help for nothing, and without it a first hint
# says the same: give it to beginners. It does not say whether a lemma has a proof at all.
light = true
# What is seen of the agent's beliefs: "hidden", "asked" or "shown".
agent = "asked"
# When it should be done; without a zone, this machine's; a day alone means until its end. Below an [[exercise]] it
# counts for that one alone.
# due = 2030-12-01T18:00:00
# "own" gives each student other letters, "same" gives all the same.
letters = "same"
# For an exam say true: while it is open, students have it alone, without the course, other lessons, what they did
# before, hints, light and agent, whatever is said of these above.
# exam = true
# When an exam opens and closes, by the clock of the machine that serves it; without such a line it is open as long as
# it is among the lessons that are given. Closed, it is handed in with what is there.
# opens = 2030-12-01T09:00:00
# closes = 2030-12-01T10:00:00
# Minutes more for some students, how often each exercise may be begun, and whether points are told "at once" or "when
# shown" by you (oasis classroom results --show, or a key in the class).
# extra = { "Ada Lovelace" = 15 }
# attempts = 1
# results = "when shown"

# Exercises by name (oasis curricula list), as text, or from a file beside this one. In single quotes a text is as it
# stands; in double quotes each \\ has to be written twice.
lemmas = ["textbook/and_elim", "textbook/and_comm"]

# One with terms of its own: any of those above.
[[exercise]]
lemma = 'triple : A /\\ (B /\\ C) -> C /\\ A'
hints = 2

# A pool: each student gets one of these lemmas by lot. They have to be equally hard, which oasis lesson check checks,
# and oasis lesson variants LEMMA finds some.
# [[exercise]]
# lemma = 'first : A /\\ B -> A'
# pool = ['second : A /\\ B -> B']

# One that has no proof, which students are to recognise.
[[exercise]]
lemma = 'too_much : A -> A /\\ B'
theorem = false
"""
"""What `oasis lesson new` writes."""


class Entry(NamedTuple):
    """An exercise of a lesson.

    Attributes:
        exercise: in the letters of its lemma.
        theorem: whether the teacher says that it has a proof; None if nothing is said.
        pool: the lemmas of which each student gets one, that of the exercise first; empty if all get that one.
    """

    exercise: Exercise
    theorem: bool | None = None
    pool: tuple[Variant, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """What a class is to do.

    Attributes:
        name: what work on it is stored by; without `/`, so no world of the course has it.
        title: what a person reads.
        about: a sentence or two, perhaps none.
        exercises: in their order, no two with the same name.
        letters: one of `LETTERS`.
        is_exam: whether students have it alone while it is open.
        held: when and how often it may be worked at, if it is an exam.
        remarks: what the teacher should know of how its lemmas were read, a sentence each with its place.
    """

    name: str
    title: str
    about: str
    exercises: tuple[Entry, ...]
    letters: str = "same"
    is_exam: bool = False
    remarks: tuple[str, ...] = ()
    held: ExamTerms = field(default_factory=ExamTerms)

    @classmethod
    def read(cls, path: Path) -> Lesson:
        """The lesson that a file holds. Raises InputError, which says in which file and where in it."""
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; oasis lesson new {path} writes one to begin with.") from None
        except UnicodeDecodeError:
            raise InputError(f"{path} is not text in UTF-8; save it as UTF-8.") from None
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from None
        return cls.parse(text, str(path), path.stem, path.parent)

    @classmethod
    def parse(cls, text: str, source: str, stem: str, folder: Path) -> Lesson:
        """The lesson that a text describes.

        Args:
            text: in TOML.
            source: what to call the text in errors.
            stem: the name of the lesson unless the text gives one.
            folder: that files of lemmas are named from.

        Raises InputError.
        """
        table = _toml(text, source)
        with _at(source):
            _check(table, _LESSON)
            name = _name(table.get("name", stem))
            letters = table.get("letters", LETTERS[0])
            check_choice("letters", letters, LETTERS)
            terms = _terms(table, Terms())
            is_exam = table.get("exam", False)
            held = _held(table, is_exam=is_exam)
            given = [*({"lemma": lemma} for lemma in table.get("lemmas", ())), *table.get("exercise", ())]
        entries: list[Entry] = []
        remarks = [f"{source}: {_NO_HELP}"] if is_exam and any(map(_gives_help, (table, *given))) else []
        for number, each in enumerate(given, 1):
            with _at(f"{source}, exercise {number}"):
                found, reading = _entries(each, name, terms, folder)
            entries += map(_without_help, found) if is_exam else found
            remarks += (f"{source}, exercise {number}: {remark}" for remark in reading)
        with _at(source):
            _check_names(entries)
        title, about = _line(table.get("title", name)), _line(table.get("about", ""))
        return cls(name, title, about, tuple(entries), letters, is_exam, tuple(remarks), held)

    def exercises_for(self, name: str, drawn: Mapping[str, bytes] = MappingProxyType({})) -> tuple[Exercise, ...]:
        """The exercises as a student gets them, in letters of their own if the lesson says so; always the same.

        Args:
            name: by which the letters are drawn.
            drawn: the key of the lemma that the student has of each pool, by the name of its exercise.
        """
        return tuple(self._exercise_for(name, entry, drawn.get(entry.exercise.name)) for entry in self.exercises)

    def _exercise_for(self, name: str, entry: Entry, key: bytes | None) -> Exercise:
        exercise = entry.exercise
        formula = next((variant.formula for variant in entry.pool if variant.key == key), exercise.formula)
        if self.letters == "own":
            formula = own_letters(formula, self.name, exercise.name, name)
        return replace(exercise, formula=formula)


def in_words(terms: Terms) -> list[str]:
    """What a student should know about terms, a sentence each: tactics, moves, hints, light, agent, when it is due."""
    tactics = (
        "All tactics may be used."
        if terms.allows_all
        else f"Tactics: {', '.join(spoken(Move(rule)) for rule in terms.rules)}."
    )
    cost = f"{terms.hint_cost} of {POINTS} points" if terms.hint_cost else "nothing"
    hints = f"Hints go up to level {terms.hints}, and each costs {cost}."
    return [
        tactics,
        _MOVES[terms.moves],
        hints if terms.has_hints else "There are no hints.",
        "A light shows whether a move has lost the proof." if terms.light else _no_light(terms),
        f"What a partner believes is {_AGENT[terms.agent]}.",
        _due(terms),
    ]


def _due(terms: Terms) -> str:
    """When it is due, or that this is past."""
    if terms.due is None:
        return "There is no due date."
    if terms.due >= datetime.now(UTC):
        return f"Due {minute(terms.due)}."
    return f"It was due {minute(terms.due)}: what is done now counts, and is late."


def _no_light(terms: Terms) -> str:
    """That there is no light, and what says the same if anything does."""
    asked = "; a first hint says whether a move has lost the proof" if terms.has_hints else ""
    return f"There is no light{asked}."


def shared(exercises: Iterable[Exercise]) -> Terms:
    """The terms that most exercises have, the first of them if none are more frequent; there is at least one."""
    ((terms, _),) = Counter(exercise.terms for exercise in exercises).most_common(1)
    return terms


def own_words(terms: Terms, common: Terms) -> list[str]:
    """What a student should know about the terms of one exercise who knows those that most have."""
    known = in_words(common)
    return [sentence for sentence in in_words(terms) if sentence not in known]


def given_on(exercises: Sequence[Exercise]) -> list[str]:
    """On which terms exercises are given, a sentence each: those of most, then those of others with their names."""
    common, own = shared(exercises), dict[str, list[str]]()
    for exercise in exercises:
        for sentence in own_words(exercise.terms, common):
            own.setdefault(sentence, []).append(exercise.name)
    return [*in_words(common), *(f"{', '.join(names)}: {sentence}" for sentence, names in own.items())]


def write_lesson(path: Path, text: str = TEMPLATE) -> None:
    """Write the text of a lesson, by default one to begin with. Raises InputError, also if there is such a file."""
    with writing(path), path.open("x", encoding="utf-8") as file:
        file.write(text)


_SLIPS: Final = f"{SLIPS} slips cost a point, the list of moves {LIST_COST}."
_MOVES: Final = {
    "point": f"Moves are pointed at or typed; {_SLIPS}",
    "type": f"Moves are typed; {_SLIPS}",
    LISTED: "All moves that apply are listed.",
}
_AGENT: Final = {"hidden": "hidden", "asked": "shown to those who ask", "shown": "shown"}


class _Key(NamedTuple):
    """What may stand behind a key: values of these types, and how to say that."""

    types: tuple[type, ...]
    example: str


_TIME: Final = (
    "a day or a time without quotes, with two digits for month, day and hour, as in {key} = 2030-12-01 or "
    "{key} = 2030-12-01T18:00:00"
)
_TERMS: Final = {
    "tactics": _Key((list,), 'a list of names, as in tactics = ["intro", "split"]'),
    "hints": _Key((int,), "a number, as in hints = 4"),
    "hint_cost": _Key((int,), "a number, as in hint_cost = 1"),
    "light": _Key((bool,), "true or false"),
    "agent": _Key((str,), 'a word in quotes, as in agent = "asked"'),
    "moves": _Key((str,), 'a word in quotes, as in moves = "point"'),
    "due": _Key((datetime, date), _TIME.format(key="due")),
}
_EXAM: Final = {
    "opens": _Key((datetime, date), _TIME.format(key="opens")),
    "closes": _Key((datetime, date), _TIME.format(key="closes")),
    "extra": _Key((dict,), 'minutes by name, as in extra = { "Ada Lovelace" = 15 }'),
    "attempts": _Key((int,), "a number, as in attempts = 1"),
    "results": _Key((str,), 'a text in quotes, as in results = "when shown"'),
}
"""What is said of an exam alone."""
_LESSON: Final = {
    "name": _Key((str,), 'a word in quotes, as in name = "week_1"'),
    "title": _Key((str,), 'a text in quotes, as in title = "Conjunction"'),
    "about": _Key((str,), 'a text in quotes, as in about = "Both sides."'),
    "letters": _Key((str,), 'a word in quotes, as in letters = "own"'),
    "exam": _Key((bool,), "true or false"),
    **_EXAM,
    "lemmas": _Key((list,), 'a list of lemmas, as in lemmas = ["textbook/and_comm", "p -> p"]'),
    "exercise": _Key((list,), "[[exercise]] in double brackets, and its lemma below it"),
    **_TERMS,
}
_EXERCISE: Final = {
    "lemma": _Key((str,), 'a text in quotes, as in lemma = "textbook/and_comm"'),
    "theorem": _Key((bool,), "true or false"),
    "pool": _Key((list,), 'a list of lemmas, as in pool = ["textbook/and_comm", "q -> q"]'),
    **_TERMS,
}
_ELSEWHERE: Final = {
    **dict.fromkeys(
        ("theorem", "pool"), "it is said of one lemma, so write it in an [[exercise]] of its own, below that lemma"
    ),
    **dict.fromkeys(_LESSON.keys() - _EXERCISE.keys(), "it is of the whole lesson, so write it above all [[exercise]]"),
}
"""Where a key belongs that is known, but not in a lesson and in an exercise alike."""
_ELEMENTS: Final = {"exercise": dict}
"""What lists hold, if not text."""
_BACKSLASHES: Final = r"""write each \ twice, as in "A /\\ B -> A", or use single quotes, as in 'A /\ B -> A'"""


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Puts the place in front of what an InputError says."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rstrip(")").partition(" (at ")
        raise InputError(f"{source}, {place}: this is not TOML ({message}); {_advice(text, message, place)}.") from None
    except RecursionError:
        raise InputError(f"{source}: brackets are nested too deep; a lesson has lists of text at most.") from None


def _advice(text: str, message: str, place: str) -> str:
    """What to do about what is not TOML, after what is said of it and where: `line 3, column 7`."""
    if message.startswith("Unescaped"):
        return _BACKSLASHES
    number = place.removeprefix("line ").partition(",")[0]
    line = text.split("\n")[int(number) - 1] if number.isdecimal() else ""
    key = line.partition("=")[0].strip()
    known = {**_LESSON, **_EXERCISE}
    return f"{key} is {known[key].example}" if key in known else "write key = value on a line, and text in quotes"


def _check(table: Mapping[str, Any], known: Mapping[str, _Key]) -> None:
    """Raises InputError for a key that is not known, or a value of another type."""
    for key, value in table.items():
        if key not in known and key in _ELSEWHERE:
            raise InputError(f"there is no key {key!r} here; {_ELSEWHERE[key]}.")
        if key not in known:
            raise _unknown("key", key, known)
        types, example = known[key]
        elements = value if type(value) is list else []
        if type(value) not in types or any(type(each) is not _ELEMENTS.get(key, str) for each in elements):
            raise InputError(
                f"{key} is {example}, not {shorten(json.dumps(value, default=str), 40, placeholder=' …')}."
            )


def _unknown(kind: str, word: str, known: Iterable[str]) -> InputError:
    """What to say of a word that is none of those known."""
    known = list(known)
    advice = did_you_mean(word, known, f"there are {', '.join(known)}.")
    return InputError(f"there is no {kind} {word!r}; {advice}")


def _entries(table: Mapping[str, Any], place: str, given: Terms, folder: Path) -> tuple[list[Entry], tuple[str, ...]]:
    """The exercises that one table asks for: one, or as many as a curriculum has lemmas; and how these were read.

    Raises InputError.
    """
    _check(table, _EXERCISE)
    if "lemma" not in table:
        raise InputError('a lemma is missing; give one, as in lemma = "textbook/and_comm".')
    texts = [table["lemma"], *table.get("pool", ())]
    if any(sign in text for text in texts for sign in "\b\f"):  # what TOML makes of a/\b and \forall in double quotes
        raise InputError(f"a backslash and the letter behind it are not text in double quotes; {_BACKSLASHES}.")
    terms = _terms(table, given)
    curriculum, *others = [resolve(text, folder=folder) for text in texts]
    lemmas = curriculum.lemmas
    # Who gives a whole curriculum means its non-theorems, too; who gives one by itself may have overlooked it.
    known = {lemma.name: False for lemma in lemmas if len(lemmas) > 1 and lemma.status is Status.NON_THEOREM}
    said, pool = table.get("theorem"), pool_of(curriculum, others)
    entries = [
        Entry(Exercise.of(lemma, place, terms), known.get(lemma.name) if said is None else said, pool)
        for lemma in lemmas
    ]
    return entries, tuple(remark for each in (curriculum, *others) for remark in each.reading)


def _terms(table: Mapping[str, Any], given: Terms) -> Terms:
    """The given terms but for what a table says. Raises InputError."""
    said = {key: value for key, value in table.items() if key in _TERMS}
    if "tactics" in said:
        for rule in (tactics := said.pop("tactics")):
            if rule not in (known := (*RULES, *SPEAKING.values())):
                raise _unknown("tactic", rule, known)
        said["rules"] = tuple(dict.fromkeys(map(rule_named, tactics)))
    if "due" in said:
        said["due"] = _moment("due", said["due"])
    return replace(given, **said)


def _held(table: Mapping[str, Any], *, is_exam: bool) -> ExamTerms:
    """When and how often an exam may be worked at. Raises InputError, also for what is said of no exam."""
    said = {key: value for key, value in table.items() if key in _EXAM}
    if said and not is_exam:
        key = next(iter(said))
        raise InputError(f"{key} is said of an exam; add exam = true, or strike {key}.")
    for key in said.keys() & {"opens", "closes"}:
        said[key] = _moment(key, said[key])
    if "results" in said:
        check_choice("results", said["results"], RESULTS)
    if "extra" in said:
        for minutes in said["extra"].values():
            if type(minutes) is not int:
                raise InputError(f"extra is {_EXAM['extra'].example}, not {minutes!r:.20}.")
        said["extra"] = tuple((proper_name(name), minutes) for name, minutes in said["extra"].items())
    return ExamTerms(**said)


_NO_HELP: Final = "in an exam there are no hints, no light and no agent, so what is said of them is passed over."


def _gives_help(table: Mapping[str, Any]) -> bool:
    """Whether a table says that there are hints, a light, or an agent to be seen."""
    return bool(table.get("hints") or table.get("light") or table.get("agent", "hidden") != "hidden")


def _without_help(entry: Entry) -> Entry:
    """An exercise as an exam has it."""
    exercise = entry.exercise
    return entry._replace(
        exercise=replace(exercise, terms=replace(exercise.terms, hints=0, light=False, agent="hidden"))
    )


def _moment(key: str, when: date) -> datetime:
    """A time with a zone, this machine's if none is given; a day means its end, or where it opens its beginning.

    Raises InputError.
    """
    if not isinstance(when, datetime):
        when = datetime.combine(when, time(0, 0) if key == "opens" else time(23, 59, 59))
    try:
        local = when.astimezone()
    except (OverflowError, ValueError, OSError):
        raise InputError(f"{key} is a time of our days, not {when}.") from None
    if not 1970 <= when.year < MAXYEAR:
        raise InputError(f"{key} is a time of our days, not {when}.")
    return when if when.tzinfo else local


def _name(text: str) -> str:
    name = text.strip()
    if not 0 < len(name) <= LONGEST_NAME or "/" in name or not name.isprintable():
        raise InputError(
            f"a lesson cannot be called {name!a}; give it a name of 1 to {LONGEST_NAME} characters without /, "
            'as in name = "week 1".'
        )
    return name


def _line(text: str) -> str:
    """Any text as one line that does no harm on a terminal."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _check_names(entries: Sequence[Entry]) -> None:
    """Raises InputError if there is nothing to do, or two exercises have one name."""
    if not entries:
        raise InputError('there is no exercise; write one, as in lemmas = ["textbook/and_comm"].')
    names = [entry.exercise.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f'two exercises are called {name}; leave one out, or name it as in lemma = "once_more : p -> p".'
            )
