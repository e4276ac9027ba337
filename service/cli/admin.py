"""`hoodwink admin`: the administrators' commands, the log of these, and tokens."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from getpass import getuser
from typing import Any, Final, TypeVar

import click

from hoodwink.domain.administration import Act, is_reason_digest
from hoodwink.domain.kernel import Names
from hoodwink.domain.players import hash_token
from hoodwink.domain.series.state import plan_of
from hoodwink.domain.tables.state import Table, people_at
from hoodwink.domain.tournaments.life import Cancel
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.domain.words import seating_of
from hoodwink.service.application.commands import intents, series_intents
from hoodwink.service.application.commands.tournament_intents import administer
from hoodwink.service.application.players.administrators import LISTED_PATTERN, new_token
from hoodwink.service.application.players.identity import Use
from hoodwink.service.application.players.legibility import visible
from hoodwink.service.application.players.new_names import checked_name
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.output import say

C = TypeVar("C", bound=Callable[..., Any])

_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")
_ROTATED: Final = {Use.STREAM_TOKENS: Act.ROTATE_STREAM_TOKENS, Use.INVITATIONS: Act.ROTATE_INVITATIONS}


@click.group("admin")
def command() -> None:
    """Ban, rename and erase players, end and void tables, and list what administrators did.

    Only names in HOODWINK_ADMINISTRATORS are accepted. Each act is recorded as an event, which `log` shows. Reasons
    can be erased: they are stored apart from the events, which contain only a salted hash.
    """


def _name(function: C) -> C:
    return click.option(
        "--name", default=getuser, show_default="your login name", help="The name of the administrator."
    )(function)


def _yes(function: C) -> C:
    return click.option("--yes", is_flag=True, help="Do not ask for confirmation.")(function)


def _reason(about: str) -> Callable[[C], C]:
    return click.option("--reason", required=True, help=f"The reason, {about}.")


@contextmanager
def _as_administrator(name: str) -> Iterator[Service]:
    """Yields the service; raises `ClickException` unless the operator lists the name."""
    with connected_service() as service:
        # A name is enough: anybody who can run this reaches Redis, and could change the data without it.
        listed = service.administrators.names
        if name not in listed:
            known = f"lists {', '.join(sorted(listed))}" if listed else "is empty"
            raise click.ClickException(
                f"{name} is not an administrator of this service: its HOODWINK_ADMINISTRATORS {known}. "
                f"`hoodwink admin token {name}` creates an entry; restart the service with it."
            )
        yield service


def _confirm(question: str, *, yes: bool) -> None:
    if not yes:
        # `visible`, because questions contain names that players chose.
        click.confirm(visible(f"{question} This cannot be undone."), abort=True)


# ------------------------------------------------------------------------------- tables and tournaments


@command.command("void", short_help="Void a table that has ended.")
@click.argument("table")
@_reason("which everyone can read")
@_name
@_yes
def void(*, table: str, reason: str, name: str, yes: bool) -> None:
    """Void TABLE, which must have ended: its result no longer counts.

    Each of its journal entries is reversed; lists, statistics and histories follow. This cannot be undone.
    """
    with _as_administrator(name) as service:
        ended = service.tables.load(table).state
        _confirm(f"Void {_described(service, ended)}?", yes=yes)
        # Recorded first, like every act: nothing may take effect without a record. `check` runs before that, so that a
        # rejected act is not recorded as done.
        digest = service.administration.record(
            name,
            Act.VOID_TABLE,
            table,
            reason=reason,
            check=lambda digest: service.tables.check(table, intents.void(name, digest)),
        )
        # The log has only the hash of the reason, so that the text can be erased.
        version = service.tables.execute(table, intents.void(name, digest)).after.state.version
    say(f"Table {table} is void as of version {version}: {reason} ({name})")


@command.command("end-table", short_help="End a table with only bots left.")
@click.argument("table")
@_name
@_yes
def end_table(*, table: str, name: str, yes: bool) -> None:
    """End TABLE without a result, if only bots still play there.

    You cannot end a table at which people play. If they misuse it, ban them; they resign when they are banned.
    """
    with _as_administrator(name) as service:
        _confirm(f"End {_described(service, service.tables.load(table).state)}?", yes=yes)
        service.administration.record(
            name, Act.END_TABLE, table, check=lambda _: service.tables.check(table, intents.end)
        )
        service.tables.execute(table, intents.end)
    say(f"Table {table} has ended without a result. ({name})")


@command.command("end-tournament", short_help="Cancel a tournament.")
@click.argument("tournament")
@_reason("which everyone can read")
@_name
@_yes
def end_tournament(*, tournament: str, reason: str, name: str, yes: bool) -> None:
    """Cancel TOURNAMENT; its open tables end without a result."""
    with _as_administrator(name) as service:
        title = setup_of(service.tournaments.load(tournament).state).name
        _confirm(f"Cancel tournament {tournament} ({title})?", yes=yes)
        digest = service.administration.record(
            name,
            Act.END_TOURNAMENT,
            tournament,
            reason=reason,
            check=lambda digest: service.tournaments.check(tournament, administer(Cancel(digest))),
        )
        service.tournaments.execute(tournament, administer(Cancel(digest)))
    say(f"Tournament {tournament} is cancelled: {reason} ({name})")


@command.command("end-series", short_help="End a series.")
@click.argument("series")
@_reason("which everyone can read")
@_name
@_yes
def end_series(*, series: str, reason: str, name: str, yes: bool) -> None:
    """Open no further tournament of SERIES; those that are open stay, and `end-tournament` cancels one."""
    with _as_administrator(name) as service:
        title = plan_of(service.series.load(series).state).setup.name
        _confirm(f"End series {series} ({title})?", yes=yes)
        digest = service.administration.record(
            name,
            Act.END_SERIES,
            series,
            reason=reason,
            check=lambda digest: service.series.check(series, series_intents.close(digest)),
        )
        service.series.execute(series, series_intents.close(digest))
    say(f"Series {series} has ended: {reason} ({name})")


def _described(service: Service, table: Table) -> str:
    names: Names = service.players.names(people_at(table))
    return f"table {table.id} ({table.rulebook.title}: {', '.join(seating_of(table, names).names)})"


# ------------------------------------------------------------------------------- players


@command.command("ban", short_help="Ban a player.")
@click.argument("player")
@_reason("which only `hoodwink admin log` shows")
@_name
@_yes
def ban(*, player: str, reason: str, name: str, yes: bool) -> None:
    """Ban PLAYER. From then on, the player can only read, and erase themselves.

    The player resigns at tables in play, leaves those that have not started, closes open ones as their host, and
    withdraws from tournaments, also as an official. Tournaments that the player organises continue; `end-tournament`
    cancels one. `unban` lifts the ban later, but does not give seats back.
    """
    with _as_administrator(name) as service:
        found = service.players.get(player)
        if not yes:  # not `_confirm`, because a ban can be lifted
            click.confirm(visible(f"Ban {found.name} ({player})?"), abort=True)
        service.administration.record(name, Act.BAN_PLAYER, player, reason=reason)
        service.erasure.ban(player)
    say(f"{found.name} ({player}) is banned. ({name})")


@command.command("unban", short_help="Lift the ban of a player.")
@click.argument("player")
@_name
def unban(*, player: str, name: str) -> None:
    """Lift the ban of PLAYER, who can do everything again."""
    with _as_administrator(name) as service:
        found = service.players.get(player)
        # Before the record, which must not contain an act without an effect.
        if not found.is_banned:
            raise click.ClickException(visible(f"{found.name} ({player}) is not banned."))
        service.administration.record(name, Act.LIFT_BAN, player)
        service.players.lift_ban(player)
    say(f"{found.name} ({player}) is no longer banned. ({name})")


@command.command("rename", short_help="Give a player another name.")
@click.argument("player")
@click.argument("new_name", metavar="NAME")
@_name
def rename(*, player: str, new_name: str, name: str) -> None:
    """Give PLAYER another NAME, which everyone sees from then on."""
    with _as_administrator(name) as service:
        found = service.players.get(player)
        # An illegible name is rejected before it is recorded.
        service.administration.record(name, Act.RENAME_PLAYER, player, check=lambda _: checked_name(new_name))
        renamed = service.players.rename_other(player, new_name)
    say(f"{found.name} ({player}) is now called {renamed.name}. ({name})")


@command.command("erase", short_help="Erase a player.")
@click.argument("player")
@_name
@_yes
def erase(*, player: str, name: str, yes: bool) -> None:
    """Erase PLAYER: the token becomes invalid, and everyone sees `someone who left` instead of the name.

    The player gives up seats and entries as with `ban`. If the player organises a tournament that is not over, cancel
    it first.
    """
    with _as_administrator(name) as service:
        found = service.players.get(player)
        _confirm(f"Erase {found.name} ({player})?", yes=yes)
        service.erasure.check_organising(player)  # before it is recorded, as a rejected act must not be
        service.administration.record(name, Act.ERASE_PLAYER, player)
        service.erasure.erase_other(player)
    say(f"Player {player} is erased. ({name})")


# ------------------------------------------------------------------------------- the installation


@command.command("rotate", short_help="Replace a key and invalidate everything derived from it.")
@click.argument("use", type=click.Choice([use.value for use in Use]))
@_name
@_yes
def rotate(*, use: str, name: str, yes: bool) -> None:
    """Replace the key of stream tokens or of invitation codes.

    Every process uses the new key within a second. Earlier stream tokens become invalid, and browsers get new ones;
    open streams continue. Earlier invitation codes and links become invalid; hosts find new ones at their tables, and organisers at their desks. Ids,
    players' own tokens and the results of repeated requests do not change. If this fails, run it again.
    """
    with _as_administrator(name) as service:
        _confirm(f"Invalidate all current {use.replace('-', ' ')}?", yes=yes)
        service.identities.rotate(Use(use))
        # Recorded afterwards: the event makes the API processes read the key, so it must be stored by then.
        service.administration.record(name, _ROTATED[Use(use)])
    say(f"The key of {use} is replaced. ({name})")


@command.command("log", short_help="List what administrators did.")
def log() -> None:
    """List what administrators did, with all reasons that were not erased.

    Each line has a number, the time (UTC), the administrator's name, the act, and the id of the player or other subject.
    """
    with connected_service() as service:
        for act in service.administration.acts():
            at = f"{datetime.fromtimestamp(act.at / 1000, UTC):%Y-%m-%d %H:%M:%S}"
            event = act.event
            # An act without a reason has no hash, so a hash without a text belongs to an erased one.
            reason = act.reason or ("(reason erased)" if event.reason else "")
            parts = (f"{act.number:4}", at, event.admin, event.act, event.subject, reason)
            say("  ".join(filter(None, parts)))


@command.command("erase-reason", short_help="Erase the reason of an act.")
@click.argument("number")
@_name
@_yes
def erase_reason(*, number: str, name: str, yes: bool) -> None:
    """Erase the reason of act NUMBER (see `log`) wherever it is shown. Its hash remains.

    NUMBER may also be a hash from a log, such as that of a ruling in a tournament: `sha256:` and 64 hex digits.
    """
    if not (is_reason_digest(number) or _NUMBER.fullmatch(number)):
        raise click.BadParameter("use the number of an act, or a hash", param_hint="NUMBER")
    with _as_administrator(name) as service:
        _confirm(f"Erase the reason of act {number}?", yes=yes)
        if is_reason_digest(number):
            service.administration.erase_reason_of(name, number)
        else:
            service.administration.erase_reason(name, int(number))
    say(f"The reason of act {number} is erased. ({name})")


@command.command("token", short_help="Create an administrator's token.")
@click.argument("name")
def token(name: str) -> None:
    """Create a token for the administrator NAME, and print the setting that makes it valid."""
    created = new_token()
    listed = f"{name}={hash_token(created)}"
    if not re.fullmatch(LISTED_PATTERN, listed):
        raise click.BadParameter(
            "use 1 to 32 lower-case letters, digits, dots, hyphens or underscores, starting with a letter or a digit",
            param_hint="NAME",
        )
    click.echo(f"{created}\n")
    # On stderr, so that stdout has only the token and the setting.
    click.echo("The token is shown only once. Start the service with its hash:", err=True)
    click.echo(f"HOODWINK_ADMINISTRATORS={listed}")
