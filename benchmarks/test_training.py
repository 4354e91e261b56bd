"""What `oasis train` makes of a second: the main job with everything that it stores, compiled against plain.

python -m pytest benchmarks/test_training.py -s
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from curricula.resolve import resolve
from oasis.store import Store
from oasis.student.learners import Learner, q_learning
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training

plainly = Learner(q_learning)
"""Q-learning without its compiled form."""


def steps_per_second(path: Path, learner: str, lemma: str, episodes: int) -> float:
    """Of a whole run, storing and the exam included."""
    with Store(path) as store:
        training = Training.start(store, resolve(lemma), Settings(learner=learner, episodes=episodes))
        began = perf_counter()
        for _ in training:
            pass
        seconds = perf_counter() - began
        return report(store, training.run).lemmas[0].steps / seconds


@pytest.mark.parametrize(("lemma", "episodes"), [("SYJ203.3", 1_000_000), ("SYJ203.4", 300_000)])
def test_a_run_is_as_fast_as_its_loops(lemma: str, episodes: int, tmp_path: Path) -> None:
    steps_per_second(tmp_path / "warm.db", "q-learning", lemma, 10)
    compiled = steps_per_second(tmp_path / "compiled.db", "q-learning", lemma, episodes)
    plain = steps_per_second(tmp_path / "plain.db", f"{__name__}:plainly", lemma, episodes // 250)
    print(f"\n{lemma}: {compiled / 1e6:.1f} M steps/s, {compiled / plain:.0f} times those in plain Python")
    assert compiled > 50 * plain
