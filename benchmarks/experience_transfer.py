"""Do maxims help on lemmas of other kinds, whom, and is it more than chance or an order does?

`python -m benchmarks.experience_transfer` takes the theorems of textbook, SYJ201 to 206 (levels 1 to 3) and random
ones. Cross-validated by kind: for each of these kinds maxims are distilled on all others, and every lemma of the kind
is a test. Then again from levels 1 and 2 of all families to level 3. Beside what was distilled stand as many maxims
with the same evidence whose rule was drawn by lot, others whose whole scope was, an order of the rules, a rule of
thumb that a person wrote (moves that cannot lose come first), and the best of fifteen single sentences that one might
write, chosen on these same theorems. Lemmas that every play proves say nothing and are left out.

These theorems are those by which conditions of maxims were chosen. `--fresh SEED` tests what is distilled from them on
theorems that nobody has looked at, and this is how: random ones of three other sizes and uniform ones as in PropL, both
drawn by the seed and with no random ones to distil from; those of the curriculum `choices`, and ILTP's SYJ101 to 107
and SYN; and larger levels of SYJ203, 205 and 206 that a play can prove in its 200 steps, each with nothing of its
family to distil from. Left out is what is a known theorem in other letters or comes twice. Nothing is chosen or changed
after a look at what comes of it.

Asked is how many plays of the uniform policy end in a proof; and of students, who draw lots among moves of equal value
by the same odds, when they first prove a lemma and what their exam, which follows no maxims, is after so many episodes.
With `--rounds` maxims are distilled from a stream of harder and harder lemmas instead, of which each round has some,
and what is done to the library in each round is counted.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import log
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.experience import MAX_STEPS, theorems
from curricula import parse_levels, resolve
from curricula.lemma import Lemma, Status
from oasis.experience.contrast import Rollouts, contrasted
from oasis.experience.distilling import Distilling, Examiner
from oasis.experience.library import Library
from oasis.experience.maxims import Entry, Maxim
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import Prior
from oasis.experience.scope import ANY, LOSING, UNREACHED, Scope
from oasis.ground.splitmix import SplitMix64
from oasis.ground.statistics import difference
from oasis.play.exam import examine, played
from oasis.play.policy import Floats, Uniform
from oasis.search.goals import Goals
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.student import School
from tactics.errors import InputError
from tactics.goal import initial
from tactics.rules import CAN_LOSE, RULES

RANDOM: Final = "random:size=12,kind=theorem"
THUMB: Final = Prior({Scope(ANY, ANY, rule): 10.0 for rule in RULES if rule not in CAN_LOSE})
ORDER: Final = Prior({Scope(ANY, ANY, rule): 2.0**-place for place, rule in enumerate(RULES)})
SENTENCE: Final = Prior({Scope(ANY, ANY, LOSING, (UNREACHED,)): 1e-3})
"""Where what is then to be proved is out of reach, do not make a move that can lose yet."""
OTHERS: Final = (*(f"SYJ{number}" for number in range(101, 108)), "SYN")
"""Beginnings of names of ILTP's lemmas that are of no family with levels from 1 to 20."""
EPISODES: Final = (3, 10, 30, 100)
"""After which students are examined."""
TOO_LARGE: Final = ("SYJ201.3",)
"""Lemmas that students do not practise: none of any kind proves them in so few episodes, and they take longest."""
KINDS: Final = ("distilled", "rule by lot", "scope by lot", "order", "rule of thumb", "best sentence")
WITHOUT: Final = "without"
PLAYS: Final = "plays"


class Fold(NamedTuple):
    """Lemmas to learn from, and lemmas of another kind."""

    name: str
    known: list[Lemma]
    test: list[Lemma]


def kind(lemma: Lemma) -> str:
    """The family of a lemma, or the collection that it is from."""
    return re.split("[/.:]", lemma.name)[0]


def folds(lemmas: Sequence[Lemma], undecided: set[str]) -> Iterator[Fold]:
    """One for each kind, and one from small levels to larger ones; tests are lemmas of these names alone."""
    for name in dict.fromkeys(map(kind, lemmas)):
        test = [each for each in lemmas if kind(each) == name and each.name in undecided]
        if test:
            yield Fold(name, [each for each in lemmas if kind(each) != name], test)
    test = [each for each in lemmas if each.level == 3 and each.name in undecided]
    yield Fold("level 3", [each for each in lemmas if each.level is not None and each.level < 3], test)


