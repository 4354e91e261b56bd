"""Connect++ (Holden 2023), a prover for classical logic: it can refute a lemma here, and never prove one.

What is not valid classically is not valid intuitionistically; the converse does not hold, so whatever else it says of a
lemma says nothing. It is asked for a search that leaves nothing out, as only then a search that ends without a proof
means anything. Its options and its words are those of its version 0.4.0; it was never run here itself, and the tests
use a stand-in that speaks as it does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import ClassVar, Final

from oasis.backends.base import BackendError, BackendMissing
from oasis.backends.export.tptp import problem
from oasis.backends.names import safe_names
from oasis.backends.processes import MEMORY, Exceeded, finished, start
from tactics.errors import printable
from tactics.formula import Formula, renamed

_PROGRAM: Final = "connect++"
_OPTIONS: Final = ("--no-colour", "--verbosity", "0", "--all-start", "--all-backtrack", "--verify", "--tptp-proof")
_LEAST_SECONDS: Final = 10
"""A smaller limit of its own it does not take."""
_GRACE: Final = 2.0
"""Seconds after its own limit before it is ended."""
_MOST_SAID: Final = 1_000_000
"""Bytes of its answer that are read."""
_STATUS: Final = re.compile(r"^% SZS status (\w+)(?: for [^\n:]*)?(?:: *([^\n]*))?", re.MULTILINE)
_PROOF: Final = re.compile(r"^% SZS output start [^\n]*\n(.*?)^% SZS output end", re.MULTILINE | re.DOTALL)
_REFUTED: Final = "CounterSatisfiable"
_NEITHER: Final = "it is classical and cannot prove anything here"


@dataclass(frozen=True)
class Opinion:
    """What a classical prover makes of a lemma.

    Attributes:
        prover: its name.
        version: of the prover that answered.
        refuted: whether it says that the lemma is not valid classically, and so not intuitionistically.
        status: its word for what it found, of the SZS ontology: Theorem, CounterSatisfiable, Timeout, GaveUp, Error …
        reason: what that means here, in one sentence.
        certificate: its classical proof, in its own format; empty if it gives none.
        renamed: atoms that had to get other names in the prover, as pairs of ours and its.
    """

    prover: str
    version: str
    refuted: bool
    status: str
    reason: str
    certificate: str = ""
    renamed: tuple[tuple[str, str], ...] = ()


class ConnectPlusPlus:
    """The program `connect++` on the PATH.

    Args:
        seconds: that it may take for a lemma; it takes at least 10 for what is hard.
        memory: bytes that it may take.
    """

    name: ClassVar[str] = "connect++"
    install: ClassVar[str] = (
        "build it from https://www.cl.cam.ac.uk/~sbh11/connect++.html and put the folder of connect++ on the PATH"
    )

    def __init__(self, seconds: float = 30.0, memory: int = MEMORY) -> None:
        self._seconds, self._memory = max(seconds, _LEAST_SECONDS), memory

    def version(self) -> str:
        """Such as `Connect++ 0.4.0`. Raises BackendMissing, and BackendError if the program is another one."""
        try:
            said = self._said(["--version"], _LEAST_SECONDS)
        except Exceeded as exceeded:
            raise BackendError(f"{_PROGRAM} --version {exceeded}; {self.install}.") from None
        found = re.search(r"Connect\+\+ Version V?([\w.]*\w)", said)
        if found is None:
            raise BackendError(f"{_PROGRAM} does not say which version it is; {self.install}.")
        return f"Connect++ {found[1]}"

    def judge(self, formula: Formula) -> Opinion:
        """Whether it refutes a lemma.

        Raises BackendMissing, BackendError if it answers nonsense, and InputError if the lemma is too long.
        """
        version, names = self.version(), safe_names(formula, ())
        text = problem(renamed(formula, names) if names else formula)
        with TemporaryDirectory(prefix="oasis-") as folder:
            file = Path(folder, "lemma.p")
            file.write_text(text, encoding="utf-8")
            try:
                said = self._said(
                    [*_OPTIONS, "--timeout", f"{self._seconds:.0f}", str(file)], self._seconds + _GRACE, Path(folder)
                )
            except Exceeded as exceeded:
                return self._opinion(version, "Timeout", f"it {exceeded}", "", names)
        status = _STATUS.search(said)
        if status is None:
            raise BackendError(f"{_PROGRAM} gave no SZS status; run it on the file of oasis export --to tptp.")
        proof = _PROOF.search(said)
        return self._opinion(version, status[1], (status[2] or "").strip(), proof[1].strip() if proof else "", names)

    def _opinion(self, version: str, status: str, remark: str, proof: str, names: dict[str, str]) -> Opinion:
        refuted = status == _REFUTED
        if refuted:
            reason = "It is not valid classically, so it is not valid intuitionistically; oasis countermodel shows why."
        elif status == "Theorem":
            reason = f"It is valid classically, which says nothing of intuitionistic logic: {_NEITHER}."
        else:
            why = f" ({printable(remark)})" if remark else ""
            reason = f"It found out nothing{why}; {_NEITHER}."
        return Opinion(self.name, version, refuted, status, reason, proof, tuple(names.items()))

    def _said(self, arguments: Sequence[str], seconds: float, folder: Path | None = None) -> str:
        """What it prints. Raises BackendMissing, BackendError, or Exceeded if it takes too much and was ended."""
        program = shutil.which(_PROGRAM)
        if program is None:
            raise BackendMissing(f"Connect++ is not installed: there is no {_PROGRAM} on the PATH; {self.install}.")
        with TemporaryFile() as answer:
            try:
                process = start([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=answer)
            except OSError as error:
                raise BackendMissing(f"{program} cannot be run: {error.strerror}; {self.install}.") from None
            finished(process, seconds, self._memory)
            answer.seek(0)
            return answer.read(_MOST_SAID).decode(errors="replace")
