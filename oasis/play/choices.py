"""What is asked of who plays, as settings; `oasis.play.committed` plays by it, and takes longer to import."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from oasis.ground.names import RATERS
from oasis.ground.settings import SEEDS, Setting, check
from tactics.errors import InputError, check_choice

if TYPE_CHECKING:
    from oasis.play.committed import Choosing

_MOST: Final = 100_000
"""Tries at a theorem, which are all kept until its last one is over."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How who plays chooses moves, and how long a proof may become."""

    judge: Annotated[bool, Setting("Try each move, and make the one that leaves what the policy values most.")] = False
    invertible: Annotated[
        str,
        Setting(
            "Moves that cannot lose are made at once, or have to be chosen.",
            choices=("eager", "free"),
            metavar="eager|free",
        ),
    ] = "eager"
    writing: Annotated[
        str,
        Setting(
            "A network that writes chooses a legal move, or writes a rule and a hypothesis, or anything: what is not "
            "legal loses.",
            choices=("masked", "tactics", "free"),
            metavar="masked|tactics|free",
        ),
    ] = "masked"
    experience: Annotated[bool, Setting("Multiply the policy's probabilities by the odds of the maxims in --db.")] = (
        False
    )
    seed: Annotated[int, Setting("Of the chance of each search, or of lots among equal moves.", within=SEEDS)] = 0
    max_proof: Annotated[
        int, Setting("Moves of the longest script that is written down, or played.", within="[1, ∞)")
    ] = 10_000

    @property
    def choosing(self) -> Choosing:
        """How moves are chosen."""
        from oasis.play.committed import Choosing

        return Choosing(self.judge, self.invertible, self.writing)


@dataclass(frozen=True)
class Writing:
    """How moves and tokens are drawn, and whole proofs are written. Raises InputError for what cannot be."""

    temperature: Annotated[
        float,
        Setting(
            "Sampling temperature of plays and proofs; at 0 the most probable moves or tokens.",
            within="[0, ∞)",
            only_with="samples written",
        ),
    ] = 1.0
    top_p: Annotated[
        float,
        Setting(
            "Nucleus sampling of proofs: only the most probable tokens that together have this probability.",
            within="(0, 1]",
            only_with="written",
        ),
    ] = 0.95
    resumes: Annotated[
        int,
        Setting(
            "How often a proof is cut at its first fault and continued from the state that it reached.",
            within="[0, ∞)",
            only_with="written",
        ),
    ] = 0
    tokens: Annotated[int, Setting("Most tokens of a proof, cut or kept.", within="[1, ∞)", only_with="written")] = (
        2048  # as in Xin et al. (2024)
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, kw_only=True)
class Tries:
    """How often each theorem is tried for pass@k, by plays whose moves are drawn and by proofs that are written."""

    samples: Annotated[
        int | None,
        Setting(
            "Plays of each theorem with moves drawn by their probabilities, for pass@k.",
            within=f"[2, {_MOST}]",
        ),
    ] = None
    k: Annotated[
        tuple[int, ...] | None,
        Setting(
            "The k of pass@k; if left out, round numbers up to --samples, or 1, 8, 32 and 128 up to --written.",
            within="[1, ∞)",
            metavar="K,...",
            only_with="samples written",
        ),
    ] = None
    written: Annotated[
        int | None,
        Setting("Whole proofs to write of each theorem, for pass@k.", within=f"[1, {_MOST}]"),
    ] = None

    def told(self, writing: Writing) -> dict[str, Any]:
        """Return what `--json` says of the tries that were asked for, and how they were: `drawn` and `written`."""
        drawn = {"samples": self.samples, "temperature": writing.temperature}
        written = {"proofs": self.written, **asdict(writing)}
        return ({"drawn": drawn} if self.samples else {}) | ({"written": written} if self.written else {})


GENERATORS: Final = ("continue", "mutate", "recombine", "decompose", "anew")
"""Ways in which a new draft comes about (`oasis.search.evolution.generators`)."""


@dataclass(frozen=True, kw_only=True)
class Evolving:
    """How drafts of proofs come about, are rated and chosen. Raises InputError for what makes no sense."""

    generators: Annotated[
        tuple[str, ...],
        Setting(
            "A way in which new drafts come about; to be repeated, each as likely as the others.",
            names=("--generator",),
            metavar="|".join(GENERATORS),
            shown="all",
        ),
    ] = GENERATORS
    offspring: Annotated[int, Setting("New drafts in a round.", within="[1, ∞)")] = 3
    edits: Annotated[int, Setting("Moves that are played in the new drafts of a round.", within="[1, ∞)")] = 30
    queries: Annotated[
        int, Setting("Open goals of the new drafts of a round that a prover is set on.", within="[0, ∞)")
    ] = 5
    prover: Annotated[
        str,
        Setting("The search that is set on them, never on the whole lemma.", metavar="NAME"),
    ] = "proof-number"
    expansions: Annotated[
        int, Setting("Of the prover on a goal in a round.", within="[1, ∞)", names=("--query-expansions",))
    ] = 400
    population: Annotated[int, Setting("Drafts that are kept, the best.", within="[1, ∞)")] = 128
    best: Annotated[int, Setting("How many of them may be chosen as parents, the best.", within="[1, ∞)")] = 64
    exploration: Annotated[
        float, Setting("How much it counts that a draft was seldom a parent (c).", within="[0, ∞)")
    ] = 0.2
    rater: Annotated[
        str | None,
        Setting(
            f"Who puts drafts in an order: {RATERS.told}.",
            complete="oasis.ground.names:RATERS.complete",
            metavar="NAME",
            shown="values if the policy has some, else symbolic",
        ),
    ] = None
    every: Annotated[int, Setting("Rounds from one rating to the next.", within="[1, ∞)", names=("--rate-every",))] = 4
    matches: Annotated[int, Setting("Matches before each rating.", within="[1, ∞)")] = 8
    match: Annotated[int, Setting("Drafts in a match (P).", within="[2, ∞)")] = 7
    rankings: Annotated[int, Setting("Matches that are remembered, the latest.", within="[1, ∞)")] = 200
    draws: Annotated[
        int,
        Setting("Draws of strengths in a rating, which begins where the last one ended.", within="[1, ∞)"),
    ] = 200
    burn_in: Annotated[int, Setting("Draws before them, which do not count.", within="[0, ∞)")] = 50

    def __post_init__(self) -> None:
        check(self)
        for generator in self.generators:
            check_choice("--generator", generator, GENERATORS)
        if not self.generators:
            raise InputError(f"An evolution needs a generator; choose among {', '.join(GENERATORS)}.")
        if self.edits < self.offspring:
            raise InputError(f"{self.edits} edits are too few for {self.offspring} new drafts; give each at least one.")
