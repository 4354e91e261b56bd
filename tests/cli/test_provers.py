"""`oasis check`, `oasis export`, `oasis doctor`, and what provers add to `oasis train`."""

import os
import shlex
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest

from oasis.backends.base import PLAIN, BackendError
from oasis.backends.export import EXPORTS
from oasis.backends.native import Native
from oasis.backends.registry import installed
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_MISSING
from oasis.ground.extras import extras
from oasis.store import KeptAttempt, Store
from tactics.claims import Certificate, Claim
from tests.commands import Oasis, environment
from tests.optional import missing
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

PROOF = "intro; destruct_and H; split; assumption; assumption"


@pytest.fixture(scope="module")
def provers() -> list[str]:
    """Coq and Lean, both needed here."""
    names = list(installed())
    if names != ["coq", "lean"]:
        missing(f"of Coq and Lean only {names} are installed")
    return names


def test_a_proof_is_accepted_by_every_prover(oasis: Oasis, provers: list[str]) -> None:
    answer = oasis.ran("check", "textbook/and_comm", PROOF, "--with", "native,coq,lean")
    about, *verdicts = answer.stdout.splitlines()
    assert about == "textbook/and_comm: p /\\ q -> q /\\ p"
    assert [line.split()[-1] for line in verdicts] == ["accepted"] * 3
    assert all(name in answer.stdout for name in ("Coq 8", "Lean"))


def test_a_wrong_proof_is_rejected_with_its_step_and_an_unfinished_one_by_all(oasis: Oasis, provers: list[str]) -> None:
    checked = ("check", "textbook/and_comm")
    wrong = oasis.json(*checked, "intro; destruct_and H; left", "--with", "coq,lean,native", code=1)
    for certificate in wrong["certificates"]:
        assert (certificate["accepted"], certificate["step"]) == (False, 3)
        assert "left" in certificate["reason"]
    unfinished = oasis.json(*checked, "intro; destruct_and H", code=1)
    assert {certificate["prover"] for certificate in unfinished["certificates"]} == set(provers)


def test_provers_certify_what_was_proved(oasis: Oasis, provers: list[str]) -> None:
    content = oasis.json("prove", "textbook/de_morgan_or_not", "--certify")
    assert [each["prover"] for each in content["certificates"] if each["accepted"]] == provers
    script, *verdicts = oasis("prove", "A -> A", "--certify").stdout.splitlines()
    assert (script, [line.split()[-1] for line in verdicts]) == ("intro; assumption", ["accepted"] * 2)


def test_a_prover_of_ones_own_certifies_and_is_learned_in_and_its_faults_are_told(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from oasis.backends.native import Native\n"
        "class Own(Native):\n"
        "    name = 'mine'\n"
        "class Deaf(Own):\n"
        "    def apply(self, move): raise OSError('no ears')\n"
    )
    for asked in (("prove", "A -> A"), ("check", "A -> A", "intro; assumption")):
        certificates = oasis.json(*asked, "--with", "own:Own")["certificates"]
        assert [(each["prover"], each["accepted"]) for each in certificates] == [("mine", True)]
        assert "--with own:None: own has no None" in oasis(*asked, "--with", "own:None").stderr
    learning = ("train", "SYJ203.1", "--episodes", "9", "--quiet")
    oasis.ran(*learning, "--backend", "own:Own", "--certify", "own:Own", "--state-space", "state_spaces.name:Name")
    assert "The prover Deaf fails with OSError: no ears" in oasis(*learning, "--backend", "own:Deaf").stderr
    assert oasis(*learning, "--backend", "own:None").stderr.startswith("oasis: --backend own:None: own has no None;")


def test_a_missing_prover_has_its_own_exit_code(oasis: Oasis) -> None:
    asked = ("check", "textbook/and_comm", PROOF, "--with", "coq")
    assert "apt-get install coq" in oasis.refused(*asked, env=environment(PATH="/nowhere"), code=EXIT_MISSING)


def test_training_certifies_what_it_reports(oasis: Oasis, provers: list[str]) -> None:
    few = ("thesis", "--levels", "1-2", "--episodes", "300")
    for lemma in oasis.json("train", *few, env=environment(OASIS_CERTIFY="all"))["lemmas"]:
        for proof in (lemma["exam"], lemma["best"]):
            said = [(word["prover"], word["accepted"]) for word in proof["certificates"]]
            assert said == [(name, True) for name in provers]
    assert "coq lean" in oasis("runs", "show").stdout
    assert "the embedded calculus" in oasis.ran("check", "--run", "1", "--with", "native").stdout


