"""Where students come from: compiled ones wherever there can be, and plain ones that do the same elsewhere."""

from __future__ import annotations

import sys

import pytest

from curricula.library import thesis_lemma
from oasis.student.compiled.student import CompiledStudent
from oasis.student.plain import PlainStudent
from oasis.student.school import School, is_compiled, why_plain
from oasis.student.settings import Settings

LEMMA = thesis_lemma("42").formula


def test_students_are_compiled_where_they_can_be() -> None:
    assert why_plain(Settings()) is None
    assert isinstance(School(Settings()).student(0), CompiledStudent)
    assert why_plain(Settings(backend="coq")) == "every move is made inside coq"


def test_without_numba_students_are_plain_and_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(learner="and-or-q", episodes=60)
    compiled = School(settings).student(4)
    practice, exam = compiled.practise(LEMMA, 60), compiled.examine(LEMMA, 20)
    monkeypatch.setitem(sys.modules, "numba", None)
    plain = School(settings).student(4)
    assert isinstance(plain, PlainStudent)
    assert why_plain(settings) == "numba is not installed"
    assert is_compiled(settings)  # nobody has to wait for it
    for one, other in zip(plain.practise(LEMMA, 60), practice, strict=True):
        assert one.tolist() == other.tolist()
    assert plain.examine(LEMMA, 20) == exam
