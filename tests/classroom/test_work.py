"""Work that travels: a round trip changes nothing, importing again adds nothing, and nonsense stores nothing."""

import copy
import json
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import getitem
from typing import Any, Final
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula import resolve_lemma
from curricula.lemma import LONGEST_NAME
from oasis.classroom.desk import work
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.notes import written
from oasis.classroom.desk.record import problem_key
from oasis.classroom.desk.work import Imported, WorkError, export_work, from_files, import_work, read_work
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise, Terms, terms_to_json
from oasis.classroom.register.register import Register
from oasis.store import Store
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, bring, empty, fumble, local, make, refused, sit, terms, told
from tests.strategies import walks
from tests.thorough import examples

START: Final = "2026-05-04T10:00:00.000+00:00"


@given(st.lists(st.tuples(walks(), terms), min_size=1, max_size=3), st.data())
@settings(max_examples=examples(60))
def test_a_round_trip_gives_the_same_text_and_results(works: list[tuple[Any, Terms]], data: st.DataObject) -> None:
    with empty() as here, empty() as there:
        desk, other = local(here), local(there, "ann")
        for number, (walk, on_terms) in enumerate(works):
            attempt = sit(desk, Exercise(f"walk {number} ∧", walk.formula, "place", on_terms))
            for _ in range(data.draw(st.integers(0, 12))):
                fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
        text = export_work(desk)
        assert bring(other, text) == Imported(len(works), 0)
        assert {key: each._replace(done=None) for key, each in other.results().items()} == {
            key: each._replace(done=None) for key, each in desk.results().items()
        }
        assert json.loads(export_work(other)) == {**json.loads(text), "student": "ann"}
        assert from_files(desk) == 0
        assert from_files(other) == sum(row.events > 0 for row in there.attempts())
        assert bring(other, text) == Imported(0, len(works))
        assert bring(desk, text) == Imported(0, len(works))
        assert export_work(desk) == text


def test_what_went_on_elsewhere_is_gone_on_with_and_what_went_on_here_stays(desk: Desk, abroad: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF[:2])
    early = export_work(desk)
    bring(abroad, early)
    make(sit(abroad, OR_COMM), PROOF[2:])
    late = export_work(abroad)
    assert bring(desk, late) == Imported(1, 0)
    assert desk.results()[problem_key(OR_COMM)].outcome == "proved"
    assert bring(desk, early) == Imported(0, 1)
    assert export_work(desk) == late


def test_what_went_on_in_two_ways_becomes_two_attempts_however_often_it_is_imported(desk: Desk, abroad: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF[:1])
    bring(abroad, export_work(desk))
    here, there = sit(desk, OR_COMM), sit(abroad, OR_COMM)
    make(here, parse_script("left"))
    make(there, parse_script("right"))
    assert bring(desk, export_work(abroad)) == Imported(1, 0)
    assert sorted(told(desk.store)) == [["intro", "left"], ["intro", "right"]]
    assert bring(desk, export_work(abroad)) == Imported(0, 1)
    there.undo()
    assert bring(desk, export_work(abroad)) == Imported(1, 0)
    assert sorted(told(desk.store)) == [["intro", "left"], ["intro", "right", ""]]
    assert bring(abroad, export_work(desk)) == Imported(1, 1)
    assert sorted(told(abroad.store)) == sorted(told(desk.store))


