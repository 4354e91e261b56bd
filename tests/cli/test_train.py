"""What `oasis train` says of where a student comes from, what it is examined on, and what makes no difference to it."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pytest

from curricula.files import read_text
from tests.commands import START, Oasis, environment

pytestmark = pytest.mark.slow

FEW = ("--episodes", "5", "--seed", "3")


def test_an_exam_without_practice_has_no_lemma_that_is_practised(oasis: Oasis) -> None:
    answer = oasis("train", "SYJ203.2", "--exam", "thesis", *FEW, "--json")
    lemmas = json.loads(answer.stdout)["lemmas"]
    assert [lemma["name"] for lemma in lemmas] == ["SYJ203.2", *(f"thesis/{level}" for level in (41, 43, 44, 45, 46))]
    assert answer.stderr.startswith("Practised, and so examined only as such: thesis/42\n")
    lemmas = oasis.json("train", "SYJ203.2", "--exam", "SYJ203.2", *FEW)["lemmas"]
    assert [lemma["only_examined"] for lemma in lemmas] == [False]


def test_proved_lemmas_are_exported_as_a_list_to_be_read_whatever_their_names(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "lesson.txt").write_text("A -> A\nid : B -> B\n")
    for curriculum, names in (("lesson.txt", ["proved:1", "id"]), ("C -> C", ["proved:1"])):
        oasis("train", curriculum, "--episodes", "50", "--quiet")
        proved = oasis("runs", "export", "--format", "lemmas").stdout
        assert [lemma.name for lemma in read_text(proved, "proved", stem="proved").lemmas] == names


def test_curves_of_each_lemma_are_written_for_a_board(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[dict[str, float]] = []
    run = SimpleNamespace(define_metric=lambda *_, **__: None, log=logged.append, finish=lambda: None)
    stand_in = SimpleNamespace(init=lambda **_: run, Settings=SimpleNamespace)
    with monkeypatch.context() as without:
        without.setattr("oasis.ground.board.find_spec", lambda name: None)
        assert "needs Weights & Biases" in oasis.refused("train", "SYJ203.2", "--wandb-offline", "b", code=3)
    monkeypatch.setattr("oasis.ground.board.find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "wandb", stand_in)
    told = oasis.json("train", "SYJ203.1,SYJ203.2", "--episodes", "450", "--wandb-offline", "curves")
    for lemma in told["lemmas"]:
        points = [point for point in logged if f"proved/{lemma['name']}" in point]
        assert [point["step"] for point in points] == [*range(3, 451, 3)]
        proved = sum(point[f"proved/{lemma['name']}"] for point in points)
        assert 3 * proved == pytest.approx(lemma["proved_episodes"])


def test_a_student_that_had_learned_before_is_shown_as_such(oasis: Oasis) -> None:
    oasis("train", "SYJ203.2", *FEW)
    assert "seed 3 · student of run 1\n" in oasis("train", "SYJ203.2", "--student", "1", *FEW).stdout
    assert [oasis.json("runs", "show", run)["taught_by"] for run in "12"] == [None, 1]


def test_a_proof_that_is_too_long_to_be_read_is_counted_and_kept(oasis: Oasis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.cli.run_report._LONGEST", 5)
    answer = oasis("train", "p -> q -> r -> s -> t -> p", "--episodes", "2", "--quiet")
    assert "6 moves, too many to be read here; --json has them, and oasis export writes them." in answer.stdout
    assert "intro; intro" not in answer.stdout
    (found,) = oasis.json("runs", "show")["lemmas"]
    assert len(found["best"]["script"]) == 6
    assert oasis("export", "1", "--to", "coq").stdout.count("intro") >= 5


def test_a_reward_that_a_learner_does_not_ask_for_is_remarked_on(oasis: Oasis) -> None:
    remark = "asks for no reward, so --reward standard changes nothing; choose another --learner, such as q-learning."
    for typed, said in (
        ("--reward standard", f"and-or-q {remark}\n"),
        ("--reward=standard --learner=uniform", f"uniform {remark}\n"),
        ("", ""),
        ("--reward standard --learner sarsa", ""),
    ):
        told = oasis("train", "SYJ203.1", *typed.split(), *FEW).stderr
        assert said in told and ("asks for no reward" in told) == bool(said)


def test_a_run_is_shown_where_what_was_brought_along_is_not(oasis: Oasis, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from oasis.rewards import Terminating\nfrom oasis.ground.names import LEARNERS\nlearner = LEARNERS['sarsa']\n"
    )
    oasis("train", "SYJ203.1", "--reward", "mine:Terminating", "--learner", "mine:learner", *FEW)
    shown = oasis("runs", "show", "1")
    assert "mine:learner, mine:Terminating" in shown.stdout
    mine.write_text("1 / 0")
    assert oasis("runs", "show", "1").stdout == shown.stdout
    mine.unlink()
    assert oasis("runs", "show", "1").stdout == shown.stdout
    settings = json.loads(oasis("runs", "export", "1", "--format", "json").stdout)["settings"]
    assert (settings["learner"], settings["reward"]) == ("mine:learner", "mine:Terminating")
    assert "mine cannot be imported" in oasis("train", "SYJ203.1", "--student", "1").stderr


@pytest.mark.parametrize(
    ("learner", "body", "told"),
    [
        *(
            ("uniform", f"def {method}(self{more}): raise KeyError('x')", "fails with KeyError: 'x' (mine.py, line 7)")
            for method, more in (("begin", ", lemma"), ("refresh", ", steps"), ("state", ""), ("remark", ""))
        ),
        ("uniform", "state = object", "fails with TypeError: Object of type object is not JSON serializable"),
        ("q-learning", "dependence, step = Dependence.TRANSITION, lambda *_: None", "pays None; it has to be a number"),
    ],
)
def test_a_reward_of_ones_own_that_fails_or_pays_no_number_ends_training_in_a_sentence(
    oasis: Oasis, tmp_path: Path, learner: str, body: str, told: str
) -> None:
    (tmp_path / "mine.py").write_text(
        "from oasis.rewards import Dependence, Reward\n"
        "class Mine(Reward):\n"
        "    dependence = Dependence.HISTORY\n"
        "    round = 5\n"
        "    def step(self, before, move, after, ended):\n"
        "        return 1.0\n"
        f"    {body}\n"
    )
    answer = oasis.ran("train", "thesis/41", "--reward", "mine:Mine", "--learner", learner, *FEW, code=2)
    assert answer.stdout == "" and f"oasis: The reward Mine {told}" in answer.stderr


def test_a_proof_that_a_search_finds_is_shown_before_practice(oasis: Oasis) -> None:
    searched = ("train", "SYJ203.3", "--episodes", "40", "--search", "best-first", "--quiet")
    (lemma,) = oasis.json(*searched)["lemmas"]
    assert lemma["shown"]["length"] == len(lemma["shown"]["script"]) >= 16
    assert lemma["exam"]["proved"] == lemma["exam"]["plays"]
    (by_another,) = oasis.json(*searched[:5], "best-first:1", "--quiet")["lemmas"]
    assert by_another["shown"]["length"] >= 16
    (nothing,) = oasis.json(*searched, "--search-budget", "3")["lemmas"]
    assert nothing["shown"] == {"length": None, "script": None, "certificates": []}


def test_a_lemma_that_a_search_refutes_is_not_practised(oasis: Oasis, tmp_path: Path) -> None:
    lemmas = tmp_path / "lemmas.txt"
    lemmas.write_text("excluded: p \\/ ~p\nprovable: p -> p \\/ q\n")
    answer = oasis("train", str(lemmas), "--all", "--episodes", "20", "--search", "proof-number", "--json")
    assert "excluded is not practised: proof-number has found that it has no proof." in answer.stderr
    refuted, proved = json.loads(answer.stdout)["lemmas"]
    assert (refuted["episodes"], refuted["exam"]["proved"]) == (0, 0)
    assert (proved["episodes"], proved["exam"]["proved"]) == (20, 100)


def test_a_learner_that_hangs_is_left_by_a_second_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from pathlib import Path\n"
        "from oasis.student.learners import Learner, uniform\n"
        "played = []\n"
        "def play(*given):\n"
        "    uniform(*given)\n"
        "    played.append(1)\n"
        "    while len(played) == 9:\n"
        "        Path('hanging').touch()\n"
        "HANGING = Learner(play)\n"
    )
    with subprocess.Popen(
        [*START, "train", "SYJ203.2", "--learner", "own:HANGING", "--quiet"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        while not (tmp_path / "hanging").exists() and process.poll() is None:
            sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.stderr.readline().endswith("Ctrl-C again stops at once.\n")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert said.startswith("oasis: Stopped at once, and what was not stored yet is lost; run 1 is kept in oasis.db")
    assert process.returncode == 130


def test_a_learner_that_cannot_play_is_told_with_its_line_and_leaves_no_run(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from oasis.student.learners import Learner\n"
        "def play(environment, q, policy, parameters):\n"
        "    environment.rest()\n"
        "BROKEN = Learner(play)\n"
    )
    answer = oasis("train", "SYJ203.2", "--learner", "own:BROKEN")
    assert "oasis: The learner own:BROKEN fails with AttributeError" in answer.stderr
    assert "(own.py, line 3)" in answer.stderr
    assert "There is no run in oasis.db yet" in oasis("train", "--resume").stderr


def test_why_students_are_slow_is_said_in_one_line(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from oasis.student.learners import Learner, uniform\nONE, TWO = Learner(uniform), Learner(uniform)\n"
    )
    kinds = ("--learner", "own:ONE,own:TWO", "--episodes", "2", "--seeds", "2")
    said = oasis("compare", "SYJ203.2", *kinds, "--engine", "serial").stderr
    assert said.count("Students run in plain Python") == 1
    assert "own:ONE has no compiled form; own:TWO has no compiled form." in said
