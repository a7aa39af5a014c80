"""Sign flips of paired deltas: how large a |z| chance alone gives, over a whole family of metrics.

If B were no different from A, each question's delta would be as likely to have the opposite sign. Arrays are laid out
as deltas (metrics, questions), with 0 for a tie or a missing pair, and signs (questions, flips).
"""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]

TOLERANCE = 1e-9
"""What counts as equal, in deltas and in z: sums that are equal on paper differ by less."""
EXACT_UP_TO = 13
"""Up to so many questions, every sign vector is taken instead of a sample (2¹³ = 8,192)."""
FLIPS_PER_ALARM = 60
"""One flip in so many may exceed the critical value: each of three families is tested at 5 % ÷ 3."""
MIN_DIFFERING = math.ceil(math.log2(2 * FLIPS_PER_ALARM))
"""A metric needs so many pairs that differ, 7: six that all agree still have p = 2 ÷ 2⁶ > 1 ÷ 60."""

_QUESTIONS_PER_BLOCK = 256
_DOMINANT = 1e-8


def draw_signs(questions: int, *, seed: int, flips: int) -> Signs:
    """One sign (−1 or 1) per question and flip: all 2ⁿ vectors up to 13 questions, else `flips` seeded ones.

    (questions, flips), int8. The random ones are raw bits of PCG64, whose stream NumPy keeps from version to version.
    """
    if questions <= EXACT_UP_TO:
        bits = ((np.arange(2**questions) >> np.arange(questions)[:, None]) & 1).astype(np.int8)
    else:
        words = -(-flips // 64)
        raw = np.random.PCG64(seed).random_raw(questions * words).astype("<u8").view(np.uint8)
        bits = np.unpackbits(raw.reshape(questions, words * 8), axis=1)[:, :flips].astype(np.int8)
    return 1 - 2 * bits


def flipped_totals(deltas: Floats, signs: Signs) -> Floats:
    """Σd of each metric under each flip: (metrics, flips)."""
    totals = np.zeros((deltas.shape[0], signs.shape[1]))
    for start in range(0, signs.shape[0], _QUESTIONS_PER_BLOCK):
        block = slice(start, start + _QUESTIONS_PER_BLOCK)
        totals += deltas[:, block] @ signs[block].astype(np.float64)
    return totals


def limit_of(flipped: Floats) -> float:
    """z_c, the smallest value that the largest |z| of the family exceeds in at most one of 60 flips, plus 1e-9.

    `flipped` holds that largest |z| for each flip. With k = ⌊flips ÷ 60⌋ and the values in falling order from
    index 0, z_c is value k: at most k values are above it, and k + 1 or more are above anything smaller. The 1e-9
    keeps a z that equals z_c on paper from passing it by rounding.
    """
    index = len(flipped) - 1 - len(flipped) // FLIPS_PER_ALARM
    return float(np.partition(flipped, index)[index]) + TOLERANCE


def p_value(flipped: Floats, observed: float) -> float:
    """(1 + flips whose |z| ≥ the observed |z| − 1e-9) ÷ (1 + flips): in (0, 1]. `flipped` holds one |z| per flip."""
    return (1 + int(np.count_nonzero(flipped >= abs(observed) - TOLERANCE))) / (1 + len(flipped))


def step_down(z: Floats, flipped: Floats) -> tuple[Signs, Floats]:
    """The sign of each z that is shown, 0 for the others, and each one's p for the whole family.

    `z` holds one value a metric, `flipped` its |z| under each flip, (metrics, flips). From the largest |z| down: each
    is held against the largest |z|, flip by flip, of those not shown before it, and whatever follows the first that is
    not shown is not shown. p never falls on the way down. Step-down maximum: Westfall and Young (1993),
    Resampling-Based Multiple Testing, 2.6.
    """
    order = np.argsort(-np.abs(z), kind="stable")
    largest = np.maximum.accumulate(flipped[order[::-1]], axis=0)[::-1]
    beyond = np.count_nonzero(largest >= np.abs(z[order, None]) - TOLERANCE, axis=1)
    shown = np.logical_and.accumulate(beyond <= flipped.shape[1] // FLIPS_PER_ALARM)
    directions, p = np.zeros(len(z), dtype=np.int8), np.empty(len(z))
    directions[order] = np.where(shown, np.sign(z[order]), 0)
    p[order] = np.maximum.accumulate((1 + beyond) / (1 + flipped.shape[1]))
    return directions, p


def directions_without(deltas: Floats, signs: Signs, totals: Floats) -> Signs:
    """The directions of `step_down` with each question left out of every metric in turn: (metrics, questions).

    The flips stay the same, so that leaving a question out takes its signed delta out of `totals`. A metric that
    keeps fewer than MIN_DIFFERING pairs that differ leaves the family, and has no direction.
    """
    differs = deltas != 0
    stays = differs.sum(axis=1, keepdims=True) - differs >= MIN_DIFFERING
    squares = _sums_without(deltas**2)
    norms = np.where(stays, np.sqrt(squares), np.inf)
    z = _sums_without(deltas) / norms
    dominant = stays & (squares < _DOMINANT * deltas**2)
    result = np.empty(deltas.shape, dtype=np.int8)
    for question in range(deltas.shape[1]):
        rest = np.multiply.outer(deltas[:, question], signs[question])
        np.subtract(totals, rest, out=rest)
        for metric in np.flatnonzero(dominant[:, question]):  # a difference of totals would be mostly rounding here
            others = np.delete(deltas[metric : metric + 1], question, axis=1)
            rest[metric] = flipped_totals(others, np.delete(signs, question, axis=0))[0]
        np.abs(rest, out=rest)
        rest /= norms[:, question, None]
        result[:, question] = step_down(z[:, question], rest)[0]
    return result


def _sums_without(values: Floats) -> Floats:
    """The sum of each row without each of its columns, added from both sides, never by subtracting: `values`' shape."""
    result = np.zeros_like(values)
    result[:, 1:] += np.cumsum(values[:, :-1], axis=1)
    result[:, :-1] += np.cumsum(values[:, :0:-1], axis=1)[:, ::-1]
    return result
