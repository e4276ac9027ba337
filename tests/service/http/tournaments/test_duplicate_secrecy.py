"""Before the release of a deal, nobody learns from one table of it what is dealt at another (D-7).

Two duplicate tournaments have different server seeds, so their deals differ. In each, one table of the deal has been
played out, and the other has not. All answers about the first must be the same, byte for byte, for everybody else.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, count
from types import MappingProxyType
from typing import Any

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tables.actor import ORGANISER, Actor
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.chance import Lots, deal_key
from hoodwink.domain.tournaments.life import Enter, tables
from hoodwink.domain.tournaments.terms import Compare, Format
from hoodwink.domain.words import Cast
from hoodwink.service.adapters.store.installation_secret import KEY
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.serving.streams.frames import (
    standings_frame,
    tournament_event_frame,
    tournament_snapshot_frame,
)
from tests.service.application.audits import differences
from tests.service.http.api import Person, catch_up
from tests.service.http.cup import standing_api
from tests.service.http.players.test_ratings import rate
from tests.service.http.tables.test_secrecy import NDJSON
from tests.service.http.tournaments.test_tournament_secrecy import (
    BLINDED,
    PEOPLE,
    SEEDS,
    Entropy,
    comparable,
    inhabitant,
    paths_of,
    queries_of,
    refusals,
)

ID = "duplicate"
OWN_LISTS = ("/v1/me/tables", "/v1/me/events")
"""Show the spy's own table, whose cards follow from the deal."""

CSV = {"Accept": "text/csv"}
GAME = "blindside"
ENTRANTS = ("Ada", "Bob", "Cy", "Dee")
THREE_SEATS: dict[str, Any] = {
    "game": "double_blind",
    "seats": 3,
    "options": {},
    "entrants": (*ENTRANTS, "Eve", "Fay"),
}
"""A game of hidden hands at tables of three."""


class Event:
    """A duplicate tournament in which the table of Ada and Bob, or of those who met, has ended and the other has not.

    Attributes:
        ended, open: the paths of the tables.
    """

    def __init__(
        self,
        seed: str,
        *,
        game: str = GAME,
        seats: int = 2,
        options: Any = MappingProxyType({"rounds": 1}),
        entrants: Sequence[str] = ENTRANTS,
        deals: int = 1,
        is_played: bool = True,
        **parts: Any,
    ) -> None:
        """Opens the tournament and starts its tables; one of them is played to its end, if `is_played`.

        At tables of three, bots take the seats that are free. The same opponents play that many deals in a row.
        """
        self.api = standing_api(entropy=Entropy(seed), **parts)
        self.service = self.api.service
        self.game = game
        self.service.client.set(KEY, b"the same in both services")
        self.people = {name: inhabitant(self.api, name) for name in dict.fromkeys([*PEOPLE, *entrants])}
        setup = life.Setup(
            name="The Cup",
            format=Format.ROUND_ROBIN,
            game=game,
            seats=seats,
            options=dict(options),
            sittings=(life.Sitting(rounds=deals) if seats > 2 else life.Sitting(),),
            fill_with_bots=seats > 2,
            rank_by=life.RankBy.ORGANISER,
            turn_seconds=60,
            bye_score=Fraction(1, 2),
            bot_delay=0,
            round_pause=0,
        )
        opening = life.OpenTournament(
            tournament=ID,
            organiser=self.people["Olga"].id,
            setup=setup,
            server_seed=seed,
            compare=Compare.MATCHPOINTS,
            deals_per_pairing=deals,
        )
        self.service.tournaments.open(ID, opening, by=ORGANISER, key=IdempotencyKey("open", ""))
        self.do(life.OpenRegistration())
        for name in entrants:
            self.do(Enter(player=self.people[name].id), by=f"entrant:{self.people[name].id}")
        self.do(life.StartTournament({}))
        self.start_round(1)
        if is_played:
            self.play(self.ended)

    def start_round(self, number: int) -> None:
        self.do(life.OpenRound(number))
        self.do(life.StartRound(number))
        self.run_due()
        matches = self.service.tournaments.load(ID).state.rounds[-1].matches
        self.ended, self.open = (f"/v1/tables/{match.deals[0].table}" for match in matches)

    def do(self, command: Any, by: str = "organiser") -> None:
        self.service.tournaments.execute(ID, lambda _: (command, Actor(by)))

    def play(self, path: str) -> None:
        for person in self.at(path):
            person.post(f"{path}/ready")
        self.api.play_out(path, *self.at(path))
        for person in self.at(path):
            if self.table(path).phase is not Phase.ENDED:
                person.resign(path)
        self.run_due()
        rate(self.api)

    def at(self, path: str) -> list[Person]:
        seats = [seat.player for seat in self.table(path).seats if seat is not None]
        return [person for person in self.people.values() if person.id in seats]

    def table(self, path: str) -> Table:
        return self.service.tables.load(path.rpartition("/")[2]).state

    def run_due(self) -> None:
        self.service.tournament_worker.run_due(ID)
        for round_ in self.service.tournaments.load(ID).state.rounds:
            for match in round_.matches:
                self.api.run_due(f"/v1/tables/{match.deals[0].table}")
                self.service.tournament_worker.report(match.deals[0].table)
        self.service.tournament_worker.run_due(ID)

    def named(self):
        player = self.at(self.ended)[0].id
        return {
            "tournament_id": ID,
            "table_id": self.ended.rpartition("/")[2],
            "player_id": player,
            "entrant_id": player,
            "entrant": player,
            "game": self.game,
        }

    def answers_to(self, who: str):
        """Yields every answer about the ended table, and every list, to somebody who does not sit there."""
        actor = {"spectator": self.api.spectator, "spy": self.at(self.open)[0]}.get(who) or self.people[who]
        reading = [path for path in paths_of("GET", **self.named()) if path not in OWN_LISTS]
        yield from answers(actor, reading)
        yield from refusals(actor, paths_of("POST", below="/v1/tables/{", **self.named()))
        for version in (1, 6, 9, 12, 200):
            yield actor.post(f"{self.ended}/fork", {"version": version})
        for seat in (0, 1, 9):
            yield actor.post(f"{self.ended}/review", {"seat": seat})

    def frames(self):
        """Yields the bytes of the tournament's live streams."""
        loaded = self.service.tournaments.load(ID)
        yield tournament_snapshot_frame(loaded, without_name)
        yield standings_frame(loaded.position, encode(standings_answer(loaded.state, None, without_name)))
        for recorded in self.service.tournaments.history(ID):
            for cast in (None, Cast(loaded.state)):
                yield tournament_event_frame(recorded, loaded.state, cast)


