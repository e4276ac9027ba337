"""From settings to a running service, or to one part of it."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from msgspec.structs import replace

from service.adapters.embedded_redis import CannotStartRedis, EmbeddedRedis
from service.settings import Settings
from service.supervisor.checks import CannotStart, free_port
from service.supervisor.instance import Instance, hold_folder, note_instance
from service.supervisor.outside_redis import check_broker, check_partitions, check_redis
from service.supervisor.parts import Part
from service.supervisor.roster import PARTS, redis
from service.supervisor.supervisor import Supervisor


def serve(
    settings: Settings,
    *,
    announce: Callable[[Settings], None],
    say: Callable[[str], None],
    echo: Callable[[str, str], None] | None = None,
) -> None:
    """Runs the whole service until a signal ends it.

    Args:
        announce: is called when requests are answered, with the settings in force.
        say: is told, in a line for people, what goes wrong meanwhile.
        echo: is given every line that a part logs, with the part's name.

    Raises:
        CannotStart: something is in the way; nothing runs.
        GaveUp: a part could not be kept alive; nothing runs any more.
    """
    folder = settings.data_folder
    lock = hold_folder(folder)
    try:
        settings = replace(settings, data=str(folder), port=free_port(settings.host, settings.port))
        base: tuple[Part, ...] = ()
        if settings.redis_url:
            for doubt in check_redis(settings):
                say(doubt)
        else:
            check_broker(settings)
            embedded = _prepare_redis(folder / "redis", settings)
            settings = replace(settings, redis_url=embedded.url)
            base = (redis(embedded, check=partial(check_partitions, settings)),)
        _empty(folder / "metrics")
        note_instance(lock, Instance(process=os.getpid(), settings=settings))
        parts = (*base, *(make(settings, folder / "metrics") for make in PARTS.values()))
        supervisor = Supervisor(parts, logs=folder / "logs", say=say, echo=echo, holding=(lock,))
        supervisor.run(partial(announce, settings))
    finally:
        os.close(lock)


def become(name: str, settings: Settings, *, say: Callable[[str], None]) -> NoReturn:
    """Replaces this process by one part of the service. It writes to no folder.

    Args:
        say: is told, in a line for people, what is doubtful.

    Raises:
        CannotStart: no Redis is named, the one named does not fit, or the port of the API is taken.
    """
    if not settings.redis_url:
        raise CannotStart(f"set REDIS_URL to the Redis that the {name} shares with the other parts.")
    if name == "api":  # the server itself would share the port with whoever has it
        settings = replace(settings, port=free_port(settings.host, settings.port))
    for doubt in check_redis(settings):
        say(doubt)
    part = PARTS[name](settings, None)
    os.execve(part.argv[0], part.argv, {**os.environ, **part.environment})


def _prepare_redis(folder: Path, settings: Settings) -> EmbeddedRedis:
    embedded = EmbeddedRedis(folder=folder, fsync=settings.fsync)
    try:
        embedded.prepare()
    except CannotStartRedis as error:
        raise CannotStart(str(error)) from None
    return embedded


def _empty(folder: Path) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    except OSError as error:
        raise CannotStart(
            f"cannot write to {folder}: {error.strerror}. HOODWINK_DATA chooses another."
        ) from None
