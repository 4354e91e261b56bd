"""Distilling: rollouts of lemmas are contrasted, and of what they suggest that is done which helps on other lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.experience.asking import Advice
from oasis.experience.contrast import Contrasts, Rollouts, contrasted
from oasis.experience.library import Library
from oasis.experience.maxims import Maxim, content_of
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import Prior
from oasis.experience.proposals import Proposal, additions, repairs
from oasis.ground.splitmix import SplitMix64
from oasis.ground.statistics import difference
from oasis.play.exam import examine, played
from oasis.play.policy import Floats, Policy
from tactics.errors import InputError

Adviser = Callable[[Mapping[int, Maxim], Sequence[Rollouts], Contrasts], Advice]
"""Who looks at maxims and rollouts as well, and proposes something (`oasis.experience.asking.asked`)."""


class Verdict(NamedTuple):
    """What became of a proposal.

    Attributes:
        proposal: what was proposed.
        accepted: whether it was done.
        gain: in the held-out score, from -1 to 1.
        low: the lower end of its interval.
        high: the upper end.
    """

    proposal: Proposal
    accepted: bool
    gain: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """`operation`, the `maxim`, the numbers that are `gone`, `reason`, `accepted`, `gain`, `low` and `high`."""
        operation, maxim = self.proposal.operation, self.proposal.maxim
        told = None
        if maxim is not None:
            told = {"id": maxim.id or None, "content": maxim.content, "category": maxim.category, **content_of(maxim)}
        gone, reason = list(self.proposal.gone), self.proposal.reason
        numbers = {name: getattr(self, name) for name in ("accepted", "gain", "low", "high")}
        return {"operation": operation, "maxim": told, "gone": gone, "reason": reason, **numbers}


@dataclass(frozen=True)
class Examiner:
    """The score of a library: mean share of proofs of a policy with it on lemmas, for each of some seeds.

    Attributes:
        policy: who plays.
        lemmas: at least one.
        seeds: of exams; plays of one seed draw the same random numbers, whatever the library is.
        plays: of each lemma for a seed.
        max_steps: after which a play is cut short.
    """

    policy: Policy
    lemmas: Sequence[Lemma]
    seeds: Sequence[int]
    plays: int
    max_steps: int

    def scores(self, maxims: Iterable[Maxim]) -> Floats:
        """One for each seed, from 0 to 1."""
        return np.asarray(self.shares(maxims).mean(axis=1))

    def shares(self, maxims: Iterable[Maxim]) -> Floats:
        """The share of proofs; shape (seeds, lemmas)."""
        policy = ExperiencedPolicy(self.policy, Prior.of(maxims))
        exams = [
            [
                examine(policy, lemma.formula, plays=self.plays, seed=seed, max_steps=self.max_steps).share
                for lemma in self.lemmas
            ]
            for seed in self.seeds
        ]
        return np.array(exams)


def parted(lemmas: Sequence[Lemma], held_out: Sequence[Lemma] | None, seed: int) -> tuple[list[Lemma], list[Lemma]]:
    """Return the lemmas to play, and others for the held-out score: those that are named, or a third by lot.

    Raises InputError if either are none.
    """
    if held_out is None:
        lot = list(lemmas)
        SplitMix64.seeded(seed).shuffle(lot)
        held_out = lot[: len(lot) // 3]
    without = {lemma.formula for lemma in held_out}
    practised = [lemma for lemma in lemmas if lemma.formula not in without]
    if not held_out:
        raise InputError("No lemma is left for the held-out score; give three lemmas or more, or name --held-out.")
    if not practised:
        raise InputError("All lemmas are held out; name others to play.")
    return practised, [*held_out]


class Distilling:
    """One distilling: first `play`, then `judge`; both give how far they are.

    Attributes:
        verdicts: what became of each proposal, in their order.
        refused: what an adviser said that is no proposal, a sentence for each.

    Args:
        library: what is changed as soon as a proposal is accepted.
        policy: who plays; it has to try different moves.
        lemmas: whose rollouts are contrasted.
        examiner: of other lemmas.
        adviser: is asked for proposals beside those that are worked out, if there is one.
    """

    def __init__(
        self,
        library: Library,
        policy: Policy,
        lemmas: Sequence[Lemma],
        examiner: Examiner,
        adviser: Adviser | None = None,
    ) -> None:
        self._library, self._policy, self._lemmas = library, policy, lemmas
        self._examiner, self._adviser = examiner, adviser
        self._proposals: list[Proposal] = []
        self.verdicts: list[Verdict] = []
        self.refused: tuple[str, ...] = ()

    def play(self, *, plays: int, seed: int, most: int, max_steps: int) -> Iterator[int]:
        """Play each lemma so many times, and find out what that suggests: repairs, and at most so many additions."""
        rollouts = []
        for done, lemma in enumerate(self._lemmas, 1):
            games = played(self._policy, lemma.formula, plays=plays, seed=seed, max_steps=max_steps)
            rollouts.append(Rollouts(lemma.name, lemma.formula, games))
            yield done
        contrasts = contrasted(rollouts)
        maxims = self._library.maxims()
        self._proposals = [*repairs(maxims, contrasts), *additions(maxims, contrasts, most=most)]
        if self._adviser is not None:
            advice = self._adviser(maxims, rollouts, contrasts)
            scopes = {each.maxim.scope for each in self._proposals if each.maxim is not None}
            self._proposals += [
                each for each in advice.proposals if each.maxim is None or each.maxim.scope not in scopes
            ]
            self.refused = advice.refused

    @property
    def proposals(self) -> int:
        """How many there are to judge."""
        return len(self._proposals)

    def judge(self) -> Iterator[int]:
        """Examine what each proposal comes to, and do it if it helps, or if what rollouts ask for does no harm.

        What another proposal has changed meanwhile is not touched again.
        """
        without = self._examiner.shares([])
        shares = self._examiner.shares(self._library.maxims().values())
        family = sum(proposal.must_improve for proposal in self._proposals)
        changed: set[int] = set()
        for done, proposal in enumerate(self._proposals, 1):
            maxims = self._library.maxims()
            if changed & proposal.about or not proposal.about.union(proposal.beside) <= maxims.keys():
                self.verdicts.append(Verdict(proposal, False, 0.0, 0.0, 0.0))
                yield done
                continue
            tried = self._examiner.shares(proposal.applied(maxims).values())
            scores, before = tried.mean(axis=1), shares.mean(axis=1)
            among = family if proposal.must_improve else 1
            gain, low, high = map(float, difference(scores, before, span=1.0, family=among))
            accepted = low > 0 if proposal.must_improve else gain >= 0
            if accepted:
                told = f"held-out score {before.mean():.3f} to {scores.mean():.3f} ({low:+.3f} to {high:+.3f})"
                by = proposal.by or self._examiner.lemmas[int((tried - shares).mean(axis=0).argmax())].name
                score = [float(each.mean()) for each in (without, shares, tried)]
                with self._library.together():
                    self._do(proposal, by, f"{proposal.reason}; {told}", score)
                changed |= proposal.about
                shares = tried
            self.verdicts.append(Verdict(proposal, accepted, gain, low, high))
            yield done

    def _do(self, proposal: Proposal, by: str, reason: str, score: list[float]) -> None:
        maxim = proposal.maxim
        if maxim is not None and maxim.id:
            self._library.modify(maxim.id, {**content_of(maxim), "score": score}, by=by, reason=reason)
        elif maxim is not None:
            self._library.add(
                maxim.scope,
                maxim.evidence,
                source=maxim.source,
                by=by,
                reason=reason,
                remark=maxim.remark,
                score=score,
            )
        for number in proposal.gone:
            self._library.delete(number, by=by, reason=reason, score=score)
