"""Administrators reverse decisions of officials."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from marshmallow import fields, validate

from hoodwink.domain.administration import Act
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import (
    ReverseAbsence,
    ReverseAddedRounds,
    ReverseRuling,
    ReverseSubstitution,
    ReverseWithdrawal,
)
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands.official_intents import EntrantReversal, reverse_decision
from hoodwink.service.application.commands.tournament_intents import administer
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Access, Call, Reply, Tag
from hoodwink.service.http.messages.schemas import FinalReasonSchema
from hoodwink.service.http.resources.officials.rulings import BOARD
from hoodwink.service.http.resources.tournaments.commands import (
    STARTED,
    TournamentCommands,
    path_number,
    tournament_operation,
)

_DECISIONS: Final[Mapping[str, Callable[[str, str], EntrantReversal]]] = MappingProxyType(
    {"absence": ReverseAbsence, "withdrawal": ReverseWithdrawal, "substitution": ReverseSubstitution}
)


class EntrantReversalSchema(FinalReasonSchema):
    """The decision about an entrant to reverse, and the reason."""

    decision = fields.String(
        required=True,
        validate=validate.OneOf(_DECISIONS),
        metadata={"description": "The decision of an official that is reversed."},
    )


class ReversalResource:
    def __init__(self, service: Service) -> None:
        self._commands = TournamentCommands(service)

    @tournament_operation(
        f"{BOARD}/ruling/reversal",
        "Reverse a ruling (administrators only)",
        "The result of the table counts again, and nobody can rule on the board any more.",
        tag=Tag.ADMINISTRATION,
        access=Access.ADMINISTRATOR,
        body=FinalReasonSchema(),
        refuses=(
            TournamentCode.NO_SUCH_BOARD,
            TournamentCode.NO_RULING,
            TournamentCode.RULING_TOO_LATE,
            TableCode.INVALID_REASON,
        ),
    )
    def reverse_ruling(self, call: Call) -> Reply:
        round_, board = path_number(call, "round"), path_number(call, "board")
        return self._commands.administer(
            call, Act.REVERSE_RULING, lambda reason: administer(ReverseRuling(round_, board, reason))
        )

    @tournament_operation(
        "/entrants/{entrant_id}/reversal",
        "Reverse a decision about an entrant (administrators only)",
        "From the next round on, the entrant is as if the decision had not been made.",
        tag=Tag.ADMINISTRATION,
        description="Reverses the decision of an official to mark the entrant as absent, to withdraw them or to give their place to "
        "another player, as long as a round follows. Results stand. A pairing that has not started is made again.",
        access=Access.ADMINISTRATOR,
        body=EntrantReversalSchema(),
        refuses=(
            *STARTED,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.NOTHING_TO_REVERSE,
            TournamentCode.LAST_ROUND,
            TournamentCode.ARBITER_PLAYS,
            TableCode.INVALID_REASON,
        ),
    )
    def reverse_decision(self, call: Call) -> Reply:
        entrant, decided = call.path["entrant_id"], _DECISIONS[call.form["decision"]]
        return self._commands.administer(
            call, Act.REVERSE_DECISION, lambda reason: reverse_decision(decided(entrant, reason))
        )

    @tournament_operation(
        "/added-rounds/reversal",
        "Take back rounds that were added (administrators only)",
        "The tournament has fewer rounds: those that were added last are gone.",
        tag=Tag.ADMINISTRATION,
        description="Possible before the first of these rounds is paired.",
        access=Access.ADMINISTRATOR,
        body=FinalReasonSchema(),
        refuses=(
            *STARTED,
            TournamentCode.NOTHING_TO_REVERSE,
            TournamentCode.ROUND_PAIRED,
            TableCode.INVALID_REASON,
        ),
    )
    def reverse_added_rounds(self, call: Call) -> Reply:
        return self._commands.administer(
            call, Act.REVERSE_DECISION, lambda reason: administer(ReverseAddedRounds(reason))
        )
