"""The library is what its journal adds up to, whatever is done to it, by how many, and however they end."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.experience.files import read, written
from oasis.experience.library import Brought, Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim, fold
from oasis.experience.scope import ANY, Scope
from oasis.store import Store, StoreError
from tactics.errors import InputError

SCOPE = Scope("or", "or", "destruct_or")


def add(library: Library, content: str = "Take it apart first.", **more: object) -> int:
    told = {"category": PREFER, "scope": SCOPE, "evidence": Evidence(3, 1), **more}
    return library.add(content, source="p -> p", by="p -> p", reason="it helped", **told)  # type: ignore[arg-type]


operations = st.lists(st.tuples(st.sampled_from(["add", "modify", "delete"]), st.integers(1, 8), st.booleans()))


@given(operations)
def test_the_library_is_the_fold_of_its_journal_and_no_number_is_given_twice(
    plan: list[tuple[str, int, bool]],
) -> None:
    with Store(Path(":memory:")) as store:
        library = Library(store)
        model: dict[int, Maxim] = {}
        given_numbers: list[int] = []
        for operation, number, category in plan:
            words = f"Say {len(given_numbers)} {operation}"
            if operation == "add":
                number = add(library, words)
                given_numbers.append(number)
                model[number] = library.maxim(number)
                continue
            try:
                if operation == "modify":
                    told = AVOID if category else PREFER
                    library.modify(number, {"content": words, "category": told}, by="me", reason="better")
                    model[number] = replace(model[number], content=words, category=told, modified_by="me")
                else:
                    library.delete(number, by="me", reason="worse")
                    del model[number]
            except InputError:
                assert number not in model
        found = library.maxims()
        assert fold(library.history()) == found
        assert {each: replace(maxim, updated="") for each, maxim in found.items()} == {
            each: replace(maxim, updated="") for each, maxim in model.items()
        }
        assert given_numbers == list(range(1, len(given_numbers) + 1))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"content": "a " * 33}, "at most 32 words, and this one has 33"),
        ({"content": "a\nb"}, "should be a line of text"),
        ({"category": "good"}, "category"),
        ({"evidence": Evidence(-1, 0)}, "two numbers from 0 on"),
        ({"scope": Scope("xor", ANY, "left")}, "should be a shape"),
        ({"scope": Scope(ANY, ANY, "cut")}, "rule"),
    ],
)
def test_what_is_no_maxim_is_refused_and_leaves_no_line(library: Library, more: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        add(library, **more)  # type: ignore[arg-type]
    assert library.history() == []


def test_a_modified_maxim_keeps_what_is_not_changed_and_who_deleted_it_is_asked_for_no_more(library: Library) -> None:
    number = add(library)
    library.modify(number, {"evidence": [1, 9]}, by="SYJ201.1", reason="it hindered")
    changed = library.maxim(number)
    assert changed.to_json() == {
        "id": 1,
        "content": "Take it apart first.",
        "category": PREFER,
        "scope": SCOPE._asdict(),
        "source": "p -> p",
        "evidence": [1, 9],
        "modified_by": "SYJ201.1",
        "created": changed.created,
        "updated": changed.updated,
    }
    library.delete(number, by="me", reason="worse")
    with pytest.raises(InputError, match="Maxim 1 was deleted"):
        library.delete(number, by="me", reason="again")
    with pytest.raises(InputError, match="Maxim 1 was deleted"):
        library.modify(number, {}, by="me", reason="again")


def test_the_journal_stays_as_it_is_and_a_line_that_nobody_can_have_written_is_damage(
    library: Library, store: Store
) -> None:
    add(library)
    with closing(sqlite3.connect(store.path)) as connection:
        for change in ("UPDATE maxims SET reason = ''", "DELETE FROM maxims"):
            with pytest.raises(sqlite3.IntegrityError, match="stays as it is"):
                connection.execute(change)
    store.add_maxim_entry("delete", maxim=3, by="x", reason="y", content={})
    with pytest.raises(StoreError, match="is damaged"):
        library.maxims()


def test_what_is_exported_and_imported_is_the_same_and_is_not_doubled(library: Library, tmp_path: Path) -> None:
    first, second = add(library), add(library, "Another.")
    library.modify(second, {"content": "Another one."}, by="me", reason="clearer")
    text = "".join(written(library.history()))
    with Store(tmp_path / "other.db") as other:
        there = Library(other)
        add(there, "Mine.")
        assert there.bring(read(text, "a file").entries) == Brought(3, 0, 0)
        assert there.bring(read(text, "a file").entries) == Brought(0, 3, 0)
        assert [each.content for each in there.maxims().values()] == ["Mine.", "Take it apart first.", "Another one."]
        there.delete(3, by="me", reason="worse")
        library.modify(second, {"content": "Yet another."}, by="me", reason="clearer")
        library.delete(first, by="me", reason="worse")
        assert there.bring(library.history()) == Brought(1, 3, 1)
        assert [*there.maxims()] == [1]


def test_a_file_that_was_cut_short_keeps_all_whole_lines(library: Library) -> None:
    for word in "ab":
        add(library, word)
    text = "".join(written(library.history()))
    ends = [place + 1 for place, letter in enumerate(text) if letter == "\n"]
    for cut in range(ends[0], len(text) + 1):
        found = read(text[:cut], "a file")
        assert len(found.entries) == sum(end <= cut for end in ends) - 1
        assert found.cut_short == (cut < len(text))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "", "no journal of maxims"),
        (lambda text: "[]\n", "no journal of maxims"),
        (lambda text: text.replace('"layout": 1', '"layout": 2'), "newer version"),
        (lambda text: text.replace('"operation"', '"deed"'), "line 2: A line of a journal needs operation"),
        (lambda text: text.replace('"maxim": 1', '"maxim": "1"'), "line 2: The number of a maxim"),
        (lambda text: text.replace('"add"', '"delete"'), "line 2: Maxim 1 is not there"),
        (lambda text: text + text.splitlines()[1] + "\n", "line 3: Maxim 1 was there before"),
        (lambda text: text + "nonsense\n", "line 3: This is no JSON object"),
    ],
)
def test_a_file_that_no_export_wrote_is_refused_in_one_sentence(library: Library, change: object, said: str) -> None:
    add(library)
    with pytest.raises(InputError, match=said) as refused:
        read(change("".join(written(library.history()))), "a file")  # type: ignore[operator]
    assert "\n" not in str(refused.value)


WRITER = """
import sys
from pathlib import Path
from oasis.experience.library import Library
from oasis.experience.maxims import Evidence
from oasis.experience.scope import Scope
from oasis.store import Store
with Store(Path(sys.argv[1]), patience=60) as store:
    library = Library(store)
    for number in range(int(sys.argv[3])):
        told = f"{sys.argv[2]} {number}"
        made = library.add(
            told, "prefer", Scope("or", "any", "left"), Evidence(1, 0), source="p", by=sys.argv[2], reason="why not"
        )
        print(made, flush=True)
"""


@pytest.mark.slow
def test_two_that_write_at_once_lose_nothing_that_was_told_though_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    first, killed = (
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(maxims)],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, maxims in (("a", 25), ("b", 10**6))
    )
    assert killed.stdout is not None
    told = {"a": first.communicate()[0].split(), "b": [killed.stdout.readline().strip() for _ in range(20)]}
    os.kill(killed.pid, signal.SIGKILL)
    told["b"] += killed.communicate()[0].split()
    with Store(path) as store:
        library = Library(store)
        contents = {str(number): maxim.content for number, maxim in library.maxims().items()}
        assert library.add("After.", PREFER, SCOPE, Evidence(0, 0), source="p", by="b", reason="r")
    for name, numbers in told.items():
        assert [contents[number] for number in numbers] == [f"{name} {place}" for place in range(len(numbers))]
    assert len(told["a"]) == 25 and 25 + len(told["b"]) <= len(contents) <= 26 + len(told["b"])
