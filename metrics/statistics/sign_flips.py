"""Tests whether means of paired differences are zero, by flipping the signs of the pairs.

Where two models are equally good, a prompt's difference is as likely to be the other way round.
"""

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FlipKind = Literal["exact", "drawn"]
EXACT = 12  # so many differences that are not 0, at most, have all their flips tried
DRAWN = 10_000  # flips that are drawn, at least
_DRAWN_PER_TEST = 40  # flips for each test, so that a corrected p can be small
_CELLS = 4_000_000  # signs in memory at once, at most
_TOLERANCE = 1e-5  # of the sum of magnitudes: sums that differ by less are the same


class SignFlipTests(NamedTuple):
    """Holds the two-sided p of each test, and how its flips were chosen."""

    p: tuple[float, ...]
    kinds: tuple[FlipKind, ...]


def sign_flip_tests(
    differences: "NDArray[np.float64]", *, drawn: int | None = None, seed: int = 0
) -> SignFlipTests:
    """Return the p of each column of paired differences, shape (pairs, tests).

    A pair that is not in a test has 0 there, which no flip changes. p is the share of flips of the
    signs that give a sum at least as far from 0: of all 2 ** k flips where k <= 12 differences are
    not 0, else of `drawn` flips and the observed one, so that it is never 0 (Fisher, The Design of
    Experiments, 1935, section 21; Phipson and Smyth, SAGMB 9, 2010). All tests share their flips.
    `drawn` is 10,000 where it is left out, and 40 a test where there are more than 250 tests. The
    same seed gives the same p.
    """
    import numpy as np

    limits = np.abs(differences.sum(axis=0)) - _TOLERANCE * np.abs(differences).sum(axis=0)
    used = np.count_nonzero(differences, axis=0)
    p = np.ones(differences.shape[1])
    for test in np.flatnonzero(used <= EXACT):
        column = differences[:, test]
        bits = np.arange(2 ** used[test])[:, np.newaxis] >> np.arange(used[test]) & 1
        sums = np.abs((1.0 - 2.0 * bits) @ column[column != 0])
        p[test] = float((sums >= limits[test]).mean())
    many = np.flatnonzero(used > EXACT)
    if len(many):
        flips = drawn or max(DRAWN, _DRAWN_PER_TEST * differences.shape[1])
        single = differences[:, many].astype(np.float32)
        chance = np.random.default_rng(seed)
        reached = np.ones(len(many))  # the observed one
        step = max(1, _CELLS // len(single))
        for start in range(0, flips, step):
            shape = min(step, flips - start), len(single)
            drawn_bytes = np.frombuffer(chance.bytes(-(-math.prod(shape) // 8)), dtype=np.uint8)
            positive = np.unpackbits(drawn_bytes, count=math.prod(shape)).reshape(shape)
            # the sum of all less twice that of the negative ones
            sums = 2 * (positive.astype(np.float32) @ single) - single.sum(axis=0)
            reached += (np.abs(sums) >= limits[many]).sum(axis=0)
        p[many] = reached / (flips + 1)
    kinds: list[FlipKind] = ["exact" if count <= EXACT else "drawn" for count in used]
    return SignFlipTests(tuple(p.tolist()), tuple(kinds))
