"""The sentences of all events, with known and with hidden cards."""

from importlib import import_module
from typing import Any

import pytest

from hoodwink.domain.games import GAMES, blind_don, blindside, coconut, double_blind, shithead
from hoodwink.domain.players import SOMEONE_WHO_LEFT
from hoodwink.domain.tables import events as at_tables
from hoodwink.domain.tables.events import TABLE_EVENTS
from hoodwink.domain.words import Seating, sentence


def events_of(game: str) -> Any:
    """Returns the module of the game's events; the examples write cards as plain texts."""
    return import_module(f"hoodwink.domain.games.{game}.events")


bd, bs, co = events_of("blind_don"), events_of("blindside"), events_of("coconut")
db, sh = events_of("double_blind"), events_of("shithead")

PEOPLE = Seating(("ada", "bob", "Cid"), (False, False, True), str.title)
TWO = Seating(("ada", "bob"), (False, False), str.title)


def opened(**given):
    fields = {"turn_seconds": 0, "tournament": None, "parent": None, "rematch_of": None, **given}
    return at_tables.TableOpened(
        table="t1",
        game="coconut",
        seats=3,
        options={},
        host="ada",
        commitment="c",
        server_seed="??",
        edition=3,
        seed_commitment="",
        rated=True,
        first_dealer=None,
        bot_delay=0,
        round_pause=0,
        private=False,
        watch="everyone",
        take_backs=False,
        **fields,
    )


PLACE = at_tables.TournamentPlace(tournament="cup", round=2, board=5, deal=1, grace_seconds=60, fillers=())

TABLES = [
    (opened(), "A table of Coconut with 3 seats was opened."),
    (opened(turn_seconds=30), "A table of Coconut with 3 seats was opened. A turn may last 30 seconds."),
    (
        opened(tournament=PLACE),
        "A table of Coconut with 3 seats was opened for board 5 of round 2 of a tournament.",
    ),
    (
        opened(parent=at_tables.Parent(table="t0", version=9, head="f")),
        "A table of Coconut with 3 seats was opened to play on from version 9 of table t0.",
    ),
    (opened(rematch_of="t0"), "A table of Coconut with 3 seats was opened for a rematch."),
    (
        at_tables.TableForked(()),
        "It continues from there. That table's log shows the cards of a round in play.",
    ),
    (
        at_tables.DealShared(2, ""),
        "The table plays deal 2 of its tournament, like the other tables of the round.",
    ),
    (at_tables.SeatTaken(0, "ada", None, "", ""), "Ada sat down at seat 0."),
    (
        at_tables.SeatTaken(0, "ada", None, "luck", ""),
        "Ada sat down at seat 0 with a seed that everybody can read.",
    ),
    (
        at_tables.SeatTaken(0, "ada", None, "", "f" * 64),
        "Ada sat down at seat 0 and committed to a seed.",
    ),
    (
        at_tables.SeatTaken(2, "bot:steady", "steady", "", ""),
        "Steady bot was seated at seat 2.",
    ),
    (at_tables.SeatLeft(1), "The player at seat 1 left."),
    (at_tables.SeatOffered(1, "bo"), "The host offered seat 1 to Bo."),
    (at_tables.OfferWithdrawn(1), "The player who was offered seat 1 declined it."),
    (at_tables.HostChanged("bo"), "Bo is the host now."),
    (at_tables.RematchOpened("t2"), "A rematch was opened: the same players may play again."),
    (at_tables.TableStarted(None, 1_000, 8_000), "Play began; seats and seeds are fixed from here on."),
    (at_tables.TableStarted(0, 1_000, 8_000), "Play began; seats and seeds are fixed from here on."),
    (
        at_tables.TableStarted(120, 1_000, 8_000),
        "Play began; seats and seeds are fixed from here on. A turn may last 120 seconds.",
    ),
    (at_tables.PlayerSeedRevealed(1, "5eed"), "Bob revealed the seed they had committed to."),
    (at_tables.PlayerSeedRevealed(None, "5eed"), "The host revealed the seed they had committed to."),
    (at_tables.PlayerSeedMissed(1), "Bob did not reveal a seed in time, so it counts as empty."),
    (at_tables.PlayerReady(1), "Bob is ready."),
    (at_tables.NoShow(1), "Bob did not appear in time; a bot takes over the seat."),
    (
        at_tables.TableEnded("cancelled", None, None),
        "The table was ended without a result, by an official or with its whole tournament.",
    ),
    (at_tables.SeatResigned(1), "Bob resigned; a bot takes over the seat."),
    (at_tables.ActionTakenBack(1, 7), "Bob took back their last action."),
    (at_tables.ClockRanOut(1), "Bob ran out of time, so a bot makes the next move."),
    (
        at_tables.ClocksMoved(1_000, 20_400),
        "The service was away for 19 seconds; all clocks were paused for that time.",
    ),
    (at_tables.SeatClaimed(1), "Bob is away: another player claimed the seat, so a bot takes it over."),
    (at_tables.PlayerReturned(1), "Bob returned and took the seat back from the bot."),
    (
        at_tables.RoundScored(2, "point", (3, 0, -1), (5, 0, -2)),
        "Round 2 is scored in points: Ada +3 (now 5), Bob 0 (now 0), Cid -1 (now -2).",
    ),
    (
        at_tables.TableVoided("olga", "Two players shared a screen."),
        "olga, an administrator, took the result back: Two players shared a screen.",
    ),
    (at_tables.RoundVoided(2), "Round 2 would not end, so it was stopped without a result."),
    (at_tables.TableEnded("closed", None, None), "The table was closed before it started."),
    (
        at_tables.TableEnded("expired", None, None),
        "The table was closed, because nobody had started it for too long.",
    ),
    (at_tables.TableEnded("stopped", None, None), "The table was ended early; only bots played there."),
    (
        at_tables.TableEnded("abandoned", None, None),
        "The table was abandoned, because no person had acted for too long.",
    ),
    (
        at_tables.TableEnded("no_result", None, None),
        "The table is over without a result, because no round had one.",
    ),
    (
        at_tables.TableEnded("played_out", (2, 1, 2), (1, 4, 1)),
        "The table is over. Places: 1st Bob with 4 points, 2nd Ada with 1 point, 2nd Cid with 1 point.",
    ),
    (
        at_tables.TableEnded("last_seat", (1, 2, 3), (0, 1, 2)),
        (
            "The table is over, because only one player has not resigned. "
            "Places: 1st Ada with 0 points, 2nd Bob with 1 point, 3rd Cid with 2 points."
        ),
    ),
    (
        at_tables.TableVoided("Ada", "two players shared a screen."),
        "Ada, an administrator, took the result back: two players shared a screen.",
    ),
    (
        at_tables.SeedRevealed("5eed"),
        "The server seed was revealed, so anybody can recompute every shuffle.",
    ),
]

