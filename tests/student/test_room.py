"""A student that meets more states than it has room for: it makes room, and gives up what does not fit alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from curricula.lemma import Curriculum, Lemma
from curricula.resolve import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.store import Store
from oasis.student.compiled import student as module
from oasis.student.compiled.world import World
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from state_spaces import STATE_SPACES
from tactics.formula import renamed


@pytest.fixture
def small_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the states of SYJ203.2, and not for those of two such lemmas."""

    def small(settings: Settings) -> World:
        return World(STATE_SPACES[settings.state_space](), ACTION_SPACES[settings.actions], max_states=400)

    monkeypatch.setattr(module, "new_world", small)


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
