"""Runs and their store: what a run reports, and the same contents, however often it was stopped or killed before."""

import json
import signal
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count, groupby
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curricula.lemma import Curriculum, Lemma
from curricula.resolve import resolve, resolve_lemma
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.names import LEARNERS
from oasis.ground.splitmix import SplitMix64
from oasis.ground.version import commit, version
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import PLAYS, examine
from oasis.play.policy import Policy, Uniform
from oasis.store import Store, StoreError
from oasis.student import training as module
from oasis.student.compiled import student as compiled_module
from oasis.student.compiled.memory import PAIRS
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.compiled.world import World
from oasis.student.kept import kept_student
from oasis.student.plain import PlainStudent
from oasis.student.report import episodes, report, unpacked
from oasis.student.settings import Settings
from oasis.student.student import School, why_plain
from oasis.student.training import Progress, Training
from oasis.teacher.exact.values import shortest_script
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed
from tactics.goal import State, initial
from tactics.parser import parse
from tactics.script import Script, replay
from tests.student.truth import successors
from tests.thorough import everyday

pytestmark = pytest.mark.slow

TEXTS = [
    "((p \\/ (p -> f)) -> f) -> f",
    "p",
    "p \\/ ~ p",
    "q -> q",
    "p /\\ q -> q /\\ p",
    "q -> q \\/ p",  # goes through a state of the lemma before the last one
]
FORMULAS = [parse(text) for text in TEXTS]
CURRICULUM = Curriculum("six", "small lemmas", tuple(Lemma(f"L{n}", f, None, "") for n, f in enumerate(FORMULAS)))

_TABLES = {
    "runs": "id, finished IS NOT NULL, version, [commit], curriculum, rng, student, taught_by, cohort",
    "lemmas": "run, position, name, formula, status, level, finished, only_examined, practised, proofs, actions, "
    "first_proof, best, best_moves, met, exam, untaught, optimum, known",
    "states": "*",
    "pairs": "*",
}
Contents = dict[str, Any]


def contents(path: Path) -> Contents:
    """Return what a database holds: rows as they are, blocks as episodes, students as what they know."""
    with closing(sqlite3.connect(path)) as connection:
        found: Contents = {
            name: sorted(connection.execute(f"SELECT {columns} FROM {name}").fetchall(), key=repr)
            for name, columns in _TABLES.items()
        }
        settings = {run: json.loads(text) for run, text in connection.execute("SELECT id, settings FROM runs")}
        blocks = connection.execute("SELECT run, lemma, content FROM blocks ORDER BY run, lemma, first").fetchall()
        snapshots = connection.execute("SELECT run, content FROM snapshots").fetchall()
    found["settings"] = settings
    found["blocks"] = {
        place: [episode for *_, content in rows for episode in unpacked(content)]
        for place, rows in groupby(blocks, key=lambda row: row[:2])
    }
    found["students"] = {run: knowledge(content, Settings(**settings[run])) for run, content in snapshots}
    return found


def knowledge(content: bytes, settings: Settings) -> dict[str, Any]:
    """Return what a stored student knows of the lemmas, with all its values, visits and chance."""
    student = CompiledStudent.load(content, settings)
    pairs = student.memory.pairs[1 : int(student.memory.counts[PAIRS])]
    return {
        "q": {state: student.q_values(state) for lemma in FORMULAS for state in reachable(lemma, settings.actions)},
        "pairs": sorted(pairs[["value", "visits", "forgotten"]].tolist()),
        "best": [student.best(lemma) for lemma in FORMULAS],
        "values": [student.value(lemma) for lemma in FORMULAS],
        "states": student.states,
        "rng": int(student.memory.rng[0]),
        "reward": student.reward.state(),
    }


def reachable(lemma: Formula, space: str = "legal") -> set[State]:
    """Return every state with goals that can be reached from a lemma."""
    seen: set[State] = set()
    pending = [initial(lemma)]
    while pending:
        state = pending.pop()
        if state and state not in seen:
            seen.add(state)
            pending += successors(state, space).values()
    return seen


