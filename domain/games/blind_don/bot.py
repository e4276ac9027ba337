"""The Blind Don bot: it takes the play of the highest merit."""

from random import Random
from typing import Any, cast

from hoodwink.domain.bots import ranked
from hoodwink.domain.games.blind_don.actions import BlindDonAction
from hoodwink.domain.games.blind_don.merits import merits
from hoodwink.domain.games.blind_don.view import View
from hoodwink.domain.kernel import Action, Game, Observation

_MAX_LOSS = 4


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the plays by their expected gain."""
    plays = cast(tuple[BlindDonAction, ...], observation.legal_actions)
    view: View = observation.view
    positions = [play.position for play in plays]
    worth = dict(
        zip(plays, merits(view.face_up, observation.seat, view.lead, view.trump, positions), strict=True)
    )
    return ranked(plays, worth.__getitem__, chance, max_loss=_MAX_LOSS)
