"""Reads and writes players' streams, with their names stored next to the events."""

from collections.abc import Sequence
from typing import Final

import msgspec

from hoodwink.domain.players import (
    FIRST_SESSION,
    BotRegistered,
    Player,
    PlayerEvent,
    PlayerRegistered,
    Session,
    SignIn,
    changed,
    decode_player_event,
    signed_in,
)
from hoodwink.domain.tables.actor import by_player
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash
from hoodwink.service.application.ports import Commit, IdempotencyKey, StreamId

CATEGORY: Final = "player"


def stored_player(player_id: str, entries: Sequence[Entry], name: str | None) -> Player:
    """Returns the player with these events; `name` is the stored name, if there is one."""
    first, last = entries[0], entries[-1]
    registered = decode_player_event(first.type, bytes(first.data))
    assert isinstance(registered, PlayerRegistered | BotRegistered), (
        "the first event of a player is the registration"
    )
    player = Player(
        id=player_id,
        # Guests and erased players have no stored name.
        name=f"Guest {player_id[:4]}" if name is None else name,
        token_hash="",
        owner=registered.owner if isinstance(registered, BotRegistered) else None,
        sessions=(
            Session(
                number=FIRST_SESSION,
                token_hash=registered.token_hash,
                how=SignIn.REGISTRATION,
                opened_at=first.at,
            ),
        ),
        registered_at=first.at,
        version=last.version,
        head=last.hash,
    )
    for entry in entries[1:]:
        event = decode_player_event(entry.type, bytes(entry.data))
        player = changed(player, event, cmd=entry.cmd, at=entry.at)
    # Not every copy comes from a request with a token; the others act in the first session, if there is one.
    return signed_in(player, player.sessions[0].token_hash) if player.sessions else player


def commit_of(
    player: Player | None, event: PlayerEvent, key: IdempotencyKey, at: int, name: str | None
) -> Commit:
    """Returns the commit that appends an event to a player's stream, or begins it without `player`."""
    version, head = (0, GENESIS) if player is None else (player.version, player.head)
    wire, data, by, cmd = event.wire, msgspec.json.encode(event), by_player(event.player), key.id
    # This hash is never shown and hides nothing, so the chain needs no secret key.
    hash_ = chain_hash(b"", head, version + 1, wire, at, by, cmd, data)
    entry = Entry(version=version + 1, type=wire, at=at, by=by, cmd=cmd, data=msgspec.Raw(data), hash=hash_)
    return Commit(
        stream=StreamId(CATEGORY, event.player),
        expected_version=version,
        expected_head=head,
        entries=(entry,),
        key=key,
        name=name,
        people=(event.player,) if player is None else (),
    )
