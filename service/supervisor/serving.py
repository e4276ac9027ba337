"""Runs a service, or one part of it, with given settings."""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

from msgspec.structs import replace

from hoodwink.service.adapters.process.audit_notes import FOLDER as AUDIT
from hoodwink.service.adapters.process.private_files import make_private, private_umask, set_private_umask
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import CannotStart, check_metrics_port, free_port, hold_port
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis
from hoodwink.service.supervisor.external_redis import check_broker, check_partitions, check_redis
from hoodwink.service.supervisor.instance import LOCK, Instance, lock_folder, record_instance
from hoodwink.service.supervisor.parts import Part
from hoodwink.service.supervisor.roster import PARTS, redis
from hoodwink.service.supervisor.supervisor import Supervisor

_OURS: Final = (LOCK, AUDIT, "logs", "metrics", "redis")
"""The contents of the data folder."""


def serve(
    settings: Settings,
    *,
    announce: Callable[[Settings], None],
    warn: Callable[[str], None],
    echo: Callable[[str], None] | None = None,
) -> None:
    """Runs the whole service until a signal ends it.

    Args:
        announce: called with the effective settings as soon as requests are answered.
        warn: called with each problem, in one line for people.
        echo: called with each line that a part logs.

    Raises:
        CannotStart: a check failed, and nothing was started.
        GaveUp: a part could not be kept running, and all others have been stopped.
    """
    with private_umask():
        _serve(settings, announce=announce, warn=warn, echo=echo)


def _serve(
    settings: Settings,
    *,
    announce: Callable[[Settings], None],
    warn: Callable[[str], None],
    echo: Callable[[str], None] | None,
) -> None:
    folder = settings.data_folder
    missing = _missing(folder)  # before the lock creates them
    lock = lock_folder(folder)
    try:
        for path in make_private(folder, _OURS):
            warn(f"{path} belongs to another user, and others may read it: choose another HOODWINK_DATA.")
        with ExitStack() as stack:
            try:
                settings = replace(settings, data=str(folder), port=free_port(settings.host, settings.port))
                stack.enter_context(hold_port(settings.host, settings.port))
                settings, parts = _prepare(settings, folder, warn)
            except CannotStart:
                _remove(missing)  # while the lock is held, so that nobody has started to use them
                raise
            record_instance(lock, Instance(process=os.getpid(), settings=settings))
            supervisor = Supervisor(parts, logs=folder / "logs", warn=warn, echo=echo, holding=(lock,))
            supervisor.run(partial(announce, settings))
    finally:
        os.close(lock)


def _prepare(
    settings: Settings, folder: Path, warn: Callable[[str], None]
) -> tuple[Settings, tuple[Part, ...]]:
    """Returns the effective settings and the parts to run; raises `CannotStart`."""
    check_metrics_port(settings)
    base: tuple[Part, ...] = ()
    if settings.redis_url:
        for warning in check_redis(settings):
            warn(warning)
    elif settings.replicas:
        raise CannotStart(
            "HOODWINK_REPLICAS asks for replicas, and the embedded Redis has none: set REDIS_URL to a Redis with "
            "replicas, or unset HOODWINK_REPLICAS."
        )
    else:
        check_broker(settings)
        embedded = _prepare_redis(folder / "redis", settings)
        settings = replace(settings, redis_url=embedded.url)
        base = (redis(embedded, settings, check=partial(check_partitions, settings), warn=warn),)
    _empty(folder / "metrics")  # the figures of an earlier run belong to processes that are gone
    made = [make for name, make in PARTS.items() if _has_slots(name, settings)]
    return settings, (*base, *(make(settings, folder / "metrics") for make in made))


def _has_slots(part: str, settings: Settings) -> bool:
    slots = {
        "jobs": settings.job_slots,
        "thinkers": settings.thinking_slots,
        "pushes": settings.push_slots,
    }
    return slots.get(part) != 0


def _missing(folder: Path) -> Sequence[Path]:
    """Returns those of the data folder and its parents that do not exist, innermost first."""
    try:
        return [path for path in (folder, *folder.parents) if not path.exists()]
    except OSError:  # `lock_folder` will report it
        return ()


def _remove(folders: Sequence[Path]) -> None:
    """Removes the data folder, and its parents if they are empty. The innermost comes first."""
    for folder in folders[:1]:
        shutil.rmtree(folder, ignore_errors=True)
    for folder in folders[1:]:
        with suppress(OSError):  # somebody else has put something there
            folder.rmdir()


def exec_part(name: str, settings: Settings, *, warn: Callable[[str], None]) -> NoReturn:
    """Replaces this process with one part of the service. The part writes to no folder.

    Args:
        warn: called with each warning, in one line for people.

    Raises:
        CannotStart: `REDIS_URL` is missing or unsuitable, or a port is taken.
    """
    if not settings.redis_url:
        raise CannotStart(
            f"REDIS_URL is not set. Set it to the Redis that the {name} shares with the other parts."
        )
    if name == "api":  # the server's SO_REUSEPORT would silently share a taken port
        settings = replace(settings, port=free_port(settings.host, settings.port))
    if not _has_slots(name, settings):
        raise CannotStart(f"The settings leave no slots to the part {name}, so there is nothing to run.")
    check_metrics_port(settings)
    for warning in check_redis(settings):
        warn(warning)
    part = PARTS[name](settings, None)
    set_private_umask()
    # Replaced, not started: the part keeps this process id, so an init system's or container's signals reach it.
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
            f"Cannot write to {folder}: {error.strerror}. Choose another folder with HOODWINK_DATA."
        ) from None
