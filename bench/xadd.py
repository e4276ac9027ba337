"""The rate at which Redis adds entries to a stream when its clients do nothing else."""

import re
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from hoodwink.service.settings import Settings

CLIENTS: Final = 50
_KEY: Final = "hw:bench:xadd"
_COMMAND: Final = ("XADD", _KEY, "*", "type", "blindside.card_kept", "data", '{"seat":0,"card":"9S"}')
_EXPECTED_RATE: Final = 50_000
"""Commands per second. `redis-benchmark` takes a number of commands, not a duration, so this converts one to the other."""

_NUMBER: Final = re.compile(r'"([0-9.]+)"')


class Yardstick(NamedTuple):
    """A way to measure the rate for a number of seconds, and its name."""

    name: str
    measure: Callable[[Settings, float], float]


def xadd_yardstick() -> Yardstick:
    """Returns `redis-benchmark` if it is installed, otherwise a loop in Python."""
    program = shutil.which("redis-benchmark")
    if program is None:
        return Yardstick(
            f"{CLIENTS} clients in one Python process; redis-benchmark is not installed", loop_rate
        )
    return Yardstick(
        f"redis-benchmark, {CLIENTS} clients",
        lambda settings, seconds: _redis_benchmark_rate(program, settings, seconds),
    )


def _redis_benchmark_rate(program: str, settings: Settings, seconds: float) -> float:
    count = str(round(seconds * _EXPECTED_RATE))
    argv = [program, "-s", _socket_of(settings), "-c", str(CLIENTS), "-n", count, "--csv", *_COMMAND]
    output = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    return parse_rate(output)


def parse_rate(output: str) -> float:
    r"""Returns the rate in the output of `redis-benchmark --csv`, with or without a header line.

    >>> parse_rate('"test","rps"\n"XADD k * f v","61349.69"\n')
    61349.69
    """
    *_, rate = output.split()
    return float(_NUMBER.findall(rate)[0])


def loop_rate(settings: Settings, seconds: float) -> float:
    """Returns the rate from one Python process that always has one command in progress per connection."""
    command, poll, done = _pack(_COMMAND), select.poll(), 0
    clients = {client.fileno(): client for client in map(_connect, [_socket_of(settings)] * CLIENTS)}
    for number, client in clients.items():
        poll.register(number, select.POLLIN)
        client.sendall(command)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for number, _ in poll.poll():
            client = clients[number]
            reply = client.recv(4096)
            assert reply.startswith(b"$"), reply
            client.sendall(command)
            done += 1
    for client in clients.values():
        client.close()
    return done / seconds


def _pack(words: Sequence[str]) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(
        [b"$%d\r\n%b\r\n" % (len(word), word.encode()) for word in words]
    )


def _connect(path: str) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    return client


def _socket_of(settings: Settings) -> str:
    assert settings.redis_url is not None
    return unquote(urlsplit(settings.redis_url).path)
