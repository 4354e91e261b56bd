"""The library is what its journal adds up to, whatever is done to it, and maxims can be written and changed by hand."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.experience import by_hand
from oasis.experience.by_hand import shape, written_scope
from oasis.experience.example import example
from oasis.experience.files import read, written
from oasis.experience.library import Brought, Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim, fold
from oasis.experience.picture import figure, moments
from oasis.experience.scope import ANY, LEFT_SIDE, Scope, scopes
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.rules import RULES, legal_moves
from tests.experience.test_scope import KINDS

SCOPE = Scope("or", "or", "destruct_or")


def add(library: Library, remark: str = "Take it apart first.", **more: object) -> int:
    told = {"scope": SCOPE, "evidence": Evidence(3, 1), "remark": remark, **more}
    return library.add(source="p -> p", by="p -> p", reason="it helped", **told)  # type: ignore[arg-type]


PLACES = (
    SCOPE,
    Scope("or", ANY, "can lose", ("out of reach",)),
    Scope(ANY, ANY, "imply4", ("came last", "shares atoms")),
)
operations = st.lists(st.tuples(st.sampled_from(["add", "modify", "delete"]), st.integers(1, 8), st.integers(0, 2)))


@given(operations)
def test_the_library_is_the_fold_of_its_journal_and_no_number_is_given_twice(
    plan: list[tuple[str, int, int]],
) -> None:
    with Store(Path(":memory:")) as store:
        library = Library(store)
        model: dict[int, Maxim] = {}
        given_numbers: list[int] = []
        for operation, number, place in plan:
            words = f"Say {len(given_numbers)} {operation}"
            if operation == "add":
                number = add(library, words)
                given_numbers.append(number)
                model[number] = library.maxim(number)
                continue
            try:
                if operation == "modify":
                    told = {"remark": words, "scope": PLACES[place].to_json(), "evidence": [place, 1.0]}
                    library.modify(number, {**told, "score": [0.5, 0.5, 0.75]}, by="me", reason="better")
                    model[number] = replace(
                        model[number],
                        remark=words,
                        scope=PLACES[place],
                        evidence=Evidence(place, 1),
                        modified_by="me",
                    )
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
        ({"remark": " ".join("a" * 33)}, "A remark has at most 32 words, and this one has 33"),
        ({"remark": "a\nb"}, "should be a line of text"),
        (
            {"scope": Scope("implies(and,or)", "implies(or,and)", "imply4", ("within reach", "shares atoms"))},
            "A maxim has at most 32 words",
        ),
        ({"evidence": Evidence(-1, 0)}, "two numbers from 0 on"),
        ({"scope": Scope("xor", ANY, "left")}, "should be a shape"),
    ],
)
def test_what_is_no_maxim_is_refused_and_leaves_no_line(library: Library, more: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        add(library, **more)  # type: ignore[arg-type]
    assert library.history() == []


def test_a_modified_maxim_keeps_what_is_not_changed_and_who_deleted_it_is_asked_for_no_more(library: Library) -> None:
    number = add(library)
    assert library.maxim(number).content.endswith("take it by cases first.")
    library.modify(number, {"evidence": [1, 9]}, by="SYJ201.1", reason="it hindered")
    changed = library.maxim(number)
    times = changed.created, changed.updated
    assert changed == Maxim(1, SCOPE, Evidence(1, 9), "p -> p", *times, "SYJ201.1", "Take it apart first.")
    assert changed.content.endswith("do not take it by cases yet.")
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
    library.modify(second, {"remark": "Another one."}, by="me", reason="clearer")
    text = "".join(written(library.history()))
    with Store(tmp_path / "other.db") as other:
        there = Library(other)
        add(there, "Mine.")
        assert there.bring(read(text, "a file").entries) == Brought(3, 0, 0)
        assert there.bring(read(text, "a file").entries) == Brought(0, 3, 0)
        assert [each.remark for each in there.maxims().values()] == ["Mine.", "Take it apart first.", "Another one."]
        there.delete(3, by="me", reason="worse")
        library.modify(second, {"remark": "Yet another."}, by="me", reason="clearer")
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
        (lambda text: text.replace('"layout": 2', '"layout": 3'), "newer version"),
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


def test_nobody_writes_between_the_reading_and_the_writing_of_an_operation(
    library: Library, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(library)
    exported = library.history()
    read_there = library.maxims
    with Store(store.path, patience=0.01) as other:

        def meanwhile() -> dict[int, Maxim]:
            with pytest.raises(StoreError, match="is in use by another process"):
                add(Library(other), "Theirs.")
            return read_there()

        monkeypatch.setattr(library, "maxims", meanwhile)
        add(library, "Mine.")
        library.modify(1, {"remark": "Changed."}, by="me", reason="r")
        library.delete(2, by="me", reason="r")
        library.bring(exported)
        assert [each.remark for each in Library(other).maxims().values()] == ["Changed."]


EARLIER = "Where the goal is a disjunction, do not prove the goal's left side yet."


@pytest.mark.parametrize(
    ("content", "evidence", "remark", "counts"),
    [
        (EARLIER, [0, 4], "", Evidence(0, 4)),
        ("Never use split", [0, 4], "Never use split", Evidence(0, 4)),
        (EARLIER, [4, 0], "", Evidence(0, 0)),  # which acted against its words, and so not at all
    ],
)
def test_a_journal_whose_words_stood_for_themselves_is_read_and_they_become_a_remark(
    library: Library, store: Store, content: str, evidence: list[int], remark: str, counts: Evidence
) -> None:
    scope = {"conclusion": "or", "hypothesis": ANY, "rule": "left"}
    told = {"content": content, "category": AVOID, "scope": scope, "source": "p", "evidence": evidence}
    store.add_maxim_entry("add", maxim=None, by="distill textbook", reason="r", content=told)
    assert library.maxim(1).scope == Scope("or", ANY, "left")
    assert (library.maxim(1).remark, library.maxim(1).evidence) == (remark, counts)
    line = {"operation": "add", "maxim": 1, "at": "t", "by": "me", "reason": "r", "content": told}
    header = {"format": "oasis experience", "layout": 1, "entries": 1}
    found = read(f"{json.dumps(header)}\n{json.dumps(line)}\n", "a file")
    assert fold(found.entries)[1].remark == remark
    again = read("".join(written(found.entries)), "a file")
    assert again.entries == found.entries


# Maxims written by hand

LEFT = Scope(ANY, LEFT_SIDE, "left")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", ANY),
        ("_", ANY),
        ("any", ANY),
        ("_ \\/ _", "or"),
        ("p \\/ q", "or(atom,atom)"),
        ("p ∨ (_ → _)", "or(atom,implies)"),
        ("~p", "implies(atom,false)"),
        ("p <-> q", "and(implies,implies)"),
        ("False", "false"),
        ("p", "atom"),
    ],
)
def test_a_shape_is_written_as_an_example(text: str, meant: str) -> None:
    assert shape(text) == meant


def test_every_shape_of_the_journal_is_understood_and_nothing_else() -> None:
    for one, left, right in product(KINDS[:3], KINDS, KINDS):
        assert shape(f"{one}({left},{right})") == f"{one}({left},{right})"
    assert written_scope("left", "", " left  side ") == LEFT
    assert written_scope("nested").rule == "imply4"
    assert written_scope("can lose", also=["out of reach"]) == Scope(ANY, ANY, "can lose", ("out of reach",))
    with pytest.raises(InputError, match="magic is not a tactic"):
        written_scope("magic")
    for text in ("p \\/ _", "~_", "p \\/", "or(any,atom)", "left side"):
        with pytest.raises(InputError):
            shape(text)


def added_by_hand(library: Library, **more: Any) -> int:
    return by_hand.add(library, PREFER, LEFT, **{"lemma": "p -> p \\/ q", "by": "me", "reason": "r", **more})


def test_what_is_added_weighs_as_somebody_believes_and_says_so_whatever_the_remark(library: Library) -> None:
    one = library.maxim(added_by_hand(library, odds=9, remark="Never go left!"))
    assert one.content == "Where a hypothesis is the left side of the goal, prove the goal's left side first."
    assert one.evidence == Evidence(8, 0) and one.source == "p -> p \\/ q" and one.remark == "Never go left!"
    anywhere = LEFT._replace(hypothesis=ANY)
    other = by_hand.add(library, AVOID, anywhere, lemma="p", by="me", reason="r")
    assert library.maxim(other).category == AVOID and library.maxim(other).evidence.odds == 1 / 4
    with pytest.raises(InputError, match="Maxim 1 is about the same: Where"):
        added_by_hand(library)
    for odds in (1.0, 0.5, 1e9, float("nan")):
        with pytest.raises(InputError, match="The odds are"):
            by_hand.add(library, PREFER, Scope(ANY, ANY, "split"), lemma="p", by="me", reason="r", odds=odds)


def test_what_is_changed_loses_what_was_counted_and_said_of_something_else(library: Library) -> None:
    number = added_by_hand(library)
    library.modify(number, {"evidence": [40, 2]}, by="SYJ201.1", reason="counted")
    by_hand.change(library, number, by="me", reason="other words", remark="Go left.")
    assert library.maxim(number).remark == "Go left." and library.maxim(number).evidence == Evidence(40, 2)
    by_hand.change(library, number, by="me", reason="r", category=AVOID, odds=3)
    changed = library.maxim(number)
    assert (changed.category, changed.remark, changed.evidence) == (AVOID, "", Evidence(0, 2))
    with pytest.raises(InputError, match="Nothing of maxim 1 would change"):
        by_hand.change(library, number, by="me", reason="r", remark="")
    with pytest.raises(InputError, match="Maxim 7 is not there"):
        by_hand.change(library, 7, by="me", reason="r", odds=2)
    assert [entry.reason for entry in library.history()] == ["r", "counted", "other words", "r"]


def maxim(scope: Scope, source: str) -> Maxim:
    return Maxim(1, scope, Evidence(3, 0), source, "t", "t", "me")


@pytest.mark.parametrize("rule", RULES)
def test_a_goal_shows_what_a_maxim_is_about_and_leaves_a_choice(rule: str) -> None:
    lemmas = {
        "contradiction": "False -> p -> p",
        "assumption": "p -> q /\\ r -> p",
        "intro": "p /\\ q -> p -> p",
        "split": "p /\\ q -> p /\\ q",
        "imply1": "(p -> q) -> p -> p \\/ q",
        "imply2": "(p /\\ q -> r) -> p -> p \\/ r",
        "imply3": "(p \\/ q -> r) -> p -> p \\/ r",
        "imply4": "((p -> q) -> r) -> p -> p \\/ r",
        "destruct_and": "p /\\ q -> p \\/ q",
    }
    about = Scope(ANY, ANY, rule)
    shown = example(maxim(about, lemmas.get(rule, "p \\/ q -> q \\/ p")))
    assert shown is not None and all(move.rule == rule for move in shown.moves)
    assert set(shown.moves) < set(legal_moves(shown.goal))
    assert all(about in scopes(shown.goal, move) for move in shown.moves)


def test_no_goal_is_shown_where_none_is_known(tmp_path: Path) -> None:
    (tmp_path / "secret.p").write_text("fof(a, conjecture, ( p )).")
    for source in ("a lemma of a lost file", str(tmp_path / "secret.p"), "p -> p", "file:secret.p"):
        assert example(maxim(LEFT, source)) is None


def test_a_picture_shows_how_a_library_grew_and_what_was_done_and_what_it_was_worth(library: Library) -> None:
    first = add(library, score=[0.5, 0.5, 0.6])
    library.modify(first, {"evidence": [9, 0], "score": [0.5, 0.6, 0.7]}, by="p", reason="r")
    add(library, scope=LEFT)
    library.delete(first, by="p", reason="r", score=[0.5, 0.7, 0.55])
    found = moments(library.history())
    assert [each.size for each in found] == [1, 1, 2, 1]
    assert found[-1].shares == (0.5, 0.25, 0.25) and found[0].shares == (1, 0, 0)
    assert [each.score for each in found] == [(0.6, 0.5), (0.7, 0.5), None, (0.55, 0.5)]
    pytest.importorskip("matplotlib")
    sizes, shares, scores = figure(library.history()).axes
    assert sizes.lines[0].get_ydata().tolist() == [0, 1, 1, 2, 1]  # type: ignore[union-attr]
    assert [line.get_label() for line in (*shares.lines, *scores.lines)][-2:] == ["with maxims", "without"]
    assert scores.lines[0].get_ydata().tolist() == [0.6, 0.7, 0.55]  # type: ignore[union-attr]
