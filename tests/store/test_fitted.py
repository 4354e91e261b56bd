"""What was fitted is kept under a name of its own, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from oasis.store import Store, StoreError


def add(store: Store, name: str, content: bytes = b"x") -> None:
    store.add_fitted(name, version="1", origin={"seed": 0}, content=content)


def test_what_was_stored_comes_back(path: Path, store: Store) -> None:
    add(store, "b", bytes(range(256)))
    add(store, "a")
    with Store(path) as again:
        assert [row["name"] for row in again.fitted_list()] == ["b", "a"]
        row = again.fitted("b")
    assert (row["content"], row["origin"], row["version"]) == (bytes(range(256)), {"seed": 0}, "1")


def test_a_name_is_given_once(store: Store) -> None:
    add(store, "a")
    with pytest.raises(StoreError, match="called a already; give another --name"):
        add(store, "a", b"y")
    assert store.fitted("a")["content"] == b"x"


def test_a_name_that_nobody_gave_is_unknown(store: Store) -> None:
    with pytest.raises(StoreError, match=r"Nothing fitted is called a in .*; see `oasis dagger list`"):
        store.fitted("a")