@pytest.mark.parametrize("prover", ["coq", *thoroughly("lean")])
@pytest.mark.usefixtures("provers")
def test_a_student_learns_the_same_inside_a_prover(oasis: Oasis, prover: str) -> None:
    settings = ("train", "textbook/or_comm", "--episodes", "25", "--seed", "4", "--quiet")
    here, there = (oasis.json(*settings, *more)["lemmas"][0] for more in ((), ("--backend", prover)))
    assert {**there, "seconds": 0} == {**here, "seconds": 0}


def test_a_proof_of_a_run_is_exported_in_every_form_and_over_no_database(oasis: Oasis, tmp_path: Path) -> None:
    oasis("train", "thesis/41", "--episodes", "20", "--quiet")
    for form in EXPORTS:
        oasis.ran("export", "1", "--to", form, "-o", form)
        assert (tmp_path / form).read_text(encoding="utf-8").strip()
    before = (tmp_path / "oasis.db").read_bytes()
    assert oasis.refused("export", "1", "--to", "prose", "-o", "oasis.db") == (
        "oasis.db is a database, and is not overwritten; name another file."
    )
    assert (tmp_path / "oasis.db").read_bytes() == before


def test_the_proofs_of_a_comparison_are_exported_each_by_who_found_it(oasis: Oasis, tmp_path: Path) -> None:
    few = ("--learner", "sarsa,q-learning", "--episodes", "30", "--seeds", "2", "--engine", "serial", "--quiet")
    compared = oasis.json("compare", "thesis", "--levels", "1-2", *few, "--certify", "native")
    found = {(proof["lemma"], proof["variant"]): proof for proof in compared["proofs"]}
    exported = oasis.ran("export", "--experiment", "1", "--to", "prose")
    for lemma, variant in found:
        assert exported.stdout.count(f"{lemma}, {variant}") == 1
    oasis.ran("export", "thesis/41", "--experiment", "1", "--to", "coq", "-o", "one.v")
    assert oasis.ran("export", "thesis/41", "--to", "coq").stdout.count("Qed.") == 1
    assert (tmp_path / "one.v").read_text().count("Qed.") == sum(lemma == "thesis/41" for lemma, _ in found)
    assert oasis.refused("export", "SYJ203.9", "--experiment", "1", "--to", "coq") == (
        "Experiment 1 is not about SYJ203.9, but about thesis/41 and thesis/42."
    )


def test_what_was_proved_is_listed_with_who_proved_it_and_what_that_took(oasis: Oasis, tmp_path: Path) -> None:
    few = ("--certify", "native", "--quiet")
    oasis.ran("train", "thesis/41", "--episodes", "20", "--learner", "sarsa", *few)
    oasis.ran("compare", "thesis/41", "--search", "best-first,committed", "--seeds", "2", "--engine", "serial", *few)
    with Store(tmp_path / "oasis.db") as store:
        store.add_student(name="Ann", key="ann", account=None, salt=None, digest=None)
        kept = KeptAttempt("1", "week 1", "one", "A -> A", b"", "{}", "", "", "2026-01-02", "proved", 2, 0, 5, 60.0)
        store.keep(1, kept, 0, [])
    found = oasis.json("runs", "proofs")["proofs"]
    told = [(each["name"], each["by"], each["where"], each["length"]) for each in found]
    assert told == [
        ("thesis/41", "sarsa", "run 1", 4),
        ("thesis/41", "best-first", "experiment 1", 4),
        ("thesis/41", "committed", "experiment 1", 4),
        ("one", "Ann", "week 1", 2),
    ]
    assert (found[0]["episodes"], found[1]["expansions"], found[3]["seconds"]) == (20, 4, 60.0)
    assert {word["prover"] for each in found for word in each["certificates"]} == {"native"}
    assert oasis.ran("runs", "proofs", "A -> A").stdout.count("Ann") == 1
    assert oasis.ran("runs", "proofs", "p -> p").stderr == "No proof of p -> p is in oasis.db.\n"


def test_the_doctor_looks_at_every_prover(oasis: Oasis, provers: list[str]) -> None:
    found = {checkup["prover"]: checkup for checkup in oasis.json("doctor")["provers"]}
    assert list(found) == ["native", "coq", "lean", "coq-serapy", "lean-dojo", "connect++"]
    for name in ("native", *provers):
        assert found[name]["accepted"] is True
        assert found[name]["step_milliseconds"] > 0
    assert "run with Coq" in found["coq-serapy"]["remark"]
    assert "never run" in found["lean-dojo"]["remark"]


