"""The regular checks of a worker: one that fails does not stop the others."""

import asyncio
import errno

import pytest
from structlog.testing import capture_logs

from hoodwink.service.http.serving.ticking import keep_ticking


def run(ticks, failing_ticks):
    """Returns how often a check ran after one that fails in some ticks, and the lines of the log."""
    ran = 0

    async def find_descriptors():
        if ran in failing_ticks:
            raise OSError(errno.EMFILE, "Too many open files")

    async def send_heartbeats():
        nonlocal ran
        ran += 1
        if ran == ticks:
            raise asyncio.CancelledError

    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        asyncio.run(keep_ticking((find_descriptors, send_heartbeats), seconds=0))
    return ran, [line["check"] for line in lines]


def test_a_failing_check_does_not_stop_the_others_and_is_logged_once():
    assert run(5, {0, 1, 2, 3, 4}) == (5, ["find_descriptors"])


def test_a_check_that_fails_again_is_logged_again():
    assert run(5, {0, 1, 3}) == (5, ["find_descriptors", "find_descriptors"])
