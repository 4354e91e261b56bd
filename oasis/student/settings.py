"""The settings of a training run, each told once, with what a person reads of it; checked when they are made.

Imports nothing that takes time: who shows the help of a command needs no student.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from oasis.ground.names import LEARNERS, PROVERS, REWARDS, SOLVERS, STATE_SPACES
from oasis.ground.settings import LEVELS, SEEDS, Setting, check, known, of_lemmas
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.experience.prior import Prior

_MOST: Final = 10**12
"""Of episodes, steps and planning steps; compiled loops count with 64 bits."""
_COUNT: Final = f"[1, {_MOST}]"

WEIGHTS: Final = Setting(
    "With --reward dagger: steady, all, correct, elegant, seed, shaped, sparse, tuned, or a .toml file of weights.",
    metavar="FILE|PRESET",
)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a student learns; raises InputError for a value out of range.

    The defaults are one-step Q-learning with the thesis's step size, discount and ε; `MAIN_JOB` are those of
    `oasis train`.
    """

    learner: Annotated[str, Setting(f"{LEARNERS.told}.", complete="oasis.ground.names:LEARNERS.complete")] = (
        "q-learning"
    )
    reward: Annotated[
        str,
        Setting(
            f"{REWARDS.told}; dagger is the reward R† with two terms that a student learns by, dagger:all has all "
            "sixteen, for study; others as dagger:seed:P=0.3 (see oasis dagger).",
            metavar="NAME",
            complete="oasis.ground.names:REWARDS.complete",
        ),
    ] = "terminating"
    state_space: Annotated[
        str,
        Setting(
            f"When two states are the same: {STATE_SPACES.told} (see oasis states --help).",
            choices="oasis.ground.names:STATE_SPACES",
        ),
    ] = "simple"
    actions: Annotated[
        str, Setting("What is on offer: legal, blind or simplify.", choices="oasis.play.actions:ACTION_SPACES")
    ] = "legal"
    forget_errors: Annotated[bool, Setting("With --actions blind, as in the thesis: give up what does not apply.")] = (
        False
    )
    episodes: Annotated[int, Setting("Episodes for each lemma.", within=_COUNT)] = 5000
    epsilon: Annotated[
        float | str,
        Setting(
            "Share of actions chosen at random: a number, 0 to 1, or a schedule as 0.5..0.05 or 1/n.", within="[0, 1]"
        ),
    ] = 0.4
    alpha: Annotated[
        float | str,
        Setting(
            "Step size: a number, above 0 and up to 1, or a schedule as 1/n^0.6; epsilon-soft averages.",
            within="(0, 1]",
        ),
    ] = 0.7
    gamma: Annotated[float, Setting("Discount, 0 to 1.", within="[0, 1]")] = 0.9
    trace_decay: Annotated[float, Setting("λ of sarsa-lambda and q-lambda, 0 to 1.", within="[0, 1]")] = 0.9
    planning: Annotated[int, Setting("Planning steps of dyna-q after each real one.", within=f"[0, {_MOST}]")] = 20
    initial_value: Annotated[
        float, Setting("Q before the first update; optimistic if it is large.", within="[-1e100, 1e100]")
    ] = 0.0  # no reward is larger (`oasis.rewards.LARGEST`)
    max_steps: Annotated[int, Setting("Steps after which an episode is abandoned.", within=_COUNT)] = 200
    seed: Annotated[int, Setting("Seed of all random choices.", within=SEEDS)] = 0
    search: Annotated[
        str,
        Setting(
            f"Look for a proof of each lemma, with the student's own policy unless one is named, by {SOLVERS.told}, "
            "and show it first; a lemma without one is not practised.",
            choices="oasis.ground.names:SOLVERS",
            metavar="NAME[:POLICY]",
        ),
    ] = ""
    search_budget: Annotated[int, Setting("Expansions of a search for each lemma.", within=_COUNT)] = 10_000
    shown: Annotated[int, Setting("How often the proof that was found is shown.", within=_COUNT)] = 10
    experience: str = ""
    """Odds by which lots are drawn among moves of equal value (`oasis.experience.prior.Prior.text`); empty for none."""
    backend: Annotated[
        str,
        Setting(
            f"Where moves are made: {PROVERS.told}; all but native are much slower.",
            choices="oasis.ground.names:PROVERS",
            not_with="escalate",
        ),
    ] = "native"

    def __post_init__(self) -> None:
        from oasis.rewards.named import recorded, reward
        from oasis.student.learners import learner

        check(self)
        kind = learner(self.learner)
        reward(self.reward)
        for registry, name in ((STATE_SPACES, self.state_space), (PROVERS, self.backend)):
            if registry.is_own(name):  # what cannot be imported is told before any work
                registry.make(name, "--backend" if registry is PROVERS else "")
        object.__setattr__(self, "reward", recorded(self.reward))
        self._check_schedules()
        if self.forget_errors and self.actions != "blind":
            raise InputError("--forget-errors goes with --actions blind: no other action can fail.")
        if self.prior():
            if self.actions != "legal":
                raise InputError("Maxims are about legal moves, so --experience goes with --actions legal.")
            if not kind.learns:
                raise InputError(f"{self.learner} has no values that could be equal; leave --experience out, or it.")
        if kind.of_goals and self.actions == "simplify":
            raise InputError(f"{self.learner} learns about goals one at a time, so use --actions legal or blind.")

    def prior(self) -> Prior | None:
        """Return the odds that its experience says; None if it has none. Raises InputError for a text that is none."""
        if not self.experience:
            return None
        from oasis.experience.prior import Prior

        return Prior.read(self.experience)

    def numbers(self, names: Collection[str]) -> dict[str, Any]:
        """Return by name those of some settings that are numbers and no schedules, as learners are given them."""
        numbers = (each for each in known(Settings).values() if each.name in names and each.kind in (int, float))
        return {each.name: each.kind(getattr(self, each.name)) for each in numbers}

    def _check_schedules(self) -> None:
        """Check both ends of schedules, and make a number of a number that was typed."""
        from oasis.student.schedules import parse_schedule

        for each in (known(Settings)["epsilon"], known(Settings)["alpha"]):
            try:
                schedule = parse_schedule(getattr(self, each.name))
            except InputError as error:
                raise InputError(f"{each.option}: {error}") from None
            for end in (schedule.first, schedule.last):
                each.check(end)
            if schedule == (schedule.first, schedule.first, 0.0):
                object.__setattr__(self, each.name, schedule.first)


