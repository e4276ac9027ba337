"""The seeds of a test: the first ones in `make test`, all of them in `make test-all`."""

from itertools import pairwise
from typing import Any

import pytest


def chunks(total: int, chunk: int, *, first: int) -> list[Any]:
    """Returns parameters of a test, each a range of seeds: the first ones, then `chunk` seeds each for the campaign."""
    starts = [0, *range(first, total, chunk)]
    return [
        pytest.param(range(start, end), marks=[pytest.mark.campaign] if start else [], id=str(start))
        for start, end in pairwise([*starts, total])
    ]
