"""What each command prints, and that it goes where it should: data to stdout, narration to stderr."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_group

from curricula import resolve
from oasis.cli.commands import COMMANDS, summary
from oasis.cli.main import app
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import replay
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow


def test_the_scripts_that_train_prints_replay(oasis: Oasis) -> None:
    content = oasis.json("train", "thesis", "--levels", "1-2", "--episodes", "400", "--seed", "3")
    assert (content["seed"], content["settings"]["episodes"]) == (3, 400)
    for lemma, shortest in zip(content["lemmas"], (4, 10), strict=True):
        for proof in (lemma["exam"], lemma["best"]):
            script = [Move(**move) for move in proof["script"]]
            assert len(script) == lemma["optimum"] == shortest
            assert replay(parse(lemma["formula"]), script)[-1] == ()


@pytest.mark.thorough
def test_no_problem_of_iltp_without_a_proof_is_proved(oasis: Oasis) -> None:
    content = oasis.json("train", "iltp", "--all", "--levels", "1,none", "--episodes", "4", "--quiet")
    provable = {lemma.name for lemma in resolve("iltp", levels=(1, None)).lemmas if lemma.status == "theorem"}
    proved = {lemma["name"] for lemma in content["lemmas"] if lemma["proved_episodes"]}
    assert len(content["lemmas"]) == 12 + 34
    assert set() < proved <= provable


def test_what_is_typed_is_what_is_practised_with(oasis: Oasis) -> None:
    typed = {"learner": "sarsa", "actions": "blind", "max_steps": 60, "reward": "standard", "state_space": "match"}
    words = [word for name, value in typed.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    content = oasis.json("train", "SYJ203.1", "--episodes", "6", "--forget-errors", *words)
    assert content["settings"].items() >= {**typed, "episodes": 6, "forget_errors": True}.items()


@pytest.mark.parametrize("notation", ["coq", "tptp", "unicode"])
def test_shown_curricula_are_read_back(oasis: Oasis, notation: str) -> None:
    shown = oasis("curricula", "show", "textbook", "--format", notation).stdout
    expected = resolve("textbook").lemmas
    lines = [line.split(": ", 1) for line in shown.splitlines()]
    assert [name for name, _ in lines] == [lemma.name for lemma in expected]
    assert all(parse(text) is lemma.formula for (_, text), lemma in zip(lines, expected, strict=True))
    assert oasis("curricula", "show", "textbook/peirce").stderr == "This lemma has no proof.\n"


def test_negations_are_replayed_unfolded_and_scripts_from_files(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "proof.txt").write_text("(* twice *)\nintro.\ndestruct_and H\nintro\n")
    script = ("A /\\ B -> ~ ~ B", "proof.txt")
    assert "H1 : ~ B" in oasis("replay", *script).stdout
    assert "H1 : B -> False" in oasis("replay", *script, "--unfold").stdout


def test_a_run_is_shown_again_and_exported(oasis: Oasis) -> None:
    trained = oasis("train", "thesis/41", "--episodes", "30", "--quiet").stdout
    assert oasis("runs", "show", "1").stdout == trained
    rows = list(csv.DictReader(io.StringIO(oasis("runs", "export", "1").stdout)))
    assert [row["episode"] for row in rows] == [str(number) for number in range(1, 31)]
    exported = json.loads(oasis("runs", "export", "--format", "json").stdout)
    assert len(exported["episodes"]) == 30
    assert exported["lemmas"] == oasis.json("runs", "show")["lemmas"]


def test_the_database_is_named_by_option_or_environment(oasis: Oasis, tmp_path: Path) -> None:
    oasis("train", "thesis/41", "--episodes", "3", env=environment(OASIS_DB="from_environment.db"))
    oasis("train", "thesis/41", "--episodes", "3", "--db", "from_option.db")
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["from_environment.db", "from_option.db"]


def test_version_and_help_are_quick_to_reach(oasis: Oasis) -> None:
    assert re.fullmatch(r"oasis \S+\n", oasis("--version").stdout)
    assert "train" in oasis("--help").stdout
    heavy = {"sqlite_utils", "curricula", "numpy", "asyncio", "socket", "pydantic", "rich", "oasis.cli.train"}
    assert not heavy & imported("--help")


@pytest.mark.slow
def test_who_trains_imports_little_and_nothing_of_rooms_that_were_not_asked(tmp_path: Path) -> None:
    house = {"curricula", "oasis", "state_spaces", "tactics", "tui"}
    loaded = imported("train", "thesis/41", "--episodes", "3", "--certify", "none", "--db", str(tmp_path / "oasis.db"))
    others = {"api", "audit", "backends", "classroom", "dagger", "experience", "lab", "neural", "server", "teacher"}
    ours = {name for name in loaded if name.partition(".")[0] in house}
    assert not {"tui", *(f"oasis.{room}" for room in others)} & ours
    assert {name for name in ours if "escalation" in name} == {"oasis.escalation", "oasis.escalation.practice"}
    assert len(ours) <= 90, sorted(ours)
    assert not loaded & {"torch", "matplotlib", "textual"}


def imported(*command: str) -> set[str]:
    """Return the names of the modules that a command imports."""
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); sys.argv[1:] = {command}"
    code += "; from oasis.cli.main import main; main()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(told.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_all_commands_says_of_each_what_its_own_help_says_first(name: str) -> None:
    command = get_group(app).commands[name]
    assert command.help is not None
    assert (command.short_help, command.help.split("\n\n")[0]) == (None, summary(name))


def test_paragraphs_of_help_end_where_the_screen_does(oasis: Oasis) -> None:
    told = oasis("policy", "show", "--help", env=environment(COLUMNS="200")).stdout
    assert "or in a network that writes the question at the end of the sentence" in told


def test_oasis_alone_offers_the_classroom_first_on_one_screen(oasis: Oasis) -> None:
    alone = oasis()
    assert (alone.returncode, alone.stderr) == (2, "")
    assert len(alone.stdout.splitlines()) <= 12
    assert max(map(len, alone.stdout.splitlines())) < 80
    offered = re.findall(r"^  oasis (\S+)", alone.stdout, re.MULTILINE)
    assert (offered[0], offered[-1]) == ("tui", "--help")
    assert {*offered[:-1]} < {*COMMANDS}


def test_the_shell_completes_names(oasis: Oasis) -> None:
    asked = environment(_OASIS_COMPLETE="complete_bash", COMP_WORDS="oasis train thesis/4", COMP_CWORD="2")
    words = subprocess.run(
        [sys.executable, "-c", "from oasis.cli.main import app; app(prog_name='oasis')"],
        env=asked,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    assert words == [f"thesis/{number}" for number in range(41, 47)]
