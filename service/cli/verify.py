"""`hoodwink verify`: is an exported log whole, fair and legal?"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from domain.tables import SeedStatus, Verdict, verify_lineage
from domain.tournaments import life
from domain.tournaments.standings import standings
from service.cli.files import EXPORTED_LOG, LOG_SUFFIXES, content, table_log, tournament_log
from service.cli.tournament_tables import standings_grid


@click.command("verify")
@click.argument("file", type=EXPORTED_LOG)
@click.option(
    "--parent",
    "parents",
    type=EXPORTED_LOG,
    multiple=True,
    help="The log of the table that FILE was forked from; repeat it for that table's own parent, and so on.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder with the logs of a tournament's tables, where FILE is the log of a tournament.",
)
def command(*, file: Path, parents: tuple[Path, ...], tables: Path | None) -> None:
    """Check an exported log by itself: chain, commitment, every deck, action and score.

    Of a fork's log what was played at its parent is checked as well, and with --parent that it was played there.
    The log of a tournament is checked together with those of its tables: every pairing, seat, seed, result and score;
    the standings that follow are printed.
    With - as FILE it reads the standard input. Exits with 0 if the log is valid, with 1 and the place of the
    first fault if it is not.
    """
    if tables is not None:
        _verify_tournament(file, tables)
    verdict = verify_lineage(tuple(table_log(each) for each in (file, *parents)))
    click.echo(said(verdict))
    sys.exit(0 if verdict.valid else 1)


def _verify_tournament(file: Path, folder: Path) -> NoReturn:
    logs = sorted(
        path for path in folder.iterdir() if path.suffix in LOG_SUFFIXES and not path.samefile(file)
    )
    verdict = life.verify_log(tournament_log(file), map(content, logs))
    click.echo(said_of_tournament(verdict))
    if verdict.crosstable is not None:
        Console().print(
            standings_grid(verdict.crosstable, standings(verdict.crosstable, draw=verdict.draw).rows)
        )
    sys.exit(0 if verdict.valid else 1)


def said_of_tournament(verdict: life.Verdict) -> str:
    """Returns the verdict on a tournament as a sentence."""
    finding = verdict.finding
    if finding is None:
        return (
            f"valid: tournament {verdict.tournament}, {verdict.events} events, {verdict.rounds} rounds, "
            f"{verdict.tables} tables. The chains hold, every seed follows from the one that was committed to, and every "
            "pairing, seat, result and score follows the rules."
        )
    where = "the tournament's log" if finding.table is None else f"the log of table {finding.table}"
    place = "" if finding.line is None else f", line {finding.line}"
    return f"INVALID in {where}{place}: {finding.code}: {finding.detail}"


def said(verdict: Verdict) -> str:
    """Returns the verdict as a sentence."""
    if verdict.finding is None:
        rounds = "1 round" if verdict.rounds == 1 else f"{verdict.rounds} rounds"
        return (
            f"valid: table {verdict.table}, {verdict.game}, edition {verdict.edition}, {verdict.events} events, "
            f"{rounds}. The chain holds, the server seed matches its commitment, and every deck, action and score "
            "follows the rules."
            f"{_said_of_seeds(verdict)}{_said_of_void(verdict)}{_said_of_parent(verdict)}"
        )
    finding = verdict.finding
    place = "" if finding.line is None else f" at line {finding.line}"
    event = "" if finding.version is None else f", event {finding.version}"
    return f"INVALID{place}{event}: {finding.code}: {finding.detail}"


def _said_of_seeds(verdict: Verdict) -> str:
    """Returns a sentence about each seed that was not revealed, and one if cards were dealt without any that was."""
    seeds = [("The host", verdict.host_seed)]
    seeds += [(f"Seat {seat}", status) for seat, status in enumerate(verdict.player_seeds)]
    missing = [f" {holder} {_MISSING[status]}." for holder, status in seeds if status in _MISSING]
    if verdict.rounds and all(status is not SeedStatus.REVEALED for _, status in seeds):
        missing.append(_NONE_REVEALED)
    return "".join(missing)


def _said_of_void(verdict: Verdict) -> str:
    voided = verdict.voided
    if voided is None:
        return ""
    return f" The result counts no longer: administrator {voided.admin} voided the table ({voided.reason})."


def _said_of_parent(verdict: Verdict) -> str:
    parent = verdict.parent
    if parent is None:
        return ""
    moment = f"version {parent.version} of table {parent.table}"
    if verdict.generations > 1:
        return f" It plays on from {moment}, as that table's log proves."
    return f" It plays on from {moment}, if that table's log says so: check both with --parent."


_MISSING: Mapping[SeedStatus | None, str] = {
    SeedStatus.MISSED: "did not reveal its committed seed in time, so it counted as empty",
    SeedStatus.COMMITTED: "did not reveal its committed seed before the table ended",
}

_NONE_REVEALED = (
    " Nobody revealed a committed seed, so the service could have chosen its secret to suit the cards."
)
