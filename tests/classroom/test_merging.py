"""What an import finds out about what is here already: quickly whatever it is given, and never by keeping others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import takewhile
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from curricula.lemma import LONGEST_NAME
from oasis.classroom.desk import work
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import Record, branch
from oasis.classroom.desk.work import Brought, Imported, WorkError, export_work, import_work
from oasis.classroom.proving.exercise import Exercise
from oasis.store import KeptEvent, Store
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, empty, local, make, refused

STARTS: Final = ("2026-05-04T10:00:00.000+00:00", "2026-05-04T11:00:00.000+00:00")
EVENTS: Final = [KeptEvent(STARTS[0], "refused", what) for what in ("left", "right", "split")]
histories = st.lists(st.sampled_from(EVENTS), max_size=4)


def crafted(attempts: Sequence[tuple[str, str, Sequence[KeptEvent]]]) -> str:
    """A work of attempts with these uuids, starts and events, as anybody may write one."""
    told = [
        {"place": "", "name": "n", "formula": "p -> p", "terms": {}, "uuid": uuid, "started": at, "events": events}
        for uuid, at, events in attempts
    ]
    return json.dumps({"format": 1, "version": "1", "student": "Ann", "attempts": told})


# What an attempt is called here.


def found_one_by_one(desk: Desk, record: Record, uuid: str) -> str:
    """The uuid that an attempt has here, by looking at every event of every attempt: what it is by definition."""
    for row in desk.store.attempts(desk.student):
        if row["started"] == record.started and row["uuid"] != uuid:
            both = zip(record.events, desk.store.events(row["uuid"]), strict=False)
            for event, _ in takewhile(lambda pair: pair[0] == pair[1], both):
                if branch(row["uuid"], event) == uuid:
                    return str(row["uuid"])
    return uuid


def merged_one_by_one(desk: Desk, brought: Sequence[Brought]) -> None:
    """Store attempts one after the other, each of them after all has been looked at anew."""
    for record, told, _ in brought:
        record.uuid = found_one_by_one(desk, record, told["uuid"])
        record.imported = "then"
        while (row := desk.store.attempt(record.uuid)) is not None:
            if row["formula"] != record.kept().formula or row["started"] != record.started:
                raise WorkError("another exercise")
            if not record.fit(desk.store.events(record.uuid)):
                break
            if record.uuid == row["uuid"]:
                break
        if row is None or record.stored < len(record.events):
            assert desk.store.keep(desk.student, record.kept(), record.stored, record.events[record.stored :])


@given(st.data())
def test_attempts_are_found_as_if_each_were_looked_for_among_all(data: st.DataObject) -> None:
    # Few starts, events and numbers, so that attempts meet; some are called as if they had branched off from others.
    uuids = [str(uuid4()) for _ in range(2)]
    for _ in range(4):
        uuids.append(branch(data.draw(st.sampled_from(uuids)), data.draw(st.sampled_from(EVENTS))))
    uuids = list(dict.fromkeys(uuids))
    with empty() as one, empty() as other:
        desk, slow = local(one), local(other)
        for _ in range(data.draw(st.integers(1, 3))):
            chosen = data.draw(st.lists(st.sampled_from(uuids), unique=True))
            starts = st.sampled_from(STARTS) if data.draw(st.booleans()) else st.just(STARTS[0])
            text = crafted([(uuid, data.draw(starts), data.draw(histories)) for uuid in chosen])
            before = one.attempts()
            try:
                import_work(desk, text)
            except WorkError:
                assert one.attempts() == before
                with pytest.raises(WorkError), other.together():
                    merged_one_by_one(slow, work.read_work(text, "Ann"))
            else:
                merged_one_by_one(slow, work.read_work(text, "Ann"))
            assert all_of(one) == all_of(other)


def all_of(store: Store) -> dict[str, tuple[str, list[KeptEvent]]]:
    """The start and the events of each attempt."""
    return {row["uuid"]: (row["started"], store.events(row["uuid"])) for row in store.attempts()}


# What it costs.


def reads(desk: Desk, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How often events are read during an import: before others are kept from writing, and while they are."""
    counts = {False: 0, True: 0}
    with monkeypatch.context() as patched:
        read = Store.events

        def counted(store: Store, uuid: str) -> list[KeptEvent]:
            counts[store._connection.in_transaction] += 1
            return read(store, uuid)

        patched.setattr(Store, "events", counted)
        import_work(desk, text)
    return counts[False], counts[True]


