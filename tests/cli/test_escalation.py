"""`oasis prove --escalate` and `oasis train --escalate` as typed, and ladders that are compared."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from curricula import parse_levels, resolve
from oasis.cli.arguments import Output
from oasis.cli.escalated import carry_out
from oasis.cli.exits import Stopped
from oasis.escalation.ladder import Asked, Ladder
from oasis.escalation.report import escalation_report
from oasis.escalation.run import EscalatedRun, begin
from oasis.escalation.stages import Searching, Slice
from oasis.play.solving import Attempt
from oasis.store import Store, StoreError
from oasis.student.settings import Settings
from tactics.formula import Formula
from tests.commands import Oasis, interrupted

pytestmark = pytest.mark.slow


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide torch, so that no network is asked."""
    find = importlib.util.find_spec
    monkeypatch.setattr("tactics.errors.find_spec", lambda name: None if name == "torch" else find(name))


@pytest.mark.usefixtures("without_torch")
def test_a_lemma_is_proved_and_who_proved_it_is_told(oasis: Oasis) -> None:
    done = oasis("prove", "SYJ203.2", "--escalate", "--json")
    found = json.loads(done.stdout)
    assert found["status"] == "proved"
    assert found["by"] == found["stage"] in ("table", "search")
    assert found["costs"]["table"]["episodes"] == found["episodes"] > 0
    assert found["length"] == len(found["script"])
    assert found["seconds"] <= found["spent"] < found["budget"] == 10
    assert found["studies"]["seconds"] == 0, "without a network nobody studies"
    assert "stages of the network are left out" in done.stderr
    assert "pip install" in done.stderr
    assert "proved in 4 moves by table;" in oasis("prove", "SYJ203.1", "--escalate").stderr


@pytest.mark.usefixtures("without_torch")
def test_a_curriculum_is_a_table_with_who_proved_each_lemma(oasis: Oasis) -> None:
    done = oasis.ran("prove", "SYJ203,textbook/peirce", "--levels", "1-3,none", "--escalate", "--seconds", "5", "-q")
    assert re.search(r"3 proved, 1 refuted after [\d.]+ of 20 s in \d+ rounds?\.", done.stdout), done.stdout
    header, *_ = (line for line in done.stdout.splitlines() if "lemma" in line)
    assert header.split()[:6] == ["lemma", "status", "by", "moves", "episodes", "expansions"]


def test_the_network_proves_what_the_student_and_the_search_cannot(oasis: Oasis) -> None:
    pytest.importorskip("torch")
    idle = ["--episodes", "1", "--max-steps", "1", "--search-budget", "1"]
    trained = oasis.json("train", "SYJ203.2", "--escalate", *idle, "--budget", "120s", "--certify", "native")
    (lemma,) = trained["lemmas"]
    assert lemma["by"] == "network"
    assert lemma["costs"]["table"]["episodes"] == 1
    assert lemma["costs"]["search"]["expansions"] >= 1
    assert lemma["costs"][lemma["stage"]]["forwards"] > 0