BLINDSIDE = [
    (
        bs.RoundDealt(1, 0, (("9S", "TH"), ("??", "??"), ("??", "??")), (), "5D", ("??",) * 40),
        "Ada dealt round 1: 2 cards each, and 5D was turned up. Hands: Ada 9S TH.",
    ),
    (
        bs.RoundDealt(1, 0, (("??",), ("??",), ("??",)), ("??", "??", "??"), "5D", ("??",) * 40),
        "Ada dealt round 1: 1 card each, and 5D was turned up. Everybody has a Blindside Card that nobody may look at.",
    ),
    (bs.BlindsidePassed(2, "9S"), "Cid passed 9S face down to Ada."),
    (bs.BlindsidePassed(2, "??"), "Cid passed a card face down to Ada."),
    (bs.StockDrawn(1, "9S"), "Bob drew 9S from the stock."),
    (bs.StockDrawn(1, "??"), "Bob drew a card from the stock."),
    (bs.DiscardDrawn(1, "9S"), "Bob took 9S from the discard pile."),
    (bs.CardKept(1, "??"), "Bob kept a card on the Keeper Pile."),
    (bs.CardDiscarded(1, "9S"), "Bob discarded 9S."),
    (
        bs.BlindsidesRevealed(("9S", "AD", "AH"), (9, 11, 11), 0, (1, 2)),
        (
            "The Blindside Cards were turned up: Ada 9S (9), Bob AD (11), Cid AH (11). "
            "Ada won a token from every other player. BLINDSIDED by a tie: Bob and Cid."
        ),
    ),
    (
        bs.KeepersRevealed((("9S", "2D"), ("AD", "3D"), ("AH", "4D")), (11, 14, 15), 2, ()),
        (
            "The Keeper Piles were turned up: Ada 9S 2D (total 11), Bob AD 3D (total 14), Cid AH 4D (total 15). "
            "Cid won a token from every other player."
        ),
    ),
    (
        bs.KeepersRevealed((("9S",), ("9D",), ("9H",)), (9, 9, 9), None, (0, 1, 2)),
        (
            "The Keeper Piles were turned up: Ada 9S (total 9), Bob 9D (total 9), Cid 9H (total 9). "
            "Nobody won. BLINDSIDED by a tie: Ada, Bob and Cid."
        ),
    ),
]

