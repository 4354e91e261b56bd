"""What R† makes of a second: steps of a Q-learner that is paid by it, beside one that is paid by `terminating`.

Known: on a lemma all of whose states it has met. Discovering: in its first episodes on SYJ203.4, of which two in five
steps are new at first; and in a run from nothing that is as long as the one of `test_training.py`.

python -m pytest benchmarks/test_dagger.py -s
"""

from __future__ import annotations

from time import process_time

import pytest

from curricula.resolve import resolve
from oasis.ground.names import TERMS
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.settings import Settings

HISTORY = ("R_alpha", "U_sigma", "N_BNG", "C_beta")
TRANSITION = ":".join(f"{name}=0.1" for name in TERMS if name not in HISTORY)
SIXTEEN = ":".join(f"{name}=0.1" for name in TERMS)
REWARDS = {
    "terminating": "terminating",
    "all transition terms, M3": f"dagger:correct:{TRANSITION}",
    "all transition terms, M2": f"dagger:correct:{TRANSITION}:belief=knn",
    "the preset all": "dagger:all",
    "all sixteen, M3": f"dagger:correct:{SIXTEEN}",
    "all sixteen, M2": f"dagger:correct:{SIXTEEN}:belief=knn",
    "the preset seed": "dagger:seed",
}


def steps_per_second(reward: str, lemma: str, *parts: int) -> float:
    """CPU-seconds, of the last of some parts in which so many episodes are practised from nothing."""
    settings, formula = Settings(reward=reward), resolve(lemma).lemmas[0].formula
    student = CompiledStudent(settings, new_world(settings))
    student.practise(formula, 1)  # whatever is compiled or read is there
    for episodes in parts:
        began = process_time()
        steps = int(student.practise(formula, episodes).steps.sum())
        speed = steps / (process_time() - began)
    return speed


@pytest.mark.parametrize(
    ("what", "lemma", "parts"),
    [
        ("known", "SYJ203.2", (20_000, 50_000)),
        ("known, but for a few", "SYJ203.3", (400_000, 50_000)),
        ("discovering", "SYJ203.4", (20_000,)),
        ("a run from nothing", "SYJ203.4", (300_000,)),
    ],
)
def test_steps_a_second(what: str, lemma: str, parts: tuple[int, ...]) -> None:
    print(f"\n{what}: {lemma}, {parts[-1]:,} episodes")
    base = steps_per_second(REWARDS["terminating"], lemma, *parts)
    for name, reward in REWARDS.items():
        speed = base if reward == "terminating" else steps_per_second(reward, lemma, *parts)
        print(f"{name:>26}: {speed / 1e6:6.2f} M steps/s, {speed / base:.2f} of terminating")
        assert speed > 0
