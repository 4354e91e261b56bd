"""What a person typed is shown without harm, and a missing library with the command that installs it where they are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactics import errors
from tactics.errors import LibraryMissing, check_installed, install_command, printable


@given(st.text())
def test_what_is_printable_does_not_steer_a_terminal_and_has_as_many_characters(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown) == len(text)
    assert all(after in (before, "?") for before, after in zip(text, shown, strict=True))
    assert printable(shown) == shown


@pytest.mark.parametrize("character", "\n\r\t\b\x1b\x7f\x85\x9b\u200f\u2028\u202e\u2066\ud800")
def test_no_control_character_is_printable_unless_it_is_kept(character: str) -> None:
    assert printable(f"A{character}B") == "A?B"
    assert printable(f"A{character}\x00B", keep=character) == f"A{character}?B"


def test_letters_and_connectives_are_printable() -> None:
    assert printable("né ∧ φ → ⊥ …") == "né ∧ φ → ⊥ …"


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
