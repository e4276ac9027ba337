"""`/v1/games`: the list of games, described by the games themselves."""

from functools import cache
from typing import Any, Final, Literal

import msgspec
from marshmallow import Schema

from hoodwink.domain.bots import levels_of
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game, aim_of, crib_of, terms_of
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.forms import ACTION_FORMS, OPTIONS_SCHEMAS
from hoodwink.service.http.messages.jsonschema import json_schema
from hoodwink.service.http.messages.tournament_forms import TOURNAMENT_FORMS

_DESCRIBED_ELSEWHERE: Final = ("game", "options", "sittings")
"""The fields of a new tournament that are not among the settings described here."""


class SeatCounts(msgspec.Struct, frozen=True, gc=False):
    """The minimum and maximum number of seats of a game."""

    fewest: int
    most: int


class Minutes(msgspec.Struct, frozen=True, gc=False):
    """How long a table usually takes: the shortest with two players or bots, the longest with people only."""

    shortest: int
    longest: int


class GameSummary(msgspec.Struct, frozen=True, gc=False):
    """A game in the list of games.

    Attributes:
        aim: the first paragraph of the rules, as one line of Markdown.
    """

    name: str
    title: str
    tagline: str
    unit: Literal["token", "point"]
    seats: SeatCounts
    minutes: Minutes
    aim: str


class GamesAnswer(msgspec.Struct, frozen=True, gc=False):
    """All games."""

    games: tuple[GameSummary, ...]


class OptionCard(msgspec.Struct, frozen=True, gc=False):
    """An option of a game, or a setting of a tournament of it.

    Attributes:
        default: `null` if there is none.
        form: the JSON schema of its values.
    """

    name: str
    default: bool | int | str | tuple[str, ...] | None
    meaning: str
    form: dict[str, Any]


class ActionCard(msgspec.Struct, frozen=True, gc=False):
    """A kind of action of a game.

    Attributes:
        form: the JSON schema of the action.
    """

    type: str
    meaning: str
    form: dict[str, Any]


class PolicyCard(msgspec.Struct, frozen=True, gc=False):
    """A policy by which a bot may play the game: its level, or random play."""

    name: str
    meaning: str


class SayingCard(msgspec.Struct, frozen=True, gc=False):
    """Something that players of the game may say to each other."""

    id: str
    text: str


class TermCard(msgspec.Struct, frozen=True, gc=False):
    """A word of the game, and what it means, as Markdown."""

    term: str
    meaning: str


class GameAnswer(GameSummary, frozen=True, gc=False):
    """A game with everything that a client needs to offer it.

    Attributes:
        aim: the first paragraph of the rules, as one line of Markdown.
        crib: the rules in a few lines of Markdown.
        tournament_settings: the settings of its tournaments, except `sittings`.
        policies: how bots play it, from the weakest level to the strongest, and at random. Where thinking ahead gains
            nothing, `sharp` and `expert` are not listed, and play like `steady`.
        rules: the rules as Markdown.
    """

    crib: tuple[str, ...]
    terms: tuple[TermCard, ...]
    options: tuple[OptionCard, ...]
    tournament_settings: tuple[OptionCard, ...]
    actions: tuple[ActionCard, ...]
    policies: tuple[PolicyCard, ...]
    sayings: tuple[SayingCard, ...]
    rules: str


class GameResource:
    def __init__(self, _service: object) -> None:
        """Needs nothing: the games are code."""

    @operation(
        method="GET",
        path="/v1/games",
        tag=Tag.GAMES,
        summary="List the games",
        answer=Answer("The games.", {JSON: GamesAnswer}),
        needs_store=False,
    )
    def list_games(self, _call: Call) -> Reply:
        return Reply(GamesAnswer(tuple(map(_summary, GAMES.values()))))

    @operation(
        method="GET",
        path="/v1/games/{game}",
        tag=Tag.GAMES,
        summary="Describe a game: seats, options, actions, bots, rules",
        answer=Answer("The game.", {JSON: GameAnswer}),
        needs_store=False,
    )
    def get_game(self, call: Call) -> Reply:
        if call.path["game"] not in GAMES:
            raise NotFound(NotFoundCode.GAME_NOT_FOUND)
        return Reply(_described(call.path["game"]))


def _summary(game: Game[Any]) -> GameSummary:
    return GameSummary(
        name=game.name,
        title=game.title,
        tagline=game.tagline,
        unit=game.unit,
        seats=SeatCounts(*game.seats),
        minutes=Minutes(*game.minutes),
        aim=aim_of(game.rules),
    )


@cache  # games are code, and cannot change while the process runs
def _described(name: str) -> GameAnswer:
    game = GAMES[name]
    return GameAnswer(
        **msgspec.structs.asdict(_summary(game)),
        crib=crib_of(game.rules),
        terms=tuple(TermCard(*item) for item in terms_of(game.rules).items()),
        options=_cards(OPTIONS_SCHEMAS[name]),
        tournament_settings=_cards(type(TOURNAMENT_FORMS.schemas[name])(exclude=_DESCRIBED_ELSEWHERE)),
        actions=_actions(game),
        policies=tuple(PolicyCard(name, level.meaning) for name, level in levels_of(game).items()),
        sayings=tuple(SayingCard(*saying) for saying in game.sayings),
        rules=game.rules,
    )


def _cards(schema: Schema) -> tuple[OptionCard, ...]:
    forms = json_schema(schema)["properties"]
    return tuple(
        OptionCard(
            name=name,
            default=form.pop("default", None),
            meaning=form.pop("description"),
            form=form,
        )
        for name, form in forms.items()
    )


def _actions(game: Game[Any]) -> tuple[ActionCard, ...]:
    return tuple(
        ActionCard(tag, schema.__doc__ or "", json_schema(schema))
        for tag, schema in ACTION_FORMS[game.name].chosen.schemas.items()
    )
