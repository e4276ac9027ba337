"""`hoodwink admin`: what administrators do on the machine, the list of it, and their tokens."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from getpass import getuser
from typing import Any, Final, TypeVar

import click

from hoodwink.domain.administration import Act
from hoodwink.domain.kernel import Names, visible
from hoodwink.domain.players import Player, checked_name, hash_token
from hoodwink.domain.tables.state import Table, people_at
from hoodwink.domain.tournaments.life.state import setup_of
from hoodwink.domain.words import seating_of
from hoodwink.service.application.commands import intents, tournament_intents
from hoodwink.service.application.players.administrators import LISTED_PATTERN, new_token
from hoodwink.service.application.players.identity import Use
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.output import say

C = TypeVar("C", bound=Callable[..., Any])

_ROTATED: Final = {Use.STREAM_TOKENS: Act.ROTATE_STREAM_TOKENS, Use.INVITATIONS: Act.ROTATE_INVITATIONS}


@click.group("admin")
def command() -> None:
    """Ban, rename and erase players, end and void tables, and list what was done.

    Only names that HOODWINK_ADMINISTRATORS lists are accepted. Each act is an event, which `log` shows. Reasons are kept
    apart from the events, which hold only a salted hash, and can be erased.
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
        listed = service.administrators.names
        if name not in listed:
            known = f"names {', '.join(sorted(listed))}" if listed else "names nobody"
            raise click.ClickException(
                f"{name} is no administrator of this service: its HOODWINK_ADMINISTRATORS {known}. "
                f"`hoodwink admin token {name}` makes an entry; start the service with it."
            )
        yield service


def _confirm(question: str, *, yes: bool) -> None:
    if not yes:
        click.confirm(visible(f"{question} This cannot be undone."), abort=True)


# ------------------------------------------------------------------------------- tables and tournaments


@command.command("void", short_help="Void a table that has ended.")
@click.argument("table")
@_reason("which everybody can read")
@_name
@_yes
def void(*, table: str, reason: str, name: str, yes: bool) -> None:
    """Void TABLE, which must have ended: its result no longer counts.

    Each of its journal entries is reversed; lists, statistics and histories follow. This cannot be undone.
    """
    with _as_administrator(name) as service:
        ended = service.tables.load(table).state
        _confirm(f"Void {_described(service, ended)}?", yes=yes)
        digest = service.administration.record(
            name,
            Act.VOID_TABLE,
            table,
            reason=reason,
            check=lambda digest: service.tables.check(table, intents.void(name, digest)),
        )
        version = service.tables.execute(table, intents.void(name, digest)).after.state.version
    say(f"Table {table} is void as of version {version}: {reason} ({name})")


