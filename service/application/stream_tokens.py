"""Tokens of short life, with which a browser begins a live stream where it cannot send a header.

They stand in addresses, which end up in logs and histories. So they open streams alone, for a minute, and nothing is
stored of them: each proves itself by the installation's secret.
"""

import hmac
import re
from typing import Final

import msgspec

from domain.players import Player
from service.application.errors import NotFound
from service.application.identity import Identities
from service.application.players import Players
from service.application.ports import Clock

LIFETIME_MS: Final = 60_000

_PATTERN: Final = re.compile("hws_([a-z0-9]{4,32})_([0-9]{1,15})_([0-9a-f]{64})")


class StreamToken(msgspec.Struct, frozen=True, gc=False):
    """A token with which its player may begin streams until `expires_at`, in ms since the epoch."""

    token: str
    expires_at: int


class StreamTokens:
    """Issues tokens for streams and recognises them. Safe to share between threads."""

    def __init__(self, *, players: Players, identities: Identities, clock: Clock) -> None:
        self._players = players
        self._identities = identities
        self._clock = clock

    def issue(self, player: Player) -> StreamToken:
        """Returns a token for the player's streams; may raise `StoreUnavailable`."""
        expires_at = self._clock.now_ms() + LIFETIME_MS
        proof = self._identities.stream_proof(player.id, player.token_hash, expires_at)
        return StreamToken(f"hws_{player.id}_{expires_at}_{proof}", expires_at)

    def authenticate(self, token: str) -> Player | None:
        """Returns the player to whom a token was issued, unless it has expired or the player has another lasting token."""
        parts = _PATTERN.fullmatch(token)
        if parts is None or int(parts[2]) <= self._clock.now_ms():
            return None
        try:
            player = self._players.get(parts[1])
        except NotFound:
            return None
        proof = self._identities.stream_proof(player.id, player.token_hash, int(parts[2]))
        return player if hmac.compare_digest(proof, parts[3]) else None