COCONUT = [
    (
        co.RoundDealt(3, 1, (("??",) * 6, ("9S",) * 2, ("??",) * 6), (("??",) * 3,) * 3, ("??",)),
        "Bob dealt round 3: three cards face down and six to take up, each. Taken up: Bob 9S 9S.",
    ),
    (co.FaceUpChosen(0, ("9S", "TH", "2C")), "Ada chose 9S TH 2C to lie face up."),
    (co.FaceUpChosen(0, ("??",) * 3), "Ada chose 3 cards to lie face up."),
    (
        co.FaceUpRevealed((("9S",), ("TH",), ("2C",))),
        "All have chosen. Face up: Ada 9S, Bob TH, Cid 2C.",
    ),
    (co.CardsPlayed(0, ("9S", "9D"), (), 1), "Ada played 9S 9D."),
    (co.CardsPlayed(0, ("9S", "9D"), ("??", "??"), 1), "Ada played 9S 9D and drew 2 cards."),
    (co.CardFlipped(0, 2, "9S", 1), "Ada turned up the card in slot 3 and played it: 9S."),
    (
        co.FlipFailed(0, 2, "9S"),
        "Ada turned up 9S in slot 3, could not play it, and picked it up with the pile.",
    ),
    (co.PilePickedUp(0), "Ada picked up the pile."),
    (
        co.CardsSneaked(0, ("9S",), ("4D",)),
        "Ada completed four of a kind out of turn with 9S and drew 4D.",
    ),
    (co.RoundScored((1,), (0, 1, 0)), "Bob won the round. Points: Bob +1."),
    (co.RoundScored((1, 2, 0), (0, 2, 1)), "Bob won the round ahead of Cid and Ada. Points: Bob +2, Cid +1."),
]

BLIND_DON = [
    (
        bd.DealerCut((("9S", "9D"), ("4C", "KD")), 1),
        "The players cut for the deal: Ada 9S, Bob 9D, then Ada 4C, Bob KD. Bob deals first.",
    ),
    (
        bd.RoundDealt(2, 0, (("??",) * 9, ("??",) * 9), (("9S", "TH"), ("2C", "3C")), ("??",) * 16),
        "Ada dealt round 2: nine cards face up on nine face down, each. Face up: Ada 9S TH, Bob 2C 3C.",
    ),
    (bd.CardLed(0, 3, "9S", ()), "Ada led 9S."),
    (
        bd.CardLed(0, 3, "9S", (bd.Uncovered(0, 3, "4D"),)),
        "Ada led 9S. 4D was turned up at position 4 of Ada's row.",
    ),
    (
        bd.TrickTaken(1, 2, ("9S", "AS"), 1, 4, ()),
        "Bob followed 9S with AS and took the trick for 4 points.",
    ),
    (
        bd.TrickTaken(1, 2, ("9S", "2D"), 0, 0, ()),
        "Bob followed 9S with 2D, and Ada took the trick.",
    ),
    (
        bd.CardsTallied((40, 35), 0),
        "The captured cards were counted: Ada 40, Bob 35. Ada won the 8 points for them.",
    ),
    (
        bd.CardsTallied((40, 40), None),
        "The captured cards were counted: Ada 40, Bob 40. Nobody won the 8 points for them.",
    ),
]