HALFWAY = "tests.student.plugins:HALFWAY"
EPISODES = 12
TOTAL = EPISODES * len(FORMULAS)
COMPILED = {
    "q-learning": Settings(episodes=EPISODES, seed=3),
    "and-or-q": Settings(learner="and-or-q", episodes=EPISODES, seed=4),
    "dyna-q": Settings(learner="dyna-q", planning=3, reward="standard", episodes=EPISODES, seed=5),
    "sarsa-lambda, simple": Settings(
        learner="sarsa-lambda", reward="standard-qed", actions="simplify", episodes=EPISODES, seed=6
    ),
    "name": Settings(state_space="name", epsilon="0.9..0.1", alpha="1/n^0.6", episodes=EPISODES, seed=7),
    "blind, forgetting": Settings(actions="blind", forget_errors=True, max_steps=20, episodes=EPISODES, seed=8),
    "history": Settings(reward="tests.student.plugins:Curious", episodes=EPISODES, seed=9),
    "shown proofs": Settings(search="best-first", shown=2, episodes=EPISODES, seed=12),
}
PLAIN = {
    "own learner": Settings(learner=HALFWAY, episodes=EPISODES, seed=10),
    "own learner, forgetting": replace(COMPILED["blind, forgetting"], learner=HALFWAY, seed=11),
}
KINDS = {**COMPILED, **PLAIN}
different_kinds = pytest.mark.parametrize(
    "kind", everyday(["and-or-q", "blind, forgetting", "history", "shown proofs", "own learner, forgetting"], KINDS)
)
a_kind_of_each = pytest.mark.parametrize("kind", ["q-learning", "own learner"])


def somebody(settings: Settings, formula: Formula, _: Policy) -> Script | None:
    """Return a proof to show to a student of a kind, if the lemma has one."""
    return shortest_script(formula) if settings.search else None


def continued(store: Store, kind: str) -> Training:
    """Return the run of a store; start one if there is none."""
    return Training(store, 1, teach=somebody) if store.runs() else new(store, kind)


def new(store: Store, kind: str) -> Training:
    """Start a run of this kind."""
    return Training.start(store, CURRICULUM, KINDS[kind], teach=somebody)


ROOT = Path(__file__).resolve().parents[2]
several_examples = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one episode, so that a run can be stopped after each."""
    monkeypatch.setattr(module, "BLOCK_SECONDS", 0.0)


def train(path: Path, kind: str) -> Contents:
    """Train a run without interruption; return the contents of its database."""
    with Store(path) as store:
        assert [*Training.start(store, CURRICULUM, KINDS[kind], teach=somebody)][-1].episode == EPISODES
    return contents(path)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Contents]:
    """What an uninterrupted run of a kind stores."""
    known: dict[str, Contents] = {}

    def run(kind: str) -> Contents:
        if kind not in known:
            known[kind] = train(tmp_path_factory.mktemp("uninterrupted") / "oasis.db", kind)
        return known[kind]

    return run


@pytest.mark.parametrize(("reward", "term"), [("dagger:all", "R_alpha"), ("dagger", None), ("terminating", None)])
def test_a_proof_that_a_student_gave_up_is_told_with_the_term_that_paid_for_it(
    reward: str, term: str | None, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    chain = parse("Z \\/ (" + " -> ".join(f"A{number}" for number in range(1, 13)) + " -> A1)")
    lemmas = Curriculum("chain", "one lemma", (Lemma("chain", chain, None, ""),))
    training = Training.start(store, lemmas, Settings(learner="q-learning", reward=reward, episodes=2000))
    for progress in training:
        training.stop_requested = progress.episode == 1000
    training.stop_requested = 0
    assert not training.finished and [progress.episode for progress in training][-1] == 2000
    found = report(store, 1).lemmas[0]
    assert found.exam and found.is_known == (term is None) == (found.unlearned is None)
    if found.unlearned:
        told, said = found.unlearned.to_json(), found.unlearned.sentence("chain", found.exam)
        assert (told["known_after"], told["lost_after"], told["term"], len(told["script"])) == (1000, 2000, term, 14)
        assert "proved it after 1,000 episodes, at most half did after 2,000, and 0 of 100 did in the end." in said


def test_every_student_that_can_be_compiled_is_compiled() -> None:
    assert {kind for kind, chosen in KINDS.items() if why_plain(chosen) is None} == set(COMPILED)
    assert [why_plain(Settings(learner=learner)) for learner in LEARNERS] == [None] * len(LEARNERS)


@different_kinds
def test_the_same_seed_gives_the_same_contents_whatever_the_blocks(
    kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    first, second = uninterrupted(kind), train(tmp_path / "again.db", kind)
    assert first == second
    assert sum(map(len, first["blocks"].values())) == TOTAL
    known = first["students"][1]["pairs"] if kind in COMPILED else first["pairs"]
    assert len(known) > 15
    assert bool(first["pairs"]) == (kind in PLAIN)
    with Store(tmp_path / "again.db") as store:
        training = Training(store, 1)
        assert training.finished
        assert list(training) == []
    assert contents(tmp_path / "again.db") == second


@different_kinds
@several_examples
@given(ends=st.lists(st.tuples(st.integers(1, TOTAL), st.none() | st.integers(0, 15)), min_size=1, max_size=4))
def test_a_run_stopped_or_killed_and_resumed_ends_as_one_that_was_not(
    kind: str, uninterrupted: Callable[[str], Contents], ends: list[tuple[int, int | None]]
) -> None:
    """`ends` says after how many blocks a process is stopped, or stores them and dies so many blocks later."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        for stored, more in [*ends, (inf, 0)]:
            with Store(path) as store:
                training = continued(store, kind)
                done = sum(lemma["practised"] for lemma in store.lemmas(1))
                for number, progress in enumerate(training, 1):
                    assert (progress.position, progress.episode - 1) == divmod(done, EPISODES)
                    done += 1
                    if number == stored:
                        training.stop_requested = more is None and signal.SIGINT
                        training._stored_at = -inf  # this block is stored when the next one is asked for
                    if more is not None and number == stored + more:
                        break
                assert more is not None or sum(lemma["practised"] for lemma in store.lemmas(1)) == done
        assert training.finished
        assert contents(path) == uninterrupted(kind)


