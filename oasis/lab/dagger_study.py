"""The study of S_KL: learners paid by `terminating`, by R† without S_KL, and by R† with it as each belief says p(QED).

Networks and tables choose among all legal moves, in practice and in the exam, and have as many plays in a trial. A
network practises other lemmas than those of its exam if there are several; a table knows nothing of lemmas that it
never met, and practises those of the exam.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from scipy.special import rel_entr

from curricula.lemma import Lemma, Status
from oasis.dagger.making import dagger, described, settled
from oasis.dagger.terms.bayesian import EDGE_AS_PRINTED, clipped, divergence
from oasis.dagger.weights import Weights
from oasis.ground.names import LEARNERS
from oasis.ground.plural import counted, named
from oasis.ground.statistics import Floats
from oasis.lab.ablation import FEWEST, TERMINATING
from oasis.lab.experiment import Experiment
from oasis.lab.findings import Certifying, Findings, findings
from oasis.lab.measure import PERCENT, Family, Measure, Trial, last, mean_of_known, whole
from oasis.lab.pictures import save_side_by_side
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.reports import Reports
from oasis.lab.students.plan import school
from oasis.neural.files import TINY, begun_from
from oasis.neural.installed import check_installed
from oasis.neural.reinforcement.settings import PoolSettings, ReinforcementSettings
from oasis.play.exam import played_together
from oasis.play.policy import Greedy, Policy
from oasis.student.learners import learner
from oasis.student.settings import Settings
from oasis.teacher.exact.values import shortest_proof
from state_spaces.name import lemma_key
from tactics.errors import InputError, check_choice
from tactics.goal import State
from tactics.printer import show
from tactics.rules import legal_moves
from tactics.script import replay, show_script

NETWORKS: Final = ("ppo", "grpo")
"""Learners that are networks; all others are students."""
STARTS: Final = ("new", TINY)
"""What a network begins as: random weights, or the one that comes along."""
_EXAMS: Final = 10
"""After the first one."""
_PLAYS: Final = 20
"""Of each lemma in an exam."""
_GOALS: Final = 30_000
"""Up to which the shortest proof of a lemma is looked for."""
BINS: Final = np.append(np.arange(0, 2.05, 0.1), inf)
"""Bounds of the histogram of KL, in nats."""
_OF_POLICY, _KL_BY = "policy KL", "KL by "
"""The name of the policy's measure, and the beginning of the names of beliefs' measures."""
_STUDENT: Final = Settings(state_space="name")

Paths = Mapping[tuple[State, ...], int]
"""The states of plays of a lemma, and how many plays went through them."""


@dataclass(frozen=True)
class Paid:
    """A reward, by its name in the report, which is unique in its plan, and by the name that makes it."""

    name: str
    reward: str


@dataclass(frozen=True)
class DaggerPlan(Work):
    """One learner paid by every reward, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        lemmas: of the exam.
        learner: one of `NETWORKS`, or that of a student.
        practised: the lemmas of practice.
        updates: of a network; a student has as many plays.
        drawn: lemmas that a network plays for an update.
        start: of a network, one of `STARTS`.
        surprises: by name of a belief a reward with S_KL by it; the KL of plays is told by each of them.
    """

    noun: ClassVar[str] = "learners"
    unit: ClassVar[str] = "plays"
    scripts: ClassVar[tuple[str, ...]] = ("script",)
    variants: tuple[Paid, ...]
    learner: str
    practised: tuple[Lemma, ...]
    updates: int
    drawn: int
    start: str
    surprises: tuple[Paid, ...]

    @property
    def asked(self) -> list[int]:
        """After how many updates, or as many plays of a student, there is an exam."""
        found: list[int] = np.unique(np.linspace(0, self.updates, _EXAMS + 1).round().astype(int)).tolist()
        return found

    @property
    def effort(self) -> int:
        """The plays of a trial."""
        return self.updates * self.drawn * ReinforcementSettings.group

    @property
    def within(self) -> str:
        """The number of plays in words."""
        return f"{self.effort:,} plays"

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the students, if the learner is one."""
        kinds = () if self.learner in NETWORKS else self.variants
        episodes = round(self.effort / len(self.practised))
        return tuple(replace(_STUDENT, learner=self.learner, reward=each.reward, episodes=episodes) for each in kinds)

    def attempt(self, variant: int, seed: int) -> Trial:
        """Let the learner of a seed practise, paid by the reward of this place; return what its exams came to.

        Of shape (exams,): `plays` before each. Of shape (exams, lemmas): `proved`, the share of plays that prove. Of
        the last exam, of shape (lemmas,): `longer`, moves of its proofs as a multiple of a shortest one, nan if there
        is none or that is not known; `script` of the shortest proof, empty if there is none; and the mean of each KL
        (`_kls`) over steps. Of shape (bins, 1): `steps, ` and its name, the share of steps with that KL in each bin;
        and (bins,): `bins`, where these begin.
        """
        formulas = self.formulas(seed)
        proved: list[list[float]] = []
        policies: list[Policy] = []
        for policy in (self._networks if self.learner in NETWORKS else self._students)(variant, seed):
            exam = played_together(Greedy(policy), formulas, plays=_PLAYS, seed=seed)
            proved.append([sum(play.proved for play in plays) / _PLAYS for plays in exam])
            policies = [*policies[:1], policy]
        proofs = [[play.script for play in plays if play.proved] for plays in exam]
        kept = [min(each, key=len, default=()) for each in proofs]
        lengths = np.array([np.mean([*map(len, each)]) if each else np.nan for each in proofs])
        paths = [
            Counter(tuple(replay(lemma, play.script)) for play in plays)
            for lemma, plays in zip(formulas, exam, strict=True)
        ]
        found = {
            "plays": np.array(self.asked) * self.drawn * ReinforcementSettings.group,
            "proved": np.array(proved),
            "longer": lengths / np.array([lemma.shortest or np.nan for lemma in self.lemmas]),
            "script": np.array([show_script(script) for script in kept]),
            "bins": BINS[:-1],
        }
        for name, kls in self._kls(paths, policies[0], policies[-1]).items():
            together = np.concatenate(kls)
            found[name] = np.array([kl.mean() if len(kl) else 0.0 for kl in kls])
            found[f"steps, {name}"] = np.histogram(together, BINS)[0][:, None] / max(1, len(together))
        return found

    def _kls(self, paths: Sequence[Paths], start: Policy, now: Policy) -> dict[str, list[Floats]]:
        """Return by its name each KL at every step of plays, lemma by lemma: of the policy, and as beliefs say p."""
        return {
            _OF_POLICY: [_drifts(each, start, now) for each in paths],
            **{
                f"{_KL_BY}{each.name}": [_surprises(of_lemma, each.reward) for of_lemma in paths]
                for each in self.surprises
            },
        }

    def _networks(self, variant: int, seed: int) -> Iterator[Policy]:
        """Train a network; gives its policy at the start and at each exam, the latter until it trains on."""
        check_installed()
        import torch

        from oasis.neural.networks.presets import made
        from oasis.neural.policy import policy_of
        from oasis.neural.reinforcement.grpo import Grpo
        from oasis.neural.reinforcement.ppo import Ppo
        from oasis.neural.reinforcement.train import Reinforcement, copied

        torch.set_num_threads(1)
        network = made("relational", "tiny", seed) if self.start == "new" else begun_from(self.start)[0]
        kind: type[Reinforcement] = Ppo if self.learner == Ppo.KIND else Grpo
        # For every reward, so that only what is paid differs.
        credit: dict[str, Any] = {"credit": "to-go"} if kind is Grpo else {}
        settings = kind.SETTINGS(
            seed=seed,
            steps=ReinforcementSettings.epochs * self.updates,
            reward=self.variants[variant].reward,
            drawn=self.drawn,
            mixed=0,
            rounds=1,
            invertible="free",
            pool=PoolSettings(seed=seed, lemmas=tuple(show(lemma.formula) for lemma in self.practised)),
            **credit,
        )
        training = kind(settings, Path(os.devnull), 0, network)  # what is kept of a training is the trial
        training.pool.fill()
        yield policy_of(copied(network))
        for begin, end in pairwise(self.asked):
            for _ in range(begin, end):
                training.update()
            yield policy_of(network)

    def _students(self, variant: int, seed: int) -> Iterator[Policy]:
        """Let a student practise all lemmas in turn; gives its policy at the start and at each exam."""
        settings = self.settings[variant]
        student = school(settings).student(seed)
        yield school(settings).student(seed).policy()
        for begin, end in pairwise(round(settings.episodes * after / self.updates) for after in self.asked):
            for lemma in self.practised:
                student.practise(lemma.formula, end - begin)
            yield student.policy()

    def report(self, trials: Mapping[str, Sequence[Trial]]) -> Report:
        """Return what trials come to, by the names of rewards."""
        return Report(
            family(each.name for each in self.surprises),
            trials,
            [lemma.name for lemma in self.lemmas],
            [*self._remarks()],
        )

    def _remarks(self) -> Iterator[str]:
        if len(self.variants) == 1:
            yield f"{named(self.learner)} looks at no reward, so it has one row."
        if {*self.practised} & {*self.lemmas}:
            yield f"Practised is what the exam asks: {counted(len(self.lemmas), 'lemma')}."
        else:
            many = counted(len(self.practised), "lemma")
            yield f"Practised are {many}, and the exam asks others: {counted(len(self.lemmas), 'lemma')}."


