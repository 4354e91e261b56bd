"""`oasis compare`, `sharing` and `thesis`: tables, sentences and files; grids; Ctrl-C and going on."""

import json
import re
from pathlib import Path

import pytest

from oasis.cli.exits import EXIT_MISSING
from oasis.lab.engines import Serial, engine
from oasis.lab.experiment import Experiment
from oasis.store import Store
from tactics.json_form import script_from_json
from tactics.parser import parse
from tactics.script import replay
from tests.commands import Oasis, environment, interrupted

pytestmark = pytest.mark.slow

# Students

FEW = ("--episodes", "12", "--seeds", "3", "--engine", "serial")


def test_lists_and_sweeps_make_the_variants_and_the_same_seeds_the_same_numbers(oasis: Oasis) -> None:
    arguments = ("SYJ203.2", "--learner", "sarsa,dyna-q", "--sweep", "epsilon=0.1:0.3:0.2", *FEW, "--quiet", "--json")
    one, other, elsewhere = (
        oasis("compare", *arguments, "--db", f"{name}.db", *more, env=env)
        for name, env, more in (
            ("a", None, ()),
            ("b", environment(PYTHONHASHSEED="2718"), ()),
            ("c", None, ("--seed", "50")),
        )
    )
    assert one.stderr == ""
    assert one.stdout == other.stdout
    names = ["sarsa, ε 0.1", "sarsa, ε 0.3", "dyna-q, ε 0.1", "dyna-q, ε 0.3"]
    found = json.loads(one.stdout)
    assert (found["report"], found["kinds"], found["plan"]["seeds"]) == (2, names, [0, 1, 2])
    assert [variant["settings"]["epsilon"] for variant in found["plan"]["variants"]] == [0.1, 0.3, 0.1, 0.3]
    assert json.loads(elsewhere.stdout)["numbers"]["states"] != found["numbers"]["states"]


def test_orders_are_kinds_and_each_lemma_has_its_numbers(oasis: Oasis) -> None:
    orders = ("--learner", "q-learning", "--order", "fixed,shuffled,afresh")
    found = oasis.json("compare", "thesis", "--levels", "1-2", *orders, *FEW)
    assert (found["kinds"], found["lemmas"]) == (["fixed", "shuffled", "afresh"], ["thesis/41", "thesis/42"])
    assert found["curves"]["proves"]["fixed"]["x"][-1] == 24
    assert len(found["by_lemma"]["while exploring"]["afresh"]) == 2
    assert any("can tell no kinds apart" in sentence for sentence in found["sentences"])


def test_blind_students_forget_errors_beside_others_that_make_none(oasis: Oasis) -> None:
    arguments = ("--learner", "sarsa", "--actions", "blind,legal", "--forget-errors")
    found = oasis.json("compare", "SYJ203.1", *arguments, *FEW, "--certify", "none", "-q")
    assert [variant["settings"]["forget_errors"] for variant in found["plan"]["variants"]] == [True, False]


def test_everything_can_be_had_as_files(oasis: Oasis, tmp_path: Path) -> None:
    lines = ("--csv", "s.csv", "--csv-episodes", "e.csv", "--csv-checkpoints", "c.csv")
    oasis.ran("compare", "A \\/ B -> B \\/ A", *FEW, *lines, "--plot", "p.svg", "--html", "r.html")
    each = [(learner, str(seed)) for learner in ("epsilon-soft", "sarsa", "q-learning") for seed in range(3)]
    assert [(row["kind"], row["seed"]) for row in oasis.rows("s.csv")] == each
    for name, counted in (("e.csv", range(1, 13)), ("c.csv", range(13))):
        found = [(row["kind"], row["seed"], row["episode"]) for row in oasis.rows(name)]
        assert found == [(*student, str(number)) for student in each for number in counted]
    assert "<svg" in (tmp_path / "p.svg").read_text()
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "compare &#39;A \\/ B -&gt; B \\/ A&#39;" in page