@a_kind_of_each
def test_a_run_stopped_after_its_last_episode_is_still_to_be_examined(kind: str, tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, kind)
        for number, _ in enumerate(training, 1):
            training.stop_requested = int(number == TOTAL)
        assert not training.finished
        assert report(store, 1).finished is None
        assert [lemma.finished for lemma in report(store, 1).lemmas] == [True] * 5 + [False]
        assert report(store, 1).lemmas[-1].exam is None
    with Store(tmp_path / "oasis.db") as store:
        assert list(continued(store, kind)) == []
        assert report(store, 1).finished is not None
        assert all(lemma.finished and lemma.exam for lemma in report(store, 1).lemmas)


@a_kind_of_each
def test_two_trainings_of_a_run_do_not_mix(kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as one, Store(tmp_path / "oasis.db") as other:
        first = iter(continued(one, kind))
        second = iter(continued(other, kind))
        next(first), next(second)
        assert len(list(first)) == TOTAL - 1
        with pytest.raises(StoreError, match="another process is training the same run"):
            list(second)
    assert contents(tmp_path / "oasis.db") == uninterrupted(kind)


@a_kind_of_each
def test_stopped_trainings_are_iterated_on(kind: str, uninterrupted: Callable[[str], Contents], tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = continued(store, kind)
        for number, _ in enumerate(training, 1):
            training.stop_requested = number == 5
        training.stop_requested = 0
        assert len(list(training)) == TOTAL - 5
        assert training.finished
    assert contents(tmp_path / "oasis.db") == uninterrupted(kind)


# What a run stores and reports


@different_kinds
def test_a_run_reports_what_its_student_does(kind: str, tmp_path: Path) -> None:
    """The last two lemmas are only examined."""
    student = School(KINDS[kind]).student(KINDS[kind].seed)
    practised, exam = Curriculum("four", "", CURRICULUM.lemmas[:4]), Curriculum("two", "", CURRICULUM.lemmas[4:])
    with Store(tmp_path / "oasis.db") as store:
        training = Training.start(store, practised, KINDS[kind], shortest=lambda formula: 77, exam=exam)
        assert sum(progress.episodes for progress in training) == training.episodes == 4 * EPISODES
        listed, found = [*episodes(store, 1)], report(store, 1).lemmas
    assert [lemma.only_examined for lemma in found] == [False] * 4 + [True] * 2
    proofs = known = 0
    for position, (formula, lemma) in enumerate(zip(FORMULAS, found, strict=True)):
        if lemma.only_examined:
            assert (lemma.episodes, lemma.states, lemma.steps, lemma.finished) == (0, 0, 0, True)
            assert (lemma.exam, lemma.best) == (student.examine(formula), lemma.exam and lemma.exam.script)
            continue
        practice = student.practise(formula, EPISODES)
        known, before = student.states, known
        assert lemma.states == known - before
        of_lemma = [row for row in listed if row["lemma"] == lemma.name]
        assert [row["episode"] for row in of_lemma] == [*range(1, EPISODES + 1)]
        assert [row["steps"] for row in of_lemma] == practice.steps.tolist()
        assert [bool(row["proved"]) for row in of_lemma] == practice.proved.tolist()
        assert (lemma.episodes, lemma.steps) == (EPISODES, practice.steps.sum())
        assert lemma.proved_episodes == practice.proved.sum()
        first = 1 + int(practice.proved.argmax()) if practice.proved.any() else None
        assert (lemma.first_proof_episode, lemma.optimum) == (first, 77)
        assert lemma.exam == student.examine(formula)
        shortest = [len(script) for script in (student.best(formula), lemma.exam.script) if script is not None]
        assert len(lemma.best or ()) == min(shortest, default=0)
        for proof in lemma.proofs:
            proofs += 1
            assert replay(FORMULAS[position], proof)[-1] == ()
    assert proofs >= 4


@pytest.mark.parametrize("kind", [{}, {"actions": "blind", "state_space": "name", "forget_errors": True}], ids=str)
def test_a_policy_that_knows_nothing_is_examined_beside_the_student(tmp_path: Path, kind: dict[str, Any]) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, resolve("SYJ203.2"), Settings(episodes=400, seed=9, **kind)))
        (lemma,) = report(store, 1).lemmas
    assert lemma.exam is not None and lemma.untaught is not None
    seed, space = SplitMix64.seeded(9).state, ACTION_SPACES[kind.get("actions", "legal")]
    assert lemma.untaught == examine(Uniform(space), parse(lemma.formula), seed=seed, space=space)
    assert lemma.untaught.share < 1 == lemma.exam.share