def plans(
    curricula: Mapping[str, Iterable[Lemma]],
    learners: Sequence[str],
    rewards: tuple[Paid, ...],
    seeds: tuple[int, ...],
    updates: int,
    start: str,
) -> dict[str, DaggerPlan]:
    """Return a plan for each curriculum and learner. Raises InputError if there is no theorem, or no such learner.

    Of several theorems every other one is held out for the exam.
    """
    surprises = tuple(replace(each, name=each.name.removeprefix(_BY)) for each in rewards if each.name.startswith(_BY))
    found = {}
    for name, lemmas in curricula.items():
        known = {lemma_key(each.formula) or each.name: each for each in lemmas if each.status is not Status.NON_THEOREM}
        if not known:
            raise InputError(f"None of the lemmas of {name} is a theorem, so there is nothing to learn; name others.")
        theorems = [*known.values()]
        held_out = theorems[1::2] or theorems
        drawn = min(ReinforcementSettings.drawn, len(theorems[::2]))
        examined = tuple(replace(each, shortest=shortest_proof(each, inf, _GOALS)) for each in held_out)
        for each in learners:
            check_choice("--learner", each, [*NETWORKS, *LEARNERS])
            if each in NETWORKS:
                check_installed()
            practised = tuple(theorems[::2]) if each in NETWORKS and len(theorems) > 1 else examined
            kinds = rewards if each in NETWORKS or learner(each).rewarded else (Paid("any reward", TERMINATING),)
            plan = DaggerPlan(name, examined, kinds, seeds, each, practised, updates, drawn, start, surprises)
            found[f"{name} by {each}"] = plan
    return found


