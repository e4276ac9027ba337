"""What a seat concludes from what it saw, beyond its view (G-19)."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.coconut.actions import ChooseFaceUp, PickUpPile, PlayCards
from hoodwink.domain.games.double_blind.actions import ExposePocket, ExposeSleeve
from hoodwink.domain.games.shithead import actions as shithead
from hoodwink.domain.games.shithead.rules import STARTING_CARDS, find_starter
from hoodwink.domain.kernel import Action, Event, Knowledge, Viewer, know_nothing, redact, see
from tests.domain.games.coconut_table import NOW, Stacked, cards
from tests.domain.games.double_blind_table import situation
from tests.domain.games.shithead_table import READY, StackedDraws, deck_for


class Watch:
    """A table, and what one viewer knows of it."""

    def __init__(self, game: str, seats: int, viewer: Viewer, draws: Any, **options: Any) -> None:
        self.game = GAMES[game]
        chosen = self.game.options(**options)
        self.state = self.game.initial(chosen, seats)
        self.known: Knowledge[Any] = know_nothing(self.game, chosen, seats, viewer)
        self._see(self.game.deal(self.state, draws))

    def act(self, *moves: tuple[int, Action]) -> "Watch":
        for seat, action in moves:
            self._see(self.game.decide(self.state, seat, action, NOW))
        return self

    def _see(self, events: Sequence[Event]) -> None:
        for event in events:
            self.state = self.game.evolve(self.state, event)
            seen = redact(event, self.known.viewer)
            if seen is not None:
                self.known = see(self.game, self.known, seen)

    def excluded(self, held: Sequence[Card]) -> list[set[Card]]:
        """Returns the faces that each unknown card cannot be."""
        limits = {mark: set(faces) for faces, marks in self.known.limits for mark in marks}
        return [limits.get(card, set()) for card in held if card.startswith("?")]


def by_rank(ranks: str) -> set[Card]:
    return {Card(rank + suit) for rank in ranks for suit in "CDHS"}


def coconut(viewer: Viewer, **options: Any) -> Watch:
    """Returns two-seat Coconut in which seat 1 leads a 9, the lowest it holds, and seat 0 holds 4H 4S 5C."""
    dealt = "3C 3D 3H 3S 4C 4D 9C 4H TC 4S 2C 5C KC 5D QC 5H JC 5S"
    watch = Watch("coconut", 2, viewer, Stacked(dealt), **options)
    return watch.act(
        (1, ChooseFaceUp(cards("TC 2C KC"))),
        (0, ChooseFaceUp(cards("5D 5H 5S"))),
        (1, PlayCards(cards("9C"))),
    )


def test_co_7_g_19_the_opening_shows_what_the_hand_does_not_hold():
    watch = coconut(0)
    old, other, drawn = watch.excluded(watch.known.state.hands[1])
    assert old == other == by_rank("345678")
    assert drawn == set()


def test_co_8_g_19_a_pick_up_shows_that_nothing_was_playable_and_what_is_held_now():
    watch = coconut(1).act((0, PickUpPile()))
    hand = watch.known.state.hands[0]
    assert hand[3:] == cards("9C")
    assert watch.excluded(hand) == [by_rank("9JQKA2T")] * 3


def test_co_35_g_19_a_voluntary_pick_up_shows_no_more_than_the_pile():
    watch = coconut(1, voluntary_pickup=True).act((0, PickUpPile()))
    assert watch.excluded(watch.known.state.hands[0]) == [set()] * 3


def test_sh_4_g_19_the_starting_card_shows_what_nobody_holds():
    deck = deck_for(["6D 9C KD", "5D 7C 8D", "TC JC QC"])
    watch = Watch("shithead", 3, 0, StackedDraws(deck)).act(*[(seat, READY) for seat in range(3)])
    assert watch.state.to_move == 1
    assert not watch.known.limits
    for seed in range(30):
        imagined = watch.game.imagine(watch.known, Random(seed))
        assert find_starter(imagined) == (1, imagined.starting_card)
    watch.act((1, shithead.PlayCards(cards("5D"))))
    earlier = set(STARTING_CARDS[:7])
    assert watch.excluded(watch.known.state.hands[1])[:2] == [earlier] * 2
    assert watch.excluded(watch.known.state.hands[2]) == [earlier] * 3


def test_sh_1_g_19_another_copy_of_the_starting_card_is_not_held_before_the_starter():
    deck = deck_for(["6D 9C KD", "5D 7C 8D", "TC JC QC"], packs=2, jokers=4)
    watch = Watch("shithead", 3, 1, StackedDraws(deck), decks=2).act(*[(seat, READY) for seat in range(3)])
    assert watch.excluded(watch.known.state.hands[2]) == [set(STARTING_CARDS[:7])] * 3
    assert watch.excluded(watch.known.state.hands[0]) == [set(STARTING_CARDS[:7])] * 3


def test_sh_6_g_19_without_a_starting_card_all_hands_are_power_cards():
    deck = deck_for(["2C 2D 2H", "3C 3D 3H"])
    watch = Watch("shithead", 2, 0, StackedDraws(deck)).act((0, READY), (1, READY))
    watch.act((1, shithead.PlayCards(cards("3C"))))
    assert watch.excluded(watch.known.state.hands[1])[:2] == [set(STARTING_CARDS)] * 2


def picking_up(hands: list[str], answer: str) -> list[set[Card]]:
    """Returns what the hand of seat 0 cannot hold after 4C, this answer and a pick-up, as seat 1 sees it."""
    watch = Watch("shithead", 3, 1, StackedDraws(deck_for(hands)))
    watch.act(*[(seat, READY) for seat in range(3)])
    watch.act((1, shithead.PlayCards(cards("4C"))), (2, shithead.PlayCards(cards(answer))))
    watch.act((0, shithead.PickUp()))
    return watch.excluded(watch.known.state.hands[0])


def test_sh_31_g_19_a_pick_up_shows_that_nothing_was_playable():
    playable = {*by_rank("KA238T"), Card("JK")}
    assert picking_up(["5D 6D 7D", "4C 9C JC", "KD QD QH"], "KD") == [playable] * 3


def test_sh_19_g_19_a_pick_up_shows_that_no_card_completed_four():
    playable = {*by_rank("456238T"), Card("JK")}
    assert picking_up(["9D JD QC", "4C 9C JC", "7D 7H 7S"], "7D 7H") == [playable] * 3
    assert picking_up(["9D JD QC", "4C 9C JC", "7D 7H 7S"], "7D 7H 7S") == [playable | by_rank("7")] * 3


def test_sh_50_g_19_the_cards_exchanged_in_secret_are_known_after_the_swaps():
    deck = deck_for(["4C 9C KC", "JC QC QD"], face_up=["5C 6C 7C", "5D 6D 7D"])
    watch = Watch("shithead", 2, 0, StackedDraws(deck), hidden_swap=True)
    watch.act((1, shithead.SwapCards(Card("QD"), Card("6D"))))
    imagined = {watch.game.imagine(watch.known, Random(seed)).face_up[1] for seed in range(30)}
    assert len(imagined) > 10
    watch.act((0, READY), (1, READY))
    assert watch.known.state.face_up[1] == cards("5D QD 7D")
    assert cards("6D")[0] in watch.known.state.hands[1]


def blindside() -> Watch:
    """Returns three-seat Blindside, seen by seat 0, after all have passed a card. Seat 1 moves first."""
    watch = Watch("blindside", 3, 0, Stacked("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D"))
    return watch.act(*[(seat, PassBlindside(hand[0])) for seat, hand in enumerate(watch.state.hands)])


def test_g_19_a_card_taken_from_the_discard_pile_is_held_or_kept():
    watch = blindside()
    hand = watch.state.hands[1]
    watch.act((1, DrawCard("discard")))
    ((face, where),) = watch.known.among
    assert (face, len(where)) == ("AC", 1)
    watch.act((1, KeepCard(Card("AC"))))
    ((face, where),) = watch.known.among
    assert (face, len(where)) == ("AC", 4)
    watch.act((1, DiscardCard(hand[0])))
    ((face, where),) = watch.known.among
    assert len(where) == 3
    places = {"AC" in watch.game.imagine(watch.known, Random(seed)).keepers[1] for seed in range(60)}
    assert places == {True, False}


def test_g_19_a_card_that_was_taken_and_laid_again_is_not_held():
    watch = blindside()
    hand = watch.state.hands[1]
    watch.act((1, DrawCard("discard")), (1, KeepCard(hand[0])), (1, DiscardCard(Card("AC"))))
    assert watch.known.among == ()
    assert "AC" not in watch.known.unseen


def test_db_35_g_19_an_exposed_card_is_known_at_the_bottom_of_the_bank():
    watch = Watch("double_blind", 2, 0, Stacked(), exposure_actions=True)
    exposed = watch.state.sleeves[1][0]
    watch.act((1, ExposeSleeve(exposed)))
    assert watch.known.state.bank[-1] == exposed
    assert watch.game.imagine(watch.known, Random(0)).bank[-1] == exposed


def test_db_42_g_19_a_card_that_was_peeked_at_stays_unknown_to_spectators():
    watch = Watch("double_blind", 2, "spectator", Stacked(), exposure_actions=True)
    mark = watch.known.state.pockets[1][0]
    watch.act((1, ExposePocket(1, 0)))
    assert watch.known.state.bank[-1] == mark
    assert mark in watch.known.marks


def test_db_44_g_19_an_exposed_card_without_a_bank_stays_known():
    game = GAMES["double_blind"]
    state = situation(("9C", "9D", "9H"), ("AS", "", ""), exposure_actions=True)
    known: Any = know_nothing(game, state.options, 3, 1).__class__(1, state)
    (event,) = game.decide(state, 0, ExposeSleeve(Card("AS")), 0)
    seen: Any = redact(event, 1)
    assert see(game, known, seen).state == game.evolve(state, event)
