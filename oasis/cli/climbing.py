"""`oasis prove --escalate`: a student practises, a search looks on, and a network is asked, until a lemma is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oasis.cli import attempts
from oasis.cli.attempts import Attempt
from oasis.cli.interrupts import interrupts_wait
from oasis.cli.narration import narrate
from oasis.cli.searching import opened
from oasis.ground.plural import counted

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.escalation.climb import Climb, Pace, Record, Visit
    from oasis.escalation.costs import Cost
    from oasis.escalation.escalation import Escalation
    from oasis.escalation.ladder import Ladder
    from oasis.play.policy import Policy

NETWORK: Final = "tiny"
"""The network that is asked, unless another one is named."""
COLUMNS: Final = ("episodes", "expansions", "plays", "forwards", "seconds")
_STATUSES: Final = ("proved", "refuted", "open")


@dataclass(frozen=True)
class Way:
    """How lemmas climb.

    Attributes:
        search: the name of the search, with the student's policy and with the network's.
        network: the name of the policy that is asked last.
        seconds: for each lemma; a lemma that is proved sooner leaves its time to the others.
        seed: of all chance.
        db: where runs are.
    """

    search: str
    network: str
    seconds: float
    seed: int
    db: Path

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` says beside what came of it."""
        return {"search": self.search, "policy": self.network, "seed": self.seed}


def prove_by_climb(lemmas: tuple[Lemma, ...], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Let lemmas climb the ladder of all stages, and show what came of each, and what that took.

    What was found so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from dataclasses import replace

    from oasis.cli.progress import remark_on_compiling
    from oasis.escalation.escalation import Escalation, new_pupil
    from oasis.escalation.ladder import ESCALATE, Ladder
    from oasis.escalation.report import pace_to_json
    from oasis.lab.policies import needs_store
    from oasis.student.settings import MAIN_JOB

    settings = replace(MAIN_JOB, seed=way.seed)
    if not quiet:
        remark_on_compiling([settings])
    with opened(way.db, needed=needs_store(way.network), create=False) as store:
        ladder, network = network_at_hand(Ladder.named(ESCALATE, way.network, way.search), store, quiet=quiet)
        escalation = Escalation(
            ladder,
            [lemma.formula for lemma in lemmas],
            pupil=new_pupil(settings, narrate),
            network=network,
            seconds=way.seconds * len(lemmas),
            seed=way.seed,
            say=narrate,
        )
        with interrupts_wait(stopping(escalation.climb)):
            watch(escalation, escalation, [lemma.name for lemma in lemmas], quiet=quiet)
    stopped = bool(escalation.climb.stop_requested)
    made = [
        _attempt(lemma, record, ladder, is_stopped=stopped)
        for lemma, record in zip(lemmas, escalation.records, strict=True)
    ]
    if certify:
        attempts.certify(made, quiet=quiet)
    counts = {status: sum(each.status == status for each in made) for status in _STATUSES}
    pace = escalation.climb.pace
    summary = ", ".join(f"{count:,} {status}" for status, count in counts.items() if count)
    attempts.show(
        made,
        {**way.to_json(), **pace_to_json(pace)},
        COLUMNS,
        title=f"{', '.join(ladder.stages)}",
        summary=f"{summary} {said_pace(pace)}",
        as_json=as_json,
        alone=len(lemmas) == 1,
        quiet=quiet,
    )
    settled = [each for each in made if each.status != "open"]
    attempts.end(settled if stopped else made, len(lemmas), stopped=stopped)


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


def said_cost(cost: Cost) -> str:
    """What something took, in words."""
    counted = {
        "episodes": cost.episodes,
        "expansions": cost.expansions,
        "plays": cost.plays,
        "forwards": cost.forwards,
    }
    words = [f"{number:,} {name}" for name, number in counted.items() if number]
    words.append(f"{cost.seconds:.2f} s")
    if cost.joules is not None:
        words.append(f"{cost.joules:.0f} J")
    if cost.gpu_seconds is not None:
        words.append(f"{cost.gpu_seconds:.2f} s of a GPU")
    return ", ".join(words)


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


def _attempt(lemma: Lemma, record: Record, ladder: Ladder, *, is_stopped: bool) -> Attempt:
    from oasis.escalation.report import climb_to_json, why_open

    cost = record.cost
    spent = {name: getattr(cost, name) for name in ("episodes", "expansions", "plays", "calls", "forwards", "seconds")}
    status = record.status.value
    reason = why_open(record, ladder, is_stopped=is_stopped) if status == "open" else ""
    came = {
        "proved": f"proved by the {record.by}" + (f" ({record.stage})" if record.stage != record.by else ""),
        "refuted": "refuted: it has no proof, and oasis countermodel shows why",
        "open": f"open: {reason}",
    }[status]
    return Attempt(
        lemma, status, record.script, 1, spent, reason, f"{came}; {said_cost(cost)}", more=climb_to_json(record)
    )