DOUBLE_BLIND = [
    (
        db.CaperDealt(1, 0, (("9S",), ("??",), ("??",)), (("??",), ("TH",), ("2C",)), ("??",)),
        (
            "Ada dealt caper 1 as Mastermind: three sleeve cards and five pocket cards each. "
            "Sleeves: Ada 9S. Pockets: Bob TH, Cid 2C."
        ),
    ),
    (db.PocketPlayed(0, 4, "9S"), "Ada played 9S from slot 5 of Cid's pocket."),
    (db.BribePlayed(0, "9S"), "Ada announced a bribe and played 9S from the sleeve."),
    (
        db.TrickCalled((2, 0)),
        "The highest cards tie: ten points join the hat, and Cid and Ada play again.",
    ),
    (
        db.HalfInterestPaid(((), ("??", "??"), ("TH",))),
        "The bank paid half interest: 2 cards to Bob's pocket, TH to Cid's pocket.",
    ),
    (db.ContendersDropped((2, 0)), "Out of credit for the trick: Cid and Ada."),
    (db.HatTaken(1, ("9S", "TH"), 0), "Bob took the hat: 9S TH."),
    (db.HatTaken(1, ("9S", "TH"), 10), "Bob took the hat: 9S TH and 10 bonus points."),
    (
        db.HatLost(("9S", "TH"), 10),
        "Nobody won the hat, because all contenders are out of credit; 9S TH and 10 bonus points are lost.",
    ),
    (
        db.InterestPaid((("??",), ("TH",), ()), (("4D",), (), ())),
        "The bank paid interest: a card to Ada's pocket, TH to Bob's pocket, 4D to Ada's sleeve.",
    ),
    (
        db.InterestPaid(((), (), ()), ((), (), ())),
        "The bank paid interest, but nobody had room for a card.",
    ),
    (
        db.PocketExposed(0, 0, 1, "9S", "??"),
        "Ada peeked at 9S in slot 2 of the pocket; it was replaced by a card from the bank.",
    ),
    (
        db.PocketExposed(0, 0, 1, "??", "??"),
        "Ada peeked at a card in slot 2 of the pocket; it was replaced by a card from the bank.",
    ),
    (
        db.PocketExposed(0, 1, 1, "9S", None),
        "Ada told Bob of 9S in slot 2 of the pocket; it stays, because the bank is empty.",
    ),
    (
        db.SleeveExposed(0, "9S", "TH"),
        "Ada showed 9S from the sleeve; it was replaced by TH from the bank.",
    ),
    (
        db.StashesRevealed((("9S", None, "TH"), (None,), ()), ((), ("4D",), ())),
        "The caper is over, and the remaining cards were turned up. Pockets: Ada 9S TH. Sleeves: Bob 4D.",
    ),
    (
        db.StashesRevealed(((None,), (), ()), ((), (), ())),
        "The caper is over, and the remaining cards were turned up. There were none.",
    ),
    (
        db.CaperScored((10, 20, 30), (0,), (15, 0, 0), (0,), 15, (25, 20, 30)),
        (
            "The caper brought Ada 10, Bob 20, Cid 30. 15 points more as the Joker: Ada. Lost for exposures: Ada 15. "
            "15 points more as the Queen's Fool: Ada. Totals: Ada 25, Bob 20, Cid 30."
        ),
    ),
    (
        db.CaperScored((10, 10, 10), (), (0, 0, 0), (), 0, (10, 10, 10)),
        "The caper brought Ada 10, Bob 10, Cid 10. Totals: Ada 10, Bob 10, Cid 10.",
    ),
]

SHITHEAD = [
    (
        sh.RoundDealt(
            1, 0, (("??",) * 3,) * 3, (("9S",), ("TH",), ("2C",)), (("4D",), ("??",), ("??",)), ("??",)
        ),
        (
            "Ada dealt round 1: three blind, three face-up and three hand cards each. "
            "Face up: Ada 9S, Bob TH, Cid 2C. Hands: Ada 4D."
        ),
    ),
    (
        sh.CardsSwapped(0, "4D", "9S", secretly=False),
        "Ada exchanged the hand card 4D for the face-up card 9S.",
    ),
    (
        sh.CardsSwapped(0, "4D", "9S", secretly=True),
        "Ada exchanged the hand card 4D for the face-up card 9S in secret.",
    ),
    (sh.SeatReady(0), "Ada is ready."),
    (
        sh.PlayStarted(0, "4C", (("9S",), ("TH",), ("2C",))),
        "Ada starts and must play 4C. Face up: Ada 9S, Bob TH, Cid 2C.",
    ),
    (
        sh.PlayStarted(0, "??", (("9S",), ("TH",), ("2C",))),
        "Ada starts. Face up: Ada 9S, Bob TH, Cid 2C.",
    ),
    (
        sh.PlayStarted(0, None, (("9S",), ("TH",), ("2C",))),
        "Ada starts. Face up: Ada 9S, Bob TH, Cid 2C.",
    ),
    (sh.CardsPlayed(0, ("9S", "9D"), ("??",)), "Ada played 9S 9D and drew a card."),
    (
        sh.PileBurned(0, ("9S",), ("4D", "5D")),
        "Ada burned the pile out of turn with 9S and drew 4D 5D.",
    ),
    (sh.BlindCardPlayed(0, 1, "9S"), "Ada turned up 9S in slot 2 and played it."),
    (
        sh.BlindCardFailed(0, 1, "9S"),
        "Ada turned up 9S in slot 2, could not play it, and picked it up with the pile.",
    ),
    (
        sh.BlindJokerTurned(0, 1),
        "Ada turned up a Joker in slot 2 and must now name another player.",
    ),
    (sh.PilePickedUp(0, None), "Ada picked up the pile."),
    (sh.PilePickedUp(0, "9S"), "Ada picked up the pile with 9S."),
    (sh.JokerPlayed(0, 1, ("??",)), "Ada played a Joker on Bob and drew a card."),
    (sh.JokerCountered(1, 2, ()), "Bob countered with a Joker and named Cid."),
    (sh.PileAccepted(2), "Cid did not counter the Joker."),
    (
        sh.ShitheadNamed((1, 0, 2), (1, 2, 0)),
        "Cid is the shithead. Finishing order: Bob and Ada. Points: Ada +1, Bob +2.",
    ),
]