def fresh(lemmas: Sequence[Lemma], seed: int) -> list[Fold]:
    """Return tests of theorems that are no lemmas in other letters, each with those lemmas that it may be told of."""
    goals = Goals()
    met = {goals.add(initial(each.formula)[0]) for each in lemmas}

    def test(without: str, found: Sequence[Lemma]) -> Fold:
        new = []
        for each in found:
            place = goals.add(initial(each.formula)[0])
            if each.status is not Status.NON_THEOREM and place not in met:
                met.add(place)
                new.append(each)
        return Fold(f"without {without}", [each for each in lemmas if kind(each) != without], new)

    drawn = f"kind=theorem,count=30,seed={seed}"
    sizes = [f"random:size={size},atoms={atoms},{drawn}" for size, atoms in ((8, 3), (16, 4), (24, 5))]
    by_lot = [each for text in (*sizes, f"propl:n=16,{drawn}") for each in resolve(text).lemmas]
    iltp = [each for each in resolve("iltp").lemmas if each.name.startswith(OTHERS) and each.formula.size < 1000]
    leveled = {"SYJ203": "4-6", "SYJ205": "4-6", "SYJ206": "4-5"}
    return [
        test("random", by_lot),
        test("nothing", [*resolve("choices").lemmas, *iltp]),
        *(test(name, resolve(name, levels=parse_levels(levels)).lemmas) for name, levels in leveled.items()),
    ]


def distilled(known: Sequence[Lemma], seed: int, library: Library) -> None:
    """Distil from two thirds of some lemmas by lot, with a held-out score of the last third."""
    lot = [*known]
    SplitMix64.seeded(seed).shuffle(lot)
    third = len(lot) // 3
    examiner = Examiner(Uniform(), lot[:third], range(seed, seed + 10), 5, MAX_STEPS)
    distilling = Distilling(library, Uniform(), lot[third:], examiner)
    for _ in distilling.play(plays=60, seed=seed, most=12, max_steps=MAX_STEPS):
        pass
    for _ in distilling.judge():
        pass


def priors(fold: Fold, seed: int) -> dict[str, Prior]:
    """What was distilled on the lemmas of a fold, and what stands beside it, by name."""
    with Store(Path(":memory:")) as store:
        library = Library(store)
        distilled(fold.known, seed, library)
        maxims = [*library.maxims().values()]
    for maxim in maxims:
        print(f"  {fold.name}, seed {seed}: {maxim.content} {maxim.evidence.helped:.0f}:{maxim.evidence.hindered:.0f}")
    rollouts = [Rollouts(each.name, each.formula, played(Uniform(), each.formula, plays=20)) for each in fold.known]
    pool = sorted(contrasted(rollouts))
    rng = SplitMix64.seeded(~seed)
    return {
        "distilled": Prior.of(maxims),
        "rule by lot": Prior.of(_of_other_rule(maxim, pool, rng) for maxim in maxims),
        "scope by lot": Prior.of(_at(maxim, pool[rng.below(len(pool))]) for maxim in maxims),
        "order": ORDER,
        "rule of thumb": THUMB,
        "best sentence": SENTENCE,
    }


def _of_other_rule(maxim: Maxim, pool: Sequence[Scope], rng: SplitMix64) -> Maxim:
    """The same maxim of another rule, one that rollouts differed in and that the rest of its scope fits."""
    fit = []
    for rule in sorted({scope.rule for scope in pool} - {maxim.scope.rule}):
        with suppress(InputError):
            fit.append(Scope.read(*maxim.scope._replace(rule=rule)))
    return _at(maxim, fit[rng.below(len(fit))])


def _at(maxim: Maxim, scope: Scope) -> Maxim:
    """The evidence of a maxim for another scope."""
    return Maxim(maxim.id, scope, maxim.evidence, "", "", "", "")


def players(test: Sequence[Lemma], given: Sequence[Prior], plays: int) -> Floats:
    """The share of proofs of the uniform policy with the prior of each seed; shape (seeds, lemmas)."""
    policies = {prior.text: ExperiencedPolicy(Uniform(), prior) for prior in given}
    return np.array(
        [
            [
                examine(policies[prior.text], each.formula, plays=plays, seed=seed, max_steps=MAX_STEPS).share
                for each in test
            ]
            for seed, prior in enumerate(given)
        ]
    )


