"""What a study claims before anybody looks, and what the trials answer.

The answer is that of the report's own test, whose intervals hold together over the whole report: however many claims a
study makes, none needs a correction of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oasis.ground.plural import conjunction, listed
from oasis.ground.settings import from_json
from oasis.ground.table import Table
from tactics.errors import InputError, did_you_mean, printable

if TYPE_CHECKING:
    from oasis.ground.statistics import Interval
    from oasis.lab.report import Report

REPRODUCED: Final = "reproduced"
OPPOSITE: Final = "the opposite"
ALIKE: Final = "alike"
UNDECIDED: Final = "undecided"


@dataclass(frozen=True)
class Claim:
    """That one kind has less than another in a measure, or that two kinds are alike. Raises InputError if it is none.

    Attributes:
        says: the claim, as a sentence without a full stop.
        measure: name of a tested measure.
        less: the kind that is said to have less.
        than: the kind that is said to have more.
        alike: in place of these, two kinds that are said to differ by no more than the margin.
        margin: a difference that does not matter, in the unit that the measure is shown in.
        where: the parts of the experiment in which it is asked, the one that it is about first; all if empty.
    """

    says: str = ""
    measure: str = ""
    less: str = ""
    than: str = ""
    alike: tuple[str, ...] = ()
    margin: float = 0.0
    where: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        texts = (self.says, self.measure, self.less, self.than, *self.alike, *self.where)
        if not (all(isinstance(each, str) for each in texts) and self.says and self.measure):
            raise InputError("A claim needs says and measure, both as text, such as says = 'less ε learns earlier'.")
        if not isinstance(self.margin, int | float) or not 0 <= self.margin < float("inf"):
            raise InputError(f"The margin of “{printable(self.says)}” should be a number from 0 on.")
        kinds = {*(self.alike or (self.less, self.than))} - {""}
        if len(kinds) != 2 or len(self.alike) not in (0, 2) or bool(self.alike) == bool(self.less or self.than):
            raise InputError(f"“{printable(self.says)}” needs two kinds: less and than, or alike = [ONE, OTHER].")
        if self.alike and not self.margin:
            raise InputError(f"“{printable(self.says)}” needs a margin: the largest difference that counts as alike.")

    @property
    def pair(self) -> tuple[str, str]:
        """The two kinds; the second is said to have more."""
        one, other = self.alike or (self.less, self.than)
        return one, other


@dataclass(frozen=True)
class Study:
    """What is settled before anybody looks; it is stored with the plans.

    Attributes:
        headline: the measure that the verdict is about; that of the family if empty.
        claims: what is claimed.
    """

    headline: str = ""
    claims: tuple[Claim, ...] = ()

    def check(self, kinds: Collection[str], tested: Collection[str] = ()) -> None:
        """Raise InputError if a claim or the headline names a kind or a measure that is not there.

        Args:
            kinds: that are compared.
            tested: the measures on which they are, if that is known beforehand.
        """
        for names, known, noun in (
            ([name for claim in self.claims for name in claim.pair], kinds, "kind"),
            ([*filter(None, [self.headline]), *(claim.measure for claim in self.claims)], tested, "tested measure"),
        ):
            for name in names:
                if known and name not in known:
                    hint = did_you_mean(name, [*known], f"there are {listed([*known])}.")
                    raise InputError(f"A study names the {noun} {printable(name)}, which is not there; {hint}")

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it; `from_json` gives back an equal study."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Study:
        """The study that `to_json` wrote, or a file holds. Raises InputError if it is none."""
        claims = stored.get("claims", ())
        if not isinstance(claims, list | tuple):
            raise InputError("claims should be a list, each claim below a line [[claims]].")
        return cls(str(stored.get("headline", "")), tuple(from_json(Claim, each) for each in claims))


NO_STUDY: Final = Study()
"""Nothing is claimed."""


class Answer(NamedTuple):
    """What one report says of a claim.

    Attributes:
        verdict: `REPRODUCED`, `OPPOSITE`, `ALIKE` if the difference is at most the margin, or `UNDECIDED`.
        text: the same for people.
        gain: how much more the second kind has than the first; None if the report does not have the measure.
        seeds: how many it takes if it is undecided; None if that is too many to ask for.
    """

    verdict: str
    text: str
    gain: Interval | None = None
    seeds: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The verdict, the difference with its bounds, and the seeds."""
        gain = None if self.gain is None else self.gain.to_json()
        return {"verdict": self.verdict, "text": self.text, "difference": gain, "seeds_needed": self.seeds}


