"""`oasis doctor`: which provers and which optional parts are there, and do the provers work?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oasis.cli.arguments import JsonOption

if TYPE_CHECKING:
    from oasis.ground.extras import Extra


def doctor(as_json: JsonOption = False) -> None:
    """Show each prover, its version, a live proof and the time of a step; each optional part; and what is missing."""
    from dataclasses import asdict

    from oasis.backends.checkup import checkups
    from oasis.cli.render import print_json, print_table
    from oasis.ground.extras import extras
    from oasis.ground.version import version

    found, parts = list(checkups()), extras()
    if as_json:
        provers = [asdict(checkup) | {"accepted": checkup.accepted} for checkup in found]
        print_json({"oasis": version(), "provers": provers, "extras": [part._asdict() for part in parts]})
        return
    print_table(
        ["prover", "version", "live proof", "step", "remark"],
        [
            [
                checkup.prover,
                checkup.version or "–",
                checkup.outcome,
                "–" if checkup.step_milliseconds is None else f"{checkup.step_milliseconds:.2f} ms",
                checkup.remark,
            ]
            for checkup in found
        ],
        numeric={"step"},
    )
    print_table(
        ["optional part", "for", "here", "install it"],
        [[part.name, part.purpose, _here(part), part.install if part.offered else "–"] for part in parts],
    )


def _here(part: Extra) -> str:
    if not part.offered:
        return "not for this Python on this system"
    return f"not {', '.join(part.missing)}" if part.missing else "yes"
