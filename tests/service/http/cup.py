"""A tournament of an API, with its organiser, entrants and workers."""

from typing import Any, Final

from hoodwink.domain.series.state import tournament_id
from hoodwink.domain.tables.state import Phase as TablePhase
from hoodwink.domain.tables.state import Table
from hoodwink.service.settings import Settings
from tests.service.application.world import StandingClock, visit_table
from tests.service.http.api import CONFIRMED, Api, Person, new_api

FORM: Final[dict[str, Any]] = {
    "name": "The Cup",
    "format": "swiss",
    "game": "blindside",
    "options": {"rounds": 1},
    "seats": 3,
    "sittings": [{"rounds": 1}, {"rounds": 1}],
    "rank_by": "organiser",
    "bot_delay": 0,
    "round_pause": 0,
}


SERIES: Final[dict[str, Any]] = {
    "name": "Club night",
    "format": "swiss",
    "game": "blindside",
    "options": {"rounds": 1},
    "seats": 3,
    "rounds": 1,
    "bot_delay": 0,
    "round_pause": 0,
    "schedule": {
        "weekdays": ["thursday"],
        "time": "20:00",
        "zone": "Europe/Berlin",
        "first_day": "2025-06-16",
        "tournaments": 2,
    },
    "points": {"places": [5, 3, 1]},
}
"""A series that begins four days after a stopped clock."""


def standing_api(settings: Settings | None = None, **given: Any) -> Api:
    """Returns an API with a stopped clock."""
    return new_api(settings, clock=StandingClock(), **given)


class Cup:
    """An opened tournament; `path` is its URL path."""

    def __init__(self, api: Api, organiser: Person, *, key: str | None = None, **form: Any) -> None:
        self.api = api
        self.organiser = organiser
        opened = organiser.post("/v1/tournaments", FORM | form, key=key)
        assert opened.status_code == 201, opened.text
        self.path: str = opened.headers["Location"]
        self.id = self.path.rpartition("/")[2]
        self.people: list[Person] = []
        self.reader = organiser if form.get("visibility") == "private" else api.spectator

    @classmethod
    def of_series(cls, api: Api, organiser: Person, path: str, number: int, *people: Person) -> "Cup":
        """Opens the tournament of a date of a series, enters people, lets it start, and plays it."""
        service, series = api.service, path.rpartition("/")[2]
        clock: Any = service.clock
        date = service.series.load(series).state.dates[number - 1]
        clock.now = date.starts_at - 3_600_000
        service.series_worker.run_due(series)
        cup = cls.__new__(cls)
        cup.api, cup.organiser, cup.reader, cup.people = api, organiser, api.spectator, []
        cup.id = tournament_id(series, number)
        cup.path = f"/v1/tournaments/{cup.id}"
        cup.enter(*people)
        clock.now = date.starts_at
        cup.run_due()
        cup.end_tables()
        service.series_worker.report(cup.id)
        return cup

    @property
    def clock(self) -> Any:
        return self.api.service.clock

    @property
    def view(self) -> Any:
        return self.get("").json["tournament"]

    @property
    def types(self) -> list[str]:
        """The types of all events so far."""
        return [event["type"].removeprefix("tournament.") for event in self.events()]

    def events(self, query: str = "?limit=1000") -> Any:
        return self.get(f"/events{query}").json["events"]

    def get(self, path: str, **given: Any) -> Any:
        return self.reader.get(self.path + path, **given)

    def order(self, path: str, form: Any = None, **given: Any) -> Any:
        """Sends a command as the organiser."""
        return self.organiser.post(self.path + path, form, **given)

    def command(self, path: str, form: Any = None, by: Person | None = None, **given: Any) -> Any:
        """Sends a command, by default as the organiser, and asserts that it succeeds; returns the answer."""
        answer = (by or self.organiser).post(self.path + path, form, **given)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json

    def enter(self, *people: Person, bots: int = 0) -> None:
        """Opens the registration of a draft, and enters people and bots."""
        if self.view["phase"] == "draft":
            self.command("/registration")
        invitation = self.invitation() if people else {}
        for person in people:
            self.command("/entrants", by=person, headers=invitation)
            self.people.append(person)
        for _ in range(bots):
            self.command("/entrants", {"policy": "random"})

    def invitation(self) -> dict[str, str]:
        """Returns the header with the invitation code."""
        return {"Hoodwink-Invitation": self.organiser.get(f"{self.path}/invitation").json["invitation"]}

    def start(self, *people: Person, bots: int = 0) -> "Cup":
        """Enters people and bots and starts; they are ranked in order of entry."""
        self.enter(*people, bots=bots)
        self.command("/start")
        self.run_due()
        return self

    def pair(self) -> Any:
        """Pairs the next round without starting it."""
        self.command("/rounds")
        self.run_due()
        return self.view["rounds"][-1]

    def play_round(self) -> None:
        """Pairs the next round unless it is already paired, and plays it to its end."""
        rounds = self.view["rounds"]
        if not rounds or rounds[-1]["status"] != "paired":
            self.pair()
        self.start_round()
        self.end_tables()

    def start_round(self) -> None:
        self.command(f"/rounds/{len(self.view['rounds'])}/start")
        self.run_due()

    def tables(self) -> list[str]:
        """Returns the paths of the tables of the last round."""
        boards = self.view["rounds"][-1]["boards"]
        return [
            f"/v1/tables/{deal['table']}" for board in boards for deal in board["tables"] if deal["table"]
        ]

    def end_tables(self) -> None:
        """Ends each table of the last round: all people but the best ranked resign."""
        for table in self.tables():
            self.end_table(table)

    def end_table(self, table: str) -> None:
        """Lets the people at a table resign from the lowest rank up, until it ends."""
        numbers = {
            holder["id"]: entrant["number"]
            for entrant in self.view["entrants"]
            for holder in (entrant, *entrant["predecessors"])
        }

        def state() -> Table:  # its view may be under embargo (D-7)
            return self.api.service.tables.load(table.rpartition("/")[2]).state

        seats = {who.player for who in state().seats if who}
        seated = [person for person in self.people if person.id in seats]
        for person in sorted(seated, key=lambda person: -numbers[person.id]):
            if state().phase is not TablePhase.ENDED:
                assert person.resign(table).status_code == 200
                self.api.run_due(table)
        self.run_due()

    def run_due(self) -> None:
        """Runs the workers until the tournament and its tables have no more due work."""
        service, before = self.api.service, None
        while before != (before := self._versions()):
            service.tournament_worker.run_due(self.id)
            for table in self._ids():
                visit_table(service, table)
                service.tournament_worker.report(table)

    def _versions(self) -> list[int]:
        tables = [self.api.service.tables.load(table).state.version for table in self._ids()]
        return [self.api.service.tournaments.load(self.id).state.version, *tables]

    def _ids(self) -> list[str]:
        rounds = self.api.service.tournaments.load(self.id).state.rounds
        deals = [deal for round_ in rounds for match in round_.matches for deal in match.deals]
        return [deal.table for deal in deals if deal.is_opened]

    def secrets(self) -> list[str]:
        """Returns the secret server seeds: the tournament's and those of its unfinished tables."""
        service = self.api.service
        tables = [service.tables.load(table).state for table in self._ids()]
        return [
            service.tournaments.load(self.id).state.server_seed,
            *[table.server_seed for table in tables if table.phase is not TablePhase.ENDED],
        ]

    def cancel(self, reason: str = "It rains.") -> Any:
        return self.command("/cancel", CONFIRMED | {"reason": reason})
