"""`hoodwink verify`: checks that an exported log is complete, fair and legal."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from hoodwink.domain.tables.fairness import SeedStatus
from hoodwink.domain.tables.proving.lineage import verify_lineage
from hoodwink.domain.tables.proving.log import count_events
from hoodwink.domain.tables.proving.proof import Finding
from hoodwink.domain.tables.proving.verify import Verdict
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.standings import standings
from hoodwink.service.cli.shared.files import EXPORTED_LOG, LOG_SUFFIXES, content, table_log, tournament_log
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.progress import checking
from hoodwink.service.cli.tournaments.tables import standings_grids


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
    help="The folder with the logs of the tables, if FILE is the log of a tournament.",
)
def command(*, file: Path, parents: tuple[Path, ...], tables: Path | None) -> None:
    """Check an exported log: hash chain, commitments, every deck, action and score.

    The log of a fork includes the play at its parent, which is also checked; --parent checks that it really took place
    there. The log of a tournament is checked together with the logs of its tables: every pairing, seat, seed, result
    and score. Its standings are printed. With - as FILE, the command reads standard input.

    Exits with 0 if the log is valid, otherwise with 1 after a line with the first fault and its location.
    """
    if tables is not None:
        if parents:
            raise click.UsageError("--parent is for the log of a table; leave it out with --tables.")
        _verify_tournament(file, tables)
    logs = tuple(table_log(log) for log in (file, *parents))
    with checking(sum(map(count_events, logs))) as on_progress:
        verdict = verify_lineage(logs, on_progress)
    say(verdict_sentence(verdict))
    sys.exit(0 if verdict.valid else 1)


def _verify_tournament(file: Path, folder: Path) -> NoReturn:
    log = tournament_log(file)
    # `export` writes the tournament's own log into the same folder. Compared by content, because standard input has no path.
    logs = sorted(
        path
        for path in folder.iterdir()
        if path.suffix in LOG_SUFFIXES and path.is_file() and not _contains(path, log)
    )
    events = count_events(log) + sum(count_events(content(table)) for table in logs)
    with checking(events) as on_progress:
        # One log at a time is read: a tournament may have thousands of tables.
        verdict = life.verify_log(log, map(content, logs), on_progress)
    say(tournament_verdict_sentence(verdict))
    if verdict.crosstable is not None:
        Console().print(
            standings_grids(verdict.crosstable, standings(verdict.crosstable, draw=verdict.draw).rows)
        )
    sys.exit(0 if verdict.valid else 1)


def _contains(path: Path, log: bytes) -> bool:
    return path.stat().st_size == len(log) and content(path) == log


def tournament_verdict_sentence(verdict: life.Verdict) -> str:
    finding = verdict.finding
    if finding is None:
        return (
            f"valid: tournament {verdict.tournament}, {verdict.events} events, {verdict.rounds} rounds, "
            f"{verdict.tables} tables. The hash chains are intact, every seed follows from the committed one, and every "
            "pairing, seat, result and score follows the rules."
        )
    where = "the tournament's log" if finding.table is None else f"the log of table {finding.table}"
    line = "" if finding.line is None else f", line {finding.line}"
    return f"INVALID in {where}{line}: {finding.code}: {finding.detail}"


def verdict_sentence(verdict: Verdict) -> str:
    if verdict.finding is None:
        rounds = "1 round" if verdict.rounds == 1 else f"{verdict.rounds} rounds"
        return (
            f"valid: table {verdict.table}, {verdict.game}, edition {verdict.edition}, {verdict.events} events, "
            f"{rounds}. The hash chain is intact, the server seed matches its commitment, and every deck, action and score "
            "follows the rules."
            f"{_seed_sentences(verdict)}{_void_sentence(verdict)}{_parent_sentence(verdict)}"
        )
    finding = verdict.finding
    event = "" if finding.version is None else f", event {finding.version}"
    return f"INVALID{at_line(finding)}{event}: {finding.code}: {finding.detail}"


def at_line(finding: Finding) -> str:
    """Returns ` at line N`, or nothing if the finding has no line."""
    return "" if finding.line is None else f" at line {finding.line}"


def _seed_sentences(verdict: Verdict) -> str:
    """Returns a sentence about each seed that was not revealed, and one if cards were dealt without a revealed seed."""
    seeds = [("The host", verdict.host_seed)]
    seeds += [(f"Seat {seat}", status) for seat, status in enumerate(verdict.player_seeds)]
    missing = [f" {holder} {_MISSING[status]}." for holder, status in seeds if status in _MISSING]
    # Before the first deal there were no cards that the service could have chosen.
    if verdict.rounds and all(status is not SeedStatus.REVEALED for _, status in seeds):
        missing.append(_NONE_REVEALED)
    return "".join(missing)


def _void_sentence(verdict: Verdict) -> str:
    voided = verdict.voided
    if voided is None:
        return ""
    return f" The result no longer counts: administrator {voided.admin} voided the table ({voided.reason})."


def _parent_sentence(verdict: Verdict) -> str:
    parent = verdict.parent
    if parent is None:
        return ""
    origin = f"version {parent.version} of table {parent.table}"
    if verdict.generations > 1:
        return f" It plays on from {origin}, as that table's log proves."
    return f" It plays on from {origin}, if that table's log agrees: check both with --parent."


_MISSING: Mapping[SeedStatus | None, str] = {
    SeedStatus.MISSED: "did not reveal its committed seed in time, so it counted as empty",
    SeedStatus.COMMITTED: "did not reveal its committed seed before the table ended",
}

_NONE_REVEALED = (
    " Nobody revealed a committed seed, so the service could have chosen the server seed to suit the cards."
)
