"""Whether probabilities mean what they say: of what is given 0.7, do seven in ten come true? Imports nothing of ours.

And how to make them mean it: by one number, temperature scaling, or by two, Platt scaling.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS: Final = 10
COLDEST: Final = 1 / 20
HOTTEST: Final = 20.0
"""Temperatures lie between these."""
SUREST: Final = 9.0
"""Log-odds beyond which nothing that was scaled is believed; 1 in 8,000."""
_VARIANCE: Final = 0.1
"""Of the two numbers of a scale, before any case is seen."""
_EDGE: Final = 1e-15
"""How near to 0 and 1 a probability may come, so that its log-odds are a number."""

Floats = NDArray[np.float64]


class Bin(NamedTuple):
    """Cases whose probability is believed to lie in an interval.

    Attributes:
        least, most: its ends, the upper one excluded but for 1.
        states: how many cases there are, at least 1.
        believed: the mean of what is believed.
        happened: the share that came true.
    """

    least: float
    most: float
    states: int
    believed: float
    happened: float


@dataclass(frozen=True)
class Calibration:
    """How what is believed compares with what happened; all numbers are NaN without cases.

    Attributes:
        states: how many cases.
        bins: the reliability curve; without those that are empty.
        ece: expected calibration error, the mean distance between believed and happened over the bins, each weighted by
            its cases; in [0, 1] (Naeini, Cooper and Hauskrecht 2015).
        brier: the mean of (believed - happened)², in [0, 1] (Brier 1950).
        log_loss: the mean of -log of what was believed of what happened; nothing counts as likelier than 1 - 10⁻¹⁵.
        base: what the Brier score of the share of all these cases that came true would be, in [0, 1/4]; who is not
            below it has learned nothing that helps here.
        accuracy: the share of cases that are believed above 1/2 if and only if they came true.
        auc: how likely one that came true is believed more than one that did not, ties half, which is the area under
            the ROC curve (Hanley and McNeil 1982); NaN if all came true or none did.
    """

    states: int
    bins: tuple[Bin, ...]
    ece: float
    brier: float
    log_loss: float
    base: float
    accuracy: float
    auc: float

    @property
    def happened(self) -> float:
        """The share of cases that came true."""
        return sum(each.states * each.happened for each in self.bins) / self.states if self.states else np.nan

    def to_json(self) -> dict[str, Any]:
        """Its numbers; null where there is none."""
        numbers = {name: None if value != value else value for name, value in asdict(self).items() if name != "bins"}
        return {**numbers, "bins": [each._asdict() for each in self.bins]}


def calibration(probabilities: ArrayLike, happened: ArrayLike, bins: int = BINS) -> Calibration:
    """The calibration of probabilities, given what happened; two arrays of shape (cases,).

    The bins divide [0, 1] into parts of one width.
    """
    likely, true = np.asarray(probabilities, dtype=np.float64), np.asarray(happened, dtype=np.float64)
    if not len(likely):
        return Calibration(0, (), *[np.nan] * 6)
    place = bin_of(likely, bins)
    curve = tuple(
        Bin(each / bins, (each + 1) / bins, len(inside), float(likely[inside].mean()), float(true[inside].mean()))
        for each in range(bins)
        if len(inside := np.flatnonzero(place == each))
    )
    return Calibration(
        states=len(likely),
        bins=curve,
        ece=float(misjudged(likely, true, bins).mean()),
        brier=float(((likely - true) ** 2).mean()),
        log_loss=_log_loss(_log_odds(likely), true > 0.5),
        base=float(true.var()),
        accuracy=float(((likely > 0.5) == (true > 0.5)).mean()),
        auc=float(told_apart(likely, true).mean()),
    )


def bin_of(likely: Floats, bins: int = BINS) -> NDArray[np.int64]:
    """The bin of each probability, of so many of one width from 0 to 1."""
    return np.asarray(np.minimum((likely * bins).astype(np.int64), bins - 1))


def misjudged(likely: Floats, true: Floats, bins: int = BINS) -> Floats:
    """How far each case is off, to the side to which its bin is; the mean is the expected calibration error."""
    off, place = likely - true, bin_of(likely, bins)
    return np.asarray(np.sign(np.bincount(place, off, bins))[place] * off)


def told_apart(likely: Floats, true: Floats) -> Floats:
    """Each case's part of the area under the ROC curve, which is their mean; NaN if all came true or none did.

    That of a case that came true is the share of the others that are believed less, ties half, and the other way round
    (DeLong, DeLong, Clarke-Pearson 1988).
    """
    yes = true > 0.5
    if yes.all() or not yes.any():
        return np.full(len(likely), np.nan)
    below, above = (_below(likely, np.sort(likely[others])) for others in (~yes, yes))
    area = below[yes].mean()
    return np.asarray(area + np.where(yes, (below - area) / yes.mean(), (1 - above - area) / (~yes).mean()))


def _below(likely: Floats, ordered: Floats) -> Floats:
    """The share of others that are less than each, ties half."""
    places = np.searchsorted(ordered, likely, "left") + np.searchsorted(ordered, likely, "right")
    return np.asarray(places / (2 * len(ordered)))


def cooled(probabilities: ArrayLike, temperature: float) -> Floats:
    """Probabilities whose log-odds are divided by a temperature above 0: hotter than 1, they come nearer to 1/2.

    Those of 0 and 1 stay, and so does the order of all.
    """
    from scipy.special import expit, logit

    return np.asarray(expit(logit(np.asarray(probabilities, np.float64)) / temperature))


def temperature(probabilities: ArrayLike, happened: ArrayLike) -> float:
    """The temperature at which what happened is most likely (Guo et al. 2017), from `COLDEST` to `HOTTEST`.

    Args:
        probabilities: at least one; shape (cases,).
        happened: of each case whether it came true; shape (cases,).
    """
    from scipy.optimize import minimize_scalar

    odds, true = _log_odds(probabilities), np.asarray(happened, np.bool_)
    # In the inverse of the temperature the negative log-likelihood is convex, so there is one minimum.
    found = minimize_scalar(
        lambda inverse: _log_loss(odds * inverse, true),
        bounds=(1 / HOTTEST, 1 / COLDEST),
        method="bounded",
        options={"xatol": 1e-6},
    )
    return float(1 / found.x)


class Scale(NamedTuple):
    """What log-odds are multiplied by, and what is added then (Platt 1999); as it stands it changes nothing."""

    slope: float = 1.0
    shift: float = 0.0

    def applied(self, probabilities: ArrayLike) -> Floats:
        """The probabilities by this scale; none is nearer to 0 or 1 than `SUREST` allows."""
        from scipy.special import expit

        return np.asarray(expit(np.clip(self.slope * _log_odds(probabilities) + self.shift, -SUREST, SUREST)))


SAME: Final = Scale()


def scale(probabilities: ArrayLike, happened: ArrayLike, independent: int | None = None) -> Scale:
    """Find the scale that makes what happened most likely: Platt scaling (1999) with a prior around `SAME`.

    Each of its two numbers has a normal prior, so that few cases change little.

    Args:
        probabilities: any number of them; shape (cases,).
        happened: of each case whether it came true; shape (cases,).
        independent: how many independent cases they count as; fewer than there are if some depend on each other.

    Returns:
        Numbers of three decimals, so that they do not depend on the machine.
    """
    from scipy.optimize import minimize

    odds, true = np.clip(_log_odds(probabilities), -SUREST, SUREST), np.asarray(happened, np.float64)
    weight = (len(odds) if independent is None else independent) / max(len(odds), 1)

    def loss(numbers: Floats) -> tuple[float, Floats]:
        scaled, off = numbers[0] * odds + numbers[1], numbers - np.array(SAME)
        wrong = np.exp(-np.logaddexp(0.0, -scaled)) - true
        value = weight * (np.logaddexp(0.0, scaled) - true * scaled).sum() + (off**2).sum() / (2 * _VARIANCE)
        return value, weight * np.array([(wrong * odds).sum(), wrong.sum()]) + off / _VARIANCE

    found = minimize(loss, np.array(SAME), jac=True, method="BFGS", options={"gtol": 1e-7}).x
    slope, shift = (round(float(number), 3) for number in found)
    return Scale(max(0.0, slope), shift)


def _log_loss(odds: Floats, true: NDArray[np.bool_]) -> float:
    return float(np.logaddexp(0.0, np.where(true, -odds, odds)).mean())


def _log_odds(probabilities: ArrayLike) -> Floats:
    from scipy.special import logit

    return np.asarray(logit(np.clip(np.asarray(probabilities, np.float64), _EDGE, 1 - _EDGE)))
