"""Follows changes of players, so that this process can trust the players in its memory."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Final, NoReturn, TypeAlias

import structlog

from hoodwink.service.adapters.store.feeds.feed_tail import FeedTail
from hoodwink.service.application.players.player_lookup import KNOWN_MS
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import StoreUnavailable

log = structlog.get_logger(__name__)

# Several replies within the time for which players in memory are trusted, so that one may be late.
_BLOCK_MS: Final = KNOWN_MS // 4
_PAUSE_SECONDS: Final = 0.5
_STANDSTILL_MS: Final = 5_000
"""After a longer pause between two reads, the follower starts again: feeds keep their entries for only a minute."""

CheckTokens: TypeAlias = Callable[[Collection[str] | None], Awaitable[None]]
"""Ends the streams whose token is no longer valid, of these players or, with `None`, of all."""


async def follow_players(
    tail: Callable[[], AbstractAsyncContextManager[FeedTail]],
    players: Callable[[], Players],
    check_tokens: CheckTokens,
) -> NoReturn:
    """Passes every change to `players`, and starts again whenever the connection is lost, until cancelled.

    After each change, `check_tokens` is called with the players who changed, or with `None` if all may have.
    """
    while True:
        try:
            # In a thread, because creating it connects to the store.
            await _follow(tail, await asyncio.to_thread(players), check_tokens)
        except (StoreUnavailable, TimeoutError, OSError) as error:
            log.warning("the changes of players cannot be followed", error=str(error) or type(error).__name__)
        except Exception:
            log.exception("following player changes failed; retrying")
        await asyncio.sleep(_PAUSE_SECONDS)


async def _follow(
    tail: Callable[[], AbstractAsyncContextManager[FeedTail]], players: Players, check_tokens: CheckTokens
) -> None:
    async with tail() as changes:
        while True:
            since = players.now()  # taken before the tail's start, so that it is never later than that
            await changes.start()
            players.forget()  # nobody knows what changed before
            await check_tokens(None)
            await _hear(changes, players, check_tokens, since=since)


async def _hear(changes: FeedTail, players: Players, check_tokens: CheckTokens, *, since: int) -> None:
    """Passes every change to `players`, until a suspension of this process may have made it miss some."""
    known_until, asked_before = since, since
    while (asked_at := players.now()) - asked_before < _STANDSTILL_MS:
        async with asyncio.timeout(KNOWN_MS / 1000):
            entries = await changes.read(block_ms=_BLOCK_MS)
        if changes.is_at_end:
            # The reply has all changes up to the moment of asking. Later ones may be missing.
            known_until = asked_at
        changed = {entry.stream.id for entry in entries}
        players.hear(changed, until=known_until)
        if changed:
            await check_tokens(changed)
        asked_before = asked_at
