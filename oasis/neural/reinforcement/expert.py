"""Expert iteration: a network proves what it can, learns from its proofs, and so comes to prove more.

In each round the network plays lemmas, by itself or in a search by RMaxTS (Anthony, Tian and Barber 2017; Xin et al.
2024, arXiv 2408.08152). A network that writes moves writes whole proofs. The moves that proved a goal are kept, and the
network learns to make the moves of all rounds so far. It also learns which goals were proved and which failed. The
oracle labels nothing, so a goal that failed may be provable. Failed goals are forgotten after their round, and there
are never more of them than of proved ones. Steps of GRPO may follow.

The network is examined at the start and after each of these parts, on theorems that are never practised. An exam says
pass@k, the chance that one of k plays proves a theorem, without bias, or the share that a search of k plays proves.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, cycle, islice, product
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.random import default_rng
from torch import Tensor

from oasis.ground.passes import passes, tries_at_proofs
from oasis.neural.encoding.moves import Unordered, unordered
from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.rollouts import Plays
from oasis.neural.reinforcement.sampling import sampled, tried
from oasis.neural.reinforcement.settings import BOTH, ExpertSettings
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.data import Example, Portion
from oasis.neural.training.progress import Window
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.settings import SAMPLERS, LoopSettings
from oasis.neural.training.supervised import OnLabels
from oasis.neural.training.writing import read, written
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.uncollected import uncollected

START, SFT, GRPO, SEARCH = "base", "sft", "grpo", "+ search"
"""The exams: at the start, after steps on proofs, after steps of GRPO, and of the network in a search."""
_PLAYS, _RMAXTS = SAMPLERS
_TOGETHER: Final = 16
"""Lemmas that are played side by side; after these a training can be stopped."""
_PRACTICE: Final = "practice_"
"""Marks what the optimizer of the steps of GRPO knows, in a checkpoint."""


@dataclass(frozen=True)
class Stage:
    """How far an expert iteration is.

    Attributes:
        step: steps made on proofs, so far.
        news: how it goes, in a line.
        kept: goals whose proofs are kept.
        solved: share of the fixed hundred hard theorems that the network proves; None unless it was examined.
    """

    step: int
    news: str
    kept: int
    solved: float | None = None

    @property
    def outcome(self) -> str:
        """Say how much was learned from."""
        return f"proofs of {self.kept:,} goals kept"


class _Practice(Grpo):
    """The steps of GRPO in an expert iteration, which also lends its lemmas and theorems."""

    KIND: ClassVar[str] = "expert"


class Expert(OnLabels):
    """An expert iteration of a network.

    Attributes:
        exams: for each exam so far a number for each theorem: how many plays proved it; in a search, which play was the
            first to prove it, counted from 1, or 0 if none did.
    """

    KIND: ClassVar[str] = "expert"
    SETTINGS: ClassVar[type[LoopSettings]] = ExpertSettings
    settings: ExpertSettings

    def __init__(self, settings: ExpertSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        self.exams: list[list[int]] = []
        self._practice = _Practice(settings.of_practice, file, workers, network)
        self._drawn: list[int] = []
        self._kept: dict[Unordered, Example] = {}
        self._failed: dict[Unordered, Example] = {}
        self._solved: float | None = None

    @property
    def plan(self) -> list[tuple[int, str]]:
        """List all exams in their order: the round, 0 at the start, and which exam it is."""
        stages = (SFT, GRPO, SEARCH) if self.settings.practice else (SFT, SEARCH)
        return [(0, START), (0, SEARCH), *product(range(1, self.settings.rounds + 1), stages)]

    @property
    def is_over(self) -> bool:
        """Return True if all exams have been taken."""
        return len(self.exams) >= len(self.plan)

    def join(self, ranks: Ranks) -> None:
        """Train on a device. Raises InputError for several processes."""
        self._practice.join(ranks)
        super().join(ranks)

    def __iter__(self) -> Iterator[Stage]:
        """Train to the end; write the checkpoint after each exam and where it is stopped, and say how it goes then."""
        return (told for told in self.steps() if told.solved is not None)

    def steps(self) -> Iterator[Stage]:
        """Train as iterating does; also yield how it goes after some plays and after each step."""
        self._practice.pool.fill()
        for number, stage in self.plan[len(self.exams) :]:
            self.portions = number
            work = {SFT: self._learn, GRPO: self._practise}.get(stage)
            exam: list[int] = []
            for news in chain(work() if work else (), self._examine(stage, exam)):
                is_stopped = self.stopping
                if is_stopped:
                    self.save()
                yield self._stage(f"round {number}, {stage}: {news}", self._solved if is_stopped else None)
                if is_stopped:
                    return
            self.exams.append(exam)
            self._drawn.clear()
            _, self._solved = self._practice.examine()
            self.save()
            shares = ", ".join(f"pass@{k} {share:.1%}" for k, share in self.table[-1]["pass"].items())
            yield self._stage(f"round {number}, {stage}: {shares}", self._solved)

    def _stage(self, news: str, solved: float | None) -> Stage:
        return Stage(self.step, news, len(self._kept), solved)

    @property
    def ks(self) -> tuple[int, ...]:
        """List the numbers k of plays for which exams say what they prove."""
        return tries_at_proofs(self.settings.samples)

    @property
    def table(self) -> list[dict[str, Any]]:
        """List the exams so far.

        Each has its `round`; its `stage`, as in `plan`; as `proofs` its numbers in `exams`; and as `pass` for each k
        the share of the theorems that k plays prove.
        """
        rows, ks = [], np.array(self.ks)
        for (number, stage), proofs in zip(self.plan, self.exams, strict=False):
            found = np.array(proofs)[:, None]
            is_proved = (found > 0) & (found <= ks)
            proved = is_proved if stage == SEARCH else passes(found[:, 0], self.settings.samples, ks)
            shares = dict(zip(self.ks, proved.mean(0).tolist(), strict=True))
            rows.append({"round": number, "stage": stage, "pass": shares, "proofs": proofs})
        return rows

    def _examine(self, stage: str, exam: list[int]) -> Iterator[str]:
        """Add a number for each theorem to an exam, and yield how far it is. All exams draw the same random numbers."""
        theorems = [*chain.from_iterable(self._practice.sets.values())]
        for begin in range(0, len(theorems), _TOGETHER):
            some = theorems[begin : begin + _TOGETHER]
            lots = default_rng([self.settings.seed, 0, begin, 1])
            plays = self._played(_RMAXTS if stage == SEARCH else _PLAYS, some, self.settings.samples, lots)
            for place in range(len(some)):
                proved = plays.proved[plays.lemma == place]  # in the order in which they were made
                first = int(proved.argmax()) + 1 if proved.any() else 0
                exam.append(first if stage == SEARCH else int(proved.sum()))
            yield f"examined on {len(exam):,} of {len(theorems):,} theorems"

    @uncollected()
    def _played(self, sampler: str, lemmas: list[Formula], group: int, lots: np.random.Generator) -> Plays:
        """Return a group of plays of each lemma; with both samplers, also a search for each that no play proved."""
        settings = self.settings
        goals = Goals(self.network, settings.invertible, settings.temperature, settings.writing)
        plays = sampled(_PLAYS if sampler == BOTH else sampler, goals, lemmas, group, lots, most=settings.most_moves)
        if sampler != BOTH:
            return plays
        lost = [lemma for place, lemma in enumerate(lemmas) if not plays.proved[plays.lemma == place].any()]
        return plays.followed_by(sampled(_RMAXTS, goals, lost, group, lots, most=settings.most_moves))

    def _learn(self) -> Iterator[str]:
        """Play the lemmas of a round, and make its steps on what was kept and what failed; yield how that goes."""
        settings, pool = self.settings, self._practice.pool
        number = min(settings.drawn, len(pool.lemmas))
        while len(self._drawn) < number:
            lemmas, proved, new = self._play(min(_TOGETHER, number - len(self._drawn)))
            drawn = len(self._drawn)
            yield f"{drawn:,} of {number:,} lemmas played, {proved} of the last {lemmas} proved, {new:,} new moves"
        if not self._kept:
            raise InputError(
                "No play proved anything, so there is nothing to learn; begin with a network that was trained, or name "
                "easier --lemmas."
            )
        portion = self._portion()
        begun, end = (settings.steps * each // settings.rounds for each in (self.portions - 1, self.portions))
        if self.step == begun:
            self.add_to_digest(portion)
        for batch in islice(cycle(self.batches_of(portion)), self.step - begun, end - begun):
            window = Window()
            self.learn(portion, batch, window)
            yield window.progress(self.step).news

    def _play(self, number: int) -> tuple[int, int, int]:
        """Play more lemmas and keep what proves; return how many were played, how many proved, and the new moves."""
        settings, pool = self.settings, self._practice.pool
        if not self._drawn:
            self._failed.clear()
            pool.renew()
        lots = default_rng([settings.seed, self.portions, len(self._drawn), 1])
        places = pool.draw(lots, number, self._drawn)
        plays = self._played(settings.sampler, [pool.lemmas[place] for place in places], settings.group, lots)
        proofs = np.bincount(plays.lemma[plays.proved], minlength=len(places))
        for place, proved in zip(places, proofs.tolist(), strict=False):  # after these come searches
            pool.learn(place, proved)
        self._drawn += places
        return len(places), int((proofs > 0).sum()), self._keep(plays)

    def _keep(self, plays: Plays) -> int:
        """Keep the moves by which plays proved goals, and the goals that failed; return how many moves are new."""
        new = 0
        for number, proves in tried(plays).items():
            met = plays.goals.all[number]
            key = unordered(met.formulas)
            if not any(proves.values()):
                self._failed[key] = Example(met.formulas, False)
                continue
            known = self._kept.get(key) or Example(met.formulas, True, met.options, (False,) * len(met.options))
            proving = {met.options[place][:2] for place, is_proof in proves.items() if is_proof}
            keeps = tuple(
                bool(keep) or move[:2] in proving for move, keep in zip(known.options, known.keeps, strict=True)
            )
            new += sum(keeps) - sum(map(bool, known.keeps))
            self._kept[key] = known._replace(keeps=keeps)
        return new

    def _portion(self) -> Portion:
        """Return what a round learns from: all goals that were ever proved, and at most as many that failed."""
        failed = [each for key, each in self._failed.items() if key not in self._kept]
        lots = random.Random(f"failed {self.settings.seed} {self.portions}")
        some = lots.sample(failed, min(len(failed), len(self._kept)))
        return Portion.of([*self._kept.values(), *some], self.network.form)

    def _practise(self) -> Iterator[str]:
        """Make the steps of GRPO of a round; yield how their plays end."""
        practice = self._practice
        while practice.step < self.settings.practice * self.portions // self.settings.rounds:
            practice.digest = self.digest
            found, mixed, _ = practice.update()
            self.digest = practice.digest
            yield f"proved {found.plays.proved.mean():.1%} of plays, mixed {mixed} of {len(found.lemmas)} lemmas"

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """Return the exams, and what it takes to go on: the lemmas, the steps of GRPO, proved and failed goals."""
        practice = self._practice
        told: dict[str, Any] = {"exams": self.exams, "solved": self._solved}
        if not self.is_over:
            told |= {"drawn": self._drawn, "practised": practice.step, "pool": practice.pool.state()}
        return {"expert": told}, written(chain(self._kept.values(), self._failed.values()))

    def of_parameters(self) -> dict[str, Tensor]:
        """Return what both optimizers need of each parameter to go on."""
        return super().of_parameters() | self._practice.descent.kept(_PRACTICE)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on where a checkpoint was, with what was kept. Raises as `Loop.restore` does."""
        told, practice = checkpoint.about["expert"], self._practice
        self.exams = [[*map(int, exam)] for exam in told["exams"]]
        theorems, samples = sum(map(len, practice.sets.values())), self.settings.samples
        if any(len(exam) != theorems or not 0 <= min(exam) <= max(exam) <= samples for exam in self.exams):
            raise ValueError("exams")
        super().restore(checkpoint)
        self._solved = None if told["solved"] is None else float(told["solved"])
        practice.pool.restore(told["pool"])
        practice.step, self._drawn = int(told["practised"]), [*map(int, told["drawn"])]
        is_drawn = {*self._drawn} <= {*range(len(practice.pool.lemmas))}
        if not (is_drawn and 0 <= practice.step <= practice.settings.steps):
            raise ValueError("practised")
        practice.descent.restore(checkpoint.optimizer, _PRACTICE)
        for each in read(checkpoint.examples):
            (self._kept if each.provable else self._failed)[unordered(each.formulas)] = each

    def to_json(self) -> dict[str, Any]:
        """Return what is trained, how, how far, the table, and as `exam` how many theorems of each set are in it."""
        sizes = {name: len(theorems) for name, theorems in self._practice.sets.items()}
        return {**super().to_json(), "exam": sizes, "table": self.table}
