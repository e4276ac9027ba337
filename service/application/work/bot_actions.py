"""The moves of bots at a table."""

import hmac
from random import Random

from hoodwink.domain.bots import Choose
from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.knowing import Known, observe
from hoodwink.domain.tables.state import Table


def bot_action(
    table: Table, seat: int, choose: Choose, *, now: int, chance: Random, known: Known | None = None
) -> Action | None:
    """Returns the action that the bot chooses from the seat's own observation, and from what it knows if it thinks.

    Returns `None` if the seat may not act at this time, or passes on an action out of turn.
    """
    seen = observe(table, seat, now, known)
    return None if seen is None else choose(table.rulebook, seen, chance)


def bot_chance(table: Table, seat: int) -> Random:
    """Returns a random generator for a seat's bot, in the same state until somebody acts."""
    # Seeded with the server seed, so that players cannot predict it, but by a key of its own, so that no deal that a bot
    # imagines is drawn like the real one (G-19). Seeded with nothing of this process, so that a worker that repeats the
    # step of a killed one chooses the same action. Not with the version: otherwise players could make a bot that passed
    # choose again, for example by resigning.
    # A shared deal gives the bots at all its tables the same choices after the same play (D-1).
    secret = table.server_seed if table.shared is None else table.shared.key
    key = hmac.digest(secret.encode(), b"bot", "sha256")
    moment = f"{table.round}:{table.round_actions}:{seat}"
    return Random(hmac.digest(key, moment.encode(), "sha256"))  # noqa: S311 - a bot's choice, not a secret