_BY: Final = "S_KL by "


def told(kept: Experiment[DaggerPlan], certify: Certifying, command: str) -> Findings:
    """Return what came of a study of S_KL: all numbers of all learners, and no sentence of its own."""
    reports = Reports({part: kept.report(part) for part in kept.plans}, "learners")
    paid = {each.name: each.reward for plan in kept.plans.values() for each in plan.variants}
    numbers = [*reports.overview("All numbers")]
    whole = findings(
        kept,
        certify,
        command,
        reports=reports,
        tables=numbers,
        content={"rewards": paid},
        files={"plot": partial(save_side_by_side, reports=reports)},
    )
    return whole._replace(tables=numbers)


def rewards(weights: Weights, beliefs: Sequence[str]) -> tuple[Paid, ...]:
    """Return `terminating`, R† without S_KL, and R† with it by each belief. Raises InputError if one cannot be."""
    weights = settled(weights)
    if "S_KL" not in weights.weights:
        raise InputError("These weights have no S_KL to study; add it, as in --weights correct:S_KL=0.05.")
    without = {name: weight for name, weight in weights.weights.items() if name != "S_KL"}
    found = (
        Paid(TERMINATING, TERMINATING),
        Paid("R† without S_KL", described(replace(weights, weights=without))),
        *(Paid(f"{_BY}{belief}", described(replace(weights, belief=belief))) for belief in beliefs),
    )
    for each in found[1:]:
        dagger(each.reward)
    return found


