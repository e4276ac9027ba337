"""Officials end tables, rule on results, add rounds and mark entrants as absent."""

from typing import Final

from marshmallow import validate
from msgspec.structs import replace

from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import AddRounds, RuleResult
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding.rulings import MAX_POINTS
from hoodwink.domain.tournaments.life.setup import MAX_ROUNDS, MAX_SEATS
from hoodwink.service.application.commands import official_intents as intents
from hoodwink.service.application.commands.tournament_intents import organise
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.fields import FractionField, IntegerField, TupleField, within
from hoodwink.service.http.messages.schemas import FinalReasonSchema, ReasonSchema
from hoodwink.service.http.resources.tournaments.commands import (
    STARTED,
    TournamentCommands,
    path_number,
    tournament_operation,
)

BOARD: Final = "/rounds/{round}/boards/{board}"
_REASON_KEPT: Final = (
    "The event contains a salted hash of your reason; `GET /v1/reasons/{digest}` shows the text to everybody."
)


class RulingSchema(ReasonSchema):
    """The result that a board is to have, in place of that of its table."""

    places = TupleField(
        IntegerField(validate=within(1, MAX_SEATS), allow_none=True),
        allow_none=True,
        validate=validate.Length(min=2, max=MAX_SEATS),
        metadata={
            "description": "The place of each seat, in seat order; null for an entrant who counts as absent. Without places "
            "the result does not count."
        },
    )
    points = TupleField(
        IntegerField(validate=within(-MAX_POINTS, MAX_POINTS)),
        allow_none=True,
        validate=validate.Length(min=2, max=MAX_SEATS),
        metadata={
            "description": "The points of each seat, where they decide the score; the places follow from them."
        },
    )
    score = FractionField(
        metadata={
            "description": "The score of each entrant if the result does not count: 0, 1/2 or 1.",
            "default": "1/2",
        },
    )


class AddedRoundsSchema(ReasonSchema):
    """The number of rounds to add."""

    rounds = IntegerField(
        required=True, validate=within(1, MAX_ROUNDS), metadata={"description": "How many rounds to add."}
    )


class RulingResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @tournament_operation(
        f"{BOARD}/end",
        "End a table in play (officials only)",
        "The service ends the table without a result.",
        description=f"If the table ends by itself first, its result counts. {_REASON_KEPT}",
        body=FinalReasonSchema(),
        refuses=(
            ForbiddenCode.NOT_OFFICIAL,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NO_SUCH_BOARD,
            TournamentCode.OWN_TABLE,
            TournamentCode.OWN_DEAL,
            TournamentCode.TABLE_STOPPED,
            TableCode.TABLE_OVER,
            TableCode.INVALID_REASON,
        ),
    )
    def end_board(self, call: Call) -> Reply:
        round_, board = path_number(call, "round"), path_number(call, "board")
        return self._commands.execute_with_reason(
            call,
            lambda reason: intents.stop(
                call.actor.id, round_, board, reason=reason, owners=self._service.players.owners
            ),
        )

    @tournament_operation(
        f"{BOARD}/ruling",
        "Rule on the result of a board (officials only)",
        "The ruling counts in the standings. The books and the ratings keep the result of the table.",
        description=f"A later ruling on the same board replaces an earlier one, up to ten. {_REASON_KEPT}",
        body=RulingSchema(),
        refuses=(
            ForbiddenCode.NOT_OFFICIAL,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NO_SUCH_BOARD,
            TournamentCode.OWN_TABLE,
            TournamentCode.OWN_DEAL,
            TournamentCode.TABLE_IN_PLAY,
            TournamentCode.INVALID_RULING,
            TournamentCode.INVALID_SCORE,
            TournamentCode.RULING_TOO_LATE,
            TournamentCode.RULING_REVERSED,
            TournamentCode.TOO_MANY_RULINGS,
            TableCode.ALREADY_VOIDED,
            TableCode.INVALID_REASON,
        ),
    )
    def rule_on_board(self, call: Call) -> Reply:
        round_, board, form = path_number(call, "round"), path_number(call, "board"), call.form
        ruling = RuleResult(
            round=round_,
            board=board,
            official=call.actor.id,
            places=form.get("places"),
            points=form.get("points"),
            score=form.get("score"),
            # Replaced by the hash, which is known once the text is stored.
            reason="",
        )
        return self._commands.execute_with_reason(
            call,
            lambda reason: intents.rule(
                call.actor.id, replace(ruling, reason=reason), owners=self._service.players.owners
            ),
        )

    @tournament_operation(
        "/added-rounds",
        "Add rounds to the last sitting (organisers only)",
        "The tournament has more rounds.",
        description=f"Possible in Swiss tournaments and leagues, before the last round is paired. {_REASON_KEPT}",
        body=AddedRoundsSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            *STARTED,
            TournamentCode.ROUNDS_FIXED,
            TournamentCode.LAST_ROUND,
            TournamentCode.TOO_MANY_ROUNDS,
            TournamentCode.INVALID_SETUP,
            TableCode.INVALID_REASON,
        ),
    )
    def add_rounds(self, call: Call) -> Reply:
        official, rounds = call.actor.id, call.form["rounds"]
        return self._commands.execute_with_reason(
            call, lambda reason: organise(official, AddRounds(rounds, official, reason))
        )

    @tournament_operation(
        "/entrants/{entrant_id}/absence",
        "Mark an entrant as absent from the sitting (officials only)",
        "The entrant will not be paired before they check in.",
        description=f"A pairing that has not started is made again without them. {_REASON_KEPT}",
        body=ReasonSchema(),
        refuses=(
            ForbiddenCode.NOT_OFFICIAL,
            *STARTED,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.ALREADY_ABSENT,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.OWN_CONTEST,
            TableCode.NOT_A_PERSON,
            TableCode.INVALID_REASON,
        ),
    )
    def mark_absent(self, call: Call) -> Reply:
        official, entrant = call.actor.id, call.path["entrant_id"]
        return self._commands.execute_with_reason(
            call,
            lambda reason: intents.mark_absent(
                official, entrant, reason=reason, owners=self._service.players.owners
            ),
        )