def test_progress_tells_of_every_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)
    with Store(tmp_path / "oasis.db") as store:
        told = [*continued(store, "q-learning")]
        rows = [*episodes(store, 1)]
    assert [progress.episodes for progress in told] == [1, 4, 7] * len(FORMULAS)
    for progress in told:
        block, rows = rows[: progress.episodes], rows[progress.episodes :]
        last, proved = block[-1], sum(row["proved"] for row in block)
        assert progress == Progress(int(last["lemma"][1:]), last["lemma"], last["episode"], len(block), proved)
    assert rows == []


def test_a_run_is_stored_with_its_seed_settings_and_version_before_its_first_episode(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        Training.start(store, CURRICULUM, KINDS["blind, forgetting"])
    with Store(tmp_path / "oasis.db", create=False) as store:
        found = report(store, 1)
        assert [lemma.name for lemma in found.lemmas] == [lemma.name for lemma in CURRICULUM.lemmas]
        assert Settings(**found.settings) == KINDS["blind, forgetting"]
        assert found.to_json()["seed"] == 8
        assert (found.version, found.commit) == (version(), commit())
        assert store.run(1)["rng"] == SplitMix64.seeded(8).state


def test_a_run_whose_settings_this_version_does_not_know_is_refused_in_words(store: Store, tmp_path: Path) -> None:
    continued(store, "q-learning")
    with closing(sqlite3.connect(tmp_path / "oasis.db")) as connection, connection:
        connection.execute("UPDATE runs SET settings = '{\"telepathy\": true}', version = '9.9'")
    with pytest.raises(InputError, match=r"not those of this version .*telepathy.* go on with it in version 9\.9"):
        Training(store, 1)


def test_a_plain_student_whose_reward_has_counters_is_not_resumed_wrongly(store: Store) -> None:
    chosen = replace(KINDS["history"], learner=HALFWAY)
    training = Training.start(store, CURRICULUM, chosen)
    for _ in training:
        training.stop_requested = 1
    with pytest.raises(InputError, match="Run 1 cannot be resumed: its reward depends on what happened before"):
        list(Training(store, 1))


def test_an_episode_waits_for_an_interval_at_most_to_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every look at the clock takes 0.1 s: a block with its two looks and the one behind it takes 0.3 s, storing 0.1 s.
    clock: Iterator[float] = (0.1 * tick for tick in count())
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    with Store(tmp_path / "oasis.db") as store, Store(tmp_path / "oasis.db") as reader:
        waiting = []
        for number, _ in enumerate(continued(store, "q-learning"), 1):
            waiting.append(number - len([*episodes(reader, 1)]))
    assert 1 < max(waiting) <= 5


def test_what_a_student_was_shown_is_kept_and_reported(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(new(store, "shown proofs"))
        lemmas = report(store, 1).lemmas
    for lemma, formula in zip(lemmas, FORMULAS, strict=True):
        assert lemma.shown == shortest_script(formula)
        assert lemma.shown is None or lemma.shown in lemma.proofs
        assert lemma.shown is None or lemma.states > 0
        assert lemma.to_json()["shown"]["length"] == (lemma.shown and len(lemma.shown))


@pytest.fixture
def small_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the states of SYJ203.2, and not for those of two such lemmas."""

    def small(settings: Settings) -> World:
        return World(STATE_SPACES[settings.state_space](), ACTION_SPACES[settings.actions], max_states=400)

    monkeypatch.setattr(compiled_module, "new_world", small)
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e6)


@pytest.mark.usefixtures("small_worlds")
def test_a_student_forgets_the_other_lemmas_before_it_gives_one_up(tmp_path: Path) -> None:
    easy, middle, hard = (resolve_lemma(f"SYJ203.{level}") for level in (1, 2, 4))
    copy = Lemma("copy", renamed(middle.formula, {"p1": "a", "p2": "b", "f": "c"}), None, "")
    said: list[str] = []
    with Store(tmp_path / "oasis.db") as store:
        curriculum = Curriculum("four", "", (middle, copy, hard, easy))
        training = Training.start(store, curriculum, Settings(episodes=2000), say=said.append)
        blocks = [(progress.lemma, progress.episode) for progress in training]
        found = report(store, training.run)
    assert found.finished
    assert [sentence.partition(":")[0].partition(" is ")[0] for sentence in said] == ["copy", "SYJ203.4", "SYJ203.4"]
    assert "forgets the other lemmas and begins again" in said[0]
    assert "is given up. There are more than 400 states" in said[2]
    shares = {lemma.name: lemma.exam and lemma.exam.share for lemma in found.lemmas}
    assert shares == {"SYJ203.2": 1.0, "copy": 1.0, "SYJ203.4": None, "SYJ203.1": 1.0}
    assert [lemma.episodes for lemma in found.lemmas] == [2000, 2000, 0, 2000]
    assert blocks[-1] == ("SYJ203.1", 2000)


# Students that are kept, and taken up by another run or refused.

ODD = parse("forall H H0 H2 : Prop, (H -> H0) /\\ (H2 \\/ H) -> H0 \\/ H2")
PRIOR = Prior({Scope("any", "any", "right"): 3.3, Scope("any", "implies", "imply4"): 0.21}).text
FORMS: dict[str, dict[str, Any]] = {
    **{space: {"state_space": space} for space in STATE_SPACES},
    **{f"{space}, blind": {"state_space": space, "actions": "blind"} for space in STATE_SPACES},
    "forgetting": {"actions": "blind", "forget_errors": True},
    "simplify": {"actions": "simplify"},
    **{learner: {"learner": learner} for learner in ("and-or-q", "dyna-q", "sarsa-lambda")},
    "of goals, name": {"learner": "and-or-q", "state_space": "name"},
    "experience": {"experience": PRIOR},
    "of goals, experience": {"learner": "and-or-q", "state_space": "match", "experience": PRIOR},
    "history": {"reward": "tests.student.plugins:BriefAndCurious"},
}


def of_form(form: str) -> Settings:
    """Return settings with small numbers in this form of the memory."""
    return Settings(**{"episodes": 40, "max_steps": 30, "planning": 3, "seed": 2, **FORMS[form]})


@pytest.mark.parametrize("form", FORMS)
def test_what_a_student_knows_it_knows_of_states_that_it_never_saw_in_this_form(form: str) -> None:
    settings = of_form(form)
    saved, plain = CompiledStudent(settings, new_world(settings)), PlainStudent(settings)
    lemma, *_ = FORMULAS
    for student in (saved, plain):
        student.practise(lemma, 60)
    loaded = CompiledStudent.load(saved.save(), settings)
    for formula in (lemma, renamed(lemma, {atom.name: f"other_{atom.name}" for atom in atoms(lemma)})):
        for state in reachable(formula, settings.actions):
            assert loaded.q_values(state) == saved.q_values(state) == plain.q_values(state)


@pytest.mark.parametrize("form", everyday(["name, blind", "forgetting", "of goals, experience"], FORMS))
def test_a_student_that_was_loaded_goes_on_as_the_one_that_was_saved(form: str) -> None:
    settings = of_form(form)
    saved = CompiledStudent(settings, new_world(settings))
    lemmas = [*FORMULAS, ODD]
    for lemma in lemmas[:-2]:
        saved.practise(lemma, 11)
    loaded = CompiledStudent.load(saved.save(), settings)
    for lemma in lemmas[-2:] + lemmas[:1]:
        assert loaded.best(lemma) == saved.best(lemma)
        assert loaded.examine(lemma, 5) == saved.examine(lemma, 5)
        for one, other in zip(saved.practise(lemma, 9), loaded.practise(lemma, 9), strict=True):
            assert one.tolist() == other.tolist()
        assert loaded.examine(lemma, 5) == saved.examine(lemma, 5)
        assert (loaded.best(lemma), loaded.value(lemma)) == (saved.best(lemma), saved.value(lemma))
        for state in reachable(lemma, settings.actions):
            assert loaded.q_values(state) == saved.q_values(state)
    assert loaded.memory.pairs.tobytes() == saved.memory.pairs.tobytes()
    assert (loaded.states, loaded.memory.rng[0]) == (saved.states, saved.memory.rng[0])
    assert loaded.reward.state() == saved.reward.state()


def test_damaged_bytes_are_refused_in_words() -> None:
    settings = Settings()
    student = CompiledStudent(settings, new_world(settings))
    assert CompiledStudent.load(student.save(), settings).states == 0
    student.practise(FORMULAS[0], 20)
    content = student.save()
    damaged = [b"", content[:-1], content[1:], content + b"x", zlib.compress(b"something else")]
    for place in (0, 15, 16, len(content) // 2, len(content) - 1):
        damaged.append(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    for each in damaged:
        with pytest.raises(InputError, match=r"is damaged in the database; put back a copy of the file\."):
            CompiledStudent.load(each, settings)


TAUGHT = Settings(episodes=300, seed=1)
TAUGHT_PLAIN = replace(TAUGHT, learner=HALFWAY)
FIRST, REST = Curriculum("first", "", CURRICULUM.lemmas[:1]), Curriculum("rest", "", CURRICULUM.lemmas[4:])
compiled_and_plain = pytest.mark.parametrize("settings", [TAUGHT, TAUGHT_PLAIN], ids=["compiled", "plain"])


@compiled_and_plain
def test_a_student_taken_up_knows_what_it_knew_and_goes_on(settings: Settings, tmp_path: Path) -> None:
    later = replace(settings, episodes=30, seed=5)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, settings))
        list(Training.start(store, REST, later, exam=FIRST, taught_by=1))
        list(Training.start(store, REST, later, exam=FIRST))
        ((before,), taken_up, untaught) = (report(store, run).lemmas for run in (1, 2, 3))
        assert store.run(2)["taught_by"] == 1
        assert report(store, 1).lemmas == (before,)
    assert before.exam is not None and before.exam.share == 1
    exam, other = taken_up[-1].exam, untaught[-1].exam
    assert exam is not None and other is not None
    assert (exam.share, set(exam.lengths)) == (1, set(before.exam.lengths))
    assert other.lengths != exam.lengths
    assert [lemma.episodes for lemma in taken_up] == [30, 30, 0]
    assert all(lemma.states for lemma in taken_up[:-1])


@compiled_and_plain
def test_a_lemma_taken_up_again_is_counted_from_the_start(settings: Settings, store: Store) -> None:
    later = replace(settings, episodes=25, epsilon="1..0", seed=6)
    list(Training.start(store, FIRST, settings))
    student = kept_student(store, Training.start(store, FIRST, later, taught_by=1).run, later).student
    assert student.best(FORMULAS[0]) is None
    q_values = student.q_values(next(iter(reachable(FORMULAS[0]))))
    assert any(q_values.values())
    assert student.examine(FORMULAS[0]).proved == PLAYS
    list(Training(store, 2))
    (lemma,) = report(store, 2).lemmas
    assert (lemma.episodes, lemma.states) == (25, 0)
    assert lemma.steps >= lemma.episodes


@compiled_and_plain
def test_a_run_that_was_taken_up_resumes_as_if_it_had_not_been_stopped(settings: Settings, tmp_path: Path) -> None:
    later = replace(settings, episodes=8, seed=5)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, settings))
        list(Training.start(store, CURRICULUM, later, taught_by=1))
        stopped = Training.start(store, CURRICULUM, later, taught_by=1)
        while not stopped.finished:
            for _ in stopped:
                stopped.stop_requested = 1
            stopped = Training(store, 3)
        whole, pieces = (report(store, run).lemmas for run in (2, 3))
    assert [replace(lemma, seconds=0) for lemma in pieces] == [replace(lemma, seconds=0) for lemma in whole]


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ({"reward": "standard"}, "learned with --reward terminating; give the same here"),
        ({"state_space": "name"}, "learned with --state-space simple; give the same here"),
        ({"actions": "blind"}, "learned with --actions legal; give the same here"),
        ({"actions": "blind", "forget_errors": True}, "learned with --actions legal; give the same here"),
        ({"gamma": 0.5}, r"learned with --gamma 0\.9; give the same here"),
        ({"learner": "and-or-q"}, "learned by q-learning, .* of no use to and-or-q; leave out --learner"),
        ({"learner": "dyna-q"}, "learned by q-learning, .* of no use to dyna-q"),
        ({"learner": "sarsa-lambda"}, "learned by q-learning, .* of no use to sarsa-lambda"),
        ({"learner": "tests.student.plugins:HALFWAY"}, "is a compiled one, and .*HALFWAY has no compiled form"),
    ],
)
def test_a_teacher_whose_values_mean_something_else_is_refused(others: dict[str, Any], says: str, store: Store) -> None:
    list(Training.start(store, FIRST, replace(TAUGHT, episodes=5)))
    with pytest.raises(InputError, match=f"The student of run 1 {says}"):
        Training.start(store, REST, replace(TAUGHT, **others), taught_by=1)
    assert len(store.runs()) == 1


@pytest.mark.slow
def test_a_student_whose_reward_has_a_former_name_goes_on_with_what_it_counted(store: Store, tmp_path: Path) -> None:
    paid = replace(TAUGHT, reward="dagger:all:round=4", episodes=9)
    list(Training.start(store, FIRST, paid))
    with closing(sqlite3.connect(tmp_path / "oasis.db")) as connection, connection:
        connection.execute("UPDATE runs SET settings = replace(settings, 'dagger:all', 'dagger:sound')")
    assert store.run(1)["settings"]["reward"] == "dagger:sound:round=4"
    list(Training.start(store, REST, paid, taught_by=1))
    counted = [kept_student(store, run, paid).student.reward.state() for run in (1, 2)]
    assert report(store, 2).finished and counted[0]["version"] == counted[1]["version"]


def test_settings_that_change_no_meaning_of_values_may_change(store: Store) -> None:
    others = Settings(learner="sarsa", alpha=0.1, epsilon=0.1, max_steps=50, seed=9, episodes=3)
    list(Training.start(store, FIRST, replace(TAUGHT, episodes=5)))
    list(Training.start(store, REST, others, taught_by=1))
    assert report(store, 2).finished


def test_a_student_that_has_not_practised_is_not_taken_up(store: Store) -> None:
    Training.start(store, FIRST, TAUGHT)
    with pytest.raises(InputError, match="Nothing that the student of run 1 learned is stored yet"):
        Training.start(store, REST, TAUGHT, taught_by=1)
