"""`hoodwink demo`: bots play a table on a service, and the command prints each event as it happens."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import click
from rich.console import Console
from rich.table import Table as Grid

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game
from hoodwink.domain.tables.fairness import is_committable
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli.playback.lines import event_line
from hoodwink.service.cli.shared.files import reserve
from hoodwink.service.cli.shared.options import (
    GAME_HELP,
    cautions,
    check_seats_option,
    game_argument,
    options_of,
    table_options,
)
from hoodwink.service.cli.shared.output import plain
from hoodwink.service.cli.shared.servers import check_reachable
from hoodwink.service.cli.verify import verdict_sentence
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor import CannotStart, find_instance, isolated_service
from hoodwink.service.supervisor.roster import address
from hoodwink_client import Client, ServiceError, models


def _checked_seed(_context: click.Context, _parameter: click.Parameter, seed: str | None) -> str:
    """Returns the given seed or a random one; raises `BadParameter` for one that cannot be committed to."""
    if seed is None:
        return secrets.token_hex(32)
    if not is_committable(seed):
        raise click.BadParameter(
            "it must be 32 to 64 lower-case hex digits, chosen at random; leave the option out to get a random seed."
        )
    return seed


def _new_file(_context: click.Context, _parameter: click.Parameter, file: Path | None) -> Path | None:
    # A temporary service is gone after the demo, so an existing file may be the only copy of its log.
    if file is not None and file.is_file():
        raise click.BadParameter(f"{file} already exists; delete it or choose another name.")
    return file


@click.command("demo", epilog=GAME_HELP)
@game_argument
@click.option(
    "--seats",
    type=int,
    help="The number of bots; by default 4, or the nearest number that the game allows.",
)
@click.option(
    "--seed",
    metavar="HEX",
    callback=_checked_seed,
    help="Your contribution to every shuffle, 32 to 64 lower-case hex digits; random by default. The table opens with a "
    "commitment to the seed; the seed itself is revealed after the start.",
)
@click.option(
    "--bots", type=click.Choice(POLICIES), default="steady", show_default=True, help="The policy of the bots."
)
@table_options
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_new_file,
    help="Write the log of the table to this new file.",
)
@click.option("--url", help="Use the service at this address, such as http://127.0.0.1:8000.")
def command(  # noqa: PLR0913 - one parameter per option of the command
    *,
    game: str,
    seats: int | None,
    seed: str,
    bots: str,
    raw_options: tuple[str, ...],
    out: Path | None,
    url: str | None,
) -> None:
    """Watch bots play a table of the given game on a service, and optionally save its log.

    Uses the service at --url or the one that runs on this data folder; without either it starts a temporary one.
    """
    options, count = options_of(GAMES[game], raw_options), _seats(GAMES[game], seats)
    console = Console(soft_wrap=True, highlight=False)
    for caution in cautions(GAMES[game], options):
        console.print(caution, style="yellow", markup=False)
    try:
        # `reserve` comes first: an unwritable file must fail before the table is played.
        with reserve(out), _service(url, console) as base:
            _play(base, console, game, count, seed, bots, options, out)
    except (ServiceError, CannotStart, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


def _seats(rulebook: Game[Any], requested: int | None) -> int:
    """Returns the number of bots; raises `BadParameter` for a number that the game does not allow."""
    if requested is None:
        minimum, maximum = rulebook.seats
        return min(maximum, max(minimum, 4))
    check_seats_option(rulebook, requested)
    return requested


@contextmanager
def _service(url: str | None, console: Console) -> Iterator[str]:
    """Yields the address of a service; starts a temporary one if none runs."""
    if url is not None:
        yield url
        return
    running = find_instance(Settings.from_environment(os.environ).data_folder)
    if running is not None and running.settings is not None:
        yield address(running.settings)
        return
    console.print("No service is running on this data folder; starting a temporary one.", style="dim")
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-demo-") as folder,
        # The settings of the real service, such as its Redis, are not for this one.
        isolated_service(Settings(data=folder, port=0)) as effective,
    ):
        yield address(effective)


def _play(  # noqa: PLR0913, PLR0917 - the parts of a table
    url: str,
    console: Console,
    game: str,
    seats: int,
    seed: str,
    bots: str,
    options: dict[str, Any],
    out: Path | None,
) -> None:
    check_reachable(url)
    form = {"game": game, "seats": seats, "options": options, "seed_commitment": commitment(seed)}
    with Client(url) as host, Client(url) as spectator:
        host.register("Demo host")
        table = host.open_table(cast("models.TableForm", form))
        for _ in range(seats):
            table.sit(policy=bots)
        path = f"/v1/tables/{table.id}"
        console.print(plain(f"{GAMES[game].title}, {seats} {bots} bots: {url.rstrip('/')}{path}"))
        console.print(f"The host committed to its seed, whose SHA-256 is {commitment(seed)}")
        table.start()
        # Revealed only after the start, when the server's and all players' seeds are fixed: nobody can adapt theirs to it.
        table.request("POST", "/seed", {"seed": seed})
        _print_events(spectator, f"{path}/events?include=words", console)
        view = spectator.request("GET", path)["view"]
        console.print(_final_scores(view, GAMES[game].unit))
        log = spectator.request("GET", f"{path}/log")
    console.print(plain(verdict_sentence(verify_log(log))))
    if out is not None:
        out.write_bytes(log)
        console.print(plain(f"The log is in {out}; check it yourself with: hoodwink verify {out}"))


def _print_events(spectator: Client, path: str, console: Console) -> None:
    # Without a token, the stream shows no hidden cards. With `after`, it starts with the first event, not a snapshot.
    for message in spectator.follow(path, after="0"):
        if message["event"] == "end":
            return
        if message["event"] == "message":
            console.print(event_line(message["data"]["version"], message["data"]["words"]))


def _final_scores(view: dict[str, Any], unit: str) -> Grid:
    result = view["result"]
    grid = Grid(title=f"Final {unit}s")
    for column in ("place", "seat", "name", f"{unit}s"):
        grid.add_column(column, justify="left" if column == "name" else "right")
    scores = result["scores"] or [0] * len(view["seats"])
    places = result["places"] or ["-"] * len(scores)
    # Sorted as texts of two digits: without a result, all places are hyphens.
    rows = zip(places, view["seats"], scores, strict=True)
    for place, seat, score in sorted(rows, key=lambda row: (str(row[0]).zfill(2), row[1]["seat"])):
        grid.add_row(*map(plain, (place, seat["seat"], seat["name"], score)))
    return grid
