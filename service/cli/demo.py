"""`hoodwink demo`: bots play a table on a service, and each event is printed as it happens."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table as Grid

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game
from hoodwink.domain.tables.fairness import is_committable
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli.playback.lines import event_line
from hoodwink.service.cli.shared.client import ServiceClient, ServiceError
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
from hoodwink.service.cli.verify import verdict_sentence
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor import CannotStart, find_instance, isolated_service
from hoodwink.service.supervisor.roster import address


def _checked_seed(_context: click.Context, _parameter: click.Parameter, seed: str | None) -> str:
    """Returns the given seed or a random one; raises `BadParameter` for a short one, which others could guess."""
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
    help="The number of bots; by default four, or the nearest number that the game allows.",
)
@click.option(
    "--seed",
    metavar="HEX",
    callback=_checked_seed,
    help="Your contribution to every shuffle, 32 to 64 hex digits; random by default. The table opens with a commitment "
    "to the seed, which is revealed after the start.",
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
    given: tuple[str, ...],
    out: Path | None,
    url: str | None,
) -> None:
    """Watch bots play a table of the given game on a service, and optionally save its log.

    Uses the service at --url or the one that runs on this data folder; without either it starts a temporary one.
    """
    options, count = options_of(GAMES[game], given), _seats(GAMES[game], seats)
    console = Console(soft_wrap=True, highlight=False)
    for caution in cautions(GAMES[game], options):
        console.print(caution, style="yellow", markup=False)
    try:
        with (
            reserve(out),
            _service(url, console) as base,
        ):  # an unwritable file must fail before the table is played
            _play(ServiceClient(base), console, game, count, seed, bots, options, out)
    except (ServiceError, CannotStart, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


def _seats(rulebook: Game[Any], asked: int | None) -> int:
    """Returns the number of bots; raises `BadParameter` for a number that the game does not allow."""
    if asked is None:
        fewest, most = rulebook.seats
        return min(most, max(fewest, 4))
    check_seats_option(rulebook, asked)
    return asked


@contextmanager
def _service(url: str | None, console: Console) -> Iterator[str]:
    """Yields the address of a service; starts a temporary one if none runs."""
    if url is not None:
        yield url
        return
    settings = Settings.from_environment(os.environ)
    running = find_instance(settings.data_folder)
    if running is not None and running.settings is not None:
        yield address(running.settings)
        return
    console.print("No service is running on this data folder; starting a temporary one.", style="dim")
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-demo-") as folder,
        isolated_service(msgspec.structs.replace(settings, data=folder, port=0)) as own,
    ):
        yield address(own)


def _play(  # noqa: PLR0913, PLR0917 - the parts of a table
    spectator: ServiceClient,
    console: Console,
    game: str,
    seats: int,
    seed: str,
    bots: str,
    options: dict[str, Any],
    out: Path | None,
) -> None:
    token = spectator.post("/v1/players", {"name": "Demo host"})["token"]
    host = ServiceClient(spectator.address, token=token)
    form = {"game": game, "seats": seats, "options": options, "seed_commitment": commitment(seed)}
    opened = host.post("/v1/tables", form)
    table = f"/v1/tables/{opened['view']['id']}"
    for _ in range(seats):
        host.post(f"{table}/seats", {"policy": bots})
    console.print(plain(f"{GAMES[game].title}, {seats} {bots} bots: {spectator.address}{table}"))
    console.print(f"The host committed to its seed, whose SHA-256 is {commitment(seed)}")
    host.post(f"{table}/start", {})
    # Only after the start: the service's seed is fixed by then, so it cannot be chosen to match this one.
    host.post(f"{table}/seed", {"seed": seed})
    # Without a token, so that the stream shows no hidden card; after 0, because it would begin with a snapshot otherwise.
    for kind, data in spectator.follow(f"{table}/events?include=words", after="0"):
        if kind == "message":
            console.print(event_line(data["version"], data["words"]))
    view = spectator.get(table)["view"]
    console.print(_standing(view, GAMES[game].unit))
    log = spectator.get_bytes(f"{table}/log")
    console.print(plain(verdict_sentence(verify_log(log))))
    if out is not None:
        out.write_bytes(log)
        console.print(plain(f"The log is in {out}; check it yourself with: hoodwink verify {out}"))


def _standing(view: dict[str, Any], unit: str) -> Grid:
    result = view["result"]
    grid = Grid(title=f"Final {unit}s")
    for column in ("place", "seat", "name", f"{unit}s"):
        grid.add_column(column, justify="left" if column == "name" else "right")
    scores = result["scores"] or [0] * len(view["seats"])
    places = result["places"] or ["-"] * len(scores)
    rows = zip(places, view["seats"], scores, strict=True)
    for place, seat, score in sorted(rows, key=lambda row: (str(row[0]).zfill(2), row[1]["seat"])):
        grid.add_row(*map(plain, (place, seat["seat"], seat["name"], score)))
    return grid
