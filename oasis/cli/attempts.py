"""What came of attempts at lemmas, by a search or a policy that plays: certified, shown, and told by the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oasis.cli.arguments import read_referees
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.backends.base import Certificate
    from tactics.formula import Formula
    from tactics.script import Script


@dataclass
class Attempt:
    """What came of a lemma.

    Attributes:
        lemma: to be proved.
        status: `proved`, `refuted` or `open`.
        script: the proof, if there is one.
        bound: moves that every proof has at least.
        spent: what it took by name, `seconds` and counts such as `expansions` and `calls`, in the order to show them.
        reason: why it ended before it was over; empty if it did not.
        outcome: what came of it and what it took, in words.
        more: what `--json` says besides; of this, `by` is a column of the table.
        certificates: what provers say of the script.
    """

    lemma: Lemma
    status: str
    script: Script | None
    bound: int
    spent: Mapping[str, float]
    reason: str
    outcome: str
    more: Mapping[str, Any] = field(default_factory=dict)
    certificates: list[Certificate] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        from dataclasses import asdict

        from tactics.json_form import script_to_json
        from tactics.printer import show

        return {
            "lemma": self.lemma.name,
            "formula": show(self.lemma.formula, quantified=True),
            **self.lemma.reading,
            "status": self.status,
            "length": None if self.script is None else len(self.script),
            "bound": self.bound,
            "script": None if self.script is None else script_to_json(self.script),
            **{name: round(amount, 3) for name, amount in self.spent.items()},
            **self.more,
            "reason": self.reason,
            "certificates": [asdict(certificate) for certificate in self.certificates],
        }

    def cells(self, columns: Sequence[str]) -> list[str]:
        """A row of the table: name, status, moves, what was spent under these names, and who certified it."""
        from oasis.cli.render import clipped

        return [
            clipped(self.lemma.name),
            self.status,
            *([self.more["by"] or "–"] if "by" in self.more else []),
            "–" if self.script is None else f"{len(self.script):,}",
            *(f"{self.spent[name]:.2f}" if name == "seconds" else f"{self.spent[name]:,}" for name in columns),
            ", ".join(c.prover if c.accepted else f"not {c.prover}" for c in self.certificates) or "–",
        ]


def certify(attempts: Sequence[Attempt], *, quiet: bool) -> None:
    """Ask the provers that are here about all scripts at once."""
    proved = [(each, each.script) for each in attempts if each.script is not None]
    if proved:
        words = certificates([(each.lemma.formula, script) for each, script in proved], quiet=quiet)
        for (each, _), said in zip(proved, words, strict=True):
            each.certificates.extend(said)


def certificates(proofs: Sequence[tuple[Formula, Script]], *, quiet: bool = False) -> list[tuple[Certificate, ...]]:
    """Return for each proof what the provers that are here say of it; if there is none, the embedded calculus."""
    from oasis.backends.base import Claim
    from oasis.cli.certifying import ask_provers

    claims = [Claim(*proof) for proof in proofs]
    answers = ask_provers(read_referees(None), lambda prover: prover.certify(claims), quiet=quiet)
    return [*zip(*answers, strict=True)] or [()] * len(proofs)


def show(
    attempts: Sequence[Attempt],
    how: Mapping[str, Any],
    columns: Sequence[str],
    *,
    title: str,
    summary: str,
    as_json: bool,
    alone: bool,
    quiet: bool,
    remarks: Iterable[str] = (),
) -> None:
    """Show attempts: as JSON, as a script if a single lemma was asked for, and otherwise as a table.

    Args:
        attempts: in their order.
        how: what `--json` says of all of them.
        columns: what was spent that the table shows.
        title: how it was attempted, in words, which stands before what came of a single lemma.
        summary: a line below the table.
        as_json: whether to print JSON.
        alone: whether a single lemma was asked for.
        quiet: whether to leave out what is said of a single lemma besides.
        remarks: sentences below the summary.
    """
    from oasis.cli.render import about, print_certificates, print_json, print_table, print_text
    from tactics.printer import show
    from tactics.script import show_script

    if as_json:
        lemmas = [each.to_json() for each in attempts]
        print_json({**lemmas[0], **how} if alone and lemmas else {**how, "lemmas": lemmas})
    elif alone and attempts:
        (each,) = attempts
        if not quiet:
            narrate(about(each.lemma.name, show(each.lemma.formula)))
            narrate(f"{title}: {each.outcome}")
        if each.script is not None:
            print(show_script(each.script))
        print_certificates(each.certificates)
    else:
        by = ["by"] if any("by" in each.more for each in attempts) else []
        numeric = ["moves", *columns]
        header = ["lemma", "status", *by, *numeric, "certified by"]
        print_table(header, [each.cells(columns) for each in attempts], numeric=numeric)
        print(summary)
        for remark in remarks:
            print_text(remark)


def left_open(attempts: Sequence[Attempt]) -> Iterator[str]:
    """Of the lemmas that are open why they are, each reason once."""
    from oasis.lab.words import listed

    names: dict[str, list[str]] = {}
    for each in attempts:
        if each.status == "open" and each.reason:
            names.setdefault(each.reason, []).append(each.lemma.name)
    for reason, of_lemmas in names.items():
        yield f"Open, as {reason}: {listed(of_lemmas)}."


def end(attempts: Sequence[Attempt], asked: int, *, stopped: bool, last: str = "") -> None:
    """End the command as it has to: with a remark if somebody stopped it, and with 1 if a prover rejected a script.

    Args:
        attempts: that were made.
        asked: how many lemmas there were.
        stopped: whether somebody stopped it.
        last: what it was doing then.

    Raises Stopped or typer.Exit; nothing if all is well.
    """
    if stopped:
        left = asked - len(attempts)
        raise Stopped(f"Stopped{last}; {left} {'lemma was' if left == 1 else 'lemmas were'} left.", EXIT_INTERRUPTED)
    if not all(certificate.accepted for each in attempts for certificate in each.certificates):
        from typer import Exit

        raise Exit(EXIT_REJECTED)
