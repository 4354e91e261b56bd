"""Choices by name: ours, somebody's own as `module:object`, and what is said of a name that is neither."""

from __future__ import annotations

import sys
from collections import OrderedDict
from pathlib import Path
from re import escape

import pytest

from oasis.plugins import PluginError, looked_up
from oasis.rewarding import reward
from oasis.rewards import Terminating
from oasis.student.learners import LEARNERS, Learner, learner, sarsa
from tactics.errors import InputError
from tests.student.plugins import HALFWAY, Tidy

KNOWN = {"one": 1, "other": 2}


def test_a_known_name_is_what_it_stands_for_and_any_object_of_any_module_can_be_named() -> None:
    assert looked_up("--number", "other", KNOWN) == 2
    assert looked_up("--number", "collections:OrderedDict", {}) is OrderedDict
    assert isinstance(reward("terminating"), Terminating)
    assert isinstance(reward("tests.student.plugins:Tidy"), Tidy)
    assert reward("tests.student.plugins:Tidy") is not reward("tests.student.plugins:Tidy")
    assert learner("sarsa") is LEARNERS["sarsa"]
    assert learner("tests.student.plugins:HALFWAY") is HALFWAY


def test_a_module_is_looked_for_in_the_current_folder_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brought_along.py").write_text("NUMBER = 7\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "brought_along", raising=False)
    with pytest.raises(InputError, match="brought_along cannot be imported"):
        looked_up("--number", "brought_along:NUMBER", KNOWN)
    monkeypatch.chdir(tmp_path)
    assert looked_up("--number", "brought_along:NUMBER", KNOWN) == 7
    del sys.modules["brought_along"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("othr", "--number is one of one, other, or module:object, not 'othr'; did you mean other?"),
        ("", "--number is one of one, other, .* write module:object for one of your own"),
        ("json:", "--number is one of one, other, .*not 'json:'"),
        (":dumps", "--number is one of one, other, .*not ':dumps'"),
        ("nowhere_at_all:x", r"--number nowhere_at_all:x: nowhere_at_all cannot be imported .* go to its folder\."),
        ("mine.py:X", r"--number mine.py:X: modules are named without folders and without \.py; write mine:X\."),
        ("lab/mine.py:X", r"modules are named without folders .*; go to lab and write mine:X\."),
        ("../lab/mine:X", r"--number ../lab/mine:X: modules .*; go to ../lab and write mine:X\."),
        ("json:sing", r"--number json:sing: json has no sing; see how it is spelled there\."),
        ("json:dumpz", r"--number json:dumpz: json has no dumpz; did you mean dump"),
    ],
)
def test_a_name_that_stands_for_nothing_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        looked_up("--number", name, KNOWN)


def test_what_a_module_needs_and_a_module_that_comes_before_it_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "needy.py").write_text("import nowhere_at_all")
    with pytest.raises(InputError, match=r"No module named 'nowhere_at_all'.; install what it needs, or take that"):
        looked_up("--number", "needy:X", KNOWN)
    (tmp_path / "json.py").write_text("SONG = 1")
    with pytest.raises(InputError, match=r"json has no SONG; that is .*__init__\.py; rename yours\."):
        looked_up("--number", "json:SONG", KNOWN)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("1 / 0", "fails with ZeroDivisionError: division by zero"),
        ("def (", "fails with SyntaxError: invalid syntax"),
        ("raise SystemExit(0)", "fails with SystemExit: 0"),
    ],
)
def test_a_module_that_cannot_be_run_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, says: str
) -> None:
    (tmp_path / "not_yet_right.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=f"--number not_yet_right:X: not_yet_right {says}"):
        looked_up("--number", "not_yet_right:X", KNOWN)


def test_a_fault_is_told_with_the_last_line_of_whoever_brought_it_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "from json import loads\ndef read(text):\n    return loads(text)\nread('{')\n"
    (tmp_path / "reads_no_json.py").write_text(source)  # fails in Python's own code
    monkeypatch.syspath_prepend(tmp_path)
    told = r"fails with JSONDecodeError: .* \(reads_no_json.py, line 3\)\. Set OASIS_DEBUG"
    with pytest.raises(PluginError, match=told):
        looked_up("--number", "reads_no_json:X", KNOWN)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("collections:OrderedDict", "."),
        ("json:dumps", "; write NAME = Learner(dumps) there, and --learner json:NAME."),
        ("tests.student.plugins:Tidy", "."),
    ],
)
def test_what_is_no_learner_is_refused_in_words(name: str, end: str) -> None:
    says = rf"--learner .* is to be an oasis.student.learners.Learner, not a \w+{escape(end)}$"
    with pytest.raises(InputError, match=says):
        learner(name)


NOWHERE = Learner(sarsa, compiled="nowhere_at_all:sarsa")


def test_a_compiled_form_that_is_not_there_is_told_before_any_work() -> None:
    with pytest.raises(InputError, match=r"^compiled nowhere_at_all:sarsa: nowhere_at_all cannot be imported"):
        learner(f"{__name__}:NOWHERE")
