"""`hoodwink ledger`: exports the journal, and shows balances and statements of accounts."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from hoodwink.domain.bots import POLICIES
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.application.reading.csv_statement import csv_text
from hoodwink.service.application.reading.journal import journal_text
from hoodwink.service.application.reading.ledger import EVENT_PATTERN
from hoodwink.service.application.reading.statements import Extract, Statement, Statements, Unit
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.files import out_option
from hoodwink.service.cli.shared.output import say

_ACCOUNTS: Final[Mapping[str, str]] = MappingProxyType({"player": "ID", "bot": "POLICY", "table": "ID"})
_STATEMENTS: Final[Mapping[str, str]] = MappingProxyType({**_ACCOUNTS, "tournament": "ID"})
_TIME: Final = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])
_PAGE: Final = 5_000


@click.group("ledger")
def command() -> None:
    """Read the double-entry ledger of all tables."""


@command.command("export", short_help="Write the whole journal for hledger and bean-check.")
@out_option
def export(out: Path | None) -> None:
    """Write the whole journal in a format that both hledger and bean-check accept."""
    with connected_service() as service:
        entries = list(service.ledger.journal())[::-1]  # latest first; a journal is chronological
    text = "".join(journal_text(entries))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        say(f"1 entry is in {out}." if len(entries) == 1 else f"{len(entries)} entries are in {out}.")


@command.command("balance", short_help="Show the balance of an account in each game.")
@click.argument("account")
@click.option(
    "--as-of", metavar="TABLE:VERSION", help="The balance right after this event; by default the current one."
)
def balance(account: str, as_of: str | None) -> None:
    """Show the balance of ACCOUNT in each game. ACCOUNT is player:ID, bot:POLICY or table:ID."""
    kind, name = _split(account, _ACCOUNTS, "ACCOUNT")
    _check_event(as_of)
    with connected_service() as service:
        _check_exists(service, kind, name)
        before = None if as_of is None else service.ledger.right_after(as_of)
        for shown in service.ledger.balances(account, before=before):
            say(f"{shown.game:<14}{shown.amount:>8} {shown.unit}")


@command.command("statement", short_help="Write a statement as CSV.")
@click.argument("subject")
@click.option("--from", "since", type=_TIME, help="Only lines from this time on; UTC.")
@click.option("--until", type=_TIME, help="Only lines before this time; UTC.")
@click.option(
    "--as-of",
    metavar="TABLE:VERSION",
    help="The statement right after this event; by default the current one.",
)
@click.option("--unit", type=click.Choice(["token", "point"]), help="Only lines in this unit.")
@out_option
def statement(
    *,
    subject: str,
    since: datetime | None,
    until: datetime | None,
    as_of: str | None,
    unit: Unit | None,
    out: Path | None,
) -> None:
    """Write the statement of SUBJECT as CSV, the latest line first.

    SUBJECT is player:ID, bot:POLICY, table:ID or tournament:ID.

    Each line shows a change of an account by a journal entry, and the balance right after it. In the statement of a
    table or tournament, the balance counts only the entries of that table or tournament.
    """
    kind, name = _split(subject, _STATEMENTS, "SUBJECT")
    _check_event(as_of)
    with connected_service() as service:
        _check_exists(service, kind, name)
        ends = [Cursor(_milliseconds(until), "")] if until else []
        if as_of is not None:
            ends.append(service.ledger.right_after(as_of))
        # Both limits apply, so the earlier one decides.
        before = min(ends, key=lambda end: (end.order, end.key), default=None)
        extract = Extract(since=_milliseconds(since) if since else 0, before=before, unit=unit)
        lines = [line for page in _pages(service.statements, kind, name, extract) for line in page.lines]
    text = csv_text(lines)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8", newline="")  # keeps the line ends of the CSV, CRLF
        say(f"1 line is in {out}." if len(lines) == 1 else f"{len(lines)} lines are in {out}.")


def _pages(statements: Statements, kind: str, name: str, extract: Extract) -> Iterator[Statement]:
    cursor, more = None, True
    while more:
        match kind:
            case "table":
                page = statements.of_table(name, extract, cursor=cursor, count=_PAGE)
            case "tournament":
                page = statements.of_tournament(name, extract, cursor=cursor, count=_PAGE)
            case _:
                found = statements.of_account(f"{kind}:{name}", extract, cursor=cursor, count=_PAGE)
                page = found.statement
        yield page
        cursor, more = page.more, page.more is not None


def _split(text: str, kinds: Mapping[str, str], parameter: str) -> tuple[str, str]:
    """Splits `kind:name`; raises `BadParameter` for an unknown kind or a missing name."""
    kind, _, name = text.partition(":")
    if kind not in kinds or not name:
        known = [f"{kind}:{name}" for kind, name in kinds.items()]
        raise click.BadParameter(
            f"{text!r} is not {', '.join(known[:-1])} or {known[-1]}", param_hint=parameter
        )
    return kind, name


def _check_event(as_of: str | None) -> None:
    if as_of is not None and not re.fullmatch(EVENT_PATTERN, as_of):
        raise click.BadParameter(f"{as_of!r} is not TABLE:VERSION", param_hint="--as-of")


def _check_exists(service: Service, kind: str, name: str) -> None:
    """Raises `NotFound` for a player, bot, table or tournament that does not exist."""
    match kind:
        case "bot" if name not in POLICIES:
            known = ", ".join(POLICIES)
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND, f"There is no such bot. The policies are: {known}.")
        case "player":
            service.players.get(name)
        case "table":
            service.tables.load(name)
        # The version alone tells, without a replay of the whole tournament.
        case "tournament" if not service.store.version(StreamId("tournament", name)):
            raise NotFound(NotFoundCode.TOURNAMENT_NOT_FOUND)


def _milliseconds(time: datetime) -> int:
    # The options have no time zone; their help says UTC.
    return round(time.replace(tzinfo=UTC).timestamp() * 1000)
