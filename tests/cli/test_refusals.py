r"""What cannot be done is refused in one sentence, before any work: exit code 2, no answer, and no file left behind.

Each row is a command and the beginning of what it says behind `oasis: `; words with = before it are its environment.
Every wrong value of a setting or of a file is asked of `Settings` and of the reader, and only one of a kind here.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.commands import Oasis, environment

READING = r"""
train empty.txt = empty.txt has no lemmas in it
train folder = There is no lemma, curriculum or file called folder; write ./folder for the file
train --levels 7 = thesis has no lemma of the levels asked for
replay thesis intro = thesis has 6 lemmas and here one is needed
replay thesis/41 = Missing argument 'SCRIPT'. See oasis replay --help
replay - - = Only one of LEMMA and SCRIPT
dagger explain 'A -> A' split = Step 1: split:
hint - - = Only one of LEMMA and SCRIPT can come from standard input
countermodel 'A ->' = column 5:
countermodel textbook = textbook has
play - = Moves come from standard input
same 'A |- A' A = column 2: this goal has no |-
same - - = Only one of the states can come from standard input
same '|- A' = Missing argument 'STATE'. See oasis same --help
states thesis = thesis has 6 lemmas and here one is needed
sharing thesis = thesis has 6 lemmas and here one is needed
sharing 'False -> False' = This lemma has no atoms, so no renamed copy of it exists
check = Give either a lemma with a script, or a run with --run.
check textbook/and_comm = A script is needed beside the lemma
export --to term = What is to be written? Name a lemma, the number of a run, or --experiment NUMBER.
export 'A -> A' --to term = No proof of A -> A is in oasis.db; give one with --script
compare = Name a lemma or a curriculum, as in: oasis compare SYJ203.3
policy eval uniform --benchmark SYJ212 = SYJ212 has no theorems
"""

VALUES = r"""
train --episodes 0 = --episodes is 0; give a whole number from 1 to 1,000,000,000,000.
train --backend abacus = --backend is one of native, coq, lean
train --certify me = --certify is one of native, coq, lean, coq-serapy, lean-dojo, or module:object, not 'me'
train SYJ203.1 --search beast = --search is one of teacher
train textbook --escalate --budget '' = --budget is a time, as in 90s, 30m or 2h, not ''.
train SYJ203.1 SYJ203.2 = Got unexpected extra argument(s) (SYJ203.2); use a comma between lemmas, as in SYJ203.1,S
doctor SYJ203.2 = Got unexpected extra argument(s) (SYJ203.2). See oasis doctor --help
train --frobnicate = No such option: --frobnicate. See oasis train --help
fly = No such command 'fly'
states thesis/41 --limit 0 = --limit is 0; give a whole number from 1 on.
states thesis/41 --state-space outer = --state-space is one of simple, name, match
countermodel A --seconds 0 = --seconds is 0; give a number above 0.
countermodel 'p | q' --format word = --format is one of coq, tptp, unicode, not 'word'.
hint 'A -> A' --level 5 = --level is one of 1, 2, 3, 4, not 5.
hint 'A -> A' --seconds 0 = --seconds is 0; give a number above 0.
play 'A -> A' --seconds nan = --seconds is nan; give a number above 0.
decide 'A -> A' --memory 0 = --memory is 0; give a whole number from 1 on.
decide 'A -> A' --engine oracle = --engine is one of intuit, sequents
prove 'A -> A' --seconds 0 = --seconds is 0; give a number above 0
prove 'A -> A' --max-proof 0 = --max-proof is 0; give a whole number from 1 on.
prove 'A -> A' --search best-first --policy json:loads = --policy json:loads
prove 'A -> A' --search best-first --budget '' = --budget is a number of expansions
prove 'A -> A' --search best-first --budget seconds=inf = --budget is a number of expansions
prove 'A -> A' --search best-first --seconds nan = --seconds is nan; give a number above 0
prove 'A -> A' --search best-first --cache cloud = --cache is one of none, memory, disk
prove textbook/identity --search best-first --cache disk --policy nobody = --policy is one of
check 'A -> A' intro --with isabelle = --with is one of native, coq, lean, coq-serapy
compare SYJ203.2 --engine steam = --engine is one of serial, processes, ray, not 'steam'.
compare SYJ203.1 --certify me = --certify is one of native, coq
compare SYJ203.1 --ladder table --budget '' = --budget is a time
compare SYJ203.1 --search best-first --budget seconds=0 = --budget is a number of expansions
compare SYJ203.1 --search best-first --seeds 1 = --seeds must be at least 2, not 1: one search alone
sharing --copies 0 = --copies must be at least 1, not 0.
thesis --episodes 1 = --episodes must be at least 10
thesis --workers 0 = --workers is 0; give a whole number from 1 on.
policy eval first nobody --benchmark textbook = --policy is one of uniform, teacher, first, last
policy eval uniform --benchmark textbook --samples 1 = --samples is 1; give a whole number from 2 on.
policy eval uniform --benchmark textbook --samples 4 --k 9 = --k is 9; give numbers from 1 to the 4 of --samples.
policy eval uniform --benchmark textbook --samples 4 --k one = --k
dagger fit textbook/identity --policy nobody = --policy is one of
dagger explain 'A -> A' intro --reading red = --reading is one of seed, sound
dagger explain 'A -> A' intro --weights all:PP=1 = dagger:all:PP=1: There is no 'PP'; did you mean P?
dagger explain 'A -> A' intro --belief '' = belief is a name, not ''
dagger explain 'A -> A' intro --gamma 2 = --gamma is 2; give a number from 0 to 1.
dagger log 'A -> A' --weights loud = There are no weights
experience distill textbook --seeds 1 = --seeds
compare 'p -> p' --search sampling --experience perhaps = --experience
experience distill textbook --policy nobody = --policy is one of
classroom results --by day = --by is one of student, class, problem, not 'day'.
classroom results --seconds -1 = --seconds is -1; give a number from 0 on.
classroom serve --memory 1 = --memory is 1; give a whole number from 100 on.
OASIS_PASSPHRASE=short classroom passphrase = A passphrase has at least 8 characters
classroom passphrase = A passphrase is asked for on a terminal
lesson check template.toml --too-long 0 = --too-long is 0; give a whole number from 1 on.
tui --served --theme nrod = --theme is one of
tui --served --seconds 0 = --seconds is 0; give a number above 0.
"""

TOGETHER = r"""
compare 'p -> p' --ladder table --experience with = --experience does not go with --ladder
experience distill 'p -> p' = No lemma is left for the held-out score
dagger explain A intro --student 1 --gamma 1 = --gamma does not go with --student.
train SYJ203.1 --weights seed = --weights says all about --reward dagger
compare SYJ203.1 --weights seed = --weights says all about --reward dagger
train --forget-errors = --forget-errors goes with --actions blind
train --run 1 = --run goes with --resume
train textbook --budget 60s = --budget goes with --escalate.
train textbook --escalate --seeds 3 = --seeds does not go with --escalate.
policy eval uniform --benchmark textbook --k 2 = --k goes with --samples.
policy eval uniform --benchmark textbook --samples 4 --judge = Moves are drawn by their probabilities
policy eval uniform --benchmark textbook --device cpu = --device is about networks
policy eval uniform --benchmark textbook --judge = The policy Uniform has no values of goals
policy eval uniform --benchmark textbook --calibration = The policy Uniform has no values of goals
prove 'A -> A' --judge = --judge goes with a policy that plays, and not with teacher.
prove 'A -> A' --seed 3 = --seed goes with a policy that plays or a search or a ladder, and not with teacher.
prove 'A -> A' --policy first --budget 4 = --budget goes with a search, and not with committed.
prove 'A -> A' --policy first --shortest = --shortest goes with the teacher, and not with committed.
prove 'A -> A' --policy first --seconds 3 = --seconds goes with the teacher or a search or a ladder, and not with
prove 'A -> A' --search best-first --judge = --judge goes with a policy that plays, and not with best-first.
prove 'A -> A' --search best-first --shortest = --shortest goes with the teacher, and not with best-first.
prove 'A -> A' --search best-first --draw - --json = --draw - and --json both write to standard output
prove 'A -> A' --escalate --judge = --judge goes with a policy that plays, and not with escalate.
prove 'A -> A' --escalate --budget 100 = --budget goes with a search, and not with escalate.
prove 'A -> A' --escalate --shortest = --shortest goes with the teacher, and not with escalate.
prove 'A -> A' --experience = --experience goes with a policy that plays or a search, and not with teacher.
prove 'A -> A' --experience --solver table = --experience goes with a policy that plays or a search, and not with table.
export --experiment 1 --to term --script intro = --experiment writes the proofs that
export --experiment 1 --to tptp = --to tptp writes one lemma and no proof; name a lemma
compare SYJ203.2 --order fixed,afresh = One lemma has no order
compare SYJ203.2 --ray-address auto = --ray-address goes with --engine ray.
compare SYJ203.2 --experiment 3 = --experiment goes with --resume
compare SYJ203.2 --resume = --resume goes on with an experiment as it was begun; leave a lemma out.
thesis --resume --share 0.5 = --resume goes on with an experiment as it was begun; leave --share out.
compare --so-far --resume = --resume does not go with --so-far.
compare --so-far --alpha 0.5 = --so-far shows an experiment as it was begun; leave --alpha out.
compare SYJ203.1 --ladder table --csv-checkpoints p.csv = There is no --csv-checkpoints of climbs; take --csv or --json.
compare SYJ203.1 --ladder table,search --search best-first = --search does not go with --ladder
compare SYJ203.1 --ladder table,search --stages = --stages goes with --search.
compare SYJ203.1 --ladder table --policy nobody.safetensors = --policy is the network that ladders ask, and table asks
compare SYJ203.1 --learner table,escalate = What is asked for are ladders, and no learners; write --ladder table
compare SYJ203.1 --search best-first --learner sarsa = --learner does not go with --search.
compare SYJ203.1 --search best-first --csv-checkpoints c.csv = There is no --csv-checkpoints of searches
compare SYJ203.1 --policy teacher = --policy goes with --search or --ladder.
compare SYJ203.1 --stages = --stages goes with --search.
"""

PLACES = r"""
experience list = There is no database
train 'A -> A' --experience = There is no database oasis.db
dagger explain 'A -> A' intro --knowledge none = There is no database to find none in
dagger explain 'A -> A' intro --plot here.jpg = here.jpg should end in
dagger explain 'A -> A' intro --student 1 = There is no database oasis.db yet
train 'A -> A' --reward dagger:all:knowledge=mine = There is no database to find mine in
train --db folder = folder is a folder; name a file in it with --db.
train --resume = There is no database oasis.db yet
train --student 1 = There is no database oasis.db yet
runs list = There is no database oasis.db yet
export --experiment 1 --to term = There is no database oasis.db yet
compare --resume = There is no database oasis.db yet
compare --so-far = There is no database oasis.db yet
compare SYJ203.1 --search best-first --policy 3 = There is no database
prove 'A -> A' --search best-first --policy 3 = --policy 3 is the number of a run, and there is no database
prove 'A -> A' --search best-first --experience --db other.db = There is no database other.db
policy eval 3 --benchmark textbook = There is no database
classroom export = There is no database oasis.db yet
classroom results = There is no class in oasis.db yet; begin one with `oasis classroom passphrase`, or name its file
classroom students add Ada = There is no class in oasis.db yet; begin one with
classroom serve --listed-only = There is no class in oasis.db yet; begin one with `oasis classroom passphrase`
classroom serve --lesson nowhere.toml = There is no file
classroom import nowhere.json = There is no file nowhere.json; check the name.
classroom import latin.txt = latin.txt, line 1: this is not UTF-8 text; save it as UTF-8.
classroom import letter.txt = This work is damaged: it is not the JSON
classroom import letter.txt --db letter.txt = letter.txt is not a database
lesson new template.toml = template.toml is there already, and nothing is overwritten; name another file.
lesson check lesson.toml = lesson.toml: there is no key 'hnts'; did you mean hints?
tui --served p --lesson exam.toml = Finals is an exam, which is done alone; leave p out.
tui --served --lesson nowhere.toml = There is no file nowhere.toml
tui --served nowhere/lemma = There is no lemma
tui = The classroom needs a terminal, for its errors too; oasis play works with lines of text.
compare SYJ203.2 --plot picture.jpeg = picture.jpeg should end in .png, .svg or .pdf; rename it.
compare SYJ203.2 --csv . = . cannot be written (Is a directory); name another file.
compare SYJ203.2 --csv-checkpoints nowhere/c.csv = There is no folder nowhere for c.csv
thesis --html page.txt = page.txt should end in .html; rename it.
prove 'A -> A' --search best-first --draw a.png = --draw writes an .svg file, or - a tree here, not 'a.png'.
prove 'A -> A' --search best-first --draw nowhere/a.svg = There is no folder nowhere for a.svg
countermodel 'p | q' --svg nowhere/picture.svg = nowhere/picture.svg cannot be written (No such file
"""


def rows(table: str) -> list[tuple[str, str]]:
    """Return the commands of a table with what each says."""
    return [(command, said) for command, said in (line.split(" = ", 1) for line in table.strip().splitlines())]


@pytest.mark.parametrize(("command", "sentence"), rows(READING + VALUES.lstrip() + TOGETHER.lstrip() + PLACES.lstrip()))
def test_what_cannot_be_done_is_refused_in_a_sentence(
    oasis: Oasis, tmp_path: Path, command: str, sentence: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.txt").touch()
    (tmp_path / "latin.txt").write_bytes("café -> A".encode("latin-1"))
    (tmp_path / "letter.txt").write_text("Dear teacher, " * 100)
    (tmp_path / "template.toml").write_text('lemmas = ["p -> p"]')
    (tmp_path / "exam.toml").write_text('title = "Finals"\nexam = true\nlemmas = ["textbook/or_comm"]')
    (tmp_path / "lesson.toml").write_text('title = "A"\nhnts = 3\nlemmas = ["p -> p"]')
    before = sorted(tmp_path.iterdir())
    words = shlex.split(command)
    env = environment(**dict([words.pop(0).split("=")]) if "=" in words[0] else {})
    answer = oasis(*words, env=env)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"oasis: {sentence}"), answer.stderr
    assert all(line.startswith("  ") for line in answer.stderr.splitlines()[1:]), "one sentence, and its place"
    assert sorted(tmp_path.iterdir()) == before