def test_a_part_that_has_nothing_for_this_python_is_not_said_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["wheel-of-another; python_version < '3' and extra == 'lean'", "nowhere-to-be-found; extra == 'gym'"]
    monkeypatch.setattr("oasis.ground.extras.requires", lambda _: wanted)
    found = {part.name: part for part in extras()}
    assert (found["lean"].offered, found["lean"].here) == (False, "not for this Python on this system")
    assert (found["gym"].offered, found["gym"].here) == (True, "not nowhere-to-be-found")


def test_the_doctor_names_every_optional_part_and_what_of_it_is_missing(oasis: Oasis) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {part["name"]: part for part in oasis.json("doctor")["extras"]}
    assert found.keys() == project["optional-dependencies"].keys() - {"docs", "release", "test"}
    assert found["gym"]["missing"] == []
    assert found["tensorboard"]["missing"] == ["tensorboard"]
    assert found["tensorboard"]["install"].endswith("[tensorboard]'")


def test_the_doctor_says_how_to_install_what_is_missing(oasis: Oasis) -> None:
    answer = oasis.ran("doctor", env=environment(PATH="/nowhere"))
    assert "not installed" in answer.stdout and "apt-get install coq" in answer.stdout
    assert shutil.which("coqc", path="/nowhere") is None


def test_a_run_whose_prover_fails_is_kept_and_goes_on(oasis: Oasis, tmp_path: Path) -> None:
    """A prover that never answers anything sensible stands first on the PATH."""
    fake = tmp_path / "bin" / "lean"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho nonsense\n")
    fake.chmod(0o755)
    path = f"{fake.parent}:{os.environ['PATH']}"
    few = ("train", "thesis/41", "--episodes", "20", "--backend", "lean", "--quiet")
    answer = oasis.ran(*few, env=environment(PATH=path), code=2)
    assert "goes on with: oasis train --resume" in answer.stderr
    assert "Traceback" not in answer.stderr
    if "lean" in installed():
        assert oasis.json("train", "--resume", "--quiet")["lemmas"][0]["episodes"] == 20


def lying(prover: Native, claims: Sequence[Claim]) -> list[Certificate]:
    """Say of one proof more than was asked about that it holds."""
    return Native.certify(prover, [*claims, PLAIN])


BROKEN: dict[str, tuple[str, Any]] = {
    "coq failed with OSError: the pipe is broken": ("certify", Mock(side_effect=OSError("the pipe is broken"))),
    "coq failed with SystemExit: 0": ("close", Mock(side_effect=SystemExit(0))),
    "It does not answer.": ("certify", Mock(side_effect=BackendError("It does not answer."))),
    "coq was asked": ("certify", lying),
}
"""What a prover fails at, and how, by what is said of it."""
TRAINED = "--learner uniform --episodes 20 --certify all"
CERTIFYING = {
    "prove textbook/and_comm --certify": 0,
    "prove textbook/and_comm,textbook/or_comm --search best-first --certify": 0,
    "prove textbook/modus_ponens --policy uniform --certify": 0,
    "prove textbook/and_comm --escalate --certify": 0,
    f"check textbook/and_comm '{PROOF}'": 2,
    f"train thesis/41 {TRAINED}": 0,
    f"train thesis/41 --escalate --budget 1s {TRAINED}".replace("--learner uniform --episodes 20 ", ""): 0,
    f"compare thesis/41 --seeds 2 --engine serial {TRAINED}": 0,
    "compare thesis/41 --search best-first --seeds 2 --engine serial --certify all": 0,
    "policy eval uniform --benchmark thesis --certify all": 0,
}


@pytest.mark.parametrize("command", CERTIFYING)
def test_what_was_found_is_shown_though_a_prover_dies_hangs_or_lies(oasis: Oasis, command: str) -> None:
    for said, (fails, how) in BROKEN.items():
        provers = {"coq": type("Broken", (Native,), {fails: how}), "native": Native}
        with (
            patch("oasis.backends.registry.installed", return_value=("coq", "native")),
            patch("oasis.backends.certifying.backend", lambda name, option, provers=provers: provers[name]()),
        ):
            answer = oasis.ran(*shlex.split(command), code=CERTIFYING[command])
        assert any(line.startswith(f"Not certified by coq: {said}") for line in answer.stderr.splitlines())
        assert "native" in answer.stdout or "the embedded calculus accept" in answer.stdout


def test_what_was_found_is_shown_though_somebody_stops_a_prover(oasis: Oasis) -> None:
    with patch("oasis.backends.certifying.ask", side_effect=KeyboardInterrupt):
        answer = oasis.ran("prove", "textbook/and_comm", "--certify", code=EXIT_INTERRUPTED)
    assert answer.stdout.startswith("intro;")