def students(test: Sequence[Lemma], learner: str, given: Sequence[Prior]) -> Floats:
    """Of each seed's student and lemma the logarithm of the first proof's episode, and the exams after `EPISODES`.

    Whoever proves nothing in all its episodes counts as if it did in the next one. Shape (seeds, lemmas, 1 + exams).
    """
    found = np.zeros((len(given), len(test), 1 + len(EPISODES)))
    for place, lemma in enumerate(test):
        schools: dict[str, School] = {}
        for seed, prior in enumerate(given):
            if prior.text not in schools:
                schools[prior.text] = School(Settings(learner=learner, episodes=EPISODES[-1], experience=prior.text))
            student, done, proved = schools[prior.text].student(seed), 0, []
            for number, episodes in enumerate(EPISODES):
                proved.append(student.practise(lemma.formula, episodes - done).proved)
                found[seed, place, 1 + number] = student.examine(lemma.formula, 20).share
                done = episodes
            first = np.flatnonzero(np.concatenate(proved))
            found[seed, place, 0] = log(1 + (first[0] if len(first) else EPISODES[-1]))
    return found


def measured(
    fold: Fold, learners: Sequence[str], seeds: int, plays: int, libraries: int
) -> dict[str, dict[str, Floats]]:
    """By measure and prior, numbers of shape (seeds, lemmas, ...); seeds share out as many libraries."""
    several = [priors(fold, 1000 + number) for number in range(libraries)]
    practised = [each for each in fold.test if each.name not in TOO_LARGE]
    found: dict[str, dict[str, Floats]] = {}
    for name in (WITHOUT, *KINDS):
        given = [Prior({}) if name == WITHOUT else several[seed % libraries][name] for seed in range(seeds)]
        found.setdefault(PLAYS, {})[name] = players(fold.test, given, plays)
        for learner in learners:
            found.setdefault(learner, {})[name] = students(practised, learner, given)
    return found


