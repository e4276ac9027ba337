"""The options of every game refuse what they do not know (G-4)."""

from random import Random

import msgspec
import pytest
from msgspec import inspect

from hoodwink.domain.games import GAMES
from hoodwink.service.simulation.random_options import option_fields, random_options

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_g_4_an_unknown_option_refuses_the_table(game):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"more": 1}, game.options)


@every_game
def test_g_4_an_unknown_value_refuses_the_table(game):
    for name in option_fields(game.options):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: "no_such_value"}, game.options)


@every_game
def test_g_4_a_number_out_of_bounds_refuses_the_table(game):
    for name, kind in option_fields(game.options).items():
        for number in _beyond(kind):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({name: number}, game.options)


def _beyond(kind: inspect.Type) -> tuple[int, ...]:
    members = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return tuple(
        number
        for member in members
        if isinstance(member, inspect.IntType)
        for number in ((member.ge or 0) - 1, (member.le or 0) + 1)
    )


@every_game
def test_g_4_options_of_every_seat_count_round_trip_through_json(game):
    fewest, most = game.seats
    for seats in range(fewest, most + 1):
        options = random_options(game, seats, Random(seats))
        assert msgspec.json.decode(msgspec.json.encode(options), type=game.options) == options


@every_game
def test_g_4_every_option_is_explained_and_named_in_lower_case(game):
    schema = msgspec.json.schema(game.options)["$defs"]["Options"]["properties"]
    for name, option in schema.items():
        assert name == name.lower()
        assert option["description"].endswith(".")
