"""The messages of live streams, by the name of the server-sent event. A message without a name is a `message`, as in browsers."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

import msgspec

from hoodwink.domain.tables.attention import NewsKind
from hoodwink.service.application.reading.seen import EventRecord
from hoodwink.service.http.messages.answers import AcceptedAnswer, PresenceAnswer, SaidAnswer, TableAnswer
from hoodwink.service.http.messages.job_answers import JobAnswer
from hoodwink.service.http.messages.my_tables import MyTablesAnswer, NewsAnswer, TournamentOfferAnswer
from hoodwink.service.http.messages.standings_answers import StandingsAnswer
from hoodwink.service.http.messages.tournament_answers import TournamentAnswer, TournamentEventRecord


class Messages(NamedTuple):
    """The messages of one kind of stream.

    Attributes:
        name: the beginning of the names of their schemas.
        data: the type of the data of each message.
        without_ids: the messages that have no id, because they are in no history from which a client could resume.
    """

    name: str
    data: Mapping[str, Any]
    without_ids: frozenset[str] = frozenset()


class AtVersion(msgspec.Struct, frozen=True, gc=False):
    """The version of the table or tournament when the message was sent."""

    version: int


class AtTime(msgspec.Struct, frozen=True, gc=False):
    """The time of the service when the message was sent, in milliseconds since the epoch."""

    now: int


TABLE_MESSAGES: Final = Messages(
    "Table",
    {
        "snapshot": TableAnswer,
        "message": EventRecord,
        "view": AcceptedAnswer,
        "presence": PresenceAnswer,
        "said": SaidAnswer,
        "reset": AtVersion,
        "end": AtVersion,
    },
    frozenset({"presence", "said"}),
)
TOURNAMENT_MESSAGES: Final = Messages(
    "Tournament",
    {"snapshot": TournamentAnswer, "message": TournamentEventRecord, "reset": AtVersion, "end": AtVersion},
)
STANDINGS_MESSAGES: Final = Messages(
    "Standings", {"standings": StandingsAnswer, "reset": AtVersion, "end": AtVersion}
)
MY_TABLES_MESSAGES: Final = Messages(
    "MyTables",
    {
        "snapshot": MyTablesAnswer,
        **dict.fromkeys(get_args(NewsKind), NewsAnswer),
        "tournament_offer": TournamentOfferAnswer,
        "reset": AtTime,
    },
    frozenset({"tournament_offer"}),
)
_JOB: Final = dict.fromkeys(("progress", "end"), JobAnswer)
JOB_MESSAGES: Final = Messages("Job", _JOB, frozenset(_JOB))
