"""Advice at tables: a hint in play, and a review after the end (G-21)."""

from typing import Final

import msgspec

from hoodwink.domain.advice import Hint, Review, check_hint, check_review
from hoodwink.domain.kernel import SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.state import seat_of
from hoodwink.service.application.commands.intents import check_seat, own_seat
from hoodwink.service.application.errors import ConflictCode, Forbidden, ForbiddenCode
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.reading.advice import Question
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.job_replies import begin_job
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import position_text
from hoodwink.service.http.messages.fields import BIGGEST, TextIntegerField, within
from hoodwink.service.http.messages.problems import SEAT_NOT_FOUND, TABLE_NOT_OVER
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.resources.access import AT_OWN_SEAT, check_over, table_id
from hoodwink.service.http.resources.admission import check_watcher

# No game has more than ten seats; `check_seat` knows those of the table.
_MAX_SEAT: Final = 9


class ReviewSchema(QuerySchema):
    """The seat to review, and which of its moves."""

    seat = TextIntegerField(
        validate=within(0, _MAX_SEAT),
        metadata={"description": "The seat whose moves to review; by default your own."},
    )
    after = TextIntegerField(
        validate=within(0, BIGGEST),
        metadata={
            "description": "Review only moves after this version: for the rest of a long table, that of the last move in the "
            "review before."
        },
    )


class AdviceResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/hint",
        tag=Tag.PLAY,
        summary="Ask what Expert would do in your place",
        description="Only if you play against bots alone, at a table that was opened unrated, and it is your turn. The hint "
        "follows from what your seat knows. The same moment leads to the same hint.",
        access=Access.PLAYER,
        answer=Answer("The hint.", {JSON: Hint}),
        refuses=(
            *AT_OWN_SEAT,
            TableCode.NO_HINTS,
            SharedCode.NOT_YOUR_TURN,
            ConflictCode.VERSION_CONFLICT,
            LimitCode.TOO_MANY_HINTS,
        ),
        begins_job=True,
    )
    def get_hint(self, call: Call) -> Reply:
        loaded = self._service.tables.load(table_id(call))
        check_watcher(self._service, call, loaded.state)
        seat = own_seat(loaded.state, call.actor.id)
        check_hint(loaded.state, seat, self._service.clock.now_ms())
        # After the checks, so that a refused question does not count.
        self._service.limits.admit(Limit.HINTS_PER_PLAYER, call.actor.id)
        return self._begin(call, JobKind.HINT, loaded, seat)

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/review",
        tag=Tag.LOGS,
        summary="Compare a seat's moves at a table that is over with Expert's",
        description="Shows for each move with a choice what *Expert* would have done with what the seat knew then, and the "
        "results to expect from both. Moves of a bot that played for an absent player are left out. If a table is too "
        "long for one review, `left_out` counts its later moves; ask again with `after`. You can have one review computed at "
        "a time; it is kept for an hour. Games without the level *Expert*, such as Blindside, have no reviews.",
        access=Access.PLAYER,
        query=ReviewSchema(),
        answer=Answer("The review.", {JSON: Review}),
        refuses=(TABLE_NOT_OVER, ForbiddenCode.NOT_SEATED, SEAT_NOT_FOUND, TableCode.NO_REVIEW),
        begins_job=True,
    )
    def get_review(self, call: Call) -> Reply:
        loaded = self._service.tables.load(table_id(call))
        check_watcher(self._service, call, loaded.state)
        check_over(loaded.state)
        check_review(loaded.state)
        seat = call.query.get("seat", seat_of(loaded.state, call.actor.id))
        if seat is None:
            raise Forbidden(ForbiddenCode.NOT_SEATED)
        check_seat(loaded.state, seat)
        return self._begin(call, JobKind.REVIEW, loaded, seat, after=call.query.get("after", 0))

    def _begin(self, call: Call, kind: JobKind, loaded: LoadedTable, seat: int, *, after: int = 0) -> Reply:
        table = loaded.state
        given = msgspec.json.encode(Question(table=table.id, version=table.version, seat=seat, after=after))
        # Asked again at the same position, the answer is the same, so there is one job for it.
        return begin_job(call, self._service.jobs, kind, given, key=position_text(loaded.position))
