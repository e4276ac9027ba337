"""Every listed error code of an operation occurs. `check_listed` fails the tests for any other code."""

import ast
from pathlib import Path

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.double_blind.actions import DoubleBlindCode
from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.series import SeriesCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.errors import BusyCode, InternalCode
from hoodwink.service.application.limits import LimitCode
from hoodwink.service.application.ports import Conflict
from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import codes_of, document
from hoodwink.service.http.framework.refusals import COMMON, UNROUTED, refusals_of
from hoodwink.service.http.messages.problems import HttpCode, Problem, refusal, status_of
from tests.service.http.api import problem
from tests.service.http.refused.bots import BOTS
from tests.service.http.refused.everywhere import EVERYWHERE
from tests.service.http.refused.listed import OPERATIONS, check_listed
from tests.service.http.refused.players import PLAYERS
from tests.service.http.refused.tables import TABLES
from tests.service.http.refused.tournaments import TOURNAMENTS
from tests.service.http.refused.world import World
from tests.service.http.texts import NOT_IN_WORDS, technical_words

ROOT = Path(__file__).parents[3]
OWN_WAY = {
    (name, refusal(code)): how
    for (name, code), how in (*PLAYERS.items(), *BOTS.items(), *TABLES.items(), *TOURNAMENTS.items())
}

ELSEWHERE = {
    HttpCode.INTERNAL_ERROR,
    HttpCode.BODY_INCOMPLETE,
    HttpCode.LENGTH_REQUIRED,
    LimitCode.TOO_MANY_BODIES,
    BusyCode.TABLE_BUSY,
    BusyCode.TOURNAMENT_BUSY,
    BusyCode.SERIES_BUSY,
    BusyCode.PLAYER_BUSY,
}
"""Refused in one place for all operations: by the server, or where all commands are executed."""

UNANSWERED = {
    *InternalCode,
    TableCode.TABLE_EXISTS,
    TableCode.UNKNOWN_GAME,
    TableCode.UNKNOWN_EDITION,
    TableCode.NOT_A_FORK,
    TableCode.INVALID_COMMITMENT,
    TableCode.INVALID_SEED,
    TableCode.REVEAL_RUNNING,
    TableCode.GRACE_RUNNING,
    TableCode.NO_TOURNAMENT,
    TableCode.CLOCK_RUNNING,
    TableCode.NO_FORCED_OFFENCE,
    TableCode.REMATCH_OPENED,
    TableCode.NO_DEAL_DUE,
    TableCode.NO_CLOCK_MOVED,
    TableCode.ROUND_CAN_END,
    TableCode.PAUSE_RUNNING,
    TableCode.NO_SCORE_DUE,
    TableCode.NOT_A_BEGINNING,
    TableCode.INVALID_ADMIN,
    TournamentCode.NOT_AN_OFFICIAL,
    TournamentCode.TOURNAMENT_EXISTS,
    TournamentCode.UNKNOWN_ENTRANT,
    TournamentCode.WRONG_ROUND,
    TournamentCode.WRONG_TABLE,
    TournamentCode.TABLE_REPORTED,
    TournamentCode.INVALID_REPORT,
    TournamentCode.TABLE_NOT_REPORTED,
    TournamentCode.NO_TABLE_DUE,
    TournamentCode.NO_BELL_DUE,
    TournamentCode.NO_SEAT_DUE,
    SeriesCode.SERIES_EXISTS,
    SeriesCode.NO_SUCH_DATE,
    SeriesCode.NOT_COUNTED,
}
"""Refused only to workers, or for a forged log: no operation lists them."""


BY_NO_HOST = {DoubleBlindCode.EXPOSURES_OFF, SharedCode.CARD_NOT_HELD}
"""Listed by offences, but never answered to a host who enters one, because `not_for_host` comes first."""


def is_elsewhere(name, code):
    """Returns whether another test provokes the code for all its operations."""
    # The tests of each game provoke the codes of its actions.
    is_of_play = name == "act" and any(
        code in kind.refusals for game in GAMES.values() for kind in game.actions
    )
    # The server receives a body even if no operation reads it.
    is_unread = code is HttpCode.BODY_TOO_LARGE and OPERATIONS[name].body is None
    return code in ELSEWHERE or is_of_play or is_unread or (name == "enter" and code in BY_NO_HOST)


LISTED = [
    (name, refused)
    for name, operation in OPERATIONS.items()
    for refused in refusals_of(operation)
    if not is_elsewhere(name, refused.code)
]


def _lists(base):
    """Yields every list of codes outside the tests."""
    for kind in base.__subclasses__():
        if not kind.__module__.startswith("tests."):
            yield kind
        yield from _lists(kind)