def test_the_shortest_proofs_are_certified_and_what_was_said_is_kept(oasis: Oasis) -> None:
    first = oasis.json("compare", "thesis", "--levels", "1", *FEW, "--certify", "native", "--quiet")
    assert [proof["variant"] for proof in first["proofs"]] == ["epsilon-soft", "sarsa", "q-learning"]
    for proof in first["proofs"]:
        assert proof["length"] == len(proof["script"]) >= 4
        assert [(word["prover"], word["accepted"]) for word in proof["certificates"]] == [("native", True)]
    assert "native accepts all; they are in --json" in oasis("compare", "--resume", "--quiet").stdout
    assert oasis.json("compare", "--resume", "--quiet")["proofs"] == first["proofs"]


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    command = ["compare", "SYJ203.3", "--learner", "dyna-q", "--seeds", "100000", "--engine", "serial"]
    command += ["--plot", "my curves.png", "--csv=all.csv"]
    stopped = interrupted(command, tmp_path, " of 100,000 students")
    with Store(tmp_path / "oasis.db") as store:
        done = Experiment.resume(store).done
    assert done > 0
    assert stopped.stderr.endswith(
        f"oasis: Stopped; {done} of 100000 students are done and kept, and it goes on with: "
        "oasis compare --resume --experiment 1 --plot 'my curves.png' --csv all.csv\n"
        "  What came of them so far is shown by: oasis compare --so-far --experiment 1\n"
    )


def test_a_pilot_says_how_many_it_takes_and_the_experiment_goes_on(oasis: Oasis, tmp_path: Path) -> None:
    kinds = ("SYJ203.2", "--learner", "epsilon-soft,sarsa", "--episodes", "12", "--engine", "serial")
    pilot = oasis("compare", *kinds, "--seeds", "9", "--pilot", "5")
    assert re.search(
        r"Seeds needed to tell kinds apart in “knows from” 8 times .* for|5 students of each kind are enough",
        pilot.stdout,
    )
    assert "What is compared" not in pilot.stdout
    assert pilot.stderr.endswith(
        "10 of 18 students are done and kept, and it goes on with: oasis compare --resume --experiment 1\n"
    )
    whole = oasis.json("compare", "--resume", "--paper", "taken", "--quiet")
    assert (whole["experiment"], whole["seeds"]) == (1, 9)
    assert {path.suffix for path in (tmp_path / "taken").iterdir()} >= {".pdf", ".svg", ".tex", ".csv", ".json", ".txt"}


