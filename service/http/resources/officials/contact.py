"""Officials describe a tournament, and announce something to everybody."""

from typing import Final

from marshmallow import fields

from hoodwink.domain.tournaments.life import Announce, Describe
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands.tournament_intents import organise
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.streams.tournaments import Intent
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.resources.tournaments.commands import TournamentCommands, tournament_operation

_MARKDOWN: Final = r"^(?:[^\x00-\x1f\x7f-\x9f]|\n){0,5000}$"
_LINE: Final = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,500}$"


class TournamentDescriptionSchema(ExpectationSchema):
    """A description."""

    text = fields.String(
        required=True,
        validate=Whole(
            _MARKDOWN, "Must be at most 5,000 characters, without control characters except line feeds."
        ),
        metadata={
            "description": "Markdown: headings, paragraphs, lists, tables, bold, italics, code, and links to `https` addresses. "
            "Programs must show anything else as text. Empty to remove the description."
        },
    )


class AnnouncementSchema(ExpectationSchema):
    """An announcement."""

    text = fields.String(
        required=True,
        validate=Whole(_LINE, "Must be 1 to 500 characters on one line, and not only blanks."),
        metadata={"description": "The announcement as plain text, on one line."},
    )


class ContactResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @tournament_operation(
        "/description",
        "Describe the tournament (organisers only)",
        "The tournament has this description.",
        description="Replaces the description. The event contains a salted hash of the text; `GET /v1/reasons/{digest}` shows the "
        "text to everybody. It can be changed 50 times.",
        body=TournamentDescriptionSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.TOO_MANY_DESCRIPTIONS,
            LimitCode.TOO_MANY_TEXTS,
        ),
    )
    def describe_tournament(self, call: Call) -> Reply:
        # The texts stay when the tournament is over, so a limit per tournament does not bound them.
        self._service.limits.admit(Limit.DESCRIPTIONS_PER_PLAYER, call.actor.id)

        def described(digest: str) -> Intent:
            return organise(call.actor.id, Describe(call.actor.id, digest))

        # There is no text to keep: an empty digest removes the description.
        if not call.form["text"].strip():
            return self._commands.execute(call, described(""))
        return self._commands.execute_with_text(call, call.form["text"], described)

    @tournament_operation(
        "/announcements",
        "Announce something (officials only)",
        "The announcement is made.",
        description="Everybody can read it. Entrants who let the service call them get a push with a link to the tournament. The event "
        "contains a salted hash of the text; `GET /v1/reasons/{digest}` shows the text. There can be one announcement a minute, and "
        "100 in all.",
        body=AnnouncementSchema(),
        refuses=(
            ForbiddenCode.NOT_OFFICIAL,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.TOO_MANY_ANNOUNCEMENTS,
        ),
    )
    def announce(self, call: Call) -> Reply:
        official = call.actor.id
        return self._commands.execute_with_text(
            call, call.form["text"], lambda digest: organise(official, Announce(official, digest))
        )
