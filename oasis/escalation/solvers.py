"""Solvers by the names that people type: `NAME` or `NAME:POLICY`, or `module:object` for one of somebody's own.

Who proves is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from oasis.ground.names import SEARCHES, SOLVERS
from oasis.ground.plugins import PluginError, foreign
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST, OPEN, PROVED, REFUTED, Attempt, Budget, Cost, Solver, Step
from tactics.errors import InputError
from tactics.formula import Formula

if TYPE_CHECKING:
    from oasis.play.choices import Writing
    from oasis.play.committed import Choosing
    from oasis.search.cache import GoalCache

UNIFORM: Final = "uniform"
"""The policy that is asked, unless another one is named."""
WRITTEN: Final = "written"
"""The solver that samples whole proofs."""
NETWORK: Final = "tiny"
"""The network that a ladder asks, likewise."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """What solvers are made with; each takes what it needs.

    Attributes:
        policy: gives the policy that a name stands for.
        usual: the policy that is asked where none is named; None for the uniform one.
        seed: of all chance.
        shortest: whether to look for shorter proofs until there is none, or the budget is used up.
        longest: moves of the longest script that is written down, or is played.
        choosing: how a policy that plays chooses moves; None for the usual way.
        writing: how whole proofs are written; None for the usual way.
        cache: what searches know of goals; None to know nothing of one lemma's goals in the next.
        options: arguments that the search takes beside those of all (`oasis.search.search.Search.takes`).
        search: the name of a ladder's search; empty for the usual one.
        language: the name of the policy that writes proofs for a ladder; empty for none.
        say: is told, in a sentence, of what does not go as usual.
    """

    policy: Callable[[str], Policy]
    usual: Policy | None = None
    seed: int = 0
    shortest: bool = False
    longest: int = LONGEST
    choosing: Choosing | None = None
    writing: Writing | None = None
    cache: GoalCache | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    search: str = ""
    language: str = ""
    say: Callable[[str], None] = lambda sentence: None

    def proposing(self, name: str) -> Policy:
        """Return the policy of a name, or the usual one if it is empty."""
        return self.policy(name or UNIFORM) if name or self.usual is None else self.usual


def solver_named(text: str, means: Means, option: str = "") -> Solver:
    """Return the solver that a name stands for, as in `best-first`, `best-first:tiny` or `table+search`.

    An object of somebody's own, `module:object`, is a search, which may name its policy as well, or a solver, or makes
    one when it is called without arguments.

    Args:
        text: the name.
        means: what it is made with.
        option: with which it was given; empty for `--solver`.

    Raises InputError.
    """
    name, policy = parted(text)
    kind = kind_of(name, option)
    if policy and kind != "searching" and not SOLVERS.takes_argument(name) and "+" not in name:
        raise InputError(f"{option or SOLVERS.option} {name} asks no policy; leave :{policy} out.")
    if not kind:
        return _Brought(text, SOLVERS.make(text, option))
    make: Callable[[str, str, Means], Solver] = searching if kind == "searching" else SOLVERS.get(name, climbing)
    return make(name, policy, means)


def parted(text: str) -> tuple[str, str]:
    """Return the name of a solver, which may be `module:object`, and that of its policy, empty for its usual one."""
    name, _, rest = text.partition(":")
    if rest and not (name in SOLVERS or name in SEARCHES or "+" in name):
        own, _, rest = rest.partition(":")
        name = f"{name}:{own}"
    return name, rest


def kind_of(name: str, option: str = "") -> str:
    """Return how a solver proves, by its name: teaching, playing, searching or climbing; empty for one's own.

    One's own may be a search. Raises InputError, naming the option, if there is nothing of that name.
    """
    if "+" in name:
        return "climbing"
    if name in SEARCHES:
        return "searching"
    if name in SOLVERS:
        return SOLVERS.entries[name].target.rpartition(":")[2]
    found = SOLVERS.looked_up(name, option)
    from oasis.search.search import Search

    return "searching" if isinstance(found, type) and issubclass(found, Search) else ""


def writes(search: str, policy: str) -> bool:
    """Return True if a search has whole proofs written by a policy: one by rollouts, or somebody's own."""
    if WRITTEN not in (search, policy.partition(":")[0]):
        return False
    from oasis.search.rollouts.search import RolloutSearch

    return search not in SEARCHES or issubclass(SEARCHES[search], RolloutSearch)


def teaching(name: str, policy: str, means: Means) -> Solver:
    """Make the teacher, who asks nobody."""
    from oasis.escalation.proving import Teaching

    return Teaching(shortest=means.shortest, longest=means.longest)


def playing(name: str, policy: str, means: Means) -> Solver:
    """Make a policy that plays."""
    from oasis.play.committed import EAGER, Playing

    proposing = means.proposing(policy)
    return Playing(policy=proposing, choosing=means.choosing or EAGER, seed=means.seed, max_moves=means.longest)


def searching(name: str, policy: str, means: Means) -> Solver:
    """Make a search, by its name or as `module:object`; `written` samples whole proofs."""
    from oasis.play.writing import Written
    from oasis.search.solving import Searching

    proposing = means.proposing(policy)
    if name == WRITTEN or isinstance(proposing, Written):
        proposing = Written(proposing, means.writing)
    return Searching(
        name="sampling" if name == WRITTEN else name,
        policy=proposing,
        seed=means.seed,
        shorter=means.shortest,
        cache=means.cache,
        longest=means.longest,
        doubts=_is_theorem,
        say=means.say,
        options=means.options,
    )


def climbing(name: str, policy: str, means: Means) -> Solver:
    """Make a ladder; stages whose policy lacks a library are left out."""
    from oasis.escalation.escalation import Climbing
    from oasis.escalation.ladder import EXPLORER, Ladder, asked_by

    ladder = Ladder.named(name, policy or NETWORK, means.search or EXPLORER, means.language)
    if means.language and not ladder.language:
        raise InputError(f"--language is for ladders with the stage language, as in {name}+language, or escalate.")
    ladder, asked = asked_by(ladder, means.policy, means.say)
    return Climbing(name=name, ladder=ladder, asked=asked, seed=means.seed, say=means.say)


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
