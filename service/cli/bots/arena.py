"""`hoodwink arena`: compares bots on duplicate deals."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children
from pathlib import Path
from secrets import token_hex
from threading import Thread
from typing import Any

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions
from hoodwink.service.cli.bots.named import NAMES_HELP, chosen_bots, limit_options, report
from hoodwink.service.cli.shared.options import (
    GAME_HELP,
    check_seats_option,
    game_argument,
    options_of,
    repetition,
    table_options,
)
from hoodwink.service.cli.shared.output import plain, say
from hoodwink.service.simulation.arena.kept import KeptResults, NotResults, key_of
from hoodwink.service.simulation.arena.results import Arena, Estimate, Peeked, checks, peeked
from hoodwink.service.simulation.arena.tasks import Pairing, Played, Task, Terms, pairings, play, tasks_of
from hoodwink.service.simulation.outside.outsider import is_outsider
from hoodwink.service.simulation.outside.process import Limits

_CHECK_SECONDS = 1.0

_COLUMNS = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()


@click.command("arena", epilog=f"{GAME_HELP} {NAMES_HELP}")
@game_argument
@click.option("--bots", default="steady,random", show_default=True, help="The bots, at least two.")
@click.option("--deals", default=200, show_default=True, type=click.IntRange(min=2), help="Deals per match.")
@click.option("--seats", type=int, help="Seats per table; by default as few as the game takes.")
@click.option(
    "--rounds", default=1, show_default=True, type=click.IntRange(min=1), help="Rounds played from each deal."
)
@table_options
@click.option("--seed", help="The same seed repeats the run; by default a new one.")
@click.option(
    "--sanity",
    is_flag=True,
    help="Also play each bot against itself and against random, and check the results.",
)
@click.option(
    "--peek",
    is_flag=True,
    help="Play the deals again with bots that think ahead and see all cards, and print how much of that gain they "
    "reach when they do not see them.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="How many processes play; by default one per core. The results do not depend on it.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the result of each deal in this file. The same command continues an interrupted run.",
)
@limit_options
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(**asked: Any) -> None:
    """Compare bots: every two of them play the same deals with every seating.

    At tables of more than two, one bot sits in each seat against the other in all other seats, and the other way round.
    The intervals come from resampling whole deals. Prints the command that repeats the run.
    """
    if asked["results"] and not asked["seed"]:
        raise click.UsageError("--results needs a --seed, because other cards would start another run.")
    asked["seed"] = asked["seed"] or token_hex(8)
    limits = Limits(asked["seconds"], asked["memory"])
    rulebook = GAMES[asked["game"]]
    seats = rulebook.seats[0] if asked["seats"] is None else asked["seats"]
    check_seats_option(rulebook, seats)
    options = options_of(rulebook, asked["raw_options"])
    try:
        rulebook.check_options(msgspec.convert(options, rulebook.options), seats)
    except InvalidOptions as error:
        raise click.ClickException(error.detail) from None
    bots = _contestants(asked["bots"], limits, has_random=asked["sanity"])
    if asked["results"] and any(map(is_outsider, bots)):
        raise click.UsageError("--results is for built-in bots: a program of yours may have changed.")
    if asked["mistakes"] is not None:
        asked["mistakes"].mkdir(parents=True, exist_ok=True)
    terms = Terms(rulebook.name, seats, options, asked["rounds"], asked["seed"], limits)
    matches = pairings(bots, has_mirrors=asked["sanity"])
    again = repetition(asked, without={"processes", "mistakes", "results", "as_json"})
    processes = asked["processes"] or os.cpu_count() or 1
    kept = KeptResults(asked["results"]) if asked["results"] else None
    try:
        arena = _play(terms, matches, asked["deals"], processes, kept)
    except NotResults as error:
        raise click.BadParameter(str(error), param_hint="--results") from None
    compared: Sequence[Peeked] = ()
    if asked["peek"]:
        # The terms are part of the key of a kept result, so both runs can share the file.
        peeking = _play(replace(terms, peeks=True), matches, asked["deals"], processes, kept)
        compared = peeked(arena.results(), peeking.results())
    if asked["as_json"]:
        click.echo(_as_json(arena, compared, terms, asked["deals"], again))
        return
    _print(arena, f"{rulebook.title}, {seats} seats, {asked['deals']:,} deals", asked["mistakes"])
    for match in compared:
        share = "" if match.share is None else f", so it reaches {match.share:.0%} of the gain"
        score = f"{match.score.mean:.1%} ({match.score.low:.1%} … {match.score.high:.1%})"
        say(f"{match.pairing.first} against {match.pairing.second}, seeing all cards: {score}{share}")
    say(f"Play it again: {again}")


def _contestants(names: str, limits: Limits, *, has_random: bool) -> list[str]:
    bots = chosen_bots(names, limits)
    if has_random and "random" not in bots:
        bots.append("random")
    if len(set(bots)) < max(2, len(bots)):
        raise click.BadParameter(
            "name at least two bots, each once; --sanity plays each against itself", param_hint="--bots"
        )
    # The weakest built-in bot is the second one of every pairing.
    return sorted(bots, key=lambda bot: bot == "random")


def _play(
    terms: Terms, matches: Sequence[Pairing], deals: int, processes: int, kept: KeptResults | None
) -> Arena:
    """Plays all matches but for what is kept already, and shows the progress on a terminal."""
    arena, tasks = Arena(terms, matches, deals), list(tasks_of(terms, matches, deals))
    known = kept.read() if kept else {}
    left = [task for task in tasks if key_of(task) not in known]
    # On stderr, so that the results on stdout can be piped.
    with Progress(*_COLUMNS, console=Console(stderr=True)) as progress:
        shown = progress.add_task("tables", total=sum(task.deals for task in left))

        def on_done(task: Task, played: Played) -> None:
            if kept:
                kept.append(task, played)
            progress.advance(shown, task.deals)

        # A generator, so no pool is started if all results are kept: a pool needs at least one process.
        done = _in_processes(left, processes, on_done)
        for task in tasks:
            arena.add(task, known.get(key_of(task)) or next(done))
    return arena


def _in_processes(
    tasks: Sequence[Task], processes: int, on_done: Callable[[Task, Played], None]
) -> Iterator[Played]:
    """Yields the outcomes in the order of the tasks, because it decides which mistakes are shown."""
    with ProcessPoolExecutor(
        min(processes, len(tasks)), initializer=_begin, initargs=(os.getpid(),)
    ) as executor:
        futures = {executor.submit(play, task): task for task in tasks}
        try:
            # In the order in which they end, so that an interruption loses as little as possible.
            for future in as_completed(futures):
                on_done(futures[future], future.result())
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            # A task with slow bots may take hours. Their processes notice that they are alone, and end.
            for child in active_children():
                child.terminate()
            raise
        yield from (future.result() for future in futures)


def _begin(parent: int) -> None:
    """Leaves Ctrl-C to the parent, and ends with it, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_CHECK_SECONDS)
    os._exit(1)  # from a thread, `sys.exit` would end only the thread


