"""Has proofs certified: each different one is asked about once, of each prover in bulk.

A prover that is missing, dies, hangs or answers nonsense costs a sentence, and never a proof that somebody found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from oasis.backends.base import Backend, BackendError
from oasis.backends.registry import backend
from tactics.claims import Certificate, Claim
from tactics.errors import InputError


@contextmanager
def at_hand(name: str, option: str = "--certify") -> Iterator[Backend]:
    """Give a prover, and close it; a sentence about its name tells the option.

    Raises:
        BackendError: it is missing or fails, in whatever way: the proofs are not to blame.
        InputError: there is no prover of that name.
    """
    try:
        with backend(name, option) as prover:
            yield prover
    except (KeyboardInterrupt, GeneratorExit, InputError, BackendError):
        raise
    except BaseException as error:  # SystemExit among them
        raise BackendError(f"{name} failed with {type(error).__name__}: {error}") from error


def check_there(names: Sequence[str], option: str = "--certify") -> tuple[str, ...]:
    """Return the names of provers that are all there, so that a missing one is told before any work is done.

    Raises as `at_hand` does.
    """
    for name in names:
        with at_hand(name, option) as prover:
            prover.version()
    return tuple(names)


def ask(name: str, claims: Sequence[Claim]) -> list[Certificate]:
    """Return what one prover says of each claim; of no claims without asking it.

    Raises:
        BackendError: it is missing or fails, in whatever way, or does not answer about every claim.
        InputError: there is no prover of that name.
    """
    if not claims:
        return []
    with at_hand(name) as prover:
        answers = list(prover.certify(claims))
    if len(answers) != len(claims) or not all(isinstance(answer, Certificate) for answer in answers):
        raise BackendError(f"{name} was asked about {len(claims):,} proofs and did not say of each whether it holds.")
    return answers


def certificates(
    claims: Iterable[Claim], provers: Iterable[str], say: Callable[[str], object] = lambda sentence: None
) -> Mapping[Claim, tuple[Certificate, ...]]:
    """Return for each claim what provers say of it; one that fails costs a sentence, and the others are asked still.

    Args:
        claims: each different one is asked about once.
        provers: their names, in the order in which they answer.
        say: is told which prover failed, and why.

    Raises InputError if there is no prover of a name.
    """
    said: dict[Claim, list[Certificate]] = {claim: [] for claim in claims}
    for name in provers:
        try:
            for claim, certificate in zip(said, ask(name, list(said)), strict=True):
                said[claim].append(certificate)
        except BackendError as error:
            say(f"Not certified by {name}: {error}")
    return {claim: tuple(words) for claim, words in said.items()}
