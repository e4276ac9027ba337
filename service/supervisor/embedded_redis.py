"""An embedded Redis server: one for each data folder, with a private socket and an append-only file."""

import fcntl
import os
import re
import signal
import stat
import subprocess
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.adapters.redis.embedded_address import embedded_socket, embedded_url
from hoodwink.service.supervisor.append_only_file import CannotRepair, Damage, cut_off, find_damage
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, RedisBinary, find_redis

_GRACE_S: Final = 2.0
_PAUSE_S: Final = 0.01

# `aof-load-truncated no`: Redis itself would cut off an unfinished write, but not the MULTI before it (at least 6.2
# and 7.0). Later writes would follow an open transaction, and the next start would load other data than were
# acknowledged. `save ""`: the append-only file has everything, so a snapshot would only cost a fork and disk space.
# `port 0`: a TCP port would let every user of the machine connect; see docs/decisions/0028. `stream-node-…`: an event takes up
# to a fifth less memory than in nodes of 4 kB, and reading the last events of a stream takes 2 µs longer (docs/BENCHMARKS.md).
_CONFIG: Final = """\
# Written at every start; changes made here are lost.
port 0
unixsocket {socket}
unixsocketperm 700
dir {folder}
logfile {log}
appendonly yes
appendfsync {fsync}
aof-load-truncated no
save ""
stream-node-max-bytes 16384
stream-node-max-entries 200
"""


_UNFINISHED: Final = "Unexpected end of file reading the append only file"
_DAMAGED: Final = re.compile(
    rf"{_UNFINISHED}|(?:Bad file format|Unrecoverable error|Unknown command '.*') reading the append only file"
)


class CannotStartRedis(Exception):
    """Raised when the embedded server cannot be started. The message is one line for people."""