def _declared():
    """Returns every code of every list outside the tests."""
    return [code for kind in _lists(Code) for code in kind]


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_listed_code_of_an_operation_occurs(world, name):
    for refused in (refused for of, refused in LISTED if of == name):
        provocation = OWN_WAY.get((name, refused)) or EVERYWHERE.get(refused) or EVERYWHERE[refused.code]
        answer = provocation(world, name)
        assert (answer.status_code, answer.json["code"]) == refused, f"{name} is not refused with {refused}"
        problem(answer, *refused)


def test_every_provoked_refusal_is_listed():
    assert OWN_WAY.keys() - set(LISTED) == set()


@pytest.mark.parametrize(
    ("name", "code"), [("act", BusyCode.TABLE_BUSY), ("pause_tournament", BusyCode.TOURNAMENT_BUSY)]
)
def test_a_command_with_repeated_conflicts_is_refused_as_busy(monkeypatch, name, code):
    world = World()
    cup, path = world.running(), world.api.playing(world.ada, world.bob)
    acting = next(who for who in (world.ada, world.bob) if who.get(f"{path}/legal-actions").json["actions"])
    action = acting.get(f"{path}/legal-actions").json["actions"][0]
    monkeypatch.setattr(world.service.store, "append", lambda _commit: Conflict(1, ()))

    answer = (
        acting.post(f"{path}/actions", action) if name == "act" else world.send(world.olga, name, at=cup.path)
    )

    assert problem(answer, 503, code)
    assert answer.headers["Retry-After"] == "1"


def test_a_player_change_with_repeated_conflicts_is_refused_as_busy(monkeypatch):
    world = World()
    eve = world.api.person("Eve")
    monkeypatch.setattr(world.service.store, "append", lambda _commit: Conflict(1, ()))

    problem(eve.post("/v1/players/me/token"), 503, "player_busy")


def test_each_code_is_in_one_list():
    declared = _declared()

    assert [code for code in declared if declared.count(code) > 1] == []


def test_every_code_is_used_by_the_api_workers_or_logs():
    declared = set(_declared())

    assert declared - set(codes_of(API)) == UNANSWERED
    assert set(codes_of(API)) - declared == set()


def test_meanings_are_sentences_in_plain_words():
    for code in codes_of(API):
        assert code.meaning[0].isupper(), code
        assert code.meaning.endswith("."), code
        assert not {"None", "True", "False", "tuple", "dict"} & set(code.meaning.split()), code
        assert code in NOT_IN_WORDS or technical_words(code.meaning) == [], code


# Sorted, because the order of subclasses is that of the imports, which differs between test processes.
@pytest.mark.parametrize("kind", sorted(_lists(Code), key=str), ids=lambda kind: kind.__name__)
def test_meanings_are_unique_within_a_list(kind):
    meanings = [code.meaning for code in kind]

    assert len(set(meanings)) == len(meanings)


@pytest.mark.parametrize("folder", ["domain", "service", "workers"])
def test_errors_are_raised_with_enum_codes(folder):
    """The type checker proves that each code is a member of the right list."""
    raising = {"RuleViolation", "NotFound", "Forbidden", "Busy", "Problem", "ApplicationError", "unavailable"}
    for path in (ROOT / folder).rglob("*.py"):
        text = path.read_text("utf-8")
        if not any(f"{name}(" in text for name in raising):
            continue
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) in raising and call.args:
                assert not isinstance(call.args[0], ast.Constant | ast.JoinedStr | ast.BinOp), (
                    path,
                    call.lineno,
                )


def test_the_description_lists_and_explains_every_code():
    described = document(API)
    listed = described["components"]["schemas"]["ErrorCode"]["anyOf"]

    assert [(code["const"], code["description"]) for code in listed] == [
        (str(code), f"{' or '.join(map(str, statuses))}: {code.meaning}")
        for code, statuses in codes_of(API).items()
    ]
    assert described["components"]["responses"]["Problem"]["x-refusals"] == [str(code) for code in COMMON]
    for operation in OPERATIONS.values():
        found = described["paths"][operation.path][operation.method.lower()].get("x-refusals", [])
        assert len(found) == len(set(found))
        assert set(found) == {str(code) for _, code in refusals_of(operation)} - set(map(str, COMMON))
    for game in GAMES.values():
        for kind in game.actions:
            name = f"{game.name.title().replace('_', '')}{kind.__name__}"
            assert described["components"]["schemas"][name]["x-refusals"] == [
                str(code) for code in kind.refusals
            ]


@pytest.mark.parametrize("code", [TableCode.SEAT_TAKEN, HttpCode.ROUTE_NOT_FOUND])
def test_an_unlisted_code_of_an_operation_is_detected(code):
    answer = Problem(code)

    with pytest.raises(AssertionError, match="list_games"):
        check_listed("GET", "/v1/games?x=1", answer.status, answer.encoded())


def test_undescribed_paths_are_not_found(api):
    assert {status_of(code) for code in UNROUTED[:2]} == {404, 405}
    problem(api.spectator.get("/v1/nothing"), 404, "route_not_found")
    problem(api.spectator.get("/v1/players"), 405, "method_not_allowed")
