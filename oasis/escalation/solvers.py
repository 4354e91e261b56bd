"""Solvers by the names that people type: `NAME` or `NAME:POLICY`, or `module:object` for one of somebody's own.

Who proves is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oasis.ground.plugins import PluginError, foreign, looked_up, made
from oasis.play.policy import Policy
from oasis.play.solving import Attempt, Budget, Solver, Step
from oasis.search.registry import SEARCHES
from tactics.formula import Formula

if TYPE_CHECKING:
    from oasis.play.committed import Choosing
    from oasis.search.cache import GoalCache

TEACHER: Final = "teacher"
COMMITTED: Final = "committed"
ESCALATE: Final = "escalate"
LONGEST: Final = 10_000
"""Moves of the longest script that is written down, or is played, unless somebody says otherwise."""
UNIFORM: Final = "uniform"
"""The policy that is asked, unless another one is named."""
NETWORK: Final = "tiny"
"""The network that a ladder asks, likewise."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """What solvers are made with; each takes what it needs.

    Attributes:
        policy: gives the policy that a name stands for.
        seed: of all chance.
        shortest: whether to look for shorter proofs until there is none, or the budget is used up.
        longest: moves of the longest script that is written down, or is played.
        choosing: how a policy that plays chooses moves; None for the usual way.
        cache: what searches know of goals; None to know nothing of one lemma's goals in the next.
        search: the name of a ladder's search; empty for the usual one.
        say: is told, in a sentence, of what does not go as usual.
    """

    policy: Callable[[str], Policy]
    seed: int = 0
    shortest: bool = False
    longest: int = LONGEST
    choosing: Choosing | None = None
    cache: GoalCache | None = None
    search: str = ""
    say: Callable[[str], None] = lambda sentence: None


def solver_named(text: str, means: Means) -> Solver:
    """Return the solver that a name stands for, as in `best-first`, `best-first:tiny` or `table+search`.

    An object of somebody's own, `module:object`, is a solver, or makes one when it is called without arguments.

    Raises InputError.
    """
    name, policy = parted(text)
    if is_ladder(name):
        return _ladder(name, policy, means)
    if name in SOLVERS:
        return SOLVERS[name](name, policy, means)
    return _Brought(text, made("--solver", text, looked_up("--solver", text, SOLVERS), "trying"))


def parted(text: str) -> tuple[str, str]:
    """Return the name of a solver and that of its policy, empty for its usual one; `module:object` is a name."""
    name, _, policy = text.partition(":")
    return (name, policy) if name in SOLVERS or is_ladder(name) else (text, "")


def is_ladder(name: str) -> bool:
    """Whether a solver, by its name without a policy, is a ladder of others."""
    return "+" in name or SOLVERS.get(name) is _ladder


def _teacher(name: str, policy: str, means: Means) -> Solver:
    from oasis.escalation.proving import Teaching

    return Teaching(shortest=means.shortest, longest=means.longest)


def _committed(name: str, policy: str, means: Means) -> Solver:
    from oasis.play.committed import EAGER, Playing

    proposing = means.policy(policy or UNIFORM)
    return Playing(policy=proposing, choosing=means.choosing or EAGER, seed=means.seed, max_moves=means.longest)


def _search(name: str, policy: str, means: Means) -> Solver:
    from oasis.search.solving import Searching

    return Searching(
        name=name,
        policy=means.policy(policy or UNIFORM),
        seed=means.seed,
        shorter=means.shortest,
        cache=means.cache,
        longest=means.longest,
        doubts=_is_theorem,
        say=means.say,
    )


def _ladder(name: str, policy: str, means: Means) -> Solver:
    from oasis.escalation.escalation import Climbing
    from oasis.escalation.ladder import EXPLORER, Ladder, network_of

    ladder = Ladder.named(name, policy or NETWORK, means.search or EXPLORER)
    ladder, network, remark = network_of(ladder, means.policy)
    if remark:
        means.say(remark)
    return Climbing(name=name, ladder=ladder, network=network, seed=means.seed, say=means.say)


def _is_theorem(lemma: Formula) -> bool:
    from oasis.teacher.deciding.decide import Verdict, decide

    return decide(lemma).verdict is Verdict.THEOREM


SOLVERS: Final[dict[str, Callable[[str, str, Means], Solver]]] = {
    TEACHER: _teacher,
    COMMITTED: _committed,
    **dict.fromkeys(SEARCHES, _search),
    **dict.fromkeys(("table", "search", "network", ESCALATE), _ladder),
}
"""Who proves, by name: who knows; a policy that takes no move back; who tries; ladders of who practises and these."""


@dataclass(frozen=True)
class _Brought:
    """A solver that a person brought along: what goes wrong in it is told as theirs."""

    name: str
    solver: Any

    @property
    def counts(self) -> Sequence[str]:
        return tuple(getattr(self.solver, "counts", ("seconds",)))

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield what the solver yields. Raises PluginError for what it raises, and for what is no attempt."""
        who = f"--solver {self.name}"
        with foreign(who):
            for step in self.solver.trying(lemmas, budget):
                try:
                    position, attempt = step
                    is_fit = isinstance(attempt, Attempt) and attempt.lemma is lemmas[position]
                except (TypeError, ValueError, IndexError):
                    is_fit = False
                if not is_fit:
                    raise PluginError(
                        f"{who} has to yield the place of a lemma and an Attempt at it, not {step!r:.80}."
                    )
                yield position, attempt
