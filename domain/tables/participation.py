"""The share of a table that people played themselves, computed from the recorded events.

It is needed only when a table is rated or reported, so the table's state does not contain it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.actor import Actor, by_bot, by_player
from hoodwink.domain.tables.codec import current_wire, decode_event
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import ActionTakenBack, SeatLeft, SeatTaken, TableOpened

_KINDS: Final = [kind for game in GAMES.values() for kind in game.events]
_DEALS: Final = frozenset([kind.wire for kind in _KINDS if kind.starts_round])
_ACTIONS: Final = frozenset([kind.wire for kind in _KINDS if kind.cause is not Event.cause])
_SEATING: Final = frozenset([SeatLeft.wire, SeatTaken.wire, TableOpened.wire])


class Participation(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A person's own share of the play at a table.

    Attributes:
        turns: the number of actions taken for the seat, including out-of-turn actions, secret choices and each step of
            a turn, but not offences that the host entered in the player's name.
        turns_by_bot: the number of these actions that a bot took: after an expired clock, for an absent player, or as a
            stand-in.
        rounds: the number of rounds in which somebody acted for the seat.
        rounds_played: the number of these rounds in which the person took at least half of the turns.
    """

    turns: int = 0
    turns_by_bot: int = 0
    rounds: int = 0
    rounds_played: int = 0

    @property
    def is_mostly_by_bot(self) -> bool:
        """Whether a bot took more than half of the turns (T-20)."""
        return 2 * self.turns_by_bot > self.turns

    @property
    def has_taken_part(self) -> bool:
        """Whether the person played at least one round, and at least half of the rounds (R-6)."""
        return self.rounds_played > 0 and 2 * self.rounds_played >= self.rounds


def participation(entries: Iterable[Entry]) -> tuple[Participation | None, ...]:
    """Returns the participation of the person in each seat, resigned or not; `None` for a bot's seat or a free one.

    Args:
        entries: the whole log of a table up to any version. The parent's entries in the log of a fork do not count.
    """
    people, rounds = list[bool](), [Counter[Actor]()]
    for entry in entries:
        wire = current_wire(entry.type)
        # The actor names the seat, and whether its player or its bot acted, so actions need no decoding. The move after
        # an expired clock is the bot's, too.
        if wire in _ACTIONS:
            rounds[-1][entry.by] += 1
        elif wire == ActionTakenBack.wire:
            rounds[-1][entry.by] -= 1
        elif wire in _DEALS:
            rounds.append(Counter())
        elif wire in _SEATING:
            event = decode_event(entry.type, entry.data)
            if isinstance(event, TableOpened):
                people, rounds = [False] * event.seats, [Counter()]
            elif isinstance(event, SeatTaken):
                people[event.seat] = event.policy is None
            else:
                assert isinstance(event, SeatLeft), "no other event changes who holds a seat"
                people[event.seat] = False
    return tuple([_of_seat(seat, rounds) if is_person else None for seat, is_person in enumerate(people)])


def _of_seat(seat: int, rounds: Sequence[Counter[Actor]]) -> Participation:
    player, bot = by_player(seat), by_bot(seat)
    turns = [(own, forced) for turns in rounds if (own := turns[player]) + (forced := turns[bot])]
    own_turns, forced_turns = sum(own for own, _ in turns), sum(forced for _, forced in turns)
    return Participation(
        turns=own_turns + forced_turns,
        turns_by_bot=forced_turns,
        rounds=len(turns),
        rounds_played=sum(own >= forced for own, forced in turns),
    )
