"""`oasis doctor`: which provers are there, and do they work?"""

from __future__ import annotations

from oasis.cli.arguments import JsonOption


def doctor(as_json: JsonOption = False) -> None:
    """Show each prover, its version, a live proof through it, the time of a step, and how to get what is missing."""
    from dataclasses import asdict

    from oasis.backends.checkup import checkups
    from oasis.cli.render import print_json, print_table
    from oasis.version import version

    found = list(checkups())
    if as_json:
        print_json(
            {"oasis": version(), "provers": [asdict(checkup) | {"accepted": checkup.accepted} for checkup in found]}
        )
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
