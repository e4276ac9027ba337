"""`/v1/tables/…`: the commands of seats during play."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from time import perf_counter
from typing import Any, Final

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Code, Game, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.service.application.commands import intents
from hoodwink.service.application.errors import ApplicationError, Busy, Forbidden, ForbiddenCode
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.metrics import count_action
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import LegalAnswer, legal_answer
from hoodwink.service.http.messages.bodies import parse_object
from hoodwink.service.http.messages.fields import NamesField
from hoodwink.service.http.messages.forms import ACTION_BODY, ACTION_FORMS
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.messages.schemas import (
    EXPECTED_VERSION,
    ConfirmationSchema,
    ExpectationSchema,
    QuerySchema,
    load,
)
from hoodwink.service.http.resources.access import AT_OWN_SEAT, PLAYING, includes, seat_number, table_id
from hoodwink.service.http.resources.admission import check_watcher
from hoodwink.service.http.resources.commands import Commands, table_operation


def _refusals(kinds: Callable[[Game[Any]], tuple[type[Action], ...]]) -> tuple[Code, ...]:
    # Not a set, whose order would change the description of the API from run to run.
    return tuple(
        dict.fromkeys(code for game in GAMES.values() for kind in kinds(game) for code in kind.refusals)
    )


class LegalSchema(QuerySchema):
    """Additional fields of legal actions."""

    include = NamesField(
        {"unplayable": "adds the field `unplayable`: which of your own cards may not be played now, and why."}
    )


class PlayResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/legal-actions",
        tag=Tag.PLAY,
        summary="List the actions that your seat may take now",
        access=Access.PLAYER,
        query=LegalSchema(),
        answer=Answer("The actions.", {JSON: LegalAnswer}),
        refuses=(ForbiddenCode.NOT_SEATED,),
        runs_on_loop=True,
    )
    def list_legal_actions(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        check_watcher(self._service, call, table)
        seat = intents.own_seat(table, call.actor.id)
        now, with_unplayable = self._service.clock.now_ms(), includes(call, "unplayable")
        answer = legal_answer(table, seat, now, with_unplayable=with_unplayable)
        return Reply(answer)

    @table_operation(
        "/actions",
        "Take an action",
        "The action is taken.",
        tag=Tag.PLAY,
        description="Each game has its own actions; those of another game are refused with `wrong_game`.",
        body=ACTION_BODY,
        refuses=(
            *AT_OWN_SEAT,
            ForbiddenCode.RESIGNED,
            TableCode.WRONG_GAME,
            TableCode.SEEDS_AWAITED,
            *_refusals(lambda game: game.actions),
        ),
        runs_on_loop=True,
    )
    def act(self, call: Call) -> Reply:
        started = perf_counter()  # not CPU time: players also wait for Redis
        try:
            reply = self._act(call)
        except Exception as error:
            count_action(outcome_of(error), started)
            raise
        count_action("accepted", started)
        return reply

    @table_operation(
        "/seats/{seat}/actions",
        "Record a player's offence (only a host without a seat)",
        "The offence is recorded.",
        tag=Tag.PLAY,
        description="Records an offence that a player committed outside the service, at a table whose view has "
        "`supervised`. The event's `by` is `host`, and the seat's `entered_by_host` shows everybody how often this happened.",
        body=ACTION_BODY,
        refuses=(
            ForbiddenCode.NOT_HOST,
            ForbiddenCode.HOST_IS_SEATED,
            ForbiddenCode.NOT_FOR_HOST,
            *PLAYING,
            TableCode.WRONG_GAME,
            TableCode.SEEDS_AWAITED,
            *_refusals(lambda game: game.offences),
        ),
    )
    def enter(self, call: Call) -> Reply:
        seat = seat_number(call)
        _check_expectation(call)
        return self._commands.execute(
            call, intents.enter(call.actor.id, seat, lambda game: read_action(game, call))
        )

    def _act(self, call: Call) -> Reply:
        _check_expectation(call)
        return self._commands.execute(call, intents.act(call.actor.id, lambda game: read_action(game, call)))

    @table_operation(
        "/take-back",
        "Take back your last action",
        "The action is taken back.",
        tag=Tag.PLAY,
        description="Possible while the table has `take_back` with your seat: if the host allows it, for ten seconds, until "
        "anything else happens at the table, and once in a turn. The table is then as before the action, with the same "
        "deadlines. What others saw, they have seen. An action cannot be taken back if it showed you a card, was a secret "
        "choice or an offence, or ended the round.",
        body=ExpectationSchema(),
        refuses=(
            *AT_OWN_SEAT,
            TableCode.TAKE_BACKS_OFF,
            TableCode.ALREADY_TAKEN_BACK,
            TableCode.NOTHING_TO_TAKE_BACK,
            TableCode.TAKE_BACK_OVER,
        ),
    )
    def take_back(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.take_back(call.actor.id))

    @table_operation(
        "/resign",
        "Resign",
        "The seat has resigned.",
        tag=Tag.PLAY,
        description="From now on, a bot plays for the seat. This cannot be undone.",
        body=ConfirmationSchema(),
        refuses=(*AT_OWN_SEAT, TableCode.ALREADY_RESIGNED),
        runs_on_loop=True,
    )
    def resign(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.resign(call.actor.id))

    @table_operation(
        "/return",
        "Take your seat back from the bot that plays for you",
        "The seat is yours again.",
        tag=Tag.PLAY,
        description="When a player's clock has run out three times in a row, or another player has claimed the seat, a bot "
        "plays for it until the player returns or acts.",
        body=ExpectationSchema(),
        refuses=(*AT_OWN_SEAT, TableCode.NOT_AWAY),
    )
    def come_back(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.come_back(call.actor.id))

    @table_operation(
        "/seats/{seat}/claim",
        "Have a bot play for a player who is away",
        "A bot plays for the seat.",
        tag=Tag.PLAY,
        description="Once a player's turn clock has run out, the seat has `away_since`. Then everybody else with a seat at the "
        "table may do this, instead of waiting until the clock has run out three times in a row. The player may return at any "
        "time, and is ranked as if they had been present.",
        body=ExpectationSchema(),
        refuses=(
            *AT_OWN_SEAT,
            ForbiddenCode.RESIGNED,
            TableCode.OWN_SEAT,
            TableCode.NOT_A_PERSON,
            TableCode.ALREADY_KEPT,
            TableCode.NOT_CLAIMABLE,
        ),
    )
    def claim_seat(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.claim(call.actor.id, seat_number(call)))


_EXPECTATION: Final = ExpectationSchema()


def _check_expectation(call: Call) -> None:
    """Checks `expected_version`, which is used before the table's game, and so the schema of the body, is known."""
    if EXPECTED_VERSION in call.form:
        call.form = load(_EXPECTATION, {EXPECTED_VERSION: call.form[EXPECTED_VERSION]})