def test_an_attempt_that_is_worked_at_during_an_import_is_not_lost(desk: Desk, abroad: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    bring(abroad, export_work(desk))
    make(sit(abroad, OR_COMM), PROOF[:2])
    bring(desk, export_work(abroad))
    make(attempt, parse_script("intro; left"))
    assert sorted(told(desk.store)) == [["intro", "destruct_or H"], ["intro", "left"]]


def test_what_could_not_be_stored_is_exported_all_the_same(desk: Desk, abroad: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    ((pages,),) = desk.store._connection.execute("PRAGMA page_count").fetchall()
    desk.store._connection.execute(f"PRAGMA max_page_count = {pages}")
    while not desk.trouble:
        attempt.make(PROOF[0])
        attempt.undo()
    assert bring(abroad, export_work(desk)) == Imported(1, 0)
    assert sit(abroad, OR_COMM) == attempt


def test_what_is_new_is_marked_for_good_and_what_was_here_is_not(desk: Desk, abroad: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF)
    make(sit(desk, PEIRCE), PROOF[:1])
    bring(abroad, export_work(desk))
    make(sit(abroad, PEIRCE), parse_script("imply4 H"))
    assert bring(desk, export_work(abroad)) == Imported(1, 1)
    (marked,) = [row for row in desk.store.attempts() if row.kept.imported]
    assert marked.kept.name == PEIRCE.name
    sit(desk, PEIRCE).undo()
    assert {row.kept.imported for row in desk.store.attempts()} == {None, marked.kept.imported}


def test_work_is_brought_to_a_student_of_another_name_without_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: START)  # attempts may begin in the same millisecond
    eve = local(desk.store, "Eve")
    make(sit(desk, OR_COMM), PROOF)
    make(sit(desk, PEIRCE), PROOF[:1])
    work = read_work(export_work(desk))
    assert work.name == "Ann"
    assert import_work(eve, work) == Imported(2, 0)
    assert [each.points for each in eve.results().values()] == [each.points for each in desk.results().values()]
    assert len({row.kept.uuid for row in desk.store.attempts()}) == 4
    assert import_work(eve, read_work(export_work(desk))) == Imported(0, 2)


def test_notes_of_the_teacher_go_along_and_come_back_where_the_teacher_answers_for_them(desk: Desk) -> None:
    register = Register(desk.store)
    make(sit(desk, OR_COMM), PROOF)
    register.leave(written("Look at H first."), desk.uuid, 2)
    register.send(["Ann"], written("This is no part of the work."))
    text = export_work(desk)
    assert text.count("Look at H first.") == 1 and "no part of the work" not in text
    for vouched, back in ((False, []), (True, [(2, "Look at H first.")]), (True, [(2, "Look at H first.")])):
        eve = local(desk.store, "Eve")
        import_work(eve, read_work(text), vouched=vouched)
        notes = desk.store.notes(eve.student.id)
        assert [(note.moment, note.text) for note in notes] == back
        (mark,) = register.of("Eve")
        assert [len(attempt.notes) for attempt in register.attempts(mark)] == [len(back)]


def test_the_work_of_another_is_refused_under_whatever_name(desk: Desk) -> None:
    eve = local(desk.store, "Eve")
    make(sit(desk, OR_COMM), PROOF)
    said = refused(eve, export_work(desk))
    assert said == "This is the work of Ann, not of Eve; come in as Ann to bring it back, or ask your teacher to."
    assert eve.work() == []


def test_a_claim_nothing_confirms_is_not_imported(desk: Desk, abroad: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    sit(abroad, PEIRCE).claim(right=True)
    true = export_work(abroad)
    sit(abroad, OR_COMM).claim(right=True)
    assert "that p \\/ q -> q \\/ p has no proof could not be confirmed" in refused(desk, export_work(abroad))
    with monkeypatch.context() as patched:
        patched.setattr(Adviser, "has_proof", lambda *_: None)
        assert "could not be confirmed" in refused(desk, true)
    assert bring(desk, true) == Imported(1, 0)


@pytest.mark.parametrize(
    ("where", "value", "reason"),
    [
        ("format", 3, "by a newer version of Oasis; update Oasis to read it, unless a trial version before 0.1.0"),
        *(("format", form, "not what `oasis classroom export` writes") for form in (0, True, "1")),
        ("attempts", {}, "attempts cannot be {}"),
        ("more", 1, "it needs format, version, student, attempts"),
        ("attempts 0", [], "attempt 1 cannot be made again (it needs uuid, place, name, formula, t"),
        ("attempts 1 uuid", "1", "attempt 2 cannot be made again"),
        ("attempts 0 uuid", "A" * 32, "no number of an attempt"),
        ("attempts 0 place", None, "place cannot be None"),
        ("attempts 0 name", "\ud800", "surrogates not allowed"),
        ("attempts 0 formula", "p -> (q", "this ( is never closed"),
        ("attempts 0 formula", "p -> p", "Event 2 (move destruct_or H)"),
        ("attempts 0 started", "yesterday", "a time in it is none"),
        ("attempts 0 events 1 0", "2026-05-04", "a time in it is none"),
        ("attempts 0 events 1", ["move", "split"], "an event is its time"),
        ("attempts 0 notes", [[START, "1", "n"]], "a note is its time"),
        ("attempts 0 notes", [[START, 1, "\x1b"]], "a note is one line of at most 300 characters"),
        ("attempts 0 events 1 1", "cheat", "nothing that happens"),
        ("attempts 0 events 1 2", "split", "Event 2 (move split)"),
        ("attempts 0 events 1 2", "left; left", "too many values"),
        ("attempts 0 events 1 1", "undo", "what is said of undo"),
        ("attempts 0 events 1", [START, "redo", ""], "Event 2 (redo )"),
        ("attempts 0 events 1", [START, "jump", "9"], "There is no step 9"),
        ("attempts 0 events 1", [START, "jump", "x"], "invalid literal"),
        ("attempts 0 events 1", [START, "hint", "9"], "a hint is one of 1, 2, 3, 4"),
        ("attempts 0 events 1", [START, "claim", "so"], "a claim is one of right"),
        ("attempts 0 terms", [], "terms cannot be []"),
        ("attempts 0 terms more", 1, "terms have rules, hints"),
        ("attempts 0 terms rules", ["fly"], "A tactic is one of"),
        ("attempts 0 terms rules", [1], "rules are names of tactics"),
        ("attempts 0 terms hints", True, "hints cannot be True"),
        ("attempts 0 terms hints", 10**400, f"hints is one of 0, 1, 2, 3, 4, not 1{'0' * 59})"),
        ("attempts 0 terms hint_cost", 11, "hint_cost is from 0 to 10"),
        ("attempts 0 terms rules", ["intro", "intro"], "A tactic is named twice"),
        ("attempts 0 terms due", "2026-05-04", "due is a time with its zone"),
        ("attempts 0 terms due", "9999-12-31T23:59:59-12:00", "due is a time of our days"),
    ],
)
def test_nothing_of_damaged_work_is_stored(desk: Desk, abroad: Desk, where: str, value: object, reason: str) -> None:
    make(sit(abroad, OR_COMM), PROOF)
    make(sit(abroad, PEIRCE), PROOF[:1])
    content = json.loads(export_work(abroad))
    content["attempts"].sort(key=lambda attempt: attempt["name"])
    *way, last = (int(step) if step.isdigit() else step for step in where.split())
    reduce(getitem, way, content)[last] = value
    assert reason in refused(desk, json.dumps(content))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "[" * 100_000, '{"format": NaN}', "1" * 5000, "\x00"], ids=range(8)
)
def test_what_is_no_work_at_all_is_refused(desk: Desk, text: str) -> None:
    assert refused(desk, text).startswith("This work is damaged: it is not ")


