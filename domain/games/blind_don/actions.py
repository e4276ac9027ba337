"""What a Blind Don player may ask for."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.games.blind_don.state import ROW
from domain.kernel import Action


class PlayCard(Action, frozen=True, tag="play"):
    """Play the face-up card of one stack of the player's own row; positions count from 0 (G-6)."""

    position: Annotated[int, Meta(ge=0, lt=ROW)]


BlindDonAction: TypeAlias = PlayCard
