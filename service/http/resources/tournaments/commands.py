"""Executes the command in a request at its tournament, and answers with the effect."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from hoodwink.domain.administration import Act
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life import Tournament, TournamentCommand
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands.tournament_orders import Order, OrganiserOrder
from hoodwink.service.application.errors import Laborious, NotFound, NotFoundCode, VersionConflict
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.application.players.player_lookup import is_id
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.streams.tournaments import Accepted, Intent, LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.job_replies import begin_job
from hoodwink.service.http.framework.operations import Call, H, Reply, Tag
from hoodwink.service.http.messages.tournament_answers import TournamentAcceptedAnswer, tournament_accepted
from hoodwink.service.http.resources.access import (
    command_key,
    etag_of,
    expected_position,
    mismatch,
    names_in,
    version_mismatch,
    wants_words,
)
from hoodwink.service.http.resources.admission import check_visitor
from hoodwink.service.http.resources.commands import command_operation

_NUMBER: Final = re.compile("[1-9][0-9]{0,3}")  # one spelling only, and ASCII digits

STARTED: Final = (TournamentCode.TOURNAMENT_NOT_STARTED, TournamentCode.TOURNAMENT_OVER)
RUNNING: Final = (*STARTED, TournamentCode.TOURNAMENT_PAUSED)
"""The refusals of commands that a tournament accepts only once it has started, and only while it is not paused."""


def tournament_operation(path: str, summary: str, done: str, **more: Any) -> Callable[[H], H]:
    """Declares a command to a tournament; `path` follows the tournament's own."""
    below = f"/v1/tournaments/{{tournament_id}}{path}"
    common: dict[str, Any] = {"answer": TournamentAcceptedAnswer, "tag": Tag.TOURNAMENTS}
    return command_operation(below, summary, done, **{**common, **more})


class TournamentCommands:
    """Executes the commands of people in tournaments."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def execute(self, call: Call, intent: Intent) -> Reply:
        """Executes a command; raises `Problem` and the exceptions of `Repository.execute`."""
        tournaments, tournament = self._service.tournaments, tournament_id(call)
        expected = expected_position(call, lambda: tournaments.load(tournament).position)
        try:
            accepted = tournaments.execute(
                tournament, self._admitted(call, intent), key=command_key(call), expected=expected
            )
        except VersionConflict as conflict:
            # Versions are compared before the intent runs, and a stranger must not learn that of a private tournament.
            check_visitor(self._service, call, conflict.current)
            raise version_mismatch(call, "tournament", version=conflict.current.version) from None
        return self._reply(accepted, words=wants_words(call))

    def _admitted(self, call: Call, intent: Intent) -> Intent:
        """Returns the intent with a check that the sender of the request may see the tournament."""

        def admitted(tournament: Tournament) -> tuple[TournamentCommand, Actor]:
            check_visitor(self._service, call, tournament)
            return intent(tournament)

        return admitted

    def execute_with_reason(self, call: Call, intent: Callable[[str], Intent]) -> Reply:
        """Executes a command that contains the hash of the reason in the body, whose text is stored apart from the log."""
        check_reason(call.form["reason"])
        return self.execute_with_text(call, call.form["reason"], intent)

    def execute_with_text(self, call: Call, text: str, intent: Callable[[str], Intent]) -> Reply:
        """Executes a command that contains the hash of a text from the body, which is stored apart from the log."""
        tournaments, tournament, key = self._service.tournaments, tournament_id(call), command_key(call)
        expected = expected_position(call, lambda: tournaments.load(tournament).position)
        digest = self._service.administration.keep_text(
            text,
            key=key,
            # With the key and the position: the texts of commands that are refused would fill the store.
            check=lambda digest: tournaments.check(
                tournament, self._admitted(call, intent(digest)), key=key, expected=expected
            ),
        )
        return self.execute(call, intent(digest))

    def administer(self, call: Call, act: Act, intent: Callable[[str], Intent]) -> Reply:
        """Records an act of an administrator, and executes its command, which contains the hash of the reason."""
        tournaments, tournament = self._service.tournaments, tournament_id(call)
        digest = self._service.administration.record(
            call.administrator,
            act,
            tournament,
            reason=call.form["reason"],
            key=command_key(call),
            check=lambda digest: tournaments.check(tournament, intent(digest)),
        )
        return self.execute(call, intent(digest))

    def order(self, call: Call, order: Order) -> Reply:
        """Executes an organiser's command if that is quick, and otherwise leaves it to a job."""
        loaded = load_tournament(self._service, call)
        given = OrganiserOrder(
            tournament=loaded.state.id,
            player=call.actor.id,
            order=order,
            # In any case with a key, because a job whose worker was killed is run again and must act once.
            key=command_key(call) or IdempotencyKey(self._service.entropy.command_id(), ""),
            expected=expected_position(call, lambda: loaded.position),
            is_matched="if-match" in call.request.headers,
            words=wants_words(call),
        )
        try:
            return self._reply_to(given, self._service.tournament_orders.carry_out_if_quick)
        except Laborious:  # found within the intent, so the command has had no effect yet
            return begin_job(call, self._service.jobs, JobKind.TOURNAMENT_COMMAND, msgspec.json.encode(given))

    def carry_out(self, given: OrganiserOrder) -> Reply:
        """Executes an organiser's command in a job, however long it takes; raises as `execute` does."""
        return self._reply_to(given, self._service.tournament_orders.carry_out)

    def _reply_to(self, given: OrganiserOrder, carry_out: Callable[[OrganiserOrder], Accepted]) -> Reply:
        try:
            accepted = carry_out(given)
        except VersionConflict as conflict:
            version = conflict.current.version
            raise mismatch("tournament", is_matched=given.is_matched, version=version) from None
        return self._reply(accepted, words=given.words)

    def _reply(self, accepted: Accepted, *, words: bool) -> Reply:
        answer = tournament_accepted(accepted, names_in(self._service, accepted.after.state), words=words)
        return Reply(answer, {"ETag": etag_of(accepted.after.position)})


def tournament_id(call: Call) -> str:
    """Returns the id of the tournament in the path; raises `NotFound` if it is malformed."""
    named = call.path["tournament_id"]
    if not is_id(named):
        raise NotFound(NotFoundCode.TOURNAMENT_NOT_FOUND)
    return named


def load_tournament(service: Service, call: Call) -> LoadedTournament:
    """Returns the tournament in the path; raises `NotFound` if the sender of the request may not see it."""
    loaded = service.tournaments.load(tournament_id(call))
    check_visitor(service, call, loaded.state)
    return loaded


_NOT_FOUND: Final[Mapping[str, NotFoundCode]] = {
    "entrant": NotFoundCode.ENTRANT_NOT_FOUND,
    "sitting": NotFoundCode.SITTING_NOT_FOUND,
    "round": NotFoundCode.ROUND_NOT_FOUND,
    "board": NotFoundCode.BOARD_NOT_FOUND,
    "deal": NotFoundCode.DEAL_NOT_FOUND,
}


def path_number(call: Call, name: str) -> int:
    """Returns a number in the path; raises `NotFound` if it is not one."""
    named = call.path[name]
    if not _NUMBER.fullmatch(named):
        raise NotFound(_NOT_FOUND[name])
    return int(named)