@pytest.mark.parametrize("number", [10, 40])
def test_events_are_read_once_for_each_attempt_here_and_never_while_others_wait(
    desk: Desk, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once() -> list[tuple[str, str, list[KeptEvent]]]:
        return [(str(uuid5(uuid4(), "x")), STARTS[0], EVENTS[:1]) for _ in range(number)]

    here = at_once()
    assert reads(desk, crafted(here), monkeypatch) == (0, 0)
    assert reads(desk, crafted(at_once()), monkeypatch) == (number, 0)
    assert reads(desk, crafted(here), monkeypatch) == (2 * number, 0)


def test_a_work_has_a_limited_number_of_attempts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST", 3)
    attempts = [(str(uuid4()), STARTS[0], EVENTS) for _ in range(4)]
    assert refused(desk, crafted(attempts)) == (
        "This work has 4 attempts, and at most 3 are read at once; bring it back in parts."
    )
    assert import_work(desk, crafted(attempts[1:])) == Imported(3, 0, 3)
    assert import_work(desk, crafted(attempts[:1])) == Imported(1, 0, 1)


def test_attempts_that_are_made_to_branch_off_from_one_another_come_to_an_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = [str(uuid4())]
    while len(chain) < 20:
        chain.append(branch(chain[-1], EVENTS[0]))
    import_work(desk, crafted([(uuid, STARTS[0], EVENTS[1:2]) for uuid in chain]))
    text = crafted([(uuid, STARTS[0], [EVENTS[0], EVENTS[number % 3]]) for number, uuid in enumerate(chain)])
    with monkeypatch.context() as patched:
        patched.setattr(work, "FORKS", 100)
        assert "branch off from one another without end" in refused(desk, text)
    assert import_work(desk, text).new > 0


# What happens meanwhile.


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Any) -> None:
    """Let something happen when an import has found out what is new and is about to keep others from writing."""
    together = Store.together

    def late(store: Store) -> AbstractContextManager[None]:
        monkeypatch.setattr(Store, "together", together)
        happens()
        return store.together()

    monkeypatch.setattr(Store, "together", late)


def test_what_the_student_does_while_an_import_looks_at_what_is_there_is_kept_and_counts(
    tmp_path: Path, abroad: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "class.db") as store, Store(tmp_path / "class.db") as window:
        desk, other = local(store), local(window)
        make(desk.sit(OR_COMM), parse_script("intro"))
        import_work(abroad, export_work(desk))
        make(abroad.sit(OR_COMM), parse_script("right"))
        text = export_work(abroad)
        meanwhile(monkeypatch, lambda: make(other.sit(OR_COMM), parse_script("left")))
        assert import_work(desk, text) == Imported(1, 0, 1)
        found = sorted([event.what for event in events] for _, events in all_of(store).values())
        assert found == [["intro", "left"], ["intro", "right"]]
        assert import_work(desk, text) == Imported(0, 1, 0)


def test_an_attempt_that_another_student_brings_in_meanwhile_is_not_imported(
    desk: Desk, abroad: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(abroad.sit(OR_COMM), parse_script("intro"))
    make(abroad.sit(PEIRCE), parse_script("intro"))
    text, eve = export_work(abroad), local(desk.store, "Eve")
    meanwhile(monkeypatch, lambda: import_work(eve, text.replace('"Ann"', '"Eve"')))
    with pytest.raises(WorkError, match="an attempt of another student"):
        import_work(desk, text)
    assert desk.work() == []


# Names.


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("place", "x" * 61),
        ("place", "week\n1"),
        ("name", "x" * 100_000),
        ("name", "x" * (LONGEST_NAME + 1)),
        ("name", "and\x1b[31m_comm"),
        ("name", "and\0comm"),
        ("name", "and\tcomm"),
    ],
)
def test_a_name_that_does_harm_in_a_table_is_damage(desk: Desk, abroad: Desk, field: str, value: str) -> None:
    abroad.sit(OR_COMM)
    content = json.loads(export_work(abroad))
    content["attempts"][0][field] = value
    assert f"the name of a {'lemma' if field == 'name' else 'lesson'} is one line" in refused(desk, json.dumps(content))


@pytest.mark.parametrize("whose", ["x" * 41, "Ann\x1b[31m", ""])
def test_a_student_of_no_name_is_damage_or_somebody_else(desk: Desk, whose: str) -> None:
    assert "is" in refused(desk, json.dumps({**json.loads(crafted([])), "student": whose}))


@pytest.mark.parametrize(
    "text",
    ["p ->\n\tp", "p -> p (* \x1b[31m *)", " -> ".join(["p"] * 1000), "a" * 2000 + " -> p", "n" * 2000 + " : p -> p"],
)
def test_whatever_lemma_was_typed_its_attempts_travel(desk: Desk, abroad: Desk, text: str) -> None:
    abroad.sit(Exercise.of(resolve_lemma(text)))
    exported = export_work(abroad)
    assert import_work(desk, exported) == Imported(1, 0, 1)
    assert [row["name"] for row in desk.store.attempts()] == [resolve_lemma(text).name]


def test_uuids_of_branches_are_told_by_their_version() -> None:
    assert UUID(branch(str(uuid4()), EVENTS[0])).version == 5
    assert UUID(Record(OR_COMM, STARTS[0]).uuid).version == 4