Answered = list[tuple[Claim, dict[str, Answer]]]
"""Claims with their answers by the parts in which they are asked."""


def answer(claim: Claim, report: Report) -> Answer:
    """Answer a claim by a report that compares its two kinds."""
    from oasis.ground.statistics import LEVEL

    measure = next((each for each in report.compared if each.name == claim.measure), None)
    if measure is None:
        lacking = next((f", as {each.lacking}" for each in report.left_out if each.name == claim.measure), "")
        return Answer(UNDECIDED, f"{UNDECIDED}: there is no {claim.measure}{lacking}")
    low, high = claim.pair
    pair = next(each for each in report.pairs if {*each} == {low, high})
    gain, p = report.difference(measure, pair)
    if pair[0] == low:
        gain = gain.scaled(-1)
    margin = claim.margin / measure.scale
    verdict = _verdict(claim, gain, margin, told_apart=p <= LEVEL)
    if verdict != UNDECIDED:
        alike = f"not by more than {measure.text(margin)}" if margin else "no difference at all"
        return Answer(verdict, alike if verdict == ALIKE else verdict, gain)
    if not (report.says_nothing or report.gains(measure, pair).any()):
        return Answer(verdict, f"{verdict}: nobody differs here, but others may", gain)
    seeds = report.seeds_needed(measure, pair, margin or None)
    many = "too many seeds to ask for" if seeds is None else f"{seeds:,} seeds"
    return Answer(verdict, f"{verdict}: {many}", gain, seeds)


def _verdict(claim: Claim, gain: Interval, margin: float, *, told_apart: bool) -> str:
    is_small = bool(-margin <= gain.low and gain.high <= margin)
    if claim.alike:
        is_large = gain.low > margin or gain.high < -margin
        return REPRODUCED if is_small else OPPOSITE if is_large else UNDECIDED
    if told_apart:
        return REPRODUCED if gain.value > 0 else OPPOSITE
    return ALIKE if is_small else UNDECIDED


def overall(answers: Mapping[str, Answer]) -> str:
    """Say in words what the parts come to: the answer of the first, or in which others alone it is reproduced."""
    first = next(iter(answers.values()))
    only = [part for part, each in answers.items() if each.verdict == REPRODUCED]
    if first.verdict == REPRODUCED or not only:
        return first.text
    return f"only with {conjunction(only)}"


def answers(claims: Iterable[Claim], reports: Mapping[str, Report]) -> Answered:
    """Answer claims in the parts in which they are asked, as far as there are reports of both kinds."""
    found = []
    for claim in claims:
        parts = [
            part for part in (claim.where or reports) if part in reports and {*claim.pair} <= {*reports[part].names}
        ]
        if parts:
            found.append((claim, {part: answer(claim, reports[part]) for part in parts}))
    return found


def table(found: Answered, reports: Mapping[str, Report]) -> Table:
    """Return claims with their answers in each part."""
    rows = tuple(
        (claim.says, *(of_parts[part].text if part in of_parts else "" for part in reports))
        for claim, of_parts in found
    )
    return Table("What was claimed", ("", *reports), rows)


def sentences(found: Answered, reports: Mapping[str, Report]) -> Iterator[str]:
    """Yield each claim with what the parts come to, and the difference in the first."""
    for claim, of_parts in found:
        part, first = next(iter(of_parts.items()))
        gain = ""
        if first.gain is not None:
            measure = next(each for each in reports[part].compared if each.name == claim.measure)
            gain = f", {measure.of_gains.with_bounds(first.gain, '+')}"
        yield f"{claim.says}: {overall(of_parts)}{gain}."


def to_json(found: Answered) -> list[dict[str, Any]]:
    """Return claims with their answers by part."""
    return [
        {
            **asdict(claim),
            "answers": {part: each.to_json() for part, each in of_parts.items()},
            "overall": overall(of_parts),
        }
        for claim, of_parts in found
    ]
