"""The same table in two services that differ only in cards hidden from a viewer."""

from collections.abc import Collection, Iterator
from random import Random

from hoodwink.domain.kernel import Event, Viewer
from hoodwink.domain.tables.actor import HOST, WORKER, Actor, by_bot, by_player
from hoodwink.domain.tables.events import RoundScored, SeatTaken, TableOpened, TableStarted
from hoodwink.domain.tables.proving.log import GENESIS, seal
from hoodwink.service.adapters.store.installation_secret import KEY
from hoodwink.service.application.ports import Appended, Commit, IdempotencyKey, StreamId
from tests.domain.laws.playout import Play
from tests.domain.laws.worlds import Commit as Happened
from tests.domain.laws.worlds import Outlook, commits_of
from tests.service.application.world import StandingClock
from tests.service.http.api import Api, Person, new_api

TABLE = "twintable"
SERVER_SEED = "5eed" * 16


def twins(play: Play, viewer: Viewer, chance: Random) -> Iterator[tuple[Api, Api]]:
    """Yields pairs of services whose tables look the same to the viewer: the longest for each way to alter the deal."""
    played = commits_of(play)
    widest: dict[bool, list[Happened]] = {}
    for world in Outlook(play, viewer, played).worlds(len(played), chance):
        others = played[: world.begin] + [commit for _, commit in world]
        is_swapped = world.change.swapped is not None
        if len(others) > len(widest.get(is_swapped, ())):
            widest[is_swapped] = others
    for others in widest.values():
        yield api_with_play(play, played[: len(others)]), api_with_play(play, others)


def api_with_play(
    play: Play, happened: list[Happened], *, bots: Collection[int] = (), bot_delay: int = 0
) -> Api:
    """Returns an API with that table; the players' ids and tokens are always the same."""
    api = new_api(clock=StandingClock())
    api.service.client.set(KEY, b"the same in both services")
    players = [inhabitant(api, seat) for seat in range(play.seats)]
    opening = _opening(play, players, bots=bots, bot_delay=bot_delay)
    write(api, [*opening, *_commits(play, happened, bots=bots)])
    return api


def inhabitant(api: Api, seat: int) -> Person:
    """Returns the player of a seat."""
    answer = api.spectator.post("/v1/players", {"name": f"Player {seat}"}, key=f"the-key-of-seat-{seat}").json
    return Person(api.app, answer["token"], answer["id"])


def write(api: Api, commits: list[tuple[Actor, int, tuple[Event, ...]]]) -> None:
    """Appends commits (actor, time, events) to the table's stream as the service would."""
    head, version = GENESIS, 0
    for number, (by, at, events) in enumerate(commits):
        sealed = seal(
            events=events, server_seed=SERVER_SEED, head=head, version=version, at=at, by=by, cmd=f"c{number}"
        )
        answer = api.service.store.append(
            Commit(
                stream=StreamId("table", TABLE),
                expected_version=version,
                expected_head=head,
                entries=tuple([recorded.entry for recorded in sealed]),
                key=IdempotencyKey(f"c{number}", ""),
            )
        )
        head, version = sealed[-1].entry.hash, sealed[-1].entry.version
        assert answer == Appended(version)


def _opening(
    play: Play, players: list[Person], *, bots: Collection[int], bot_delay: int
) -> Iterator[tuple[Actor, int, tuple[Event, ...]]]:
    options = {name: getattr(play.options, name) for name in play.options.__struct_fields__}
    opened = TableOpened(
        table=TABLE,
        game=play.game.name,
        seats=play.seats,
        options=options,
        host=players[0].id,
        turn_seconds=30,
        commitment="0" * 64,
        server_seed=SERVER_SEED,
        edition=3,
        seed_commitment="",
        rated=True,
        first_dealer=None,
        tournament=None,
        parent=None,
        bot_delay=bot_delay,
        round_pause=0,
        private=False,
        watch="everyone",
        rematch_of=None,
        take_backs=True,
    )
    yield HOST, 1, (opened,)
    for seat, player in enumerate(players):
        if seat in bots:
            yield HOST, 1, (SeatTaken(seat, "bot:random", "random", "", ""),)
        else:
            yield by_player(seat), 1, (SeatTaken(seat, player.id, None, "", ""),)
    yield HOST, 1, (TableStarted(None, None, None),)


def _commits(
    play: Play, happened: list[Happened], *, bots: Collection[int]
) -> Iterator[tuple[Actor, int, tuple[Event, ...]]]:
    before = play.game.scores(play.start)
    for entries in happened:
        first, last = entries[0], entries[-1]
        events = tuple(entry.event for entry in entries if entry.event is not None)
        if first.kind == "score":
            after = play.game.scores(last.state)
            deltas = tuple(now - then for now, then in zip(after, before, strict=True))
            events += (RoundScored(first.round, play.game.unit, deltas, after),)
            before = after
        by = (
            WORKER
            if first.seat is None
            else by_bot(first.seat)
            if first.seat in bots
            else by_player(first.seat)
        )
        yield by, first.now, events
