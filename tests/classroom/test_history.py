"""An attempt moment by moment: the same attempt, in words, with the moves that lost the proof."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import PAUSE, Record
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.words import when
from oasis.classroom.register.habits import habit
from oasis.classroom.register.history import History, can_be_told, come_to
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, Store
from oasis.teacher.hints import Teacher
from tactics.formula import Formula
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.classroom.people import LONG, OR_COMM, PEIRCE, PROOF, again, fumble, local, make, or_comm, sit
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def stamp(seconds: float) -> str:
    return (NOON + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def history(formula: Formula, *events: Event, terms: Terms | None = None) -> History:
    """Return the history of an attempt in which these things happened, a second after each other."""
    kept = [KeptEvent(stamp(number), *event) for number, event in enumerate(events, 1)]
    made = Record(Exercise("lemma", formula, terms=terms or Terms()), stamp(0), events=kept)
    return History.of(made.kept(), made.events)


def told(formula: Formula, *events: Event) -> list[str]:
    """Return what is said of each moment of the attempt in which these things happened."""
    return [moment.sentence for moment in history(formula, *events).moments]


def moves(script: str) -> list[Event]:
    return [Event("move", str(move)) for move in parse_script(script)]


def fumbled(formula: Formula, data: st.DataObject) -> tuple[Attempt, list[Event]]:
    """Return an attempt of random actions, and the events of it."""
    events: list[Event] = []
    attempt = Attempt(formula)
    for _ in range(data.draw(st.integers(0, 12))):
        event = fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
        events += [] if event is None else [event]
    return attempt, events


SMALL = formulas(PLAIN_NAMES, max_steps=6, max_size=30)


@given(SMALL | st.just(LONG), st.data())
@settings(max_examples=examples(60))
def test_the_moments_are_those_of_the_attempt(formula: Formula, data: st.DataObject) -> None:
    attempt, events = fumbled(formula, data)
    found, again = history(formula, *events), Attempt(formula)
    assert found.damage == ""
    for moment, event in zip(found.moments, [None, *events], strict=True):
        again.happen([] if event is None else [event])
        assert (moment.event, moment.state, moment.script) == (event, again.state, again.script)
    assert again == attempt


EVENTS = """
move intro: made intro
move left: made left
undo: took back left
redo: made left again
jump 0: went back to the beginning
jump 2: went on to step 2
jump 1: went back to step 1
hint 1: asked for hint 1: whether a move has lost the proof
hint 2: asked for hint 2: where to look
hint 3: asked for hint 3: which rule to use
hint 4: asked for hint 4: which move to make
refused split: tried split, which does not apply
claim wrong: said that there is no proof; that is wrong
listed: asked for the list of moves
asked: asked the agent
given intro; destruct_or H; right: took over 2 moves of the agent
given intro: went to where the agent stands
move destruct_or H: made destruct_or H
"""


def test_every_kind_of_event_is_said_in_words() -> None:
    rows = [row.split(": ", 1) for row in EVENTS.strip().splitlines()]
    happened = [Event(*event.split(" ", 1)) for event, _ in rows]
    assert told(OR_COMM.formula, *happened) == ["began", *(said for _, said in rows)]
    assert told(OR_COMM.formula, Event("hint", "2"))[-1] == "asked for a hint where only one move applied"
    assert told(PEIRCE.formula, Event("claim", "right"))[-1] == "said that there is no proof; that is right"


def test_moves_are_told_by_the_names_that_students_read() -> None:
    events = [*moves("intro; intro"), Event("refused", "imply1 H"), *moves("imply1 H0"), Event("undo"), Event("redo")]
    _, _, _, *said = told(parse("p -> (p -> q) -> q"), *events)
    assert said[:2] == ["tried apply H, which does not apply", "made apply H0"]
    assert said[2:] == ["took back apply H0", "made apply H0 again"]


def test_times_are_those_between_the_events_and_breaks_are_told() -> None:
    times = [5.0, 5.0 + PAUSE, 5.0 + 2 * PAUSE + 0.001, 7.0]
    events = [KeptEvent(stamp(time), "asked", "") for time in times]
    made = Record(OR_COMM, stamp(0), events=events)
    moments = History.of(made.kept(), made.events).moments
    assert [moment.at for moment in moments] == [stamp(time) for time in [0, *times]]
    assert [moment.seconds for moment in moments] == [0.0, 5.0, PAUSE, PAUSE + 0.001, 0.0]
    assert [moment.is_after_break for moment in moments] == [False, False, False, True, False]


def test_what_came_of_it_is_said_in_words() -> None:
    proved = history(OR_COMM.formula, *moves("intro"), Event("hint", "2"), *moves("; ".join(map(str, PROOF[1:])))).kept
    assert come_to(proved) == "proved in 6 moves, 9 of 10 points for this attempt alone, 0:07"
    assert come_to(history(OR_COMM.formula, *moves("intro")).kept) == "not done, 0:01"
    brought = history(PEIRCE.formula, Event("claim", "right")).kept._replace(imported=stamp(9))
    said = come_to(brought)
    assert said == "rightly said to have no proof, 10 of 10 points for this attempt alone, 0:01, from a file"
    assert come_to(brought._replace(vouched=1)) == f"{said} for which the teacher answers"


@pytest.mark.parametrize(
    ("kind", "what"),
    [("move", "intro (* \x1b[2J *)"), ("move", "intro (* a\nline *)"), ("refused", "imply1 \x1b"), ("\x1b", "\x1b[2J")],
)
def test_nothing_that_was_typed_elsewhere_does_anything_to_a_terminal(kind: str, what: str) -> None:
    found = History.of(history(OR_COMM.formula).kept, [KeptEvent(stamp(1), kind, what)])
    assert "".join([found.damage, *(moment.sentence for moment in found.moments)]).isprintable()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_time_at_the_end_of_all_calendars_is_shown_everywhere(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert when("9999-12-31T23:59:59.999+00:00").startswith("9999-12-31 ")
        assert when("0001-01-01T00:00:00.000+00:00").startswith("0001-01-01 ")
    finally:
        monkeypatch.undo()
        time.tzset()


@given(SMALL, st.data())
@settings(max_examples=examples(60))
def test_a_damaged_attempt_is_shown_up_to_where_it_stops(formula: Formula, data: st.DataObject) -> None:
    whole = history(formula, *fumbled(formula, data)[1])
    events = [KeptEvent(moment.at, *moment.event) for moment in whole.moments if moment.event is not None]
    place = data.draw(st.integers(0, len(events)))
    wrong = [("move", "imply1 H99"), ("move", "intro; intro"), ("jump", "99"), ("jump", "home"), ("dance", "")]
    at, kind, what = data.draw(st.sampled_from([*((stamp(0), *event) for event in wrong), ("yesterday", "asked", "")]))
    found = History.of(whole.kept, [*events[:place], KeptEvent(at, kind, what), *events[place:]])
    assert found.moments == whole.moments[: place + 1]
    assert found.damage.startswith(f"Here it stops: {f'{kind} {what}'.rstrip()} cannot be made again (")
    assert found.damage.count("\n") == 0
    assert len(list(found.verdicts(60))) == place + 1


def test_an_attempt_that_cannot_even_begin_says_so() -> None:
    kept = history(OR_COMM.formula, *moves("intro")).kept
    terms = [kept._replace(terms=text) for text in ("{", '{"hints": 9}')]
    for damaged in (kept._replace(formula="p ->"), kept._replace(started=""), *terms):
        found = History.of(damaged, [KeptEvent(stamp(1), "move", "intro")])
        assert found.moments == ()
        assert found.damage.startswith("Here it stops: the beginning cannot be made again (")
        assert list(found.verdicts()) == []


@given(SMALL, st.data())
@settings(max_examples=examples(60))
def test_exactly_what_loses_the_proof_is_marked(formula: Formula, data: st.DataObject) -> None:
    found, teacher = history(formula, *fumbled(formula, data)[1]), Teacher()
    provable = [teacher.provable(moment.state) for moment in found.moments]
    lost = [number > 0 and provable[number - 1] and not still for number, still in enumerate(provable)]
    verdicts = list(found.verdicts(60))
    assert [(verdict.provable, verdict.lost) for verdict in verdicts] == list(zip(provable, lost, strict=True))
    for number, verdict in enumerate(verdicts):
        if verdict.provable:
            assert verdict.sentence in ("This can still be proved.", "Nothing is left to prove.")
        elif any(lost[: number + 1]):
            since = max(place for place in range(number + 1) if lost[place])
            assert verdict.sentence == f"The proof is lost since {since}: {found.moments[since].sentence}."
        else:
            assert verdict.sentence == "This lemma has no proof."


def test_what_can_be_proved_means_by_the_tactics_of_the_exercise() -> None:
    terms = Terms(rules=tuple(rule for rule in RULES if rule != "right"))
    first, *_ = history(OR_COMM.formula, *moves("intro"), terms=terms).verdicts(60)
    assert first.sentence == "This lemma has no proof with these tactics."
    and_comm = parse("A /\\ B -> A \\/ B")
    *_, last = history(and_comm, *moves("intro; left"), terms=terms).verdicts(60)
    assert last.sentence == "This can still be proved with these tactics."
    without = Terms(rules=("intro", "left", "right", "assumption"))
    assert next(history(and_comm, terms=without).verdicts(60)).provable is False


def test_what_is_not_known_has_lost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([None, False, False])
    monkeypatch.setattr(Adviser, "on_track", lambda *_: next(answers))
    verdicts = list(history(OR_COMM.formula, *moves("intro; left")).verdicts())
    assert [verdict.lost for verdict in verdicts] == [False, False, False]
    first, *rest = (verdict.sentence for verdict in verdicts)
    assert first == "Whether this can still be proved was not found out in time."
    assert rest == ["There is no proof from here."] * 2


def test_a_student_is_told_what_lost_the_proof_once_the_lemma_is_done() -> None:
    begun, done = history(OR_COMM.formula, *moves("intro; left")), history(PEIRCE.formula, Event("claim", "right"))
    assert [can_be_told(each) for each in ([], [begun, begun], [begun, done, begun])] == [False, False, True]


def test_the_attempts_of_a_mark_are_those_that_it_adds_up(store: Store) -> None:
    ann, bob = local(store, "Ann"), local(store, "Bob")
    other_letters = or_comm("xy")
    same_name = replace(OR_COMM, formula=parse("p -> p"))
    make(sit(ann, OR_COMM), PROOF)
    make(again(ann, other_letters), PROOF[:2])
    again(ann, OR_COMM)
    make(sit(ann, same_name), PROOF[:1])
    make(sit(bob, other_letters), PROOF[:3])
    register = Register(store)
    found = [(mark.name, [len(each.moments) - 1 for each in register.attempts(mark)]) for mark in register.marks()]
    assert found == [("Ann", [6, 2]), ("Ann", [1]), ("Bob", [3])]
    for mark in register.marks():
        started = [attempt.kept.started for attempt in register.attempts(mark)]
        assert sorted(started) == started and len(started) == mark.attempts


def test_a_student_sees_of_their_own_what_the_teacher_sees_of_it_alone(store: Store, desk: Desk) -> None:
    for student in (local(store, "Bob"), desk):
        make(sit(student, OR_COMM), PROOF)
        make(sit(student, PEIRCE), PROOF[:1])
    own, register = Marks(store, student=desk.student), Register(store)
    assert own.marks() == [mark for mark in register.marks() if mark.name == "Ann"]
    # Two attempts may have begun in the same millisecond.
    by_uuid = {kept.uuid: [History.of(kept, events)] for kept, events in desk.work()}
    assert {attempts[0].kept.uuid: attempts for attempts in map(own.attempts, own.marks())} == by_uuid
    assert not any(own.attempts(mark) for mark in register.marks() if mark.name == "Bob")
    (mark, *_) = own.marks()
    register.roll.dismiss("Ann")
    assert register.attempts(mark) == [], "who left is not shown"


def hasty(text: str, name: str, *, vain: str = "right", proof: str = "intro; left; assumption") -> History:
    """Return the history of an attempt in which something was done in vain before its proof."""
    first, *rest = moves(proof)
    wrong = [*moves(vain), Event("undo")] if vain else []
    made = history(parse(text), first, *wrong, *rest)
    return replace(made, kept=made.kept._replace(name=name))


def test_the_habit_that_cost_most_moves_is_told_with_an_example_of_ones_own() -> None:
    """What two moves to the right and one to the left have in common is that they led out of reach."""
    other = hasty("q -> p \\/ q", "three", vain="left", proof="intro; right; assumption")
    attempts = [hasty("p -> p \\/ q", "one"), hasty("p /\\ r -> (p /\\ r) \\/ q", "two"), other]
    found = habit([*attempts, hasty("p -> p \\/ q", "four", vain="")])
    assert found is not None and (found.lemmas, found.lost, str(found.move)) == (3, 3, "right")
    assert found.maxim == "Where what is then to be proved is out of reach, do not make a move that can lose yet."
    assert found.sentence().endswith("That cost 3 moves in 3 lemmas; for example right at H : p |- p \\/ q.")
    assert habit(reversed(attempts[:2])) is not None and habit(attempts[:1]) is None


@pytest.mark.parametrize(
    "attempts",
    [
        [],
        [hasty("p -> p \\/ q", "one")] * 3,  # one lemma is no habit
        [hasty("p -> p \\/ q", name, vain="") for name in ("one", "two")],
        [hasty("p -> p \\/ q", name, proof="intro; left") for name in ("one", "two")],  # nobody knows what it cost
    ],
)
def test_what_was_done_in_vain_in_one_lemma_alone_is_no_habit(attempts: list[History]) -> None:
    assert habit(attempts) is None
