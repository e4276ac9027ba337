"""Tables that play the same deal: equal cards, bots that choose alike, and a seed that waits for the release."""

from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation, Stage, redact
from hoodwink.domain.tables.commands import DealRound, ReleaseDeal, VoidTable
from hoodwink.domain.tables.events import DealShared, SeedRevealed, TableEnded
from hoodwink.domain.tables.fairness import SharedDeal
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Phase, is_voidable
from hoodwink.domain.tables.view import view_table
from hoodwink.service.application.work.bot_actions import bot_chance
from tests.domain.tables.forger import changed, entries_of, rechained
from tests.domain.tables.sitting import Sitting
from tests.domain.tables.test_tournament_table import EVERY_GAME, opening

KEY = "0123456789abcdef" * 4


def sitting_at(*names: str, board: int, game: str = "blindside", key: str = KEY) -> Sitting:
    """Returns a table of deal 2, with a seed of its own."""
    order = opening(*names, game=game)
    own = replace(order.opening, table=f"t{board}", server_seed=f"{board}" * 64)
    return Sitting(replace(order, opening=own, shared=SharedDeal(2, key)))


def bots_at(board: int, game: str, **more: Any) -> Sitting:
    return sitting_at(*("steady",) * GAMES[game].seats[0], board=board, game=game, **more)


def fault(log: bytes) -> str:
    finding = verify_log(log).finding
    assert finding is not None
    return finding.code


@pytest.mark.parametrize("game", EVERY_GAME)
def test_d_1_d_2_equal_play_gives_equal_cards_at_all_tables_of_a_deal(game):
    one, other = bots_at(1, game).play_out(), bots_at(2, game).play_out()

    played = [[(entry.type, bytes(entry.data)) for entry in table.entries[1:]] for table in (one, other)]
    assert played[0] == played[1]
    assert one.entries[-1].hash != other.entries[-1].hash
    assert bots_at(3, game, key="f" * 64).do(DealRound()) != bots_at(1, game).do(DealRound())


def test_d_1_bots_at_all_tables_of_a_deal_have_the_same_luck():
    one, other = (sitting_at("ada", "bo", "cy", board=board).deal().table for board in (1, 2))

    assert bot_chance(one, 0).random() == bot_chance(other, 0).random()
    assert bot_chance(one, 0).random() != bot_chance(one, 1).random()
    assert bot_chance(replace(one, shared=None), 0).random() != bot_chance(one, 0).random()


def test_d_7_the_seed_and_the_key_wait_for_the_release():
    sitting = sitting_at("ada", "bo", "cy", board=1)
    for viewer in (0, "spectator"):
        assert KEY not in str(redact(DealShared(2, KEY), viewer))
    assert sitting.refusal(ReleaseDeal()) == "table_not_over"
    sitting.play_to(Stage.TO_DEAL).resign(1)
    ended = sitting.resign(2)

    assert isinstance(ended[-1], TableEnded)
    assert view_table(sitting.table, 0, now=sitting.now).server_seed is None
    assert not is_voidable(sitting.table)
    assert sitting.refusal(VoidTable("root", "cheating")) == "table_not_over"
    assert fault(sitting.log()) == "incomplete"
    assert sitting.do(ReleaseDeal()) == (SeedRevealed("1" * 64),)
    assert view_table(sitting.table, 0, now=sitting.now).server_seed == "1" * 64
    assert sitting.refusal(ReleaseDeal()) == "no_tournament"
    assert verify_log(sitting.log()).valid


def test_d_7_a_table_with_a_deal_of_its_own_reveals_its_seed_at_the_end():
    sitting = Sitting(opening("ada", "bo", "steady"))
    sitting.resign(0)

    assert [type(event) for event in sitting.resign(1)][-2:] == [TableEnded, SeedRevealed]
    assert sitting.table.phase is Phase.ENDED
    with pytest.raises(RuleViolation, match="no_tournament"):
        sitting.do(ReleaseDeal())


def test_d_2_a_log_with_another_key_or_an_early_release_does_not_verify():
    sitting = sitting_at("steady", "steady", board=1, game="coconut").play_out()
    sitting.do(ReleaseDeal())
    log = sitting.log()
    assert verify_log(log).valid

    assert fault(changed(log, 2, lambda fields: fields.update(key="f" * 64))) == "altered"
    assert verify_log(
        changed(log, 2, lambda fields: fields.update(deal=3))
    ).valid  # the tournament's log refuses it
    *played, ended, released = entries_of(log)
    early = replace(released, cmd=ended.cmd, at=ended.at)
    assert fault(rechained([*played, ended, early])) == "altered"
