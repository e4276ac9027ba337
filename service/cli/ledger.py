"""`hoodwink ledger`: the journal as plain text, what an account holds, and statements."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from service.application.csv_statement import csv_text
from service.application.errors import NotFound, NotFoundCode
from service.application.journal import journal_text
from service.application.ledger import EVENT_PATTERN
from service.application.ports import StreamId
from service.application.projections import Cursor
from service.application.statements import Extract, Statement, Statements, Unit
from service.bootstrap import Service
from service.cli.files import out_option
from service.cli.reach import reached_service

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
    """Write the whole journal as a text that both hledger and bean-check accept."""
    with reached_service() as service:
        entries = list(service.ledger.journal())[::-1]
    text = "".join(journal_text(entries))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"1 entry is in {out}." if len(entries) == 1 else f"{len(entries)} entries are in {out}.")


@command.command("balance", short_help="Show what an account gained in each game.")
@click.argument("account")
@click.option("--as-of", metavar="TABLE:VERSION", help="Right after that event; by default now.")
def balance(account: str, as_of: str | None) -> None:
    """Show what ACCOUNT gained in each game: player:ID, bot:POLICY or table:ID."""
    kind, name = _parted(account, _ACCOUNTS, "ACCOUNT")
    _check_event(as_of)
    with reached_service() as service:
        _check_there(service, kind, name)
        before = None if as_of is None else service.ledger.right_after(as_of)
        for one in service.ledger.balances(account, before=before):
            click.echo(f"{one.game:<14}{one.amount:>8} {one.unit}")


@command.command("statement", short_help="Write a statement as CSV.")
@click.argument("of")
@click.option("--from", "since", type=_TIME, help="Only what happened then or later; UTC.")
@click.option("--until", type=_TIME, help="Only what happened before; UTC.")
@click.option("--as-of", metavar="TABLE:VERSION", help="The books right after that event; by default now.")
@click.option("--unit", type=click.Choice(["token", "point"]), help="Only what is counted in it.")
@out_option
def statement(
    *,
    of: str,
    since: datetime | None,
    until: datetime | None,
    as_of: str | None,
    unit: Unit | None,
    out: Path | None,
) -> None:
    """Write the statement OF player:ID, bot:POLICY, table:ID or tournament:ID as CSV, the latest line first.

    Each line is what a journal entry moved on an account, with the balance right after it: of a player or a bot
    altogether, and within the table or the tournament in a statement of these.
    """
    kind, name = _parted(of, _STATEMENTS, "OF")
    _check_event(as_of)
    with reached_service() as service:
        _check_there(service, kind, name)
        ends = [Cursor(_milliseconds(until), "")] if until else []
        if as_of is not None:
            ends.append(service.ledger.right_after(as_of))
        before = min(ends, key=lambda end: (end.order, end.key), default=None)
        extract = Extract(since=_milliseconds(since) if since else 0, before=before, unit=unit)
        lines = [line for page in _pages(service.statements, kind, name, extract) for line in page.lines]
    text = csv_text(lines)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8", newline="")
        click.echo(f"1 line is in {out}." if len(lines) == 1 else f"{len(lines)} lines are in {out}.")


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


def _parted(text: str, kinds: Mapping[str, str], parameter: str) -> tuple[str, str]:
    """Returns kind and name of what is asked for."""
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


def _check_there(service: Service, kind: str, name: str) -> None:
    """Raises `NotFound` for what does not exist; of a bot nobody can tell."""
    match kind:
        case "player":
            service.players.get(name)
        case "table":
            service.tables.load(name)
        case "tournament" if not service.store.version(StreamId("tournament", name)):
            raise NotFound(NotFoundCode.TOURNAMENT_NOT_FOUND)


def _milliseconds(moment: datetime) -> int:
    return round(moment.replace(tzinfo=UTC).timestamp() * 1000)
