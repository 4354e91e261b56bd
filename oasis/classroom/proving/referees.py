"""What the provers say of a finished proof, in words for whoever has made it.

Nobody waits for a prover that is not there, and one that fails says so; what a proof is worth does not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable

from oasis.backends.base import BackendError
from oasis.backends.certifying import ask
from oasis.backends.registry import installed
from tactics.claims import Certificate, Claim
from tactics.formula import Formula
from tactics.script import Script


def verdicts(formula: Formula, script: Script, provers: Iterable[str] | None = None) -> list[str]:
    """What each of the named provers says of a proof, a sentence for each; of Coq and Lean, as far as they are here.

    Raises InputError for a name that is none.
    """
    return [_verdict(name, Claim(formula, script)) for name in (installed() if provers is None else provers)]


def _verdict(name: str, claim: Claim) -> str:
    try:
        (certificate,) = ask(name, [claim])
    except BackendError as error:
        return str(error)
    return _sentence(certificate)


def _sentence(certificate: Certificate) -> str:
    if certificate.accepted:
        return f"Certified by {certificate.version}."
    return f"Refused by {certificate.version}: {certificate.reason}"