def read_action(game: str, call: Call) -> Action:
    """Returns the action in the body of a call.

    Raises:
        Problem: 400, which names the invalid fields.
        RuleViolation: `wrong_game` for an action of another game.
    """
    body = call.raw
    # Bodies with an expected version never come twice, and would only push others out of the cache.
    is_frequent = len(body) <= _SHORT and EXPECTED_VERSION not in call.form
    try:
        return _action_in(game, body) if is_frequent else _action_in.__wrapped__(game, body)
    except Problem:  # not cached, so a flood of invalid bodies pushes nothing out
        if any(_fits(other, body) for other in ACTION_FORMS if other != game):
            raise RuleViolation(TableCode.WRONG_GAME) from None
        raise


_SHORT: Final = 256  # bytes, which bound the memory of the cache


@lru_cache(maxsize=4_096)
def _action_in(game: str, body: bytes) -> Action:
    """Returns the action; cached, since players send the same few bodies again and again."""
    # Actions are immutable, so requests of all players can share them.
    return ACTION_FORMS[game].read(parse_object(body))


# The first match counts, so subclasses come before `ApplicationError`.
_OUTCOMES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (RuleViolation, "against_the_rules"),
    (Forbidden, "not_allowed"),
    (StoreUnavailable, "unavailable"),
    (Busy, "unavailable"),
    (Problem, "refused"),
    (ApplicationError, "refused"),
)


def outcome_of(error: Exception) -> str:
    """Returns the outcome of a failed action, for the metrics.

    >>> outcome_of(StoreUnavailable())
    'unavailable'
    """
    return next((outcome for kind, outcome in _OUTCOMES if isinstance(error, kind)), "failed")


def _fits(game: str, body: bytes) -> bool:
    with suppress(Problem):
        ACTION_FORMS[game].read(parse_object(body))
        return True
    return False