OF_TRAIN: Final = {"learner": "and-or-q", "episodes": 20_000}
"""What `oasis train` begins with: all six lemmas of the thesis are proved in the shortest way, with every seed tried.

Values of goals travel through a proof in one episode, and a goal is worth the same wherever it is left open; one-step
Q-learning moves a reward back by a step an episode, and values states, of which level 6 has a hundred times as many
(docs/measurements.md).
"""
if TYPE_CHECKING:
    MAIN_JOB: Settings
    """The settings that `oasis train` begins with; made when they are asked for, as that imports students."""
else:

    def __getattr__(name: str) -> Any:
        """Return `MAIN_JOB`."""
        if name != "MAIN_JOB":
            raise AttributeError(name)
        return Settings(**OF_TRAIN)


@dataclass(frozen=True)
class Practised:
    """What is practised, by how many students."""

    curriculum: Annotated[
        str,
        of_lemmas(
            "A name (thesis, textbook, course, iltp, iltp/SYJ203, random), a lemma, a .p file, a directory, a text "
            "file of lemmas, a comma list of these, or - for standard input.",
            "[CURRICULUM]",
        ),
    ] = "thesis"
    levels: Annotated[str | None, LEVELS] = None
    everything: Annotated[
        bool, Setting("Practise lemmas that have no proof, too; they are set aside otherwise.", names=("--all",))
    ] = False
    seeds: Annotated[
        int,
        Setting(
            "Students to train, each in a run of its own, with seeds from --seed on.",
            within="[1, ∞)",
            not_with="escalate",
        ),
    ] = 1
    exam: Annotated[
        str | None,
        of_lemmas(
            "Lemmas to be examined on in the end without having practised them.",
            "CURRICULUM",
            positional=False,
            not_with="escalate",
        ),
    ] = None
    weights: Annotated[str | None, WEIGHTS] = None
    experience: Annotated[
        bool, Setting("Draw lots among moves of equal value by the odds of the maxims in --db, as they are now.")
    ] = False
    student: Annotated[
        int | None, Setting("Go on with what the student of a run has learned.", metavar="RUN", not_with="resume")
    ] = None
