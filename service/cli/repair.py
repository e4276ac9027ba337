"""`hoodwink repair`: cuts off the damaged end of the embedded Redis's append-only file, after confirmation."""

import os
import sys

import click

from hoodwink.service.adapters.process.private_files import private_umask
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor import CannotStart, lock_folder
from hoodwink.service.supervisor.append_only_file import Damage
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis

_NOTHING = "The append-only file is not damaged."
_MORE = (
    "They contain complete writes, so stored events will be missing. If you have a backup that contains them, restore "
    "it instead. Afterwards run `hoodwink audit`."
)


@click.command("repair")
@click.option("--yes", is_flag=True, help="Do not ask before cutting.")
def command(*, yes: bool) -> None:
    """Cut off the damaged end of the append-only file, so that the embedded Redis can start again.

    Shows how many bytes cannot be read, and asks for confirmation. Saves these bytes in a file next to the data.
    """
    try:
        click.echo(repair(Settings.from_environment(os.environ), yes=yes) or _NOTHING)
    except (CannotStart, CannotStartRedis, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


def is_at_terminal() -> bool:
    """Returns whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def repair(settings: Settings, *, yes: bool = False) -> str | None:
    """Cuts off the damaged end after confirmation; returns a report, or `None` if nothing is damaged.

    Raises:
        CannotStart: there is no data, or a service is using it.
        CannotStartRedis: the data cannot be repaired this way.
        click.Abort: nobody confirmed.
    """
    if not settings.data_folder.exists():
        raise CannotStart(f"There is no data folder {settings.data_folder}: name it with HOODWINK_DATA.")
    with private_umask():  # the saved bytes may contain hidden cards and hashes of tokens
        return _repair(settings, yes=yes)


def _repair(settings: Settings, *, yes: bool) -> str | None:
    lock = lock_folder(settings.data_folder)  # a service that started now would write to the same file
    try:
        server = EmbeddedRedis(folder=settings.data_folder / "redis", fsync=settings.fsync)
        server.prepare()
        damage = server.damage()
        if damage is None:
            return None
        click.echo(_shown(damage), err=True)
        if not yes:
            click.confirm("Cut them off?", abort=True, err=True)
        return server.cut_off(damage)
    finally:
        os.close(lock)


def _shown(damage: Damage) -> str:
    cut = damage.size - damage.intact
    lines = [f"{damage.file}: the last {cut} of {damage.size} bytes cannot be read."]
    return "\n".join([*lines, _MORE] if damage.holds_writes else lines)
