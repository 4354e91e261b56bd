"""The stages that a lemma climbs: the table, a search, the network by itself and in a search, and who writes proofs.

Each stage is asked again and again with more time, and says what came of it, what that cost, and whether asking once
more would be of any use. None of them knows whether a lemma is provable.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

from oasis.escalation.costs import Counted, Counter
from oasis.escalation.pupil import Pupil
from oasis.ground.limits import occupied
from oasis.ground.names import SEARCHES
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Policy
from oasis.play.solving import MEMORY, OPEN, PROVED, Attempt, Budget
from oasis.search.cache import GoalCache
from oasis.student.student import NoRoom
from tactics.formula import Formula
from tactics.goal import initial

TABLE: Final = "table"
SEARCH: Final = "search"
GREEDY: Final = "greedy"
JUDGED: Final = "judged"
SAMPLES: Final = "samples"
NETWORK_SEARCH: Final = "network-search"
LANGUAGE: Final = "language"
SPENT: Final = "all that is to be tried was tried"
"""The reason of an attempt after which a stage has nothing more to try."""
LONGEST: Final = 50_000
"""Moves of the longest proof that counts: longer ones of a search are not written down, and longer plays given up."""
_ROOM: Final = 1 << 30
"""Bytes that a search may occupy beside what the student occupies, whose memory grows with the states that it meets."""

BY: Final = {
    TABLE: "table",
    SEARCH: "search",
    LANGUAGE: "language model",
    **dict.fromkeys((GREEDY, JUDGED, SAMPLES, NETWORK_SEARCH), "network"),
}
"""Who proves a lemma in each stage."""


@dataclass(frozen=True)
class Slice:
    """What an attempt may take.

    Attributes:
        seconds: by the clock of the counter; an attempt is told apart from a longer one by nothing else.
        visit: how often the stage was asked about the lemma before, which is the seed of its chance.
        expansions: that the stage made for the lemma before.
        stop: whether somebody asks for the end.
        play: seconds of a play, at least: one that is broken off cannot be gone on with.
    """

    seconds: float
    visit: int = 0
    expansions: int = 0
    stop: Callable[[], bool] = lambda: False
    play: float = 0.0


class Stage(Protocol):
    """Tries to prove lemmas, one at a time, within a slice."""

    name: str

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        """Try to prove a lemma; the reason is `SPENT` if asking once more is of no use.

        Raises NoProof for a script that proves nothing.
        """
        ...


@dataclass
class Table:
    """The student practises, and proves what it comes to prove in an episode."""

    pupil: Pupil
    counter: Counter
    name: str = TABLE

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        """Practise for so long; a lemma for whose states there is no room is not practised again."""
        pupil, has_room = self.pupil, True
        before = pupil.practised(lemma)
        with self.counter.counting() as spending:
            try:
                pupil.practise(lemma, part.seconds, self.counter.clock, part.stop)
            except NoRoom:
                has_room = False
        script = pupil.best(lemma)
        episodes = pupil.practised(lemma)
        cost = replace(spending.cost, episodes=episodes - before)
        status, is_spent = OPEN if script is None else PROVED, not has_room or episodes >= pupil.most
        return Attempt(lemma=lemma, by=self.name, status=status, script=script, cost=cost, reason=SPENT * is_spent)


@dataclass
class Searching:
    """A search, which begins anew each time, but for what is known of the goals that it settled before.

    Attributes:
        policy: gives who proposes moves; asked for each attempt.
        search: a name of `SEARCHES`.
        cache: what is known of goals, by whichever search.
        counter: counts.
        seed: of its chance.
        name: of the stage.
        expansions: for each lemma at most; None for no limit but time.
    """

    policy: Callable[[], Policy]
    search: str
    cache: GoalCache
    counter: Counter
    seed: int
    name: str
    expansions: int | None = None

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        """Search for so long; who tried everything has settled the lemma.

        A search is not asked again when its expansions are made, or when its proof is too long to count.
        """
        policy = self.policy()
        (goal,) = initial(lemma)
        left = None if self.expansions is None else max(0, self.expansions - part.expansions)
        search = SEARCHES.find(self.search)(goal, policy, cache=self.cache, seed=(self.seed << 32) + part.visit)
        # There may be no room in the memory of the student whose policy this is.
        with self.counter.counting(policy) as spending, suppress(NoRoom):
            memory = max(MEMORY, (occupied() or 0) + _ROOM)
            for _ in search.run(Budget(left, seconds=part.seconds, memory=memory), self.counter.clock):
                if search.status is PROVED or part.stop():
                    break
        is_too_long = search.length is not None and search.length > LONGEST
        is_spent = is_too_long or (left is not None and search.expansions >= left)
        return Attempt(
            lemma=lemma,
            by=self.name,
            status=OPEN if is_too_long else search.status,
            script=None if is_too_long else search.script(),
            length=search.length,
            cost=replace(spending.cost, expansions=search.expansions, calls=search.calls, tokens=search.cost.tokens),
            reason=SPENT * is_spent,
        )


@dataclass
class Playing:
    """The network plays by itself and takes no move back: once, or again and again by its probabilities.

    Attributes:
        policy: plays.
        choosing: how it chooses moves.
        counter: counts.
        seed: of its chance.
        name: of the stage.
        plays: in each attempt at most.
    """

    policy: Policy
    choosing: Choosing
    counter: Counter
    seed: int
    name: str
    plays: int = 1

    def attempt(self, lemma: Formula, part: Slice) -> Attempt:
        """Play until it is proved, all plays are made, or the time is over."""
        policy, clock = Counted(self.policy), self.counter.clock
        began = clock()

        def is_over() -> bool:
            return part.stop() or clock() - began >= max(part.seconds, part.play)

        script, played, was_cut = None, 0, False
        with self.counter.counting(self.policy) as spending:
            while script is None and played < self.plays and not part.stop() and clock() - began < part.seconds:
                seed = (self.seed << 32) + part.visit * self.plays + played
                (play,) = committed(policy, (lemma,), self.choosing, seed=seed, max_moves=LONGEST, is_over=is_over)
                played += 1
                was_cut = play.is_cut
                script = play.script if play.proved else None
        cost = replace(spending.cost, plays=played, calls=policy.calls)
        is_spent = not self.choosing.temperature and played > 0 and not was_cut
        status = OPEN if script is None else PROVED
        return Attempt(lemma=lemma, by=self.name, status=status, script=script, cost=cost, reason=SPENT * is_spent)