def test_the_finished_part_of_an_experiment_is_shown_without_going_on(oasis: Oasis, tmp_path: Path) -> None:
    whole = oasis.json("compare", "SYJ203.2", *FEW, "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        begun = Experiment.start(store, Experiment.resume(store).plans, name="again")
        for done in begun.run(engine("serial")):
            if done.done == begun.total - 1:
                break
    shown = oasis("compare", "--so-far", "--json", "--csv", "so_far.csv", "--certify", "none")
    assert re.match(
        r"Experiment 2 so far, SYJ203\.2: \d+ of \d+ kinds of students, \d+ of \d+ of each; go on", shown.stderr
    )
    told = json.loads(shown.stdout)
    trials = len(told["kinds"]) * told["seeds"]
    assert 0 < trials < len(whole["kinds"]) * whole["seeds"]
    assert len(oasis.rows("so_far.csv")) == trials
    with Store(tmp_path / "oasis.db") as store:
        assert not Experiment.resume(store).finished


def test_students_left_out_of_what_is_shown_so_far_are_named(oasis: Oasis, tmp_path: Path) -> None:
    oasis("compare", "SYJ203.2", *FEW, "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        begun = Experiment.start(store, Experiment.resume(store).plans, name="again")
        for name, seeds in {"epsilon-soft": 3, "sarsa": 3, "q-learning": 1}.items():
            done = [(name, seed, trial) for seed, trial in store.trials(1, name) if seed < seeds]
            store.add_trials(begun.number, done, version="1", commit=None)
    shown = oasis("compare", "--so-far", "--certify", "none")
    assert "Experiment 2 so far, SYJ203.2: 2 of 3 kinds of students, 3 of 3 of each" in shown.stderr
    assert "q-learning is left out, of which 1 of 3 are done: kinds are compared by students of the" in shown.stderr
    assert "q-learning" not in shown.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is always full")
def test_an_experiment_whose_numbers_cannot_be_written_is_kept_and_it_is_said(oasis: Oasis) -> None:
    answer = oasis.ran("compare", "SYJ203.2", *FEW, "--csv", "/dev/full", code=2)
    assert "Kept as experiment 1 in oasis.db; see it again with: oasis compare --resume" in answer.stderr
    assert "/dev/full cannot be written (No space left on device); name another file." in answer.stderr


@pytest.mark.parametrize(
    ("command", "looked_for"),
    [
        ("compare thesis/41 --html r.html", "oasis.lab.written"),
        ("compare thesis/41 --plot p.png", "oasis.ground.pictures"),
    ],
)
def test_a_file_that_needs_a_missing_library_is_refused_with_the_command_that_installs_it(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, looked_for: str
) -> None:
    monkeypatch.setattr(f"{looked_for}.find_spec", lambda name: None)
    said = oasis.refused(*command.split(), code=EXIT_MISSING)
    assert "which is not installed: pip install '" in said and said.endswith("[plots]'")
    assert not list(tmp_path.iterdir())


# Searches

SEARCHED = ("--search", "best-first,rmaxts", "--policy", "uniform,teacher", "--budget", "200", "--seeds", "3")


def test_searches_are_reported_in_every_form_and_shown_again_once_finished(oasis: Oasis, tmp_path: Path) -> None:
    files = ("--csv", "c.csv", "--plot", "p.svg", "--html", "r.html")
    found = oasis.json("compare", "SYJ203.2", *SEARCHED, "--certify", "native", "--quiet", *files)
    kinds = [f"{search} ({policy})" for search in ("best-first", "rmaxts") for policy in ("uniform", "teacher")]
    assert (found["report"], found["family"], found["kinds"]) == (2, "searches", kinds)
    assert found["plan"]["budget"]["expansions"] == 200
    assert found["numbers"]["moves"]["best-first (teacher)"]["value"] == 1
    assert {(proof["length"], proof["certificates"][0]["accepted"]) for proof in found["proofs"][1::2]} == {(10, True)}
    rows = [(row["kind"], row["seed"]) for row in oasis.rows("c.csv")]
    assert rows == [(kind, str(seed)) for kind in kinds for seed in range(3)]
    assert "<svg" in (tmp_path / "p.svg").read_text()
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert oasis.json("compare", "--resume", "--quiet") == found
    (listed,) = oasis.json("runs", "list")["experiments"]
    assert (listed["trials"], listed["total"]) == (12, 12)


def test_stages_are_held_against_the_policy_alone_at_equal_expansions_and_at_equal_time(oasis: Oasis) -> None:
    asked = ("--search", "best-first", "--stages", "--budget", "expansions=100,seconds=0.2", "--seeds", "2", "--quiet")
    found = oasis.json("compare", "thesis", "--levels", "1-2", *asked)
    assert list(found["parts"]) == ["at equal expansions", "at equal time"]
    for part in found["parts"].values():
        assert part["kinds"] == ["alone", "sampling", "best-first"]
        assert {(pair["one"], pair["other"]) for pair in part["pairs"]} == {
            ("sampling", "alone"),
            ("best-first", "alone"),
        }


# Copies of a lemma

COPIED = ("--copies", "4", "--seeds", "2", "--engine", "serial")


def test_every_student_and_episode_can_be_had_as_csv_and_each_part_as_a_picture(oasis: Oasis, tmp_path: Path) -> None:
    files = ("--csv", "students.csv", "--csv-episodes", "episodes.csv", "--plot", "picture.svg")
    oasis.ran("sharing", "A \\/ B -> B \\/ A", *COPIED, *files)
    rows = oasis.rows("students.csv")
    assert len(rows) == 5 * 3 * 2
    assert {row["part"] for row in rows if row["lettering 1"]} == {"letterings"}
    rows = oasis.rows("episodes.csv")
    copied = [row for row in rows if row["part"] == "copies" and row["kind"] == "match"]
    assert [(row["seed"], row["episode"]) for row in copied] == [(s, e) for s in "01" for e in "1234"]
    assert {row["proved"] for row in rows} == {"0", "1"}
    assert len([*tmp_path.glob("picture-*.svg")]) == 5
    assert "copies: A \\/ B" in (tmp_path / "picture-copies.svg").read_text()


def test_an_interrupted_experiment_can_be_finished(oasis: Oasis, tmp_path: Path) -> None:
    as_in_the_thesis = ("--actions", "blind", "--forget-errors")
    undisturbed = oasis.json("sharing", "thesis/41", *COPIED, *as_in_the_thesis, "--quiet")
    settings = undisturbed["parts"]["same"]["plan"]["variants"][0]["settings"]
    assert settings.items() >= {"actions": "blind", "forget_errors": True}.items()
    # Each student has the copies in letters of its own, and a proof is one of what its student had.
    proofs = [proof for part in undisturbed["parts"].values() for proof in part["proofs"]]
    assert len({proof["formula"] for proof in proofs}) > 20
    for proof in proofs:
        assert replay(parse(proof["formula"]), script_from_json(proof["script"]))[-1] == ()
    with Store(tmp_path / "oasis.db") as store:
        begun = Experiment.resume(store, command="sharing")
        again = Experiment.start(store, begun.plans, command="sharing", name=begun.name)
        next(again.run(Serial()))
        assert 0 < again.done < again.total
    resumed = oasis("sharing", "--resume", "--engine", "serial", "--json")
    assert resumed.stderr.endswith("see it again with: oasis sharing --resume --experiment 2\n")
    assert json.loads(resumed.stdout) == {**undisturbed, "experiment": 2}


# The figures of the thesis

SHORT = ("--share", "0.004", "--episodes", "12", "--workers", "1")


def test_the_json_is_the_same_with_any_number_of_workers(oasis: Oasis) -> None:
    asked = ("thesis", "--figure", "7.2", *SHORT[:4], "--json", "--quiet")
    one, two = (oasis.ran(*asked, "--workers", workers, "--db", f"{workers}.db") for workers in "12")
    assert one.stderr == two.stderr == ""
    assert one.stdout == two.stdout
    content = json.loads(one.stdout)
    assert [figure["figure"] for figure in content["figures"]] == ["7.2"]
    there, *_, longest = content["parts"].values()
    assert list(content["parts"])[::3] == ["7.2, as in the thesis", "7.2, both"]
    assert {(proof["lemma"], tuple(proof["certificates"])) for proof in there["proofs"]} == {("thesis/42", ())}
    assert [claim["measure"] for claim in content["claims"]] == ["actions", "proofs"]
    assert content["claims"][0]["overall"] == "undecided: 9 seeds"
    assert list(there["numbers"]["proofs"])[:2] == ["ε 0.1", "ε 0.2"]
    assert 0 <= longest["numbers"]["proofs"]["ε 0.1"]["value"] <= 1


def test_pictures_a_page_and_rows_of_all_figures_can_be_had(oasis: Oasis, tmp_path: Path) -> None:
    files = ("--plot", "picture.png", "--html", "report.html", "--csv", "rows.csv")
    said = oasis.ran("thesis", "--figure", "7.2", "--figure", "7.4", *SHORT, *files, "--quiet").stdout
    assert "ε 0.1 takes more actions than ε 0.5" in said
    assert (tmp_path / "picture-7.2-as-in-the-thesis.png").stat().st_size > 10_000
    text = (tmp_path / "report.html").read_text()
    assert "7.4: State spaces and the names of propositions" in text
    assert "oasis thesis --figure 7.2" in text
    rows = [row for row in oasis.rows("rows.csv") if row["part"].startswith("7.4")]
    assert len(rows) == 4 * 3 * 2
    assert all(row["states"] and not row["gain"] for row in rows)


def test_what_is_done_is_kept_and_shown_again_with_its_own_figures(oasis: Oasis) -> None:
    first = oasis.json("thesis", "--figure", "7.5", *SHORT, "--quiet", "--db", "kept here.db")
    again = oasis.ran("thesis", "--resume", "--json", "--db", "kept here.db")
    assert json.loads(again.stdout) == first
    assert again.stderr.endswith("see it again with: oasis thesis --resume --experiment 1 --db 'kept here.db'\n")
