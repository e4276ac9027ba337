"""The laws can fail: each finds a game that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Completed, Game, RuleViolation
from tests.domain.laws.cards import map_cards
from tests.domain.laws.laws import (
    Law,
    accepts_exactly_what_it_lists,
    completes_in_the_open,
    conserves_cards,
    shares_one_vocabulary,
    shows_enough,
)
from tests.domain.laws.playout import play
from tests.domain.laws.secrecy import keeps_secrets

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def broken(law: Law, game: Game[Any], change: Callable[[Game[Any]], Game[Any]]) -> bool:
    """Returns whether the law finds the change in one of a few tables played by the unchanged game."""
    for seed in range(4):
        table = play(game, seed, max_rounds=1, max_entries=120)
        try:
            law(replace(table, game=change(game)))
        except AssertionError:
            return True
    return False


def showing_all(game: Game[Any]) -> Game[Any]:
    return replace(game, view=lambda state, viewer: game.view(state, "everybody"))


def refusing_loudly(game: Game[Any]) -> Game[Any]:
    def decide(state, seat, action, now):
        try:
            return game.decide(state, seat, action, now)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, f"{refusal.detail} {hash(state)}") from None

    return replace(game, decide=decide)


def listing_less(game: Game[Any]) -> Game[Any]:
    return replace(game, legal_actions=lambda state, seat, now: game.legal_actions(state, seat, now)[1:])


def listing_for_all(game: Game[Any]) -> Game[Any]:
    return replace(
        game,
        legal_actions=lambda state, seat, now: (
            game.legal_actions(state, game.turn(state).owes[0], now) if game.turn(state).owes else ()
        ),
    )


def showing_nothing(game: Game[Any]) -> Game[Any]:
    return replace(game, view=lambda state, viewer: map_cards(game.view(state, viewer), lambda face: "??"))


@every_game
@pytest.mark.parametrize("change", [showing_all, refusing_loudly])
def test_a_leak_is_found(game, change):
    assert broken(keeps_secrets, game, change)


@every_game
def test_an_event_that_hides_nothing_is_found(game, monkeypatch):
    for kind in game.events:
        monkeypatch.setattr(kind, "hidden", ())
    assert broken(keeps_secrets, game, lambda game: game)


@every_game
@pytest.mark.parametrize("change", [listing_less, listing_for_all])
def test_a_wrong_list_of_legal_actions_is_found(game, change):
    assert broken(accepts_exactly_what_it_lists, game, change)


@every_game
def test_a_card_that_turns_into_another_is_found(game):
    def one_card_twice(table: Any) -> None:
        entries = tuple(
            entry._replace(state=map_cards(entry.state, lambda face: "9H" if face == "9S" else face))
            if index > len(table.entries) // 2
            else entry
            for index, entry in enumerate(table.entries)
        )
        conserves_cards(replace(table, entries=entries))

    assert broken(one_card_twice, game, lambda same: same)


@every_game
def test_a_view_that_hides_too_much_is_found(game):
    assert broken(shows_enough, game, showing_nothing)


@every_game
@pytest.mark.parametrize(
    "wrong",
    [
        lambda view: {"round": view.round + 1},
        lambda view: {"rounds": -1},
        lambda view: {"dealer": None},
        lambda view: {"to_move": 99},
        lambda view: {"step": None},
        lambda view: {"scores": (view.scores[0] + 1, *view.scores[1:])},
    ],
    ids=["round", "rounds", "dealer", "to_move", "step", "scores"],
)
def test_a_view_that_names_a_common_fact_wrongly_is_found(game, wrong):
    assert broken(shares_one_vocabulary, game, showing(lambda view, viewer: wrong(view)))


@every_game
def test_common_facts_that_differ_by_viewer_are_found(game):
    to_seats = showing(lambda view, viewer: {"leader": viewer} if isinstance(viewer, int) else {})
    assert broken(shares_one_vocabulary, game, to_seats)


@every_game
def test_a_hidden_card_in_the_last_completion_is_found(game):
    def peeking(table: Any) -> None:
        hidden = Completed("pile", None, tuple(sorted(set(table.drawn[-1].given))), ())
        completes_in_the_open(replace(table, game=showing(lambda view, viewer: {"last": hidden})(game)))

    assert broken(peeking, game, lambda same: same)


def showing(changes: Callable[[Any, Any], dict[str, Any]]) -> Callable[[Game[Any]], Game[Any]]:
    """Returns the change of a game whose views have other values in some fields."""

    def change(game: Game[Any]) -> Game[Any]:
        def view(state: Any, viewer: Any) -> Any:
            seen = game.view(state, viewer)
            return structs.replace(seen, **changes(seen, viewer))

        return replace(game, view=view)

    return change