EXAMPLES = {
    coconut.GAME.name: [*TABLES, *COCONUT],
    blindside.GAME.name: BLINDSIDE,
    blind_don.GAME.name: BLIND_DON,
    double_blind.GAME.name: DOUBLE_BLIND,
    shithead.GAME.name: SHITHEAD,
}


def own_actor(game, event):
    cause = None if event.wire.startswith("table.") else event.cause()
    return "worker" if cause is None else f"player:{cause[0]}"


@pytest.mark.parametrize(
    ("game", "event", "said"),
    [(game, event, said) for game, examples in EXAMPLES.items() for event, said in examples],
    ids=lambda value: getattr(value, "wire", ""),
)
def test_an_event_is_a_sentence(game, event, said):
    seating = TWO if GAMES[game].seats[1] == 2 else PEOPLE
    assert sentence(game, event, seating, by=own_actor(game, event)) == said


def test_every_kind_of_event_has_an_example():
    shown = {type(event) for examples in EXAMPLES.values() for event, _ in examples}

    assert shown == {*TABLE_EVENTS, *(kind for game in GAMES.values() for kind in game.events)}


@pytest.mark.parametrize(
    ("by", "choice"),
    [
        ("player:1", ""),
        ("bot:1", " A bot chose for Bob."),
        ("host", " The host entered this."),
    ],
)
def test_db_42_a_sentence_says_who_chose_unless_it_was_the_player(by, choice):
    exposed = db.SleeveExposed(1, "9S", None)

    assert sentence("double_blind", exposed, PEOPLE, by=by) == (
        f"Bob showed 9S from the sleeve; it stays, because the bank is empty.{choice}"
    )


def test_no_sentence_says_that_a_bot_chose_for_its_own_seat():
    assert sentence("blindside", bs.CardDiscarded(2, "9S"), PEOPLE, by="bot:2") == "Cid discarded 9S."


def test_events_that_follow_from_a_choice_name_nobody():
    assert not sentence("double_blind", db.TrickCalled((0, 1)), PEOPLE, by="bot:1").endswith("Bob.")


def test_a_sentence_that_starts_with_a_departed_player_has_a_capital():
    left = Seating(("ada", "bob"), (False, False), lambda _: SOMEONE_WHO_LEFT)

    assert sentence("blindside", bs.CardDiscarded(1, "9S"), left, by="bot:1") == (
        "Someone who left (seat 1) discarded 9S. A bot chose for someone who left (seat 1)."
    )
    assert sentence("blindside", at_tables.PlayerReady(0), left, by="player:0") == (
        "Someone who left (seat 0) is ready."
    )


def test_a_bot_that_the_host_removed_did_not_leave():
    assert sentence("coconut", at_tables.SeatLeft(2), PEOPLE, by="host") == "The host freed seat 2."


def test_a_host_withdraws_an_offer_that_others_decline():
    offer = at_tables.OfferWithdrawn(2)
    assert sentence("coconut", offer, PEOPLE, by="host") == "The host withdrew the offer of seat 2."
