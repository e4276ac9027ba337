"""Short-lived tokens with which a browser opens a live stream, because `EventSource` cannot send a header.

They are part of addresses, which end up in logs and histories, so they only open streams, and only for a minute.
They are not stored: each contains an HMAC with the installation's secret.
"""

import hmac
import re
from typing import Final

import msgspec

from hoodwink.domain.players import Player, signed_in
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock

LIFETIME_MS: Final = 60_000

_PATTERN: Final = re.compile("hws_([a-z0-9]{4,32})_([0-9]{1,15})_(?:([a-z0-9]{4,32})_)?([0-9a-f]{64})")


class StreamToken(msgspec.Struct, frozen=True, gc=False):
    """A token with which its player may open streams until `expires_at`, in ms since the epoch."""

    token: str
    expires_at: int


class StreamTokens:
    """Issues and authenticates stream tokens. Safe to share between threads."""

    def __init__(self, *, players: Players, identities: Identities, clock: Clock) -> None:
        self._players = players
        self._identities = identities
        self._clock = clock

    def issue(self, player: Player, *, table_id: str = "") -> StreamToken:
        """Returns a token for the player's streams; with a table, it is also an invitation there.

        May raise `StoreUnavailable`.
        """
        # An invitation is part of the token, because its code in an address would be as lasting as a token there.
        expires_at = self._clock.now_ms() + LIFETIME_MS
        proof = self._identities.stream_proof(player.id, player.token_hash, expires_at, table_id)
        parts = ("hws", player.id, str(expires_at), table_id, proof)
        return StreamToken("_".join([part for part in parts if part]), expires_at)

    def authenticate(self, token: str) -> Player | None:
        """Returns the player to whom a token was issued; `None` if it has expired or the lasting token has been replaced."""
        # The expiry is checked first, so that old links cost no read. The proof below covers it.
        parts = _PATTERN.fullmatch(token)
        if parts is None or int(parts[2]) <= self._clock.now_ms():
            return None
        try:
            player = self._players.get(parts[1])
        except NotFound:
            return None
        for session in player.sessions:  # the token does not say which one got it
            proof = self._identities.stream_proof(
                player.id, session.token_hash, int(parts[2]), parts[3] or ""
            )
            if session.token_hash and hmac.compare_digest(proof, parts[4]):
                return signed_in(player, session.token_hash)
        return None

    def invites(self, token: str, table_id: str) -> bool:
        """Returns whether a token was issued to somebody with the invitation code of the table."""
        parts = _PATTERN.fullmatch(token)
        return parts is not None and parts[3] == table_id and self.authenticate(token) is not None
