"""The seeds of a test: the first ones in `make test`, all of them in `make test-all`."""

from typing import Any

import pytest


def chunks(total: int, chunk: int, *, first: int) -> list[Any]:
    """Returns parameters of a test, each a range of `chunk` seeds; those from `first` on belong to the campaign."""
    return [
        pytest.param(
            range(start, min(start + chunk, total)),
            marks=[pytest.mark.campaign] if start >= first else [],
            id=str(start),
        )
        for start in range(0, total, chunk)
    ]