def family(beliefs: Iterable[str]) -> Family:
    """Return what is measured of learners, with the KL of p(QED) by each of some beliefs."""
    return Family(
        "learners",
        "plays",
        (
            Measure(
                "QED",
                "share of the last exam's plays that prove",
                last("proved"),
                "more",
                tested=True,
                headline=True,
                **PERCENT,
            ),
            Measure("QED by then", "share of an exam's plays that prove", whole("proved"), x="plays", **PERCENT),
            Measure(
                "length",
                "moves of the last exam's proofs as a multiple of a shortest one, where there is one and it is known",
                whole("longer"),
                "less",
                over_lemmas=mean_of_known,
                least=1,
                digits=2,
            ),
            Measure(
                "plays to 90 %",
                "plays until the first exam in which the share that proves is 90 % of the last one's, if that is not 0",
                _until,
                "less",
                least=0,
                digits=0,
            ),
            *_of_steps(_OF_POLICY, "KL of the policy, greedy if it is a table's, from that at the start", tested=True),
            *(
                measure
                for name in beliefs
                for measure in _of_steps(f"{_KL_BY}{name}", f"KL(p(QED) after a step, p before it), p by {name}")
            ),
        ),
        fewest=FEWEST,
    )


def _of_steps(name: str, says: str, *, tested: bool = False) -> Iterator[Measure]:
    """Give the measures of a KL: its mean, and its histogram."""
    mean = f"mean of {says}, over the steps of the last exam"
    yield Measure(name, mean, whole(name), tested=tested, least=0, digits=3, unit="nats")
    yield Measure(
        f"steps, {name}",
        f"share of the last exam's steps with so large a {says}; the last point is for all that are larger",
        whole(f"steps, {name}"),
        x="bins",
        axis="nats",
        **PERCENT,
    )


def _until(trial: Trial) -> Floats:
    shares = np.asarray(trial["proved"], np.float64).mean(axis=1)
    return np.array([trial["plays"][np.argmax(shares >= 0.9 * shares[-1])] if shares[-1] else np.nan])


def _surprises(paths: Paths, reward: str) -> Floats:
    """Return the KL of p(QED) at each step of plays, as S_KL is printed, by the belief of a reward."""
    belief = _payer(reward).context.belief

    def chance(state: State) -> float:
        known = bool(not state or not legal_moves(state[0]))
        (found,) = [float(not state)] if known else belief.probabilities([state])
        return clipped(float(found), EDGE_AS_PRINTED)

    of_paths = [[divergence(chance(after), chance(before)) for before, after in pairwise(path)] for path in paths]
    return np.array([kl for kls, times in zip(of_paths, paths.values(), strict=True) for kl in kls * times], np.float64)


def _drifts(paths: Paths, start: Policy, now: Policy) -> Floats:
    """Return the KL of one policy from another at each step of plays."""
    visits = Counter[State]()
    for path, times in paths.items():
        for state in path[:-1]:
            visits[state] += times
    pairs = zip(now.probabilities([*visits]), start.probabilities([*visits]), strict=True)
    return np.repeat([rel_entr(one, other).sum() for one, other in pairs], [*visits.values()]).astype(np.float64)


_payer = lru_cache(maxsize=8)(dagger)