QUERIES = (
    "include=words",
    "viewer=0",
    "viewer=everybody",
    "provisional=show",
    "phase=ended",
    "format=csv",
)


def answers(actor, paths):
    """Yields the answers of all reading operations."""
    for path in paths:
        for query in queries_of(path, QUERIES):
            yield actor.get(path + query)
        for form in (NDJSON, CSV):
            yield actor.get(path, headers=form)


@pytest.fixture(scope="module")
def events():
    return [Event(seed) for seed in SEEDS]


def test_d_7_the_deals_differ_and_so_do_the_results(events):
    tables = [event.table(event.ended) for event in events]
    assert [table.phase for table in tables] == ["ended", "ended"]
    assert tables[0].result != tables[1].result
    assert [event.at(event.ended)[0].id for event in events] == [events[0].at(events[0].ended)[0].id] * 2


@pytest.mark.parametrize("who", ["spectator", "Olga", "spy"])
def test_d_7_answers_about_another_table_do_not_depend_on_the_deal(events, who):
    compared = 0
    for one, other in zip(*[event.answers_to(who) for event in events], strict=True):
        assert comparable(one) == comparable(other), one.request.url
        compared += 1
    assert compared > 200


def test_d_7_answers_about_a_table_of_three_do_not_depend_on_the_deal():
    first = SEEDS[0]
    # A schedule for tables of three is drawn by lot, and the lot is public.
    other = next(seed for seed in map("{:064x}".format, count()) if schedule(seed) == schedule(first))
    three = [Event(seed, **THREE_SEATS) for seed in (first, other)]
    tables = [event.table(event.ended) for event in three]
    assert [table.phase for table in tables] == ["ended", "ended"]
    assert tables[0].state != tables[1].state

    compared = 0
    for one, other in zip(*[event.answers_to("spy") for event in three], strict=True):
        assert comparable(one) == comparable(other), one.request.url
        compared += 1
    assert compared > 200


