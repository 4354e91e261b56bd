"""Solvers by the names that people type: `NAME` or `NAME:POLICY`, or `module:object` for one of somebody's own.

Who proves is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oasis.ground.names import SEARCHES, SOLVERS
from oasis.ground.plugins import PluginError, foreign
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST, OPEN, PROVED, REFUTED, Attempt, Budget, Cost, Solver, Step
from tactics.errors import InputError
from tactics.formula import Formula

if TYPE_CHECKING:
    from oasis.play.committed import Choosing
    from oasis.search.cache import GoalCache

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
    if not kind_of(name):
        return _Brought(text, SOLVERS.make(text))
    if policy and name in SOLVERS and not SOLVERS.takes_argument(name):
        raise InputError(f"--solver {name} asks no policy; leave :{policy} out.")
    make: Callable[[str, str, Means], Solver] = searching if name in SEARCHES else SOLVERS.get(name, climbing)
    return make(name, policy, means)


def parted(text: str) -> tuple[str, str]:
    """Return the name of a solver and that of its policy, empty for its usual one; `module:object` is a name."""
    name, _, policy = text.partition(":")
    return (name, policy) if kind_of(name) else (text, "")


def kind_of(name: str) -> str:
    """Return how a solver proves, by its name: teaching, playing, searching or climbing; empty for one's own."""
    if "+" in name:
        return "climbing"
    if name in SEARCHES:
        return "searching"
    return SOLVERS.entries[name].target.rpartition(":")[2] if name in SOLVERS else ""


def teaching(name: str, policy: str, means: Means) -> Solver:
    """Make the teacher, who asks nobody."""
    from oasis.escalation.proving import Teaching

    return Teaching(shortest=means.shortest, longest=means.longest)


def playing(name: str, policy: str, means: Means) -> Solver:
    """Make a policy that plays."""
    from oasis.play.committed import EAGER, Playing

    proposing = means.policy(policy or UNIFORM)
    return Playing(policy=proposing, choosing=means.choosing or EAGER, seed=means.seed, max_moves=means.longest)


def searching(name: str, policy: str, means: Means) -> Solver:
    """Make a search, by its name or as `module:object`."""
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


def climbing(name: str, policy: str, means: Means) -> Solver:
    """Make a ladder; without the libraries that its network needs, the ladder without its stages."""
    from oasis.escalation.escalation import Climbing
    from oasis.escalation.ladder import EXPLORER, Ladder, network_of

    ladder = Ladder.named(name, policy or NETWORK, means.search or EXPLORER)
    ladder, network = network_of(ladder, means.policy, means.say)
    return Climbing(name=name, ladder=ladder, network=network, seed=means.seed, say=means.say)


def _is_theorem(lemma: Formula) -> bool:
    from oasis.teacher.deciding.decide import Verdict, decide

    return decide(lemma).verdict is Verdict.THEOREM


@dataclass(frozen=True)
class _Brought:
    """A solver that a person brought along: what goes wrong in it is told as theirs, and it is not believed unseen."""

    name: str
    solver: Any

    def __post_init__(self) -> None:
        if isinstance(getattr(self.solver, "counts", ()), str) or not {*self.counts} <= {*asdict(Cost())}:
            raise PluginError(
                f"--solver {self.name} counts what no Cost has; give its fields, as in ('expansions', 'seconds')."
            )

    @property
    def counts(self) -> Sequence[str]:
        return tuple(getattr(self.solver, "counts", ("seconds",)))

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield what the solver yields, and of each lemma something.

        Raises PluginError for what it raises, and for what is no attempt.
        """
        left = {*range(len(lemmas))}
        with foreign(f"--solver {self.name}"):
            steps = iter(self.solver.trying(lemmas, budget))
            for step in steps:
                position, attempt = self._believed(step, lemmas)
                left.discard(position)
                try:
                    yield position, attempt
                except KeyboardInterrupt as stopped:  # whoever tries has the last word
                    if isinstance(steps, Generator):
                        with suppress(StopIteration):
                            yield self._believed(steps.throw(stopped), lemmas)
                        return
                    raise
        for position in sorted(left):
            yield position, Attempt(lemma=lemmas[position], by=self.name, reason="it said nothing of it")

    def _believed(self, step: Any, lemmas: Sequence[Formula]) -> Step:
        """Return a step as far as it can be believed: a proof is what was replayed. Raises PluginError for no step."""
        try:
            position, attempt = step
            is_fit = position in range(len(lemmas)) and attempt.lemma is lemmas[position]
            is_fit &= isinstance(attempt, Attempt) and all(
                isinstance(each, str) for each in (attempt.by, attempt.reason)
            )
            is_fit &= all(isinstance(getattr(attempt.cost, name), int | float) for name in self.counts)
        except (AttributeError, TypeError, ValueError):
            is_fit = False
        if not is_fit:
            raise PluginError(
                f"--solver {self.name} has to yield the place of a lemma and an Attempt at it, not {step!r:.80}."
            )
        reason = attempt.reason or "it does not say why"
        if attempt.script is not None:
            return position, replace(attempt, status=PROVED)
        if attempt.status is PROVED:
            reason = "it claims a proof and shows none"
        elif attempt.status is REFUTED and _is_theorem(attempt.lemma):
            reason = "it claims that there is no proof, and there is one"
        elif attempt.status is REFUTED:
            return position, attempt
        return position, replace(attempt, status=OPEN, length=None, reason=reason)
