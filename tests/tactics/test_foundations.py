"""What the calculus stands on: recursion on the heap, rests of the garbage collector, and errors in words."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactics import errors
from tactics import uncollected as room
from tactics.errors import LibraryMissing, check_installed, install_command, printable
from tactics.recursion import Call, run
from tactics.uncollected import MANY, uncollected

# Recursion: as deep as memory allows, and given up when somebody says so.


def depth(number: int) -> Call[int]:
    """Call itself `number` times; return how often it did."""
    if number == 0:
        return 0
    below: int = yield depth(number - 1)
    return below + 1


def test_calls_may_nest_as_deep_as_memory_allows() -> None:
    assert run(depth(100_000)) == 100_000


def test_what_a_nested_call_raises_comes_out() -> None:
    def fails(number: int) -> Call[int]:
        if number == 0:
            raise KeyError("deep")
        below: int = yield fails(number - 1)
        return below

    with pytest.raises(KeyError, match="deep"):
        run(fails(10))


def test_nested_calls_can_give_up_at_once_and_later() -> None:
    def endless() -> Call[int]:
        while True:
            yield depth(1)

    asked = 0

    def patience() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        run(endless(), patience)
    assert asked == 2


# Work without the collector of cyclic garbage: it goes on afterwards, and frees cycles in the end.


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


class Cycle:
    alive = 0

    def __init__(self) -> None:
        self.itself = self
        Cycle.alive += 1

    def __del__(self) -> None:
        Cycle.alive -= 1


def are_old(objects: list[list[int]]) -> bool:
    old = {id(each) for each in gc.get_objects(generation=2)}
    return all(id(each) in old for each in objects)


def test_the_collector_rests_meanwhile_and_works_afterwards_even_after_an_error() -> None:
    @uncollected()
    def divide(divisor: int) -> float:
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
        return 1 / divisor

    with pytest.raises(ZeroDivisionError):
        divide(0)
    assert gc.isenabled()
    gc.disable()  # whoever paused it before finds it so
    try:
        assert divide(1) == 1
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_many_objects_made_meanwhile_are_old_and_few_are_not() -> None:
    gc.collect()
    with uncollected():
        few: list[list[int]] = [[] for _ in range(100)]
    assert not are_old(few)
    with uncollected():
        many: list[list[int]] = [[] for _ in range(2 * MANY)]
    assert are_old(many)


def test_cycles_made_meanwhile_are_freed_when_enough_was_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 10 * MANY)
    monkeypatch.setattr(room, "_old", 0)
    monkeypatch.setattr(room, "_passed_over", 0)
    gc.collect()
    most = 0
    for _ in range(20):
        with uncollected():
            for _ in range(2 * MANY):
                Cycle()
        most = max(most, Cycle.alive)
        if Cycle.alive < most:
            break
    else:
        pytest.fail("nothing was freed")
    assert most <= 12 * MANY


def test_what_others_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with uncollected():
        many: list[list[int]] = [[] for _ in range(2 * MANY)]
    assert gc.get_freeze_count() > frozen // 2
    assert not are_old(many)


# Errors: what a person typed is shown without harm, and a missing library with the command that installs it.


@given(st.text(st.characters() | st.sampled_from("\u200c\u200d\u0631\u200b")))
def test_what_is_printable_does_not_steer_a_terminal_and_has_as_many_characters(text: str) -> None:
    shown = printable(text)
    assert shown.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert len(shown) == len(text)
    assert all(after in (before, "?") for before, after in zip(text, shown, strict=True))
    assert printable(shown) == shown


@pytest.mark.parametrize("character", "\n\r\t\b\x1b\x7f\x85\x9b\u200f\u2028\u202e\u2066\ud800")
def test_no_control_character_is_printable_unless_it_is_kept(character: str) -> None:
    assert printable(f"A{character}B") == "A?B"
    assert printable(f"\u0639\u200c\u094d\u200d\u0937{character}") == "\u0639\u200c\u094d\u200d\u0937?", (
        "joiners that are needed"
    )
    assert printable(f"né ∧ φ → ⊥ …{character}\x00B", keep=character) == f"né ∧ φ → ⊥ …{character}?B"


def test_the_command_installs_from_the_checkout_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = tmp_path / "a check'out"
    (checkout / "tactics").mkdir(parents=True)
    (checkout / "pyproject.toml").touch()
    monkeypatch.setattr(errors, "__file__", str(checkout / "tactics" / "errors.py"))
    monkeypatch.chdir(checkout)
    assert install_command("web") == "pip install '.[web]'"
    monkeypatch.chdir(tmp_path)
    assert install_command("web") == f"""pip install '{tmp_path}/a check'"'"'out[web]'"""


def test_the_command_completes_a_package_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "site-packages" / "tactics" / "errors.py"))
    assert install_command("web") == "pip install 'oasis-student[web]'"


def test_only_the_libraries_that_are_missing_are_named() -> None:
    check_installed("Numbers need", "tune", "json", "math")
    for missing, told in ((["a_"], "a_"), (["a_", "b_"], "a_ and b_"), (["a_", "b_", "c_"], "a_, b_ and c_")):
        with pytest.raises(LibraryMissing) as caught:
            check_installed("Numbers need", "tune", "json", *missing)
        assert str(caught.value) == f"Numbers need {told}, not installed here: {install_command('tune')}"
