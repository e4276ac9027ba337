"""The logistic function, from operations with the same result on every machine.

The exponential functions of two C libraries may differ in the last digit, and ratings must be the same everywhere.
IEEE 754 fixes the results of `+`, `-`, `*`, `/` and the square root, so nothing else is used here.
"""

from itertools import accumulate, repeat
from operator import mul
from typing import Final

_STEPS: Final = 8
"""The number of tabulated values from one whole number to the next."""

_DECAY: Final = 0.8824969025845955
"""exp(-1/8)."""

_EXP_MINUS: Final = tuple(accumulate(repeat(_DECAY, 40 * _STEPS), mul, initial=1.0))
"""exp(-n/8) for n = 0 … 320."""


def logistic(x: float) -> float:
    """Returns 1 / (1 + exp(-x)), within 1e-12; 0 or 1 beyond 40.

    >>> logistic(0.0), round(logistic(1.0), 9), logistic(-50.0)
    (0.5, 0.731058579, 0.0)
    """
    size = abs(x)
    step = int(size * _STEPS + 0.5)
    if step >= len(_EXP_MINUS):
        return 1.0 if x > 0 else 0.0
    rest = step / _STEPS - size  # within 1/16, so the series below is exact to 1e-13
    series = 1.0 + rest * (
        1.0 + rest * (0.5 + rest * (_THIRD + rest * (_FOURTH + rest * (_FIFTH + rest * _SIXTH))))
    )
    minus = _EXP_MINUS[step] * series
    return (1.0 if x > 0 else minus) / (1.0 + minus)


_THIRD: Final = 1 / 6
_FOURTH: Final = 1 / 24
_FIFTH: Final = 1 / 120
_SIXTH: Final = 1 / 720
