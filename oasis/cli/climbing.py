"""`oasis prove --escalate`: a student practises, a search looks on, and a network is asked, until a lemma is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from oasis.cli.narration import narrate
from oasis.ground.plural import counted

if TYPE_CHECKING:
    from oasis.escalation.climb import Climb, Pace, Visit
    from oasis.escalation.escalation import Escalation
    from oasis.escalation.ladder import Ladder
    from oasis.play.policy import Policy

COLUMNS: Final = ("episodes", "expansions", "plays", "forwards", "seconds")


def network_at_hand(ladder: Ladder, store: Any, *, quiet: bool) -> tuple[Ladder, Policy | None]:
    """The network of a ladder; where its libraries are missing the ladder without it, which is said in a sentence."""
    from oasis.escalation.ladder import network_of
    from oasis.lab.policies import policy_named

    ladder, network, remark = network_of(ladder, lambda name: policy_named(name, store))
    if remark and not quiet:
        narrate(remark)
    return ladder, network


def stopping(climb: Climb) -> Callable[[int], None]:
    """Ctrl-C ends a climb after the current attempt, which is cut short."""

    def stop(number: int) -> None:
        climb.stop_requested = number

    return stop


def watch(visits: Iterable[Visit], escalation: Escalation, names: Sequence[str], *, quiet: bool) -> None:
    """Let lemmas climb, saying how far they are: a bar of the time in a terminal, a line a round elsewhere.

    Args:
        visits: makes the attempts.
        escalation: that they are of.
        names: of its lemmas.
        quiet: whether to say nothing.
    """
    import sys

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    pace, total = escalation.climb.pace, len(names)
    in_terminal = sys.stderr.isatty() and not quiet
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), TimeRemainingColumn(compact=True))
    said = pace.round
    with Progress(*columns, console=Console(stderr=True), disable=not in_terminal, transient=True) as bars:
        bar = bars.add_task("", total=pace.budget, completed=int(pace.spent))
        for visit in visits:
            if in_terminal:
                words = f"{escalation.climb.proved:,} of {total:,} proved; {names[visit.position]}, {visit.stage}"
                bars.update(bar, completed=min(pace.spent, pace.budget), description=words)
            elif not quiet and pace.round > said and total > 1:
                said = pace.round
                narrate(
                    f"Round {pace.round + 1}, {pace.slice:.2g} s a stage: {escalation.climb.proved:,} of {total:,} "
                    f"proved after {pace.spent:.0f} of {pace.budget:,.0f} s"
                )


def said_pace(pace: Pace) -> str:
    """How far lemmas came in their time, in words, and what of it was for none of them."""
    rounds = counted(pace.round + 1, "round")
    said = f"after {seconds(pace.spent)} of {seconds(pace.budget)} s in {rounds}."
    if not pace.studies.seconds:
        return said
    learned = "learned from" if pace.studies.forwards else "looked at"
    return f"{said} In {seconds(pace.studies.seconds)} s of these, its studies, the network {learned} the proofs."


def seconds(number: float) -> str:
    """Seconds, whole ones unless they are few."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
