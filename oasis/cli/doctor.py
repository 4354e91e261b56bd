"""`oasis doctor`: which provers and which optional parts are there, and do the provers work?"""

from __future__ import annotations

from oasis.cli.arguments import JsonOption
from oasis.cli.render import print_columns, print_json


def doctor(as_json: JsonOption = False) -> None:
    """Show each prover, its version, a live proof and the time of a step; each optional part; and what is missing."""
    from dataclasses import asdict

    from oasis.backends.checkup import checkups
    from oasis.ground.extras import extras
    from oasis.ground.version import version

    found, parts = list(checkups()), extras()
    if as_json:
        provers = [asdict(checkup) | {"accepted": checkup.accepted} for checkup in found]
        print_json({"oasis": version(), "provers": provers, "extras": [part._asdict() for part in parts]})
        return
    print_columns(
        found,
        {
            "prover": "prover",
            "version": lambda each: each.version or "–",
            "live proof": "outcome",
            ">step": lambda each: "–" if each.step_milliseconds is None else f"{each.step_milliseconds:.2f} ms",
            "remark": "remark",
        },
    )
    install = {"install it": lambda part: part.install if part.offered else "–"}
    print_columns(parts, {"optional part": "name", "for": "purpose", "here": "here", **install})
