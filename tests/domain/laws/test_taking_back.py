"""A take-back leads back to the state before the action, for every viewer, and takes no knowledge away (G-20)."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game, Knowledge, RuleViolation, Stage, Viewer
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.knowing import Followed, follow
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Phase, Table, stage_of, turn_of
from hoodwink.domain.tables.view import legal_actions_of, view_table
from hoodwink.service.simulation.random_options import random_options
from tests.domain.tables.sitting import Sitting
from tests.seeds import chunks

TABLES = chunks(100, 20, first=2)
MAX_ACTIONS = 150

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


class Watched(Sitting):
    """A table of people with what each viewer knows."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        chance = Random(seed)
        fewest, most = game.seats
        seats = fewest + seed % (most - fewest + 1)
        options = msgspec.to_builtins(random_options(game, seats, chance))
        self.knowing: dict[Viewer, Followed] = {}
        super().__init__(game=game.name, seats=seats, turn_seconds=60, take_backs=True, **options)
        self.sit(*map(str, range(seats))).start()
        self.knowing = dict.fromkeys((*range(seats), "spectator"), Followed())
        self._seen = 0
        self._chance = chance

    def do(self, command: commands.TableCommand, *, by: str = "worker", after_ms: int = 0) -> Any:
        events = super().do(command, by=by, after_ms=after_ms)
        if self.knowing:
            news = decoded(self.entries[self._seen :], decode_event)
            self.knowing = {viewer: follow(so_far, news, viewer) for viewer, so_far in self.knowing.items()}
            self._seen = len(self.entries)
        return events

    def known(self) -> dict[Viewer, Knowledge[Any]]:
        """Returns what each viewer knows."""
        return {viewer: followed.known for viewer, followed in self.knowing.items() if followed.known}

    def shown(self) -> list[Any]:
        """Returns all that the viewers receive, apart from versions and take-backs themselves."""
        table, seats = self.table, range(len(self.table.seats))
        views = [view_table(table, viewer, now=self.now) for viewer in (*seats, "spectator", "everybody")]
        legal = [legal_actions_of(table, seat, self.now) for seat in seats]
        return [[replace(view, version=0, take_back=None) for view in views], legal, turn_of(table)]


def actions(sitting: Watched) -> Iterator[tuple[int, Table, dict[Viewer, Knowledge[Any]], list[Any]]]:
    """Plays at random; yields after each action the seat, the table before it, and what the viewers knew and received."""
    taken, chance = 0, Random(1)
    while sitting.table.phase is Phase.PLAYING and taken < MAX_ACTIONS:
        if stage_of(sitting.table) is not Stage.IN_PLAY:
            sitting.step()
            continue
        turn = turn_of(sitting.table)
        able = [seat for seat in turn.may if sitting.legal(seat)]
        seat = chance.choice(able) if able and chance.random() < 0.3 else chance.choice(turn.owes)
        sitting.now += 1
        action = sitting.choice(seat)
        before, known, shown = sitting.table, sitting.known(), sitting.shown()
        sitting.act(seat, action)
        taken += 1
        yield seat, before, known, shown


@every_game
@pytest.mark.parametrize("seeds", TABLES)
def test_g_20_an_action_can_be_taken_back_exactly_while_it_showed_nothing_new(game, seeds):
    for seed in seeds:
        sitting = Watched(game, seed)
        for seat, before, known, _ in actions(sitting):
            after, view = sitting.table, game.view(before.state, seat)
            (recorded,) = decoded(sitting.entries[before.version : before.version + 1], decode_event)
            cause = recorded.event.cause()
            assert cause is not None
            is_choice = view.to_move is None
            is_offence = isinstance(cause[1], game.offences)
            is_draw = game.view(after.state, seat).stock_count != view.stock_count
            is_new = is_draw or learned_something(known[seat], sitting.known()[seat])
            can_be = stage_of(after) is Stage.IN_PLAY and not (is_choice or is_offence or is_new)
            assert (after.undoable is not None) is can_be, recorded.event


def learned_something(before: Knowledge[Any], after: Knowledge[Any]) -> bool:
    return (before.unseen, before.limits) != (after.unseen, after.limits)


@every_game
@pytest.mark.parametrize("seeds", TABLES)
def test_g_20_after_a_take_back_everybody_sees_and_may_do_what_they_could_before(game, seeds):
    for seed in seeds:
        sitting, chance = Watched(game, seed), Random(seed)
        for seat, before, known, shown in actions(sitting):
            if sitting.table.undoable is None or chance.random() < 0.5:
                continue
            acted = sitting.known()
            sitting.do(commands.TakeBack(seat), by=f"player:{seat}")
            assert sitting.shown() == shown
            assert sitting.table.owing_since == before.owing_since
            assert sitting.refusal(commands.TakeBack(seat)) == "already_taken_back"
            for viewer, remembered in sitting.known().items():
                keeps_knowledge(game, before, remembered, known[viewer], acted[viewer])
        verifies(sitting)


def keeps_knowledge(
    game: Game[Any], table: Table, known: Knowledge[Any], before: Knowledge[Any], acted: Knowledge[Any]
) -> None:
    """A viewer knows no less than before and after the action, and imagines deals that agree with the table."""
    for other in (before, acted):
        assert not Counter(known.unseen) - Counter(other.unseen)
    imagined = game.imagine(known, Random(1))
    assert game.view(imagined, known.viewer) == game.view(table.state, known.viewer)
    assert game.turn(imagined) == game.turn(table.state)


def verifies(sitting: Watched) -> None:
    """The log with its take-backs is proved, once the table has ended."""
    while sitting.table.phase is Phase.PLAYING:
        try:
            sitting.resign(next(seat for seat in range(10) if seat not in sitting.table.resigned))
        except RuleViolation:
            sitting.step()
    assert verify_log(sitting.log()).valid