_SCALARS = st.none() | st.booleans() | st.integers(-3, 12) | st.text(max_size=5) | st.sampled_from(["move", "p -> p"])


@given(st.data())
@settings(max_examples=examples(80))
def test_whatever_is_changed_in_a_work_it_is_refused_or_can_be_made_again(data: st.DataObject) -> None:
    with empty() as here, empty() as there:
        abroad = local(here)
        make(sit(abroad, OR_COMM), PROOF[:3])
        sit(abroad, OR_COMM).take_hint()
        content = json.loads(export_work(abroad))
        place: Any = content
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = data.draw(st.sampled_from(list(keys)))
            if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.booleans()):
                break
            place = place[key]
        place[key] = data.draw(_SCALARS | st.just(copy.deepcopy(place)))
        desk = local(there)
        try:
            bring(desk, json.dumps(content))
        except WorkError:
            assert there.attempts() == []
        else:
            (row,) = there.attempts()
            attempt = sit(desk, Exercise(row.kept.name, parse(row.kept.formula), row.kept.place))
            assert not desk.trouble
            assert len(there.events(row.kept.uuid)) >= len(attempt.made)
            assert bring(desk, export_work(desk)) == Imported(0, 1)


# Forged work: it is bounded, nothing of it steers a terminal, and it keeps nobody waiting.

EVIL: Final = "\x1b]0;owned\x07"


def crafted(*attempts: dict[str, Any], whose: str = "Ann") -> str:
    """Return a hand-written work of attempts at `p -> p`, each with the changes that are given."""
    told = {"place": "", "name": "n", "formula": "p -> p", "terms": terms_to_json(Terms())}
    written = [{"uuid": str(uuid4()), "started": START, "events": [], **told, **attempt} for attempt in attempts]
    return json.dumps({"format": 1, "version": "1", "student": whose, "attempts": written})


def events(*happened: tuple[str, str], at: str = START) -> dict[str, Any]:
    """Return the record of an attempt with these events."""
    return {"events": [(at, *event) for event in happened]}


@pytest.mark.parametrize("name", [EVIL, "H" * 41, "H\u202e", "1", "H-H"])
def test_a_hypothesis_has_a_name_of_bounded_length(desk: Desk, name: str) -> None:
    for kind in ("refused", "move", "given"):
        assert "a hypothesis has a name such as H" in refused(desk, crafted(events((kind, f"destruct_and {name}"))))


