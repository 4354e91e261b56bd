"""Seals: every value of an attempt is under its seal, however its JSON is written."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.desk.seal import is_sealed, seal
from oasis.store import KeptEvent

KEY: Final = bytes(range(32))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
told = st.dictionaries(st.text(max_size=5), values, min_size=1, max_size=4)


def test_a_seal_is_the_hmac_of_the_student_and_the_attempt_as_openssl_makes_it() -> None:
    attempt = {"name": "∧", "events": [KeptEvent("2026-05-04T10:00:00.000+00:00", "move", "intro")]}
    assert seal(KEY, 7, attempt) == "51ccb0805f81bcc6f4e0b16cb0e00558bd575b19413ca23c273a977bf5c41a67"


@given(told, st.randoms())
def test_a_seal_does_not_depend_on_how_the_json_is_written(attempt: dict[str, Any], random: Any) -> None:
    names = list(attempt)
    random.shuffle(names)
    again = json.loads(json.dumps({name: attempt[name] for name in names}, indent=random.randrange(4)))
    assert is_sealed(KEY, 1, again, seal(KEY, 1, attempt))


@given(told, st.data())
def test_an_attempt_with_another_value_has_another_seal(one: dict[str, Any], data: st.DataObject) -> None:
    other = {**one, data.draw(st.sampled_from(list(one))): data.draw(values)}
    are_alike = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert is_sealed(KEY, 1, other, seal(KEY, 1, one)) == are_alike


@given(told, st.data())
def test_another_key_another_student_and_any_other_text_are_no_seal(
    attempt: dict[str, Any], data: st.DataObject
) -> None:
    tag = seal(KEY, 1, attempt)
    other = data.draw(st.text() | st.integers(0, 63).map(lambda place: tag[:place] + "g" + tag[place + 1 :]))
    assert not is_sealed(KEY[::-1], 1, attempt, tag)
    assert not is_sealed(KEY, 2, attempt, tag)
    assert not is_sealed(KEY, 1, attempt, other)
