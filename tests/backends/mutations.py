"""Correct scripts made wrong in small ways; now and then one stays a proof, so the embedded calculus says which."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from oasis.backends.base import Backend
from oasis.backends.native import Native
from tactics.claims import Claim
from tactics.goal import Move
from tactics.printer import show
from tactics.rules import RULES
from tactics.script import Script
from tests.backends.walks import Difference, proofs


def dropped(script: Script, rng: Random) -> Script:
    place = rng.randrange(len(script))
    return (*script[:place], *script[place + 1 :])


def swapped(script: Script, rng: Random) -> Script:
    place = rng.randrange(max(1, len(script) - 1))
    pair = script[place : place + 2]
    return (*script[:place], *reversed(pair), *script[place + 2 :])


def repeated(script: Script, rng: Random) -> Script:
    """Repeat one of its moves at once or at the end."""
    place = rng.randrange(len(script))
    at = rng.choice((place, len(script)))
    return (*script[:at], script[place], *script[at:])


def truncated(script: Script, rng: Random) -> Script:
    return script[: rng.randrange(len(script))]


def prolonged(script: Script, rng: Random) -> Script:
    return (*script, rng.choice((Move("assumption"), Move("intro"), Move("split"), Move("destruct_and", "H"))))


def with_another_rule(script: Script, rng: Random) -> Script:
    """Put another rule in one of its moves, with the same hypothesis or none."""
    place = rng.randrange(len(script))
    move = script[place]
    takes = move.hypothesis is not None
    others = [rule.name for rule in RULES.values() if rule.takes_hypothesis == takes and rule.name != move.rule]
    return (*script[:place], Move(rng.choice(others), move.hypothesis), *script[place + 1 :])


def with_another_hypothesis(script: Script, rng: Random) -> Script:
    """Put another hypothesis in one of its moves, or give one to a rule that takes none."""
    return _renamed(script, rng, rng.choice(("H", "H0", "H1", "H2", "H3", "H9", "A", "B")))


def without_hypothesis(script: Script, rng: Random) -> Script:
    return _renamed(script, rng, None)


def _renamed(script: Script, rng: Random, hypothesis: str | None) -> Script:
    places = [place for place, move in enumerate(script) if move.hypothesis is not None]
    place = rng.choice(places or range(len(script)))
    return (*script[:place], Move(script[place].rule, hypothesis), *script[place + 1 :])


MUTATIONS: Final[tuple[Callable[[Script, Random], Script], ...]] = (
    dropped,
    swapped,
    repeated,
    truncated,
    prolonged,
    with_another_rule,
    with_another_hypothesis,
    without_hypothesis,
)


def mutants(seed: int, count: int) -> Iterator[Claim]:
    """Yield random theorems with changed correct scripts, each mutation equally often; every tenth is unchanged."""
    rng = Random(f"mutants {seed}")
    for number, claim in enumerate(proofs(seed, count)):
        if number % 10 == 9:
            yield claim
        else:
            yield Claim(claim.formula, MUTATIONS[number % len(MUTATIONS)](claim.script, rng))


def compare_certificates(prover: Backend, claims: Sequence[Claim], counts: Counter[str]) -> Iterator[Difference]:
    """Certify claims with a prover and with the embedded calculus; they must agree, and on the step as well."""
    both = zip(claims, Native().certify(claims), prover.certify(claims), strict=True)
    for claim, ours, theirs in both:
        counts["certificates"] += 1
        counts["accepted" if theirs.accepted else "rejected"] += 1
        verdicts = [(certificate.accepted, certificate.step) for certificate in (ours, theirs)]
        if verdicts[0] != verdicts[1] or theirs.accepted == bool(theirs.reason):
            yield Difference(show(claim.formula, sugar=False), tuple(map(str, claim.script)), "claim", ours, theirs)
