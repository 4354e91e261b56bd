"""What the teacher answers to `oasis decide`, `countermodel`, `hint`, `play` and `prove`."""

import json
import os
import re
import signal
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from curricula.resolve import resolve_lemma
from tactics.printer import show
from tests.commands import START, Oasis, environment

pytestmark = pytest.mark.slow

OR_COMM = "A \\/ B -> B \\/ A"
SEQUENTS = ("--engine", "sequents", "--seconds")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("countermodel SYJ202.40 --seconds 0.01", "Whether SYJ202.40 is a theorem is unknown: 0.01 seconds were not"),
        ("hint SYJ202.8 --seconds 0.001", "There is no hint in time: 0.001 seconds were not enough; try a larger"),
        (
            "prove SYJ202.9 --seconds 1",
            "teacher: open: it is a theorem, and no proof was found: 1 second was not",
        ),
        ("prove SYJ208.30 --seconds 0.1", "teacher: open: 0.1 seconds were not enough; try a larger --seconds"),
    ],
)
def test_a_limit_is_told_and_is_no_failure(oasis: Oasis, command: str, told: str) -> None:
    answer = oasis.ran(*command.split())
    assert answer.stdout.startswith(told) and "try a larger --seconds" in answer.stdout
    if command.startswith("prove SYJ208.30"):
        assert oasis.json(*command.split())["status"] == "open"


def test_the_verdict_on_what_takes_too_long_is_unknown(oasis: Oasis) -> None:
    shown = oasis.ran("decide", "SYJ202.8", *SEQUENTS, "0.05").stdout
    assert "unknown" in shown and "0.05 seconds were not enough" in shown


def test_a_wrong_header_is_pointed_out(oasis: Oasis, tmp_path: Path) -> None:
    problem = tmp_path / "wrong.p"
    problem.write_text("% Status (intuit.) : Theorem\nfof(c, conjecture, ( p | ~ p )).\n")
    answer = oasis("decide", str(problem))
    assert "non-theorem" in answer.stdout
    assert "its source says theorem; that is wrong" in answer.stderr


def test_ctrl_c_keeps_what_was_decided(tmp_path: Path) -> None:
    (tmp_path / "list.lemmas").write_text(f"easy: p => p\nhard: {show(resolve_lemma('SYJ202.8').formula)}\n")
    command = [*START, "decide", "list.lemmas", *SEQUENTS, "100", "--json"]
    terminal, its_end = os.openpty()  # in a terminal it says which lemma it has come to
    with subprocess.Popen(command, env=environment(), cwd=tmp_path, stdout=subprocess.PIPE, stderr=its_end) as process:
        os.close(its_end)
        said = ""
        while "hard" not in said:
            said += os.read(terminal, 1024).decode()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        said += os.read(terminal, 1024).decode()
    os.close(terminal)
    assert process.returncode == 130
    assert [result["lemma"] for result in json.loads(output)["results"]] == ["easy"]
    assert "Interrupted after 1 of 2 lemmas" in said


def test_a_countermodel_is_drawn_to_a_file_and_a_theorem_has_none(oasis: Oasis, tmp_path: Path) -> None:
    drawn = ("--svg", "picture.svg", "--json")
    refused = oasis("countermodel", "thesis/43", *drawn)
    assert refused.stderr == "picture.svg was not written, for there is nothing to draw.\n"
    nothing = {"worlds": None, "is_smallest": None, "words": None}
    assert json.loads(refused.stdout) == {"lemma": "thesis/43", "verdict": "theorem", **nothing}
    assert oasis.json("countermodel", "p \\/ ~ p", *drawn)["worlds"] == [
        {"true": [], "above": [1]},
        {"true": ["p"], "above": []},
    ]
    root = ET.parse(tmp_path / "picture.svg").getroot()
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Not provable: p ∨ ¬p"


def test_it_is_said_if_nobody_knows_whether_a_smaller_model_would_do(oasis: Oasis) -> None:
    """That no single world refutes it is a pigeonhole principle."""
    doubt = "Whether a model with fewer worlds would do as well is not known."
    assert oasis("countermodel", "SYJ208.12").stdout.splitlines()[-1] == doubt


def test_ascii_output_is_ascii_even_where_formulas_are_shortened(oasis: Oasis) -> None:
    shown = oasis.ran("countermodel", "SYJ208.4", "--ascii").stdout
    assert shown.isascii() and " ... " in shown


def test_a_hint_as_json_leaves_out_what_its_level_does_not_give(oasis: Oasis) -> None:
    everything = oasis.json("hint", OR_COMM, "intro", "--level", "4")
    later = {"where": 2, "rule": 3, "move": 4, "why": 4, "length": 4, "shortest": 4}
    for level in (1, 2, 3):
        left = {name: None if later.get(name, 0) > level else value for name, value in everything.items()}
        assert oasis.json("hint", OR_COMM, "intro", "--level", str(level)) == {**left, "level": level}
    assert oasis.json("hint", "textbook/peirce", "intro")["lost"] is None, "no move has lost what has no proof"
    unknown = oasis.json("hint", "SYJ202.8", "--seconds", "0.001", "--level", "4")
    assert (unknown["provable"], unknown["move"], unknown["lost"]) == (None, None, None)


def test_a_script_comes_from_a_file_or_stdin_and_formulas_in_another_notation(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "so far.txt").write_text("intro\ndestruct_or H\n")
    read = oasis("hint", OR_COMM, "so far.txt", "--level", "2")
    assert read.stdout.splitlines() == ["Yes, this can still be proved.", "Look at the conclusion."]
    assert oasis("hint", OR_COMM, "-", "--level", "2", typed="intro\ndestruct_or H\n").stdout == read.stdout
    shown = oasis("hint", OR_COMM, "intro", "--level", "4", "--format", "unicode").stdout
    assert "destruct_or H: H says A ∨ B, so there are two cases: prove B ∨ A from A," in shown


def test_who_leaves_or_reaches_the_end_of_the_input_has_not_proved_the_lemma(oasis: Oasis) -> None:
    for typed in ("intro\nquit\nintro\n", "intro\n", ""):
        assert oasis("play", "textbook/and_comm", typed=typed).returncode == 1
    proved = oasis("play", "A -> A", "--format", "unicode", typed="split\nintro\nassumption\n")
    assert (proved.returncode, proved.stderr) == (0, "")
    assert "  to prove: A → A" in proved.stdout and "\x1b" not in proved.stdout


def test_a_proof_that_may_not_be_shortest_says_so(oasis: Oasis) -> None:
    answer = oasis.ran("prove", "SYJ201.4", "--shortest", "--seconds", "1")
    about, remark = answer.stderr.splitlines()
    assert about.startswith("SYJ201.4: ") and len(about) < 330
    assert "(1 second was not enough)" in remark
    least = re.search(r"every proof has at least (\d+)", remark)
    assert least is not None and 10 < int(least[1]) <= answer.stdout.count(";") + 1


def test_provers_that_are_missing_are_not_asked(oasis: Oasis) -> None:
    """Lean may come with the Python environment, so it need not be on the PATH."""
    answer = oasis.ran("prove", "A -> A", "--certify", "--json", env=environment(PATH="/nowhere"))
    (certificate,) = json.loads(answer.stdout)["certificates"]
    assert certificate["accepted"] is True
    assert certificate["prover"] in ("lean", "native")
    assert answer.stderr.startswith("Neither Coq nor Lean is here") is (certificate["prover"] == "native")
