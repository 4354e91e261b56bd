"""`oasis decide`: verdicts in a table or as JSON, limits in words, and sources that are wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from curricula.resolve import resolve_lemma
from tactics.printer import show
from tests.commands import START, Oasis, environment

pytestmark = pytest.mark.slow


def test_lemmas_come_from_standard_input_too(oasis: Oasis) -> None:
    answer = oasis("decide", "-", "--json", typed="em: p | ~ p\nid: p => p\n")
    assert [(each["lemma"], each["verdict"]) for each in json.loads(answer.stdout)["results"]] == [
        ("em", "non-theorem"),
        ("id", "theorem"),
    ]


def test_a_limit_is_told_and_is_no_failure(oasis: Oasis) -> None:
    answer = oasis("decide", "SYJ202.8", "--engine", "sequents", "--seconds", "0.05")
    assert answer.returncode == 0
    assert "unknown" in answer.stdout
    assert "0.05 seconds were not enough" in answer.stdout


def test_a_wrong_header_is_pointed_out(oasis: Oasis, tmp_path: Path) -> None:
    problem = tmp_path / "wrong.p"
    problem.write_text("% Status (intuit.) : Theorem\nfof(c, conjecture, ( p | ~ p )).\n")
    answer = oasis("decide", str(problem))
    assert "non-theorem" in answer.stdout
    assert "its source says theorem; that is wrong" in answer.stderr


def test_ctrl_c_keeps_what_was_decided(tmp_path: Path) -> None:
    (tmp_path / "list.lemmas").write_text(f"easy: p => p\nhard: {show(resolve_lemma('SYJ202.8').formula)}\n")
    command = [*START, "decide", "list.lemmas", "--engine", "sequents", "--seconds", "100", "--json"]
    terminal, its_end = os.openpty()  # in a terminal it says which lemma it has come to
    with subprocess.Popen(command, env=environment(), cwd=tmp_path, stdout=subprocess.PIPE, stderr=its_end) as process:
        os.close(its_end)
        said = ""
        while "2/2 hard" not in said:
            said += os.read(terminal, 1024).decode()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        said += os.read(terminal, 1024).decode()
    os.close(terminal)
    assert process.returncode == 130
    assert [result["lemma"] for result in json.loads(output)["results"]] == ["easy"]
    assert "Interrupted after 1 of 2 lemmas" in said