@command.command("end-table", short_help="End a table at which nobody plays any more.")
@click.argument("table")
@_name
@_yes
def end_table(*, table: str, name: str, yes: bool) -> None:
    """End TABLE, at which only bots play or are left; it ends without a result.

    To end a table at which people play, ban those who misuse it: they resign by that.
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
@_reason("which everybody can read")
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
            check=lambda digest: service.tournaments.check(tournament, tournament_intents.end(digest)),
        )
        service.tournaments.execute(tournament, tournament_intents.end(digest))
    say(f"Tournament {tournament} is cancelled: {reason} ({name})")


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
    """Ban PLAYER, who can from now on only read, and erase themselves.

    The player resigns at tables in play, leaves those that have not started, closes open ones as their host, and
    withdraws from tournaments. Tournaments that the player organises go on; `end-tournament` cancels one. Afterwards
    `unban` lifts the ban, but brings no seat back.
    """
    with _as_administrator(name) as service:
        found = _found(service, player)
        if not yes:
            click.confirm(visible(f"Ban {found.name} ({player})?"), abort=True)
        service.administration.record(name, Act.BAN_PLAYER, player, reason=reason)
        service.erasure.ban(player)
    say(visible(f"{found.name} ({player}) is banned. ({name})"))


@command.command("unban", short_help="Lift the ban of a player.")
@click.argument("player")
@_name
def unban(*, player: str, name: str) -> None:
    """Lift the ban of PLAYER, who can do everything again."""
    with _as_administrator(name) as service:
        found = _found(service, player)
        if not found.is_banned:
            raise click.ClickException(visible(f"{found.name} ({player}) is not banned."))
        service.administration.record(name, Act.LIFT_BAN, player)
        service.players.lift_ban(player)
    say(visible(f"{found.name} ({player}) is no longer banned. ({name})"))


@command.command("rename", short_help="Give a player another name.")
@click.argument("player")
@click.argument("new_name", metavar="NAME")
@_name
def rename(*, player: str, new_name: str, name: str) -> None:
    """Give PLAYER another NAME, which everybody is shown from now on."""
    with _as_administrator(name) as service:
        found = _found(service, player)
        service.administration.record(name, Act.RENAME_PLAYER, player, check=lambda _: checked_name(new_name))
        renamed = service.players.rename_other(player, new_name)
    say(visible(f"{found.name} ({player}) is now called {renamed.name}. ({name})"))


@command.command("erase", short_help="Erase a player.")
@click.argument("player")
@_name
@_yes
def erase(*, player: str, name: str, yes: bool) -> None:
    """Erase PLAYER: the token ends, and everybody is shown `someone who left` in place of the name.

    The player gives up seats and entries as with `ban`. A player who organises a tournament that is not over cannot be
    erased; cancel it first.
    """
    with _as_administrator(name) as service:
        found = _found(service, player)
        _confirm(f"Erase {found.name} ({player})?", yes=yes)
        service.erasure.check_organising(player)
        service.administration.record(name, Act.ERASE_PLAYER, player)
        service.erasure.erase_other(player)
    say(f"Player {player} is erased. ({name})")


def _found(service: Service, player: str) -> Player:
    return service.players.get(player)


# ------------------------------------------------------------------------------- the installation


@command.command("rotate", short_help="Replace a key, so that what followed from it ends.")
@click.argument("use", type=click.Choice([use.value for use in Use]))
@_name
@_yes
def rotate(*, use: str, name: str, yes: bool) -> None:
    """Replace the key of stream tokens or of invitation codes.

    Every process follows within a second. Stream tokens issued before are refused, and browsers get others; live
    streams go on. Invitation codes and links given out before are refused; hosts find the new ones at their tables. Ids,
    players' own tokens and the results of repeated requests stay as they are. If this fails, run it again.
    """
    with _as_administrator(name) as service:
        _confirm(f"End all {use.replace('-', ' ')} that are in use?", yes=yes)
        service.identities.rotate(Use(use))
        # Afterwards, because the processes of the API read the key when they hear of the event.
        service.administration.record(name, _ROTATED[Use(use)])
    say(f"The key of {use} is replaced. ({name})")


@command.command("log", short_help="List what administrators did.")
def log() -> None:
    """List what administrators did, with the reasons that were not erased.

    Each line has a number, the time (UTC), the name, the act, and the id of what it was done to.
    """
    with connected_service() as service:
        for act in service.administration.acts():
            at = f"{datetime.fromtimestamp(act.at / 1000, UTC):%Y-%m-%d %H:%M:%S}"
            event = act.event
            reason = act.reason or ("(reason erased)" if event.reason else "")
            parts = (f"{act.number:4}", at, event.admin, event.act, event.subject, reason)
            say(visible("  ".join(filter(None, parts))))


@command.command("erase-reason", short_help="Erase the reason of an act.")
@click.argument("number", type=click.IntRange(min=1))
@_name
@_yes
def erase_reason(*, number: int, name: str, yes: bool) -> None:
    """Erase the reason of act NUMBER (see `log`), wherever it is shown; its hash stays."""
    with _as_administrator(name) as service:
        _confirm(f"Erase the reason of act {number}?", yes=yes)
        service.administration.erase_reason(name, number)
    say(f"The reason of act {number} is erased. ({name})")


@command.command("token", short_help="Create an administrator's token.")
@click.argument("name")
def token(name: str) -> None:
    """Create a token for the administrator NAME, and print the setting that makes it valid."""
    created = new_token()
    listed = f"{name}={hash_token(created)}"
    if not re.fullmatch(LISTED_PATTERN, listed):
        raise click.BadParameter(
            "use 1 to 32 lower-case letters, digits, dots, hyphens or underscores, beginning with a letter or a digit",
            param_hint="NAME",
        )
    click.echo(f"{created}\n")
    click.echo("The token is shown only now. Start the service with its hash:", err=True)
    click.echo(f"HOODWINK_ADMINISTRATORS={listed}")