def _print(arena: Arena, title: str, mistakes: Path | None) -> None:
    console, results = Console(), arena.results()
    ladder = _grid(f"Ladder: {title}", "bot", "score", "moves", "CPU ms", "95th %", "mistakes")
    for row in arena.ladder():
        cpu_ms = f"{row.cpu_mean_ms:.3g}", f"{row.cpu_p95_ms:.3g}"
        ladder.add_row(
            plain(row.bot), _text(row.score, ".1%"), f"{row.moves:,}", *cpu_ms, f"{row.mistakes:,}"
        )
    matches = _grid("Matches", "first", "second", "score", "first places", "margin")
    matches.caption = (
        "A score says how often a bot finishes ahead of another; ties count half.\n"
        "First places and margin are those of the first bot where it sits alone against the second one.\n"
        "In brackets: 95% intervals."
    )
    ladder.caption = "CPU time per move: the mean, and what 95% of the moves do not exceed."
    for result in results:
        bots = plain(result.pairing.first), plain(result.pairing.second)
        matches.add_row(
            *bots, _text(result.score, ".1%"), _text(result.first, ".1%"), _text(result.margin, "+.2f")
        )
    console.print(ladder, matches)
    for check in checks(results):
        verdict = "as expected" if check.is_met else f"unexpected: it should be {check.expected}"
        say(f"{check.pairing.first} against {check.pairing.second}: {check.score.mean:.1%}, {verdict}")
    report(arena.mistakes, mistakes)


def _grid(title: str, *columns: str) -> Grid:
    grid = Grid(title=title)
    for column in columns:
        is_name = column in {"bot", "first", "second"}
        grid.add_column(
            column,
            justify="left" if is_name else "right",
            no_wrap=not is_name,
            overflow="fold" if is_name else "ellipsis",
        )
    return grid


def _text(estimate: Estimate, form: str) -> str:
    return f"{estimate.mean:{form}}\n({estimate.low:{form}} … {estimate.high:{form}})"


def _as_json(arena: Arena, compared: Sequence[Peeked], terms: Terms, deals: int, again: str) -> bytes:
    results = arena.results()
    mistakes = [
        {"bot": bot, "kind": kind, "times": times}
        for (bot, kind), times in sorted(arena.mistakes.counts.items())
    ]
    document = {
        "command": again,
        "terms": terms,
        "deals": deals,
        "ladder": arena.ladder(),
        "matches": results,
        "checks": checks(results),
        "peeked": compared,
        "mistakes": mistakes,
        "examples": arena.mistakes.examples,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2)
