"""The bots as which programs play. Their tokens are in files, so that a program is the same bot after a restart."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import click

from hoodwink.service.cli.shared.servers import DEFAULT_SERVER, check_reachable
from hoodwink_client import Client, models

C = TypeVar("C", bound=Callable[..., Any])


def account_options(command: C) -> C:
    """Adds the options for a server and an account to a command."""
    for option in (
        click.option(
            "--owner", help="Your name as the owner of your bots, if you are new; by default a guest's."
        ),
        click.option(
            "--accounts",
            type=click.Path(file_okay=False, path_type=Path),
            default=lambda: Path(click.get_app_dir("hoodwink")),
            help="The folder with your token and those of your bots; by default ~/.config/hoodwink, or on macOS "
            "~/Library/Application Support/hoodwink.",
        ),
        click.option(
            "--token-file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="A file with the token of a bot that you registered on the page; then no account is looked up or created.",
        ),
        click.option(
            "--server", default=DEFAULT_SERVER, show_default=True, help="The address of the server."
        ),
    ):
        # The help shows the option that is added last first.
        command = option(command)
    return command


def token_of(bot: str, *, server: str, accounts: Path, owner: str | None, token_file: Path | None) -> str:
    """Returns the token of the bot with this name on a server. Registers the bot, and its owner, the first time.

    Args:
        bot: the name.
        server: its address.
        accounts: the folder with the tokens.
        owner: the name of a new owner, or `None` for a guest.
        token_file: contains the token of a bot that exists; `bot` is not used then.

    Raises:
        ClickException: no server answers at the address, or a file does not contain a token.
        Refused: the server rejects a name, or another bot of this owner.
    """
    check_reachable(server)
    if token_file:
        return _read(token_file)
    folder = accounts / _safe(urlsplit(server).netloc)
    with Client(server) as client:

        def register_bot() -> models.Registered:
            client.token = _token(folder / "owner.token", lambda: client.register(owner))
            return cast("models.Registered", client.request("POST", "/v1/me/bots", {"name": bot}))

        return _token(folder / "bots" / f"{_safe(bot)}.token", register_bot)


def _token(file: Path, register: Callable[[], models.Registered]) -> str:
    """Returns the token in the file; if there is none, that of a new account, which is stored there."""
    if file.exists():
        return _read(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Created before the registration, because a token that cannot be stored is lost. Only the owner can read it.
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        try:
            token = register()["token"]
        except BaseException:
            file.unlink()
            raise
        opened.write(token)
    return token


def _read(file: Path) -> str:
    """Returns the token in a file; raises `ClickException` if the file contains anything else, or nothing."""
    # A header can carry only such characters. The file of an account is empty if its registration was killed.
    token = file.read_bytes().strip()
    if not re.fullmatch(rb"[!-~]+", token):
        raise click.ClickException(
            f"{file} does not contain a token, which is one word. Correct the file, or delete it to register again."
        )
    return token.decode()


def _safe(name: str) -> str:
    """Returns a name that no file system misunderstands, and that no other name shares.

    >>> _safe("127.0.0.1:8000"), _safe("../My bot")
    ('127.0.0.1%3a_8000', '..%2f_My%20_bot')
    """
    return re.sub(r"[^\w.-]", lambda sign: f"%{ord(sign[0]):x}_", name)
