"""`hoodwink review`: compares a seat's moves in an exported log with *Expert*'s."""

from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from hoodwink.domain.advice import Review, ReviewedMove, review
from hoodwink.domain.kernel import Names
from hoodwink.domain.phrases import counted
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.proving.log import names_in_log
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import UNOPENED, Table, is_person
from hoodwink.domain.words import seating_of
from hoodwink.service.cli.playback.lines import coloured
from hoodwink.service.cli.playback.recording import parsed_log
from hoodwink.service.cli.shared.files import EXPORTED_LOG, table_log
from hoodwink.service.cli.shared.progress import progress_bars

_STYLES = {"best": "green", "fine": "green", "slip": "yellow", "mistake": "red"}


@click.command("review")
@click.argument("file", type=EXPORTED_LOG)
@click.option("--seat", type=click.IntRange(min=0), help="Whose moves; by default those of the only person.")
def command(*, file: Path, seat: int | None) -> None:
    """Compare a seat's moves in an exported log with what the bot Expert would have done.

    Expert knows only what the seat knew at that time. Prints the moves with a choice, and how much they mattered. With -
    as FILE, the command reads standard input.
    """
    log = table_log(file)
    header, entries = parsed_log(file, log)
    # First, because the functions below trust the events, and fail anywhere in a log that breaks the rules.
    if not verify_log(log).valid:
        raise click.ClickException(
            f"{file} is not valid. `hoodwink verify {file}` says where it was changed."
        )
    events, names = decoded(entries, decode_event), names_in_log(header.names)
    table = UNOPENED
    for recorded in events:
        table = evolve(table, recorded)
    if table.rulebook.lookahead is None:
        raise click.ClickException(f"Bots cannot think ahead in {table.rulebook.title}, so it has no review.")
    chosen = _only_person(table, names) if seat is None else _checked(table, seat)
    with progress_bars() as progress:
        task = progress.add_task("moves compared", total=None)

        def done(count: int, total: int) -> bool:
            progress.update(task, completed=count, total=total)
            # Never stops early: there is no limit of time as for a job of the service.
            return True

        found = review(events, chosen, names, done)
    _print(found, table, names)


def _only_person(table: Table, names: Names) -> int:
    people = [seat for seat in range(len(table.seats)) if is_person(table, seat)]
    if len(people) == 1:
        return people[0]
    seats = ", ".join(f"{seat} ({name})" for seat, name in enumerate(seating_of(table, names).names))
    raise click.UsageError(f"Name a seat with --seat: {seats}.")


def _checked(table: Table, seat: int) -> int:
    if seat >= len(table.seats):
        last = len(table.seats) - 1
        raise click.ClickException(f"There is no seat {seat}; the table has seats 0 to {last}.")
    return seat


def _print(found: Review, table: Table, names: Names) -> None:
    console = Console(soft_wrap=True, highlight=False)
    who, round_ = seating_of(table, names).names[found.seat], 0
    console.print(
        coloured(f"{table.rulebook.title}: the moves of {who}, next to what Expert would have done.")
    )
    for move in found.moves:
        if move.round != round_:
            round_ = move.round
            console.print(f"\nRound {round_}")
        console.print(_line(move))
    console.print(f"\n{_summary(found)}")


def _line(move: ReviewedMove) -> Text:
    line = Text.assemble(
        (f"{move.version:>5}", "dim"), "  ", (f"{move.quality:<7}", _STYLES[move.quality]), "  "
    )
    line.append_text(coloured(move.played_words))
    if move.quality != "best":
        line.append_text(coloured(f"; Expert would {move.best_words}"))
        best, result = f"{move.best_result:.0%}", f"{move.result:.0%}"
        if best != result:
            line.append(f" ({best} rather than {result})", "dim")
    return line


def _summary(found: Review) -> str:
    """Returns the counts of a review in words."""
    if not found.moves:
        return "There was no move with a choice."
    counts = Counter(move.quality for move in found.moves)
    return (
        f"{counted(len(found.moves), 'move')} with a choice: {counts['best']} as good as Expert's, {counts['fine']} almost as "
        f"good, {counted(counts['slip'], 'slip')}, {counted(counts['mistake'], 'mistake')}. The percentages are the result of "
        f"the round to expect: {found.scale}"
    )