def test_d_1_d_6_d_7_the_next_deal_of_the_same_opponents_is_secret_after_the_release_of_the_first(
    monkeypatch,
):
    events = [Event(SEEDS[0], **THREE_SEATS | {"entrants": ENTRANTS}, deals=2) for _ in range(2)]
    opponents = [{person.id for person in event.at(event.ended)} for event in events]
    # The second deal of the second service is that of another tournament.
    with monkeypatch.context() as patched:
        for event in events:
            event.play(event.open)
            event.start_round(2)
            event.play(event.ended)
            patched.setattr(tables, "deal_key", lambda _, seeds, **place: deal_key(SEEDS[1], seeds, **place))
    mine, theirs = [event.table(event.ended) for event in events]
    assert [{person.id for person in event.at(event.ended)} for event in events] == opponents
    assert mine.shared != theirs.shared
    assert mine.state != theirs.state
    assert [seat is not None and seat.policy for seat in mine.seats] == [None, None, "steady"]

    compared = 0
    for one, other in zip(*[event.answers_to("spy") for event in events], strict=True):
        assert comparable(one) == comparable(other), one.request.url
        compared += 1
    assert compared > 200
    released = events[0].api.spectator.get(f"/v1/tournaments/{ID}/deals/1").json["deal"]
    assert (released["status"], len(released["seats"])) == ("compared", 2)


def schedule(seed):
    return Lots(seed, (), purpose="schedule", round_=0).shuffled(range(6))


def test_d_7_metrics_do_not_depend_on_the_deal(events):
    mine, theirs = [samples(event.api.spectator.get("/metrics").text) for event in events]

    assert mine['hoodwink_tables{game="blindside",phase="ended"}'] == "1.0"
    assert mine == theirs


def samples(text):
    """Returns the metrics of the service by name, without times, sizes and what nobody has read yet in this test."""
    lines = [line.rpartition(" ")[::2] for line in text.splitlines() if line.startswith("hoodwink_")]
    ignored = ("seconds", "bytes", "_created", "ratio", "feed_lag")
    return {name: value for name, value in lines if not any(part in name for part in ignored)}


def test_d_7_live_streams_of_the_tournament_do_not_depend_on_the_deal(events):
    mine, theirs = [[BLINDED.sub(b"", frame) for frame in event.frames()] for event in events]
    assert mine == theirs


def test_d_7_its_own_players_get_no_secret_of_an_ended_table(events):
    event = events[0]
    table = event.table(event.ended)
    secrets = [SEEDS[0], table.server_seed, table.shared.key]
    for person in event.at(event.ended):
        for answer in chain(
            answers(person, paths_of("GET", **event.named())),
            refusals(person, [f"{event.ended}/{path}" for path in ("hint", "review", "fork", "rematch")]),
        ):
            assert not [secret for secret in secrets if secret.encode() in answer.data], answer.request.url
        assert person.get(event.ended).json["view"]["viewer"] == table_seat(table, person)
        for path in ("/log", "?viewer=everybody", f"?viewer={1 - table_seat(table, person)}"):
            assert person.get(event.ended + path).status_code in {403, 409}
        assert person.get(f"/v1/players/{person.id}/ledger").json["entries"] == []


def table_seat(table, person):
    return next(number for number, seat in enumerate(table.seats) if seat.player == person.id)


def test_d_7_who_resigned_sees_the_table_again_after_the_release():
    event = Event(SEEDS[0])
    one, other = event.at(event.open)
    for person in (one, other):
        person.post(f"{event.open}/ready")
    assert event.api.spectator.get(event.open).status_code == 403
    assert one.resign(event.open).status_code == 200

    event.service.tournament_worker.report(event.open.rpartition("/")[2])
    assert one.get(event.open).status_code == 403
    catch_up(event.api)
    assert [len(who.get("/v1/me/tables?phase=ended").json["tables"]) for who in (one, other)] == [0, 1]
    event.run_due()
    catch_up(event.api)
    assert one.get(event.open).status_code == 200
    assert len(one.get("/v1/me/tables?phase=ended").json["tables"]) == 1


def test_d_7_everything_is_visible_after_the_release():
    event = Event(SEEDS[1])
    event.play(event.open)
    stranger = event.api.spectator

    for path in (event.ended, event.open):
        table = event.table(path)
        assert stranger.get(f"{path}?viewer=everybody").json["view"]["server_seed"] == table.server_seed
        assert stranger.get(f"{path}/log").status_code == 200
        player = event.at(path)[0].id
        history = stranger.get(f"/v1/players/{player}/history").json["tables"]
        assert [row["table"] for row in history] == [table.id]
        journal = stranger.get(f"{path}/ledger").json["entries"]
        assert [entry["event"] for entry in journal] == ["table.round_scored"] * table.rounds_scored
    listed = stranger.get("/v1/tables?phase=ended").json["tables"]
    assert len(listed) == 2
    counts = stranger.get(f"/v1/games/{GAME}/statistics").json
    assert (counts["tables_ended"], counts["rounds_scored"]) == (2, 2)
    assert counts["actions"] > 0
    assert len(stranger.get(f"/v1/leaderboards/{GAME}?provisional=show").json["leaders"]) == 4
    assert differences(event.service, "projections") == []