@pytest.mark.usefixtures("without_torch")
def test_a_training_tells_who_proved_each_lemma_and_so_does_what_is_kept(oasis: Oasis, tmp_path: Path) -> None:
    names = ["textbook/and_comm", "textbook/or_comm", "textbook/peirce", "textbook/modus_ponens"]
    found = oasis.json("train", ",".join(names), "--all", "--escalate", "--budget", "20s")
    assert {None, "table"} <= {lemma["by"] for lemma in found["lemmas"]} <= {None, "table", "search"}
    for lemma in found["lemmas"]:
        assert (lemma["by"] is None) == (lemma["best"]["script"] is None)
        assert lemma["costs"]["table"]["episodes"] == lemma["episodes"]
    climbed = found["escalation"]
    assert climbed["proved"] == 3
    assert 0 < climbed["storing"] < climbed["spent"]
    assert climbed["cost"]["seconds"] + climbed["storing"] == pytest.approx(climbed["spent"], abs=0.5)
    assert climbed["stages"] == ["table", "search", "greedy", "judged", "samples", "network-search"]
    assert oasis.json("runs", "show", "1") == found
    table = oasis("runs", "show", "1")
    assert "3 proved, 1 refuted, 0 open" in table.stdout
    header, *rows = (line for line in table.stdout.splitlines() if re.search(r"lemma  |  (proved|refuted)  ", line))
    moves = slice(header.index(" moves"), header.index(" moves") + len(" moves"))
    expected = [str(len(lemma["best"]["script"])) if lemma["by"] else "–" for lemma in found["lemmas"]]
    assert [row[moves].strip() for row in rows[: len(names)]] == expected
    assert "Never asked: greedy, judged, samples, network-search." in table.stdout
    assert not re.search(r"^ *greedy", table.stdout, re.MULTILINE), "whom nobody asked has no row"
    oasis.ran("runs", "export", "1", "--format", "lemmas", "-o", "proved.txt")
    again = resolve(str(tmp_path / "proved.txt")).lemmas
    assert [lemma.name for lemma in again] == [name for name in names if name != "textbook/peirce"]


def test_a_training_out_of_memory_keeps_what_it_has_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, ladder = resolve("SYJ203", levels=parse_levels("1-3")), Ladder.named("search")
    with Store(tmp_path / "a.db") as store:
        EscalatedRun.start(store, chosen, Settings(), ladder, 20)
        attempt, tried = Searching.attempt, []

        def greedy(self: Searching, lemma: Formula, part: Slice) -> Attempt:
            tried.append(lemma)
            if len(tried) == 2:
                raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 GB")
            return attempt(self, lemma, part)

        monkeypatch.setattr(Searching, "attempt", greedy)
        said = "The memory was not enough. Close other programs; run 1 is kept in a.db and goes on with: oasis train"
        with pytest.raises(Stopped, match=said):
            carry_out(store, 1, Output(Path("a.db"), quiet=True))
    assert proofs_kept(tmp_path / "a.db") == 1
    with Store(tmp_path / "a.db") as store:
        carry_out(store, 1, Output(Path("a.db"), quiet=True))
    assert proofs_kept(tmp_path / "a.db") == 3


def proofs_kept(db: Path) -> int:
    """Return the number of lemmas that are proved in a database that may not be there yet."""
    try:
        with Store(db, create=False) as store:
            found = escalation_report(store, store.newest_run())
    except StoreError:
        return 0
    return found.count("proved")


def kept(db: Path) -> EscalatedRun:
    """Return a new escalation of a student who cannot prove anything in the only step that it has."""
    chosen, settings = resolve("SYJ203", levels=parse_levels("1-2")), Settings(episodes=1, max_steps=1)
    store, ladder = Store(db), Ladder.named("table")
    return EscalatedRun(store, EscalatedRun.start(store, chosen, settings, ladder, 0.4), ladder, Asked())


def test_a_network_that_has_changed_since_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch")
    from oasis.neural.networks.presets import from_json
    from oasis.neural.training.checkpoint import Checkpoint, save

    settings, begun = Settings(episodes=1, max_steps=1), list[int]()
    (tmp_path / "elsewhere").mkdir()
    with Store(tmp_path / "a.db") as store:
        monkeypatch.chdir(tmp_path)
        for layers, budget in ((1, "0.1s"), (2, "0.2s")):
            torch.manual_seed(0)
            shape = {"kind": "relational", "width": 16, "layers": layers, "heads": 2}
            save(Path("net.safetensors"), Checkpoint(from_json(shape), {}, {}))
            for network, language in (("net.safetensors", ""), ("tiny", "net.safetensors")):
                begun.append(
                    begin(store, resolve("SYJ203.1"), settings, network=network, language=language, budget=budget)
                )
        monkeypatch.chdir("elsewhere")
        for run in begun:
            carry_out(store, run, Output(Path("../a.db")))
    assert [line for line in capsys.readouterr().err.splitlines() if "another network" in line] == [
        f"{who}{tmp_path}/net.safetensors is another network than run {run} was begun with; it goes on with this one."
        for run, who in ((1, ""), (2, "tiny or "))
    ]