@pytest.mark.parametrize("comment", [f"(* {EVIL} *)", f"# {EVIL}"])
@pytest.mark.parametrize("kind", ["given", "move", "refused"])
def test_of_a_script_nothing_is_kept_but_its_moves(store: Store, kind: str, comment: str) -> None:
    move = "left" if kind == "refused" else "intro"
    bring(local(store), crafted(events((kind, f"{move} {comment}"))))
    (row,) = store.attempts()
    assert [event.what for event in store.events(row.kept.uuid)] == [move]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("place", ["x" * 61, "week\n1"]),
        ("name", ["x" * 100_000, "x" * (LONGEST_NAME + 1), "and\x1b[31m_comm", "and\0comm", "and\tcomm"]),
    ],
)
def test_a_name_that_does_harm_in_a_table_is_damage(desk: Desk, field: str, values: list[str]) -> None:
    what = "lemma" if field == "name" else "lesson"
    for value in values:
        assert f"the name of a {what} is one line" in refused(desk, crafted({field: value}))
    for whose in ("x" * 41, f"Ann{EVIL}", ""):
        assert refused(desk, crafted(whose=whose)).startswith("This work is damaged: A name has 1 to 40")


@pytest.mark.parametrize(
    "text",
    ["p ->\n\tp", "p -> p (* \x1b[31m *)", " -> ".join(["p"] * 1000), "a" * 2000 + " -> p", "n" * 2000 + " : p -> p"],
    ids=["breaks", "a comment", "many arrows", "a long atom", "a long name"],
)
def test_whatever_lemma_was_typed_its_attempts_travel(desk: Desk, abroad: Desk, text: str) -> None:
    sit(abroad, Exercise.of(resolve_lemma(text)))
    assert bring(desk, export_work(abroad)) == Imported(1, 0)
    assert [row.kept.name for row in desk.store.attempts()] == [resolve_lemma(text).name]


def test_a_time_lies_between_1970_and_tomorrow(desk: Desk) -> None:
    today = datetime.now(UTC)
    in_two_days, soon = ((today + timedelta(hours=h)).isoformat(timespec="milliseconds") for h in (48, 20))
    for day in ("9999-12-31T23:59:59.999", "1969-12-31T23:59:59.999", "0001-01-01T00:00:00.000", in_two_days[:-6]):
        at, said = f"{day}+00:00", "a time in it is none between 1970 and tomorrow"
        assert said in refused(desk, crafted({"started": at}))
        assert said in refused(desk, crafted(events(("move", "intro"), at=at)))
    assert bring(desk, crafted(events(("move", "intro"), at=soon))) == Imported(1, 0), "a clock may be fast"


def test_an_attempt_has_a_limited_number_of_events(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert work.EVENTS == 10_000
    monkeypatch.setattr(work, "EVENTS", 3)
    many = [("asked", "")] * 4
    assert "it has 4 events, and at most 3 are read" in refused(desk, crafted(events(*many)))
    assert bring(desk, crafted(events(*many[1:]))) == Imported(1, 0)


def test_a_work_has_a_limited_number_of_attempts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST", 3)
    attempts = [events(("refused", "left")), events(("refused", "right")), events(("asked", "")), {"name": "other"}]
    assert refused(desk, crafted(*attempts)) == (
        "This work has 4 attempts, and at most 3 are read at once; bring it back in parts."
    )
    assert bring(desk, crafted(*attempts[1:])) == Imported(3, 0)
    assert bring(desk, crafted(*attempts[:1])) == Imported(1, 0)


def test_a_work_that_takes_too_long_is_broken_off(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "IN_ALL", -1.0)
    for text in (crafted({}), crafted(events(("move", "split")))):
        assert "seconds to make this work again; bring it back in parts" in refused(desk, text)


def test_nobody_begins_an_exercise_many_times_in_one_millisecond(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ALIKE", 3)
    attempts = [events(("jump", "0"), *[("asked", "")] * number, ("refused", "left")) for number in range(4)]
    assert "more than 3 attempts at n were begun in the same millisecond" in refused(desk, crafted(*attempts))
    assert bring(desk, crafted(*attempts[1:])) == Imported(3, 0)


def test_what_is_in_it_twice_is_brought_once(desk: Desk) -> None:
    attempt = {"uuid": str(uuid4()), **events(("move", "intro"))}
    assert bring(desk, crafted(attempt, attempt, {**attempt, "uuid": str(uuid4())})) == Imported(1, 2)


def test_an_import_that_cannot_be_stored_to_its_end_stores_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Store.keep

    def break_off(store: Store, student: int, attempt: Any, *rest: Any) -> bool:
        if attempt.name == "second":
            raise WorkError("power cut.")
        return keep(store, student, attempt, *rest)

    monkeypatch.setattr(Store, "keep", break_off)
    assert refused(desk, crafted({"name": "first"}, {"name": "second"})) == "power cut."