class EmbeddedRedis:
    """The server of one data folder. Either call `start`, or call `prepare` and run `argv`.

    Attributes:
        url: the address of the server.
        argv: the command that runs it.
    """

    def __init__(
        self,
        *,
        folder: Path,
        fsync: Literal["everysec", "always"] = "always",
        binary: RedisBinary | None = None,
    ) -> None:
        """Changes nothing on the disk yet.

        Args:
            folder: contains the data. Only this server may write there.
            fsync: when the append-only file is synced to the disk. With `always`, acknowledged writes survive a
                crash of the process and of the machine. With `everysec`, Redis may hold writes back for up to two
                seconds while the disk is slow, and loses them if it is killed then.
            binary: the server program, by default the first one found.
        """
        self._folder = folder.absolute()
        self._fsync = fsync
        self._binary = binary
        self._socket = embedded_socket(self._folder)
        self._config = self._folder / "redis.conf"
        self._log = self._folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None
        self.url = embedded_url(self._folder)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def argv(self) -> tuple[str, ...]:
        """The command that runs the server in the foreground."""
        assert self._binary, "prepare comes first"
        return (str(self._binary.path), str(self._config))

    @property
    def pid(self) -> int:
        """The process id of the server that `start` started."""
        assert self._process, "start comes first"
        return self._process.pid

    def prepare(self) -> None:
        """Finds the program, makes the folder private and writes the configuration.

        Raises:
            CannotStartRedis: there is no program, the folder cannot be used, or a server already runs on it.
        """
        try:
            self._binary = self._binary or find_redis(data=self._folder)
            _make_private(self._folder)
            _make_private(self._socket.parent)
            self._config.write_text(self._configuration(), encoding="utf-8")
        except (OSError, NoRedisBinary) as error:
            raise CannotStartRedis(f"The embedded Redis cannot use {self._folder}: {error}") from error
        if self.answers():
            raise CannotStartRedis(f"A Redis server already runs on {self._folder}.")
        if not self._binary.reads(self._folder):
            raise CannotStartRedis(
                f"{self._folder} was written by Valkey, and {self._binary.path} cannot read it: install Valkey 9 or newer."
            )

    def start(self, *, within_s: float = 120) -> None:
        """Starts the server, and returns when it has loaded its data and answers.

        On Linux the server ends with the calling thread, even if that is killed.

        Raises:
            CannotStartRedis: as for `prepare`, or the server ended or did not answer in time.
        """
        assert not self.is_running(), "a server is started once"
        try:
            self._take_lock()
            self.prepare()
            deadline = time.monotonic() + within_s
            try:
                self._run(deadline)
            except CannotStartRedis as error:
                if not self.repair([str(error)]):
                    raise
                self._run(deadline)
        except BaseException:
            self.stop()
            raise

    def _run(self, deadline: float) -> None:
        self._process = self._spawn()
        self._await_answer(deadline)

    def stop(self, *, within_s: float = 10) -> None:
        """Ends the server, which first syncs its append-only file to the disk. Does nothing if it has ended."""
        if self._process:
            self._process.terminate()  # Redis treats SIGTERM like SHUTDOWN, and no connection is needed
            try:
                self._process.wait(within_s)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def fault(self, lines: Sequence[str]) -> str | None:
        """Returns why the server cannot run with its data, according to the last lines of its log, or `None`."""
        assert self._binary, "prepare comes first"
        text = "\n".join(lines)
        if "Can't handle RDB format" in text:
            return f"{self._folder} was written by a newer Redis than {self._binary.path}."
        if damaged := next((line for line in lines if _DAMAGED.search(line)), None):
            return self._damaged(damaged.partition(" # ")[2] or damaged)
        return None

    def is_out_of_space(self, lines: Sequence[str]) -> bool:
        """Returns whether the server ended because it cannot write its file, which may be temporary."""
        return any("Can't recover from AOF write error" in line for line in lines)

    def repair(self, lines: Sequence[str]) -> str | None:
        """Cuts off the end of the append-only file if it is a single write that a crash interrupted.

        Args:
            lines: the last lines of the server's log.

        Returns:
            One line for people about the repair, or `None` if something else or more is wrong.

        Raises:
            CannotStartRedis: the end could not be copied or cut off.
        """
        if not any(_UNFINISHED in line for line in lines):
            return None
        damage = self.damage()
        # An unfinished write was never acknowledged. Anything more may have been, so a person has to decide.
        return None if damage is None or damage.holds_writes else self.cut_off(damage)

    def damage(self) -> Damage | None:
        """Returns the damage of the append-only file, or `None`. The server must not run."""
        assert self._binary, "prepare comes first"
        return find_damage(self._folder, self._binary.path)

    def cut_off(self, damage: Damage) -> str:
        """Cuts off the damaged end; returns one line for people about it. Raises `CannotStartRedis`."""
        assert self._binary, "prepare comes first"
        try:
            kept = cut_off(damage, self._binary.path)
        except CannotRepair as error:
            raise CannotStartRedis(str(error)) from None
        return (
            f"Cut {damage.size - damage.intact} bytes off the end of {damage.file}; they are kept in {kept}."
        )

    def _damaged(self, word: str) -> str:
        """Returns one line for people about the damage and its repair."""
        damage = self.damage()
        if damage is None:
            return f"Redis cannot load the data in {self._folder}: {word}. Restore a copy; see docs/OPERATING.md."
        return (
            f"The last {damage.size - damage.intact} of {damage.size} bytes of {damage.file} are damaged. Redis says: {word}. "
            f"`hoodwink repair` cuts them off and keeps them, or by hand: keep a copy, then {damage.command}"
        )

    def answers(self) -> bool:
        """Returns whether the server runs and has loaded its data. Never raises, and takes at most half a second."""
        client = Redis(
            unix_socket_path=str(self._socket),
            socket_timeout=0.5,
            retry=Retry(NoBackoff(), 0),  # redis-py's default retries would exceed the half second
            protocol=2,
            driver_info=None,
        )
        with client:
            try:
                return bool(client.ping())
            except RedisError:
                return False

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _configuration(self) -> str:
        return _CONFIG.format(
            socket=_quoted(self._socket),
            folder=_quoted(self._folder),
            log=_quoted(self._log),
            fsync=self._fsync,
        )

    def _take_lock(self) -> None:
        """Prevents other processes from starting a server in the folder."""
        if self._lock is not None:
            return
        try:
            _make_private(self._folder)
            self._lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotStartRedis(f"The embedded Redis cannot use {self._folder}: {error}") from error
        # The server inherits the lock, so one that was killed just now may hold it for another moment.
        deadline = time.monotonic() + _GRACE_S
        while not _is_locked(self._lock):
            if time.monotonic() > deadline:
                raise CannotStartRedis(f"A Redis server already runs on {self._folder}.")
            time.sleep(_PAUSE_S)

    def _spawn(self) -> subprocess.Popen[bytes]:
        assert self._lock is not None
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C must not end it before the processes that still write to it.
                start_new_session=True,
                # The server holds the lock while it runs, even without its parent.
                pass_fds=(self._lock,),
                preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
            )

    def _await_answer(self, deadline: float) -> None:
        while not self.answers():
            if not self.is_running():
                raise CannotStartRedis(f"The embedded Redis ended immediately: {self._last_line()}")
            if time.monotonic() > deadline:
                raise CannotStartRedis(f"The embedded Redis does not answer; see {self._log}.")
            time.sleep(_PAUSE_S)

    def _last_line(self) -> str:
        lines = self._log.read_text(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), f"see {self._log}")
        return last.partition(" # ")[2] or last


def _make_private(folder: Path) -> None:
    """Creates a folder that only this user may read; raises `OSError` if it belongs to another user."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Another user may have created it first in the temporary folder, to read the data or to pose as the server.
    found = folder.lstat()
    if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode):
        raise PermissionError(f"{folder} is not a folder of this user")
    folder.chmod(0o700)


def _is_locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
