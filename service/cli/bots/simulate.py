"""`hoodwink simulate`: bots play many tables in one process."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import msgspec
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game, GameOptions, InvalidOptions
from hoodwink.domain.phrases import counted
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli.bots.named import NAMES_HELP, chosen_bots, limit_options, report
from hoodwink.service.cli.shared.options import (
    GAME_HELP,
    check_seats_option,
    game_argument,
    options_of,
    table_options,
)
from hoodwink.service.cli.shared.output import plain
from hoodwink.service.simulation.outside.mistakes import Mistakes
from hoodwink.service.simulation.outside.outsider import Outsiders
from hoodwink.service.simulation.outside.process import Limits
from hoodwink.service.simulation.random_options import random_options
from hoodwink.service.simulation.tables import BotTable

_COLUMNS: Final = (
    TextColumn("{task.description}"),
    MofNCompleteColumn(),
    TextColumn("{task.fields[rate]}"),
    TimeRemainingColumn(),
)


@click.command("simulate", epilog=GAME_HELP)
@game_argument
@click.option(
    "--tables", default=100, show_default=True, type=click.IntRange(min=1), help="The number of tables."
)
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same tables.")
@click.option("--seats", type=int, help="Seats per table; by default a random number for each table.")
@table_options
@click.option(
    "--random-options", "draws_options", is_flag=True, help="Choose every option of every table at random."
)
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help=f"One bot for all seats, or several such as steady,random. {NAMES_HELP}",
)
@limit_options
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the log of each table to this folder.",
)
@click.option("--verify", "verified", is_flag=True, help="Verify each log like `hoodwink verify`.")
def command(**asked: Any) -> None:
    """Play tables of the given game with bots only, without Redis.

    Several bots are assigned to the seats in turn, shifted by one seat per table. If a table fails, prints the command
    that plays it again.
    """
    limits = Limits(asked["seconds"], asked["memory"])
    game, count = GAMES[asked["game"]], asked["tables"]
    bots = chosen_bots(asked["bots"], limits)
    if asked["seats"] is not None:
        check_seats_option(game, asked["seats"])
    for folder in filter(None, (asked["out"], asked["mistakes"])):
        folder.mkdir(parents=True, exist_ok=True)
    # The bar and failures go to stderr, so that the results on stdout can be piped.
    tally, console, began = Tally(), Console(stderr=True), time.perf_counter()
    with Progress(*_COLUMNS, console=console) as progress, Outsiders(limits) as outsiders:
        series = Series(game, bots, asked, outsiders, console)
        task = progress.add_task(f"simulating {game.name}", total=count, rate="")
        for number in range(count):
            # One table keeps the seed as it is, so that the command in `_failure` plays the same table.
            name = asked["seed"] if count == 1 else f"{asked['seed']}.{number}"
            seated, played = series.play(number, name)
            tally.add(played, seated, name)
            if asked["verified"]:
                _verify(name, played.log())
            if asked["out"] is not None:
                (asked["out"] / f"{game.name}-{name}.log").write_bytes(played.log())
            progress.update(task, advance=1, rate=tally.rate(time.perf_counter() - began))
    Console().print(tally.grid())
    report(tally.mistakes, asked["mistakes"])


class Series:
    """Tables that differ in their seeds, in the assignment of the bots and, unless they are fixed, in seats and options."""

    def __init__(
        self,
        game: Game[Any],
        bots: Sequence[str],
        asked: Mapping[str, Any],
        outsiders: Outsiders,
        console: Console,
    ) -> None:
        self._game, self._bots, self._outsiders, self._console = game, bots, outsiders, console
        self._draws_options = asked["draws_options"]
        self._fixed = options_of(game, asked["raw_options"])
        self._seats = asked["seats"]
        # Drawn options are drawn for a number of seats, so any number will do.
        self._counts = _all_counts(game) if self._draws_options else seat_counts(game, self._fixed)

    def play(self, number: int, name: str) -> tuple[Sequence[str], BotTable]:
        """Plays a table, and returns the bots in its seats and the table.

        Raises:
            ClickException: there is no such table.
        """
        # A generator per table, so that one table can be repeated without those before it.
        chance = Random(f"{self._game.name}:{name}")  # noqa: S311 - repeatable on purpose
        count = chance.choice(self._counts) if self._seats is None else self._seats
        options = drawn_options(self._game, count, chance) if self._draws_options else self._fixed
        # Shifted, because otherwise a policy would always have the same seat, such as the first to act.
        seated = [self._bots[(seat + number) % len(self._bots)] for seat in range(count)]
        try:
            table = BotTable(
                game=self._game.name,
                seats=count,
                options=options,
                policies=seated,
                seed=name,
                outsiders=self._outsiders.among(seated),
            )
            table.play()
        except InvalidOptions as error:
            raise click.ClickException(error.detail) from None
        except Exception:
            self._console.print(_failure(self._game.name, name, count, options, seated))
            raise  # with its traceback, since a table that fails is a bug
        return seated, table


def _verify(name: str, log: bytes) -> None:
    finding = verify_log(log).finding
    if finding is not None:
        raise click.ClickException(f"the log of table {name} is not valid: {finding}")


def _failure(game: str, name: str, seats: int, options: Mapping[str, Any], policies: Sequence[str]) -> str:
    chosen = "".join(
        f" --option {key}={json.dumps(value)}" for key, value in options.items() if value is not None
    )
    return f"table {name} failed; play it again with:\n  hoodwink simulate {game} --tables 1 --seed {name} --seats {seats} --bots {','.join(policies)}{chosen}"


def seat_counts(rulebook: Game[Any], options: Mapping[str, Any]) -> Sequence[int]:
    """Returns the numbers of seats that these options allow; raises `BadParameter` if there are none."""
    chosen = msgspec.convert(dict(options), rulebook.options)
    counts = [seats for seats in _all_counts(rulebook) if _is_dealt(rulebook, chosen, seats)]
    if not counts:
        raise click.BadParameter(
            f"{rulebook.title} cannot be dealt with these options at any number of seats.",
            param_hint="--option",
        )
    return counts


def _all_counts(rulebook: Game[Any]) -> Sequence[int]:
    fewest, most = rulebook.seats
    return range(fewest, most + 1)


def _is_dealt(rulebook: Game[Any], options: GameOptions, seats: int) -> bool:
    try:
        rulebook.check_options(options, seats)
    except InvalidOptions:
        return False
    return True


def drawn_options(rulebook: Game[Any], seats: int, chance: Random) -> dict[str, Any]:
    options: dict[str, Any] = msgspec.to_builtins(random_options(rulebook, seats, chance))
    return options


class Tally:
    """The outcomes of the tables, the wins of each bot, and its mistakes."""

    def __init__(self) -> None:
        self.mistakes = Mistakes()
        self._events = self._tables = 0
        self._seats: Counter[str] = Counter()
        self._wins: defaultdict[str, float] = defaultdict(float)
        self._without_result = 0

    def add(self, played: BotTable, bots: Sequence[str], name: str) -> None:
        """Counts an ended table; several seats in first place share the win."""
        table = played.table
        assert table.result is not None
        self.mistakes.add(f"table {name}", played.mistakes, played.log)
        self._tables += 1
        self._events += table.version
        self._without_result += table.result.places is None
        places = table.result.places or ()
        for seat, bot in enumerate(bots):
            self._seats[bot] += 1
            if places and places[seat] == 1:
                self._wins[bot] += 1 / places.count(1)

    def rate(self, seconds: float) -> str:
        return f"{self._tables / seconds:,.0f} tables/s, {self._events / seconds:,.0f} events/s"

    def grid(self) -> Grid:
        """Returns the wins of each bot next to the share expected from its number of seats."""
        without = f", {self._without_result} without a result" if self._without_result else ""
        grid = Grid(
            title=f"{counted(self._tables, 'table')}{without}",
            caption="A win shared by n seats counts 1/n for each.",
        )
        for column in ("bot", "seats", "wins", "won", "95% interval", "by chance"):
            grid.add_column(column, justify="left" if column == "bot" else "right")
        all_seats = self._seats.total()
        for bot, seats in sorted(self._seats.items()):
            wins = self._wins[bot]
            low, high = interval(wins, self._tables)
            grid.add_row(
                plain(bot),
                str(seats),
                f"{wins:.1f}",
                f"{wins / self._tables:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{seats / all_seats:.1%}",
            )
        return grid


def interval(wins: float, tables: int) -> tuple[float, float]:
    """Returns the 95% confidence interval of the share of wins (E. B. Wilson, JASA 22, 1927, p. 209).

    >>> [f"{share:.1%}" for share in interval(785, 1_000)]
    ['75.8%', '80.9%']
    """
    share, spread = wins / tables, _DEVIATIONS**2 / tables
    middle = share + spread / 2
    half = sqrt(spread * (share * (1 - share) + spread / 4))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


_DEVIATIONS: Final = 1.96  # the half width of a 95% interval
