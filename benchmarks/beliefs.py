"""How good the packaged beliefs of R† are on lemmas that none of them was fitted to.

`python -m benchmarks.beliefs` prints a table in Markdown: for each curriculum and belief the Brier score beside that of
always saying the share that was proved, with an interval of the difference over lemmas, ECE and AUC, on half of its
lemmas. `bayes-online` has learned from uniform plays of the other half, as it does while a student practises.
`--pretraining` trains M1 on a fifth of the packaged one's data, with and without the steps that need no labels;
`--online` compares M3 as fitted with M3 as it learns, in students that S_KL pays.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from unittest.mock import patch

import numpy as np

from curricula import Status, parse_levels, resolve
from oasis.dagger.beliefs.bayes import visits
from oasis.dagger.beliefs.calibration import cases, parted
from oasis.dagger.episodes import Episode, played
from oasis.dagger.fit import default_fitted
from oasis.dagger.reward import RewardDagger
from oasis.dagger.terms.bayesian import EDGE, chances, clipped, divergence
from oasis.play.calibration import calibration
from oasis.play.policy import Uniform
from oasis.student.settings import Settings
from oasis.student.student import School
from state_spaces.name import formula_key
from tactics.formula import Formula

MIXED = " ".join(
    f"random:size={size},atoms={atoms},kind={kind},count=COUNT,seed=SEED"
    for size, atoms, kind in ((6, 3, "theorem"), (12, 4, "theorem"), (18, 4, "theorem"), (10, 4, "any"))
)
FITTED = MIXED.replace("COUNT", "200").replace("SEED", "2020")
"""What the packaged ones were fitted to; what is the same as one of these but for names is left out."""
CURRICULA = {
    "mixed": MIXED.replace("COUNT", "50").replace("SEED", "77"),
    "any": "random:size=10,atoms=4,kind=any,count=150,seed=77",
    "half theorems": "random:size=10,atoms=4,kind=any,count=75,seed=78 "
    "random:size=10,atoms=4,kind=theorem,count=75,seed=78",
    "textbook": "textbook",
    "SYJ, levels 1-3": "SYJ201 SYJ202 SYJ203 SYJ204 SYJ205 SYJ206",
}
PLAYS, SEED, RESAMPLED = 20, 5, 2_000


def pretraining() -> None:
    """Print what training without labels at first changes, for three seeds."""
    from oasis.neural.beliefs import training

    few = [play for lemma in lemmas_of(FITTED)[::5] for play in played(lemma, Uniform(), PLAYS, SEED)]
    print("| curriculum | seed | Brier, with | without |\n|---|---|---|---|")
    for seed in range(3):
        both = [training.trained(few, seed)]
        with patch.object(training, "_contrast"):
            both.append(training.trained(few, seed))
        for name, sources in CURRICULA.items():
            plays = [play for lemma in lemmas_of(sources) for play in played(lemma, Uniform(), PLAYS, SEED)]
            told = [f"{calibration(*cases(belief, plays)).brier:.3f}" for belief in both]
            print(f"| {name} | {seed} | {told[0]} | {told[1]} |", flush=True)


def online() -> None:
    """Print M3's Brier score on the plays of students that S_KL pays, and the mean KL of their steps."""
    print("| curriculum | belief | episodes | plays that prove | Brier | S_KL, no sign |\n|---|---|---|---|---|---|")
    for source, levels in (("SYJ203", "1-3"), ("textbook", None)):
        lemmas = resolve(source, levels=parse_levels(levels) if levels else None).lemmas
        theorems = [lemma.formula for lemma in lemmas if lemma.status is not Status.NON_THEOREM]
        for belief in ("bayes", "bayes-online"):
            reward = f"dagger:correct:S_KL=0.05:belief={belief}:round=100"
            school = School(Settings(reward=reward, state_space="name", episodes=1000))
            students = [school.student(SEED) for _ in theorems]
            for before, episodes in pairwise((0, 0, 200, 1000)):
                told = []
                for lemma, student in zip(theorems, students, strict=True):
                    student.practise(lemma, episodes - before)
                    plays = played(lemma, student.policy(), PLAYS, SEED)
                    assert isinstance(student.reward, RewardDagger)
                    context = student.reward.context
                    steps = [chances(context, step) for play in plays for step in play.steps]
                    surprise = float(np.mean([divergence(*(clipped(each, EDGE) for each in step)) for step in steps]))
                    share = float(np.mean([play.proved for play in plays]))
                    told.append((share, calibration(*cases(context.belief, plays)).brier, surprise))
                said = " | ".join(f"{each:.3f}" for each in np.mean(told, axis=0))
                print(f"| {source} | {belief} | {episodes} | {said} |", flush=True)


def main() -> None:
    """Print the table."""
    print("| curriculum | belief | Brier | always the share | difference, 95 % | ECE | AUC |")
    print("|---|---|---|---|---|---|---|")
    known = {formula_key(lemma) for lemma in lemmas_of(FITTED)}
    for name, sources in CURRICULA.items():
        lemmas = [lemma for lemma in lemmas_of(sources) if formula_key(lemma) not in known]
        taught, held_out = parted([each for lemma in lemmas for each in played(lemma, Uniform(), PLAYS, SEED)], 0.5)
        for belief in ("gnn", "knn", "bayes", "bayes-online"):
            fitted = default_fitted().belief(belief)
            if fitted.learns:
                fitted.learn(visits(taught))
            said, proved = cases(fitted, held_out)
            found = calibration(said, proved)
            least, most = interval(held_out, said, proved)
            print(
                f"| {name} | {belief} | {found.brier:.3f} | {found.base:.3f} | {least:+.3f} to {most:+.3f} "
                f"| {found.ece:.3f} | {found.auc:.3f} |",
                flush=True,
            )


def lemmas_of(sources: str) -> list[Formula]:
    """The lemmas of curricula, each once."""
    levels = parse_levels("1-3") if sources.startswith("SYJ") else None
    found = (lemma.formula for source in sources.split() for lemma in resolve(source, levels=levels).lemmas)
    return list(dict.fromkeys(found))


def interval(episodes: list[Episode], said: list[float], proved: list[bool]) -> tuple[float, float]:
    """How much less a belief is off than who always says the share that was proved, drawing whole lemmas anew."""
    off = (np.array(said) - np.array(proved)) ** 2 - (np.mean(proved) - np.array(proved)) ** 2
    of = np.unique([episode.lemma.id for episode in episodes for _ in episode.steps], return_inverse=True)[1]
    sums, counts = np.bincount(of, off), np.bincount(of)
    drawn = np.random.default_rng(0).integers(len(sums), size=(RESAMPLED, len(sums)))
    least, most = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), [0.025, 0.975])
    return float(least), float(most)


if __name__ == "__main__":
    {"--pretraining": pretraining, "--online": online}.get(sys.argv[-1], main)()
