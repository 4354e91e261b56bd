"""`oasis dagger explain` and `oasis dagger terms`, and R† wherever a reward is named; all in this process."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from rich.text import Text

from oasis.cli.exits import EXIT_MISSING
from oasis.dagger import sentences
from oasis.dagger.fitting import fitted_named
from oasis.dagger.making import dagger
from oasis.dagger.weights import presets
from oasis.ground.names import TERMS
from oasis.store import Store
from oasis.student.settings import Settings
from tactics.errors import InputError, LibraryMissing
from tests.commands import Oasis, every_command

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_folder")]

LEMMA, PROOF = "A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption"
FEW = ("--learner", "q-learning", "--episodes", "5", "--certify", "none")


def fit(oasis: Oasis, name: str, lemma: str, db: str = "oasis.db") -> None:
    """Fit a reward's knowledge to a lemma and keep it under a name."""
    kept = ("--plays", "2", "--test-share", "0", "--name", name, "--db", db)
    oasis.ran("dagger", "fit", lemma, *kept)


def test_help_is_shown_as_it_is_written() -> None:
    documented = [each for command in every_command().values() for each in (command, *command.params)]
    texts = [each.help for each in documented if getattr(each, "help", None)]
    assert any("dagger:seed:P=0.3" in text for text in texts)
    named = [text for text in texts if "sparse" in text]
    assert len(named) >= 3 and all(preset in text for text in named for preset in presets())
    assert [Text.from_markup(text).plain for text in texts] == texts  # which makes :sound: a picture of a loudspeaker


def test_terms_that_pay_nothing_are_left_out_unless_all_are_asked_for(oasis: Oasis) -> None:
    shortened, whole = (oasis("dagger", "explain", LEMMA, PROOF, *more).stdout for more in ((), ("--all",)))
    assert shortened.count("A_gamma") == 1 and whole.count("A_gamma") == 6
    shown = oasis("dagger", "terms", "--reading", "seed").stdout
    assert all(name in shown for name in TERMS) and "R† in its seed reading" in shown


