"""Compiling, as a person meets it who does not want to wait for it."""

from __future__ import annotations

import ctypes

import pytest

from oasis.student.compiled import jit


def _interrupted() -> None:
    raise KeyboardInterrupt


def _hands_over() -> None:
    """Do as LLVM does: hand over through a callback, and miss what the callback did not take."""
    ctypes.CFUNCTYPE(None)(_interrupted)()
    raise RuntimeError("no compiled object yet")


def test_an_interrupt_while_it_is_compiled_is_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "_compiled", lambda function: function)
    with pytest.raises(KeyboardInterrupt):
        jit.outer(_hands_over)()
    assert "Traceback" not in capfd.readouterr().err