def over_time(lemmas: Sequence[Lemma], libraries: int, rounds: int) -> None:
    """Print what is done to libraries in each round of distilling, which has lots of its own, and what is left.

    Each round has as many lemmas as any other, and none that another one has: a stream from those that most plays of
    the uniform policy prove to those that none does.

    Args:
        lemmas: of which some random ones are added to, and those that every play proves are left out.
        libraries: how many streams are distilled from, which differ in their lots.
        rounds: of each stream.
    """
    sizes = ((size, 3 + (size > 12) + (size > 20)) for size in range(6, 30, 2))
    more = [f"random:size={size},atoms={atoms},kind=theorem,count=40,seed={500 + size}" for size, atoms in sizes]
    pool = {each.formula: each for each in [*lemmas, *(each for text in more for each in resolve(text).lemmas)]}
    shares = {each: float(players([each], [Prior({})], 20).mean()) for each in pool.values()}
    hardest_last = sorted((each for each in shares if shares[each] < 1), key=lambda each: -shares[each])
    parts = [each.tolist() for each in np.array_split(np.array(hardest_last, object), rounds)]
    for number in range(libraries):
        told: list[Counter[str]] = []
        with Store(Path(":memory:")) as store:
            library = Library(store)
            for turn, part in enumerate(parts):
                before = len(library.history())
                distilled(part, 10_000 * (number + 1) + 100 * turn, library)
                told.append(Counter(_told(entry) for entry in library.history()[before:]))
                print(
                    f"library {number} round {turn + 1}: {dict(told[-1])}, {len(library.maxims())} maxims", flush=True
                )
            for half, counts in (("early", told[: rounds // 2]), ("late", told[rounds // 2 :])):
                print(f"library {number}, {half}: {dict(sum(counts, Counter()))}", flush=True)


def _told(entry: Entry) -> str:
    """What a line of the journal does: the operation, and how a maxim was modified."""
    return entry.operation if entry.operation != "modify" else re.split("[: ]", entry.reason)[0]


def _report(title: str, ours: Floats, theirs: Floats, libraries: int, *, is_time: bool = False) -> None:
    """Print a difference with its intervals; of times how many times as long it takes."""
    told = []
    by_library = [np.array([each[place::libraries].mean() for place in range(libraries)]) for each in (ours, theirs)]
    means = {"seeds": [each.mean(axis=1) for each in (ours, theirs)], "libraries": by_library}
    means["lemmas"] = [each.mean(axis=0) for each in (ours, theirs)]
    for what, (one, other) in means.items():
        if len(one) > 1:
            found = np.array(difference(one, other))
            value, low, high = np.exp(found) if is_time else 100 * found
            told.append(f"over {what} {value:.2f} ({low:.2f} to {high:.2f})")
    gains = ours.mean(axis=0) - theirs.mean(axis=0)
    up, down = int((gains > 0.02).sum()), int((gains < -0.02).sum())
    print(f"{title:45s} {'; '.join(told)}; lemmas up {up}, down {down} of {len(gains)}", flush=True)


def report(found: dict[str, dict[str, Floats]], untaught: dict[str, float], libraries: int) -> None:
    """Print all measures of some lemmas, of those that the uniform policy proves seldom and often apart, and by kind.

    Args:
        found: by measure and prior.
        untaught: of each lemma in its order, the share of plays of the uniform policy that prove it.
        libraries: that the seeds share out.
    """
    shares = {"anyhow": (0.0, 1.0), "under 10 %": (0.0, 0.1), "10 % and more": (0.1, 1.0)}
    groups = {
        f"untaught {group}": {name for name, share in untaught.items() if low <= share < high}
        for group, (low, high) in shares.items()
    }
    for name in untaught:
        groups.setdefault("ILTP" if name.startswith(OTHERS) else re.split("[/.]", name)[0], set()).add(name)
    for group, within in groups.items():
        print(f"-- {group}: {len(within)} lemmas")
        for measure, by_prior in found.items():
            names = [name for name in untaught if measure == PLAYS or name not in TOO_LARGE]
            chosen = np.array([name in within for name in names], np.bool_)
            if not chosen.any():
                continue
            theirs = by_prior[WITHOUT][:, chosen]
            for name in KINDS:
                ours = by_prior[name][:, chosen]
                if measure == PLAYS:
                    _report(f"plays ({100 * theirs.mean():.1f} %), {name}", ours, theirs, libraries)
                    if name != "distilled":
                        _report(f"  distilled instead of {name}", by_prior["distilled"][:, chosen], ours, libraries)
                    continue
                usual = np.exp(theirs[..., 0].mean())
                firsts = ours[..., 0], theirs[..., 0]
                _report(f"{measure}, first ({usual:.1f}), {name}", *firsts, libraries, is_time=True)
                for place, episodes in enumerate(EPISODES, 1):
                    one, other = ours[..., place], theirs[..., place]
                    _report(f"{measure}, exam {episodes} ({100 * other.mean():.1f} %), {name}", one, other, libraries)


def main() -> None:
    """Print what came of each fold, and of all kinds together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--plays", type=int, default=10)
    parser.add_argument("--learners", default="and-or-q", help="Of the students; empty for none.")
    parser.add_argument("--libraries", type=int, default=2, help="Distilled for each kind; seeds share them out.")
    parser.add_argument("--fresh", type=int, metavar="SEED", help="Test on theorems that nobody has looked at.")
    parser.add_argument("--rounds", type=int, default=0, help="Distil so often instead, and count what is done.")
    chosen = parser.parse_args()
    lemmas = [*theorems(), *resolve(RANDOM).lemmas]
    if chosen.rounds:
        over_time(lemmas, chosen.libraries, chosen.rounds)
        return
    tested = lemmas if chosen.fresh is None else [each for fold in fresh(lemmas, chosen.fresh) for each in fold.test]
    shares = {each.name: float(players([each], [Prior({})] * 5, 20).mean()) for each in tested}
    undecided = {name for name, share in shares.items() if share < 1}
    print(f"{len(tested)} theorems, of which {len(undecided)} are not proved by every play", flush=True)
    by_kind: list[dict[str, dict[str, Floats]]] = []
    tests: list[Lemma] = []
    learners = list(filter(None, chosen.learners.split(",")))
    for fold in folds(lemmas, undecided) if chosen.fresh is None else fresh(lemmas, chosen.fresh):
        fold = fold._replace(test=[each for each in fold.test if each.name in undecided])
        found = measured(fold, learners, chosen.seeds, chosen.plays, chosen.libraries)
        if fold.name == "level 3":
            print("== from levels 1 and 2 to level 3")
            report(found, {each.name: shares[each.name] for each in fold.test}, chosen.libraries)
        else:
            by_kind.append(found)
            tests += fold.test
    print("== from other kinds")
    together = {
        measure: {name: np.concatenate([each[measure][name] for each in by_kind], axis=1) for name in (WITHOUT, *KINDS)}
        for measure in by_kind[0]
    }
    report(together, {each.name: shares[each.name] for each in tests}, chosen.libraries)


if __name__ == "__main__":
    main()
