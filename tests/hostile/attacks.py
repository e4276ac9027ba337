"""The attacks. Each is a function that prepares its targets and returns the requests of each client."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from tests.hostile.requests import Requests, get, post
from tests.hostile.world import NDJSON, World, long_table, tournament_logs

Attack: TypeAlias = Callable[[World], Awaitable[list[Requests]]]


async def round_robins(world: World) -> list[Requests]:
    """Sixty-one accounts at one address open eighteen round robins within their limits, and start them together."""
    people = [await world.register(0) for _ in range(world.size.entrants + 1)]
    starts = list[bytes]()
    for number in range(world.size.cups):
        _, organiser = people[number % len(people)]
        form = {
            "name": f"Cup {number}",
            "format": "round_robin",
            "game": "blindside",
            "seats": 8,
            "sittings": [{"rounds": 9}],
        }
        path = f"/v1/tournaments/{(await world.ask('/v1/tournaments', form, organiser))['tournament']['id']}"
        await world.ask(f"{path}/registration", {}, organiser)
        for _, token in people[: world.size.entrants]:
            await world.ask(f"{path}/entrants", {}, token)
        starts.append(post(f"{path}/start", {}, client=0, token=organiser))
    share = [tuple(starts[client :: world.clients]) for client in range(world.clients)]
    return [each or (starts[0],) for each in share]


async def verifications(world: World) -> list[Requests]:
    """Everybody verifies the log of a large tournament anonymously."""
    body = tournament_logs(*world.size.verified)
    return [
        (post("/v1/verify/tournament", body, client=client, media_type=NDJSON),)
        for client in range(world.clients)
    ]


async def imports_read(world: World) -> list[Requests]:
    """Everybody reads one large import: its view, an earlier version of it, and its log."""
    path = await world.import_log(long_table("hostile1", world.size.rounds).log())
    below = ("", "?version=100", "/log", "/events?limit=1000&include=words")
    return [tuple(get(f"{path}{each}", client=client) for each in below) for client in range(world.clients)]


async def pages_in_words(world: World) -> list[Requests]:
    """Everybody reads the longest pages of events, in words."""
    path = world.store_table()
    return [
        (get(f"{path}/events?limit=1000&include=words", client=client),) for client in range(world.clients)
    ]


async def old_versions(world: World) -> list[Requests]:
    """Everybody replays a long table at distant versions, downloads its log and all its events."""
    path, last = world.store_table(), len(long_table("hostile0", world.size.rounds).entries)
    below = [f"?version={1 + (7919 * number) % last}" for number in range(20)] + ["/log"]
    return [tuple(get(f"{path}{each}", client=client) for each in below) for client in range(world.clients)]


async def results(world: World) -> list[Requests]:
    """Everybody downloads a tournament's results of nearly maximum size."""
    path = world.store_tournament()
    return [(get(f"{path}/results", client=client),) for client in range(world.clients)]


async def imports_written(world: World) -> list[Requests]:
    """Everybody imports new logs."""
    logs = [
        long_table(f"hostile{number + 2}", world.size.rounds).log() for number in range(world.size.imports)
    ]
    sent = list[Requests]()
    for client in range(world.clients):
        _, token = await world.register(client)
        mine = logs[client :: world.clients] or logs[:1]
        sent.append(
            tuple(post("/v1/imports", log, client=client, token=token, media_type=NDJSON) for log in mine)
        )
    return sent


ATTACKS: Final[Mapping[str, Attack]] = {
    attack.__name__: attack
    for attack in (
        round_robins,
        verifications,
        imports_read,
        pages_in_words,
        old_versions,
        results,
        imports_written,
    )
}