def test_an_escalation_that_goes_on_takes_nothing_that_is_typed_beside(oasis: Oasis, tmp_path: Path) -> None:
    kept(tmp_path / "oasis.db")
    for typed, left_out in (
        ("SYJ203", "CURRICULUM"),
        ("--levels 1-2", "--levels"),
        ("--exam thesis", "--exam"),
        ("--seed 7", "--seed"),
        ("--seeds 2", "--seeds"),
        ("--escalate --budget 5s", "--budget"),
        ("--escalate --policy tiny", "--policy"),
    ):
        said = oasis.refused("train", "--resume", *typed.split())
        assert said == f"Run 1 is an escalation with settings of its own; leave {left_out} out to go on."


def test_an_escalation_that_is_over_is_shown_so_with_the_lemmas_that_are_open(oasis: Oasis, tmp_path: Path) -> None:
    run = kept(tmp_path / "oasis.db")
    assert oasis("runs", "show").stdout.count("not finished yet") == 2
    for _ in run:
        pass
    after = " ".join(oasis("runs", "show").stdout.split())
    assert "0 proved, 0 refuted, 2 open" in after
    assert "of 0.4 s in 1 round. exam" in after
    assert "not finished yet" not in after
    assert after.count("none found") == 2


@pytest.mark.parametrize(
    ("policy", "said"),
    [("nobody", "--policy is one of uniform"), ("own:Mute", "The policy Mute fails with AttributeError")],
)
def test_a_policy_nobody_can_ask_is_refused_and_not_kept(oasis: Oasis, tmp_path: Path, policy: str, said: str) -> None:
    mute = "class Mute:\n    def probabilities(self, states):\n        return [[1.0] for _ in states]\n"
    (tmp_path / "own.py").write_text(mute)
    assert said in oasis.refused("train", "textbook", "--escalate", "--policy", policy)
    with Store(tmp_path / "oasis.db") as store:
        assert not store.runs()


@pytest.mark.usefixtures("without_torch")
def test_ladders_are_compared_in_the_same_time_and_shown_again(oasis: Oasis, tmp_path: Path) -> None:
    command = ["compare", "SYJ203,textbook/peirce", "--levels", "1-3,none", "--ladder", "search,table+search"]
    more = ["--budget", "5s", "--seeds", "2", "--engine", "serial", "--certify", "native", "--csv", "c.csv"]
    found = oasis.json(*command, *more, "-q")
    assert (found["report"], found["kinds"], len(found["lemmas"])) == (2, ["search", "table+search"], 3)
    assert [found["numbers"][name]["search"]["value"] for name in ("proved", "by search", "by table")] == [1, 1, 0]
    assert all(word["accepted"] for proof in found["proofs"] for word in proof["certificates"])
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 1 + 2 * 3, "a line for each kind and theorem"
    assert oasis.json("compare", "--resume", "--certify", "none", "-q") == found
    table = oasis("compare", "--resume", "--certify", "none")
    assert "A climb has 5 s of processor time for all lemmas together." in table.stdout.replace("\n", " ")


def test_where_nothing_is_to_be_shown_nothing_is_offered(tmp_path: Path) -> None:
    # A lemma that takes longer than a signal needs, on any machine.
    command = ["compare", "SYJ201.9", "--ladder", "table,search", "--budget", "60s", "--engine", "serial"]
    stopped = interrupted(command, tmp_path, "Experiment 1")
    assert "0 of 6 climbs are done and kept" in stopped.stderr
    assert "--so-far" not in stopped.stderr
