"""Reinforcement: a network plays lemmas, and what turned out better than was to be expected becomes likelier.

A training goes from update to update: plays of the network as it is, of as many lemmas as it takes for enough of them
to have plays that end differently, and then some steps of the optimizer on what was played. The oracle labels nothing.

Now and then the network is examined on fixed sets, and the file holds the best one by all of them. While the training
is under way, what it takes to go on with the latest one is in the file too.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from numpy.random import default_rng
from numpy.typing import NDArray
from torch import Tensor

from oasis.neural.networks.network import Network, Writing
from oasis.neural.networks.presets import from_json, to_json
from oasis.neural.policy import policy_of
from oasis.neural.reinforcement.critic import Critic, States
from oasis.neural.reinforcement.exams import Scores, examined
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.learning import Choices, Tally, Weights, losses
from oasis.neural.reinforcement.lemmas import Pool
from oasis.neural.reinforcement.objective import shares
from oasis.neural.reinforcement.paying import Payer
from oasis.neural.reinforcement.practice import Practice
from oasis.neural.reinforcement.rollouts import MOST_MOVES, Plays, played
from oasis.neural.reinforcement.sampling import sampled
from oasis.neural.reinforcement.settings import ReinforcementSettings
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.loop import Loop
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.reserved import hundred
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Floats
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.uncollected import uncollected

_PRESENT, _REFERENCE, _CRITIC, _OF_CRITIC = "present", "reference", "critic", "critic_"


class Played(NamedTuple):
    """What was played for an update.

    Attributes:
        lemmas: the places in the pool of the lemmas that were drawn.
        plays: of these.
        paid: what each choice was, until the next one; shape (choices,).
        proved: plays of each lemma that ended in a proof; shape (lemmas,).
        forwards: goals that went through the network.
    """

    lemmas: list[int]
    plays: Plays
    paid: Floats
    proved: NDArray[np.int64]
    forwards: int

    @property
    def lemma(self) -> NDArray[np.int64]:
        """The number of the lemma of each choice; shape (choices,)."""
        return self.plays.lemma[self.plays.play]

    def mixed(self, told_apart: NDArray[np.bool_]) -> int:
        """How many lemmas have choices that are told apart."""
        return len(np.unique(self.lemma[told_apart]))


class Weighed(NamedTuple):
    """What choices were worth; arrays of shape (choices,).

    Attributes:
        advantages: of each.
        told_apart: whether it is known to have done better or worse than others.
        learned: whether it is learned from.
        returns: what was paid from it on, if a critic learns that.
        states: those at which they were made, likewise.
    """

    advantages: Floats
    told_apart: NDArray[np.bool_]
    learned: NDArray[np.bool_]
    returns: Floats | None = None
    states: States | None = None

    def only(self, some: NDArray[np.bool_]) -> Weighed:
        """The same, where only some choices count."""
        return self._replace(told_apart=self.told_apart & some, learned=self.learned & some)


class Reinforcement(Loop):
    """A reinforcement of a network; see `Loop`.

    Attributes:
        pool: the lemmas, and what came of their plays.
        start: what the network that it goes on from proves; None before it was examined.
        best: what the best one so far proves.
        critic: says what is expected to be paid, if that is learned from returns.
        solved: the share of the fixed hundred that it proves.
    """

    SETTINGS: ClassVar[type[ReinforcementSettings]]
    settings: ReinforcementSettings
    with_values: bool = False
    """Whether the values of all open goals are asked for."""

    def __init__(self, settings: ReinforcementSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        self.payer = Payer(settings.reward)
        if settings.writing == "free" and not isinstance(network, Writing):
            raise InputError("--writing free is for networks that write moves, as of the kinds decoder and lm-writer.")
        if settings.writing == "free" and self.payer.coin is None:
            raise InputError(
                f"{settings.reward} pays for more than how a play ends, and what is no move has no price of its own; "
                "leave out --writing or --reward."
            )
        self.pool = Pool(settings.pool, settings.group)
        self._best_network = copied(network)
        self._reference = copied(network) if settings.divergence else None
        self.critic: Critic | None = None
        self.start: Scores | None = None
        self.best: Scores | None = None
        self.solved = 0.0
        self._learned_from: int | None = None

    @abstractmethod
    def weighed(self, played: Played) -> Weighed:
        """What the choices of plays were worth."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """What counts beside the surrogate."""

    @property
    def result(self) -> Network:
        """The best network so far."""
        return self._best_network

    def join(self, ranks: Ranks) -> None:
        """Train on a device. Raises InputError for several processes, which do not share what they played."""
        if ranks.count > 1:
            raise InputError(f"oasis policy {self.KIND} trains in one process; start it without torchrun.")
        super().join(ranks)
        for network in self._beside.values():
            network.module.to(ranks.device)
        if self.critic is not None:
            self.critic.descent.move_to(ranks.device)

    def __iter__(self) -> Iterator[Practice]:
        """Train to the end, and write the checkpoint after each exam, in the end, and where it is stopped."""
        self.pool.fill()
        if self.start is None:
            self.start, self.solved = self.examine()
            self.best = self.start
        while not self.is_over:
            began = monotonic()
            found, kept, tally = self.update()
            seconds = max(monotonic() - began, 1e-9)
            is_stopped = self.stopping
            scores, is_best = None, False
            if self.is_over or self.updates % self.settings.every == 0:
                scores, solved = self.examine()
                is_best = self._keep(scores, solved)
            is_saved = scores is not None or is_stopped  # stopping is no exam: the clock chooses no network
            if is_saved:
                self.save()
            of_sets = {} if scores is None else {name: scores.share(name) for name in scores.sets}
            yield Practice(
                self.step,
                len(found.lemmas),
                len(found.plays),
                float(found.proved.sum()) / len(found.plays),
                kept,
                len(found.lemmas) - kept,
                found.forwards,
                **tally.means(),
                plays_per_second=len(found.plays) / seconds,
                solved=self.solved if is_saved else None,
                **of_sets,
                is_best=is_best,
            )
            if is_stopped:
                return

    @property
    def _beside(self) -> dict[str, Network]:
        """The networks that a training under way needs beside the best one, by what they are."""
        critic = None if self.critic is None else self.critic.network
        networks = {_PRESENT: self.network, _REFERENCE: self._reference, _CRITIC: critic}
        return {what: network for what, network in networks.items() if network is not None}

    @property
    def learning_rate(self) -> float:
        """That of the step that comes next."""
        left = 1 - self.step / self.settings.steps if self.settings.falling else 1.0
        return super().learning_rate * left

    @property
    def updates(self) -> int:
        """How many have been made."""
        return -(-self.step // self.settings.epochs)

    @uncollected()
    def update(self) -> tuple[Played, int, Tally]:
        """Play, and learn from it; gives what was played, how many lemmas were learned from, and what came of it."""
        found, weighed = self.play()
        for place, proved in zip(found.lemmas, found.proved.tolist(), strict=True):
            self.pool.learn(place, proved)
        self.pool.renew()
        self.payer.refresh()
        self._add_to_digest(found)
        tally = Tally()
        if self.critic is not None and weighed.learned.any():
            assert weighed.states is not None and weighed.returns is not None
            states, learned = weighed.states, weighed.learned
            numbers, returns = states.of_choices[learned], weighed.returns[learned]
            tally.error = self.critic.learn(states, numbers, returns, self.learning_rate, self.settings.epochs)
        choices = self.choices(found, weighed)
        last = min(self.settings.steps, (self.updates + 1) * self.settings.epochs)
        if choices is None:
            self.step = last  # nothing to learn from
        else:
            nodes, device = self.settings.nodes, self.ranks.device
            while self.step < last:
                self.descend(losses(self.network, self._reference, choices, self.weights, nodes, device, tally))
        kept = found.mixed(weighed.told_apart)
        self._learned_from = (self._learned_from or 0) + kept
        return found, kept, tally

    def play(self) -> tuple[Played, Weighed]:
        """Play lemmas until enough of them have plays that are told apart; with what all choices were worth."""
        settings = self.settings
        rng = default_rng([settings.seed, self.step])
        goals = Goals(self.network, settings.invertible, settings.temperature, settings.writing)
        drawn: list[int] = []
        plays, paid = played(goals, [], most=settings.most_moves), np.zeros(0)
        for _ in range(settings.rounds):
            coming = self.pool.draw(rng, settings.drawn, drawn)
            others = sampled(
                settings.sampler,
                goals,
                [self.pool.lemmas[place] for place in coming],
                settings.group,
                rng,
                most=settings.most_moves,
                with_values=self.with_values,
            )
            drawn, plays, paid = drawn + coming, plays.followed_by(others), np.append(paid, self.payer.paid(others))
            proved = np.bincount(plays.lemma[plays.proved], minlength=len(drawn))
            found = Played(drawn, plays, paid, proved, goals.asked)
            weighed = self.weighed(found).only(plays.drawn & goals.seen(plays.goal))  # others are given, or by lot
            if found.mixed(weighed.told_apart) >= settings.mixed or not coming:
                break
        return found, weighed

    def choices(self, found: Played, weighed: Weighed) -> Choices | None:
        """The choices that are learned from; None if none was told apart from others."""
        if not weighed.told_apart.any():
            return None
        settings, plays, learned = self.settings, found.plays, weighed.learned
        numbers, play = np.unique(plays.play[learned], return_inverse=True)
        weights = shares(torch.from_numpy(play), len(numbers), settings.aggregation, settings.usual).double().numpy()
        return Choices.of(plays, np.flatnonzero(learned), weighed.advantages[learned], weights)

    @property
    def sets(self) -> dict[str, tuple[Formula, ...]]:
        """The theorems of each fixed set that the network is examined on."""
        return {name: theorems[: self.settings.exam] for name, theorems in examined().items()}

    @uncollected()
    def examine(self) -> tuple[Scores, float]:
        """What the network proves of the fixed sets by its likeliest moves, and of the fixed hundred the share."""
        proved = {name: self._proved(theorems) for name, theorems in self.sets.items()}
        watched = proved["hard"][: len(hundred())]
        scores = Scores({name: (sum(each), len(each)) for name, each in proved.items()})
        return scores, sum(watched) / len(watched)

    def _proved(self, theorems: Sequence[Formula]) -> list[bool]:
        invertible, writing = self.settings.invertible, self.settings.writing
        if writing == "masked":
            proved: list[bool] = played(Goals(self.network, invertible), theorems, most=MOST_MOVES).proved.tolist()
            return proved
        choosing = Choosing(invertible=invertible, writing=writing)
        plays = committed(policy_of(self.network), theorems, choosing, max_moves=MOST_MOVES)
        return [play.proved for play in plays]

    def remark(self) -> str:
        """What people should know of what plays came to and were paid; empty if all went as usual."""
        nothing = "No lemma had plays that are told apart, so nothing was learned; practise others."
        return " ".join(filter(None, [nothing if self._learned_from == 0 else "", self.payer.remark()]))

    @property
    def kept(self) -> str:
        """Which network the file holds, and what it proves of the fixed sets."""
        if self.start is None or self.best is None:
            return ""
        if self.best.proved > self.start.proved:
            return f"the file holds the best network: {self.best}"
        return f"no update was better than what it began with, which the file holds: {self.start}"

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """What the networks prove, what came of the lemmas' plays, and what the reward has counted."""
        assert self.start is not None and self.best is not None
        scores = {"start": self.start.to_json(), "best": self.best.to_json(), "solved": self.solved}
        told: dict[str, Any] = {"examined": {**scores, "learned_from": self._learned_from}}
        if not self.is_over:
            told |= {"pool": self.pool.state(), "reward": self.payer.state()}
            told |= {} if self.critic is None else {"critic": [self.critic.middle, self.critic.unit]}
        return told, ""

    def of_parameters(self) -> dict[str, Tensor]:
        """What is needed of each parameter to go on, those of the latest network and of the reference among it."""
        kept = super().of_parameters() | ({} if self.critic is None else self.critic.descent.kept(_OF_CRITIC))
        for what, network in self._beside.items():
            kept |= {f"{name}.{what}": tensor.detach() for name, tensor in network.module.named_parameters()}
        return kept

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was, with the latest network."""
        super().restore(checkpoint)
        about = checkpoint.about
        sizes = {name: len(theorems) for name, theorems in self.sets.items()}
        self.start, self.best = (Scores.from_json(about["examined"][name], sizes) for name in ("start", "best"))
        self.solved = float(about["examined"]["solved"])
        if not 0 <= self.solved <= 1:
            raise ValueError("solved")
        counted = self._learned_from = about["examined"]["learned_from"]
        if counted is not None and (type(counted) is not int or counted < 0):
            raise ValueError("learned_from")
        self.pool.restore(about["pool"])
        self.payer.restore(about["reward"])
        for what, network in self._beside.items():
            names = [name for name, _ in network.module.named_parameters()]
            network.module.load_state_dict({name: checkpoint.optimizer[f"{name}.{what}"] for name in names})
        if self.critic is not None:
            self.critic.descent.restore(checkpoint.optimizer, _OF_CRITIC)
            self.critic.middle, self.critic.unit = map(float, about["critic"])
            if not (isfinite(self.critic.middle) and 0 <= self.critic.unit < inf):
                raise ValueError("critic")

    def to_json(self) -> dict[str, Any]:
        """What is trained, how, how far, and what the network proved at the start and the best one proves."""
        examined = {"start": self.start, "best": self.best}
        return {
            **super().to_json(),
            "examined": {name: None if scores is None else scores.to_json() for name, scores in examined.items()},
        }

    def _keep(self, scores: Scores, solved: float) -> bool:
        """Keep the network as the best one, if it is; gives whether it is.

        Args:
            scores: what it proves.
            solved: the share of the fixed hundred that it proves.
        """
        assert self.start is not None and self.best is not None
        is_best = scores.is_better_than(self.best, self.start)
        if is_best:
            self.best, self.solved = scores, solved
            self._best_network.module.load_state_dict(self.network.module.state_dict())
        return is_best

    def _add_to_digest(self, found: Played) -> None:
        """Count what was played among the data."""
        content = blake2b(self.digest.encode(), digest_size=16)
        for each in (np.array(found.lemmas), found.plays.starts, found.plays.place, found.plays.proved):
            content.update(each.tobytes())
        self.digest = content.hexdigest()


def copied(network: Network) -> Network:
    """A network like another one, with the same weights, on the CPU."""
    other = from_json(to_json(network))
    other.module.load_state_dict(network.module.state_dict())
    return other
