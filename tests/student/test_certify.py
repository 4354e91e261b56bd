"""The proofs of a run before referees, and training inside a prover; the embedded calculus stands in for provers."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from curricula import resolve
from oasis.backends.native import Native
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES
from oasis.proved import lemma_proof, run_proofs
from oasis.rewards import Terminating
from oasis.store import Store
from oasis.student.calculus import Calculus, Embedded, InsideProver
from oasis.student.certify import certify_run
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import q_learning
from oasis.student.memory import Memory
from oasis.student.policy import epsilon_greedy
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from state_spaces import Simple
from tactics.claims import Certificate, Claim
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tests.student.pupils import parameters

pytestmark = pytest.mark.slow


class Grumpy(Native):
    """A prover that accepts no proof of more than four moves."""

    name = "grumpy"

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        return [
            Certificate(self.name, "Grumpy 1", len(claim.script) <= 4, "" if len(claim.script) <= 4 else "Too long.")
            for claim in claims
        ]


@pytest.fixture(autouse=True)
def grumpy(monkeypatch: pytest.MonkeyPatch) -> None:
    provers: dict[str, type[Native]] = {"native": Native, "grumpy": Grumpy}
    monkeypatch.setattr("oasis.backends.certifying.backend", lambda name, option: provers[name]())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """One finished run over two levels of SYJ203 and a non-theorem."""
    path = tmp_path / "oasis.db"
    with Store(path) as store:
        for name in ("thesis", "textbook/peirce"):
            for _ in Training.start(store, resolve(name, levels=(1, 2, None)), Settings(episodes=200)):
                pass
    return path


def test_what_provers_say_is_kept_with_the_proof_they_saw(database: Path) -> None:
    with Store(database) as store:
        for _ in range(2):  # what is said again replaces what was said
            certify_run(store, 1, ("native", "grumpy"), pytest.fail)
    with Store(database) as store:
        first, second = report(store, 1).lemmas
    assert first.exam is not None
    words = [(word.prover, word.accepted) for word in first.words_on(first.exam.script)]
    assert words == [("grumpy", True), ("native", True)]
    assert [(word.prover, word.accepted, word.reason) for word in second.words_on(second.best)] == [
        ("grumpy", False, "Too long."),
        ("native", True, ""),
    ]
    assert second.to_json()["best"]["certificates"][0]["version"] == "Grumpy 1"


def test_a_run_without_proofs_has_nothing_to_certify_or_export(database: Path) -> None:
    with Store(database) as store:
        certify_run(store, 2, ("grumpy",), pytest.fail)
        assert store.certificates(report(store, 2).lemmas[0].formula) == []
    with pytest.raises(InputError, match="Run 2 has no proof"):
        run_proofs(database, 2)


def test_the_best_proofs_of_a_run_or_of_a_lemma_are_found_again(database: Path) -> None:
    proofs = run_proofs(database, 1)
    assert [(proof.name, len(proof.script)) for proof in proofs] == [("thesis/41", 4), ("thesis/42", 10)]
    found = lemma_proof(database, "SYJ203.2", None)
    assert found.formula is proofs[1].formula
    assert len(found.script) == 10
    typed = (Move("intro"), Move("assumption"))
    assert lemma_proof(database, "A -> A", typed).script == typed
    with pytest.raises(InputError, match="No proof of textbook/and_comm is in"):
        lemma_proof(database, "textbook/and_comm", None)


@pytest.mark.parametrize("space", ["legal", "blind", "simplify"])
def test_learning_inside_a_prover_that_agrees_is_learning_here(space: str) -> None:
    formula = parse("((p -> q) \\/ (q /\\ ~ p)) /\\ p -> q \\/ False")

    def learned(calculus: Calculus) -> tuple[list[float], list[int]]:
        memory = Memory(Simple(), ACTION_SPACES[space])
        environment = PerceivedEnvironment(calculus, memory, Terminating(), 60)
        policy = epsilon_greedy(memory, 0.4, SplitMix64.seeded(3))
        for _ in range(80):
            q_learning(environment, memory, policy, parameters(0.7))
        return memory.values, memory.visits

    values, visits = learned(InsideProver(formula, Native()))
    assert sum(visits) > 80
    assert (values, visits) == learned(Embedded(formula))


def test_a_prover_that_refuses_a_move_leaves_the_student_where_it_is() -> None:
    calculus = InsideProver(parse("p -> p"), Native())
    start = calculus.begin()
    assert calculus.attempt(start, Move("split")) is None
    assert calculus.begin() == start
    after = calculus.attempt(start, Move("intro"))
    assert after is not None
    assert calculus.attempt(after, Move("assumption")) == ()
