"""Stores now and then which sessions were used, so that requests need no write for it."""

import asyncio
from collections.abc import Callable
from typing import Final, NoReturn

import structlog

from hoodwink.service.application.players.sessions import Sessions
from hoodwink.service.application.ports import StoreUnavailable

log = structlog.get_logger(__name__)

# Only the day of a use is shown, so a killed process loses little.
_STORE_SECONDS: Final = 60.0


async def keep_storing_uses(made: Callable[[], Sessions]) -> NoReturn:
    """Stores the uses that this process has noted every minute, in a thread, until cancelled."""
    while True:
        await asyncio.sleep(_STORE_SECONDS)
        try:
            await asyncio.to_thread(lambda: made().store_uses())
        except StoreUnavailable as error:  # the next attempt stores them, too
            log.warning("uses of sessions could not be stored", error=str(error))
        except Exception:
            log.exception("uses of sessions could not be stored")