def test_weights_readings_and_options_are_chosen(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[weights]\nC = 2\n[options]\ndepth = 2")
    assert oasis.json("dagger", "explain", LEMMA, PROOF, "--weights", "my.toml")["total"] == 2
    seed = oasis.json("dagger", "explain", LEMMA, PROOF, "--reading", "seed", "--gamma", "1")
    assert (seed["reading"], seed["episode"]["P"], seed["weights"]["G"]) == ("seed", 0.5, 1)
    changed = oasis.json("dagger", "explain", LEMMA, PROOF, "--weights", "dagger:all:P=0.3", "--reading", "seed")
    assert (changed["reading"], changed["weights"]["P"]) == ("seed", 0.3)
    exact = oasis("dagger", "explain", LEMMA, PROOF, "--belief", "exact", "--json")
    assert json.loads(exact.stdout)["leaks"] and "knows the truth" in exact.stderr


def test_a_picture_is_drawn(oasis: Oasis, tmp_path: Path) -> None:
    for script, name in ((PROOF, "one.svg"), ("", "empty.png")):
        oasis.ran("dagger", "explain", LEMMA, script, "--plot", name)
    assert b"<svg" in (tmp_path / "one.svg").read_bytes() and (tmp_path / "empty.png").stat().st_size > 1000


def test_weights_are_recorded_so_that_no_file_is_needed(oasis: Oasis, tmp_path: Path) -> None:
    weights = tmp_path / "my.toml"
    weights.write_text("[weights]\nC = 1\nR_alpha = 0.5")
    recorded = "dagger:correct:R_alpha=0.5"
    for options in (("dagger", "--weights", "my.toml"), ("dagger:my.toml",)):
        assert oasis.json("train", "SYJ203.1", "--reward", *options, *FEW)["settings"]["reward"] == recorded
    weights.unlink()
    assert oasis.json("runs", "show", "1")["settings"]["reward"] == recorded
    assert oasis.json("train", "SYJ203.1", "--student", "1", *FEW)["settings"]["reward"] == recorded
    said = oasis.json("dagger", "explain", "A -> A", "intro", "--student", "1")
    assert (said["reward"], said["gamma"]) == (recorded, 0.9)
    assert "goes with" not in oasis.refused("train", "--resume", "--run", "1", "--reward", "dagger:seed")


def test_who_was_not_paid_is_told(oasis: Oasis) -> None:
    oasis.ran("train", "SYJ203.1", *FEW)
    assert "is paid by terminating; choose a run with --reward dagger." in oasis.refused(
        "dagger", "explain", "A -> A", "", "--student", "1"
    )


def test_a_reward_that_leaks_and_a_clip_that_bites_are_remarked_on(oasis: Oasis) -> None:
    done = oasis("train", "SYJ203.1", "--reward", "dagger:seed:clip=0.5:belief=exact", *FEW)
    assert "knows which goals are provable: what is learned from it was told, not found." in done.stderr
    assert "The clip of R†, ±0.5, bit " in done.stderr


def test_a_run_does_not_go_on_with_other_knowledge_or_without_it(oasis: Oasis, tmp_path: Path) -> None:
    fit(oasis, "mine", "A -> A", "one.db")
    fit(oasis, "mine", "B \\/ A -> A \\/ B", "two.db")
    reward = "dagger:all:knowledge=mine"
    oasis.ran("train", "SYJ203.1", "--reward", reward, *FEW, "--db", "one.db")
    with Store(tmp_path / "one.db") as one, Store(tmp_path / "two.db") as two:
        other, version = (two.fitted("mine")[each] for each in ("content", "version"))
        assert one.fitted("mine")["content"] != other
    with sqlite3.connect("one.db") as db:
        db.execute("UPDATE fitted SET content = ?, version = ?", (other, version))
    goes_on = ("train", "SYJ203.1", "--student", "1", "--db", "one.db", "--certify", "none")
    assert "The weights or the knowledge of the reward R† are not those" in oasis.refused(*goes_on)
    with sqlite3.connect("one.db") as db:
        db.execute("UPDATE fitted SET content = ?", (other[:100],))
    assert oasis.refused(*goes_on).startswith("mine in one.db: This is no fit as oasis dagger fit gives it")
    with sqlite3.connect("one.db") as db:
        db.execute("DELETE FROM fitted")
    assert "Nothing fitted is called mine in one.db" in oasis.refused(*goes_on)
    assert oasis.json("runs", "show", "1", "--db", "one.db")["settings"]["reward"] == reward


def test_rewards_are_compared_and_workers_find_what_was_fitted(oasis: Oasis) -> None:
    fit(oasis, "mine", "A -> A", "one.db")
    rewards = ("--reward", "terminating,dagger:all:knowledge=mine", "--db", "one.db", "--workers", "2")
    found = oasis.json("compare", "SYJ203.1", *rewards, *FEW, "--seeds", "2")
    assert found["kinds"] == ["terminating", "dagger:all:knowledge=mine"]


def test_a_file_of_knowledge_is_recorded_with_its_version_and_no_other_will_do(oasis: Oasis, tmp_path: Path) -> None:
    file, name = tmp_path / "k.json", "dagger:correct:G=0.1:knowledge=./k.json"
    for lemma in ("A -> A", "B \\/ A -> A \\/ B"):
        knowledge = ("--plays", "2", "--test-share", "0", "-o", "k.json")
        oasis.ran("dagger", "fit", lemma, *knowledge)
        version = fitted_named("./k.json", None)[0].version
        settings = Settings(reward=name)
        assert settings.reward == f"{name}@{version}" and Settings(reward=settings.reward) == settings
        if lemma == "A -> A":
            first = settings.reward
            oasis.ran("train", "A -> A", "--reward", name, *FEW)
            os.utime(file, ns=(1, 1))  # however soon it is written again
    with pytest.raises(InputError, match=rf"^\./k\.json is {version} by now, and not 2-\w+, which this goes on with"):
        Settings(reward=first)
    for student in ((), ("--reward", name)):
        said = oasis.refused("train", "A -> A", "--student", "1", *student, "--certify", "none")
        assert said.startswith(f"./k.json is {version} by now"), said
    file.unlink()
    assert "./k.json cannot be read" in oasis.refused("train", "A -> A", "--reward", first)


def test_it_is_said_that_a_learner_compared_asks_for_no_reward(oasis: Oasis) -> None:
    few = ("--learner", "and-or-q", "--episodes", "2", "--seeds", "2", "--engine", "serial", "--certify", "none")
    done = oasis.ran("compare", "A -> A", "--reward", "terminating,dagger:all,dagger:seed", *few)
    assert "and-or-q is compared once: reward cannot change it." in done.stderr


@pytest.mark.parametrize("command", [("explain", LEMMA, PROOF, "--weights"), ("train", "A -> A", *FEW, "--reward")])
def test_what_to_install_is_told(oasis: Oasis, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "find_spec", lambda name: None)
    sentences._model.cache_clear()
    words = ["dagger", *command] if command[0] == "explain" else command
    said = oasis.refused(*words, "dagger:correct:A_gamma=1:embedding=sentence", code=EXIT_MISSING)
    assert said.startswith("Sentence embeddings need a language model, which is not installed: pip install ")
    with pytest.raises(LibraryMissing, match="Sentence embeddings need"):  # before anything is practised
        dagger("dagger:correct:embedding=sentence")


def test_what_is_logged_goes_to_a_file_as_it_goes_to_the_screen(oasis: Oasis, tmp_path: Path) -> None:
    log = ("dagger", "log", LEMMA, "--episodes", "2", "--weights", "correct:P=0.1")
    oasis.ran(*log, "-o", "t.csv")
    assert (tmp_path / "t.csv").read_text() == oasis.ran(*log).stdout
