"""The process of the hostile clients: `python -m tests.hostile.attackers`. It runs at low priority.

It reads the attack from standard input and writes the outcome to standard output, both as MessagePack.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter

import msgspec
import uvloop

from hoodwink.service.adapters.process.interpreter import python_module
from tests.hostile.requests import Client, Requests


class Assault(msgspec.Struct, frozen=True, kw_only=True):
    """The requests of each client, and the duration of their repetition in seconds."""

    host: str
    port: int
    clients: tuple[Requests, ...]
    seconds: float


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to hostile clients.

    Attributes:
        statuses: the number of answers by status.
        unanswered: the number of requests without an answer.
        bodies: an example of the body of each status of 400 and above.
    """

    statuses: dict[int, int]
    unanswered: int
    bodies: dict[int, bytes]


def begin(assault: Assault) -> subprocess.Popen[bytes]:
    """Begins an attack in another process."""
    process = subprocess.Popen(
        python_module("tests.hostile.attackers"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    process.stdin.write(msgspec.msgpack.encode(assault))
    process.stdin.close()
    return process


def outcome(process: subprocess.Popen[bytes]) -> Answers:
    """Waits for the end of an attack and returns its outcome."""
    with process:
        assert process.stdout
        found = process.stdout.read()
    assert not process.returncode, "the attack has failed"
    return msgspec.msgpack.decode(found, type=Answers)


async def _strike(assault: Assault) -> Answers:
    statuses, bodies, unanswered = Counter[int](), dict[int, bytes](), 0
    until = time.monotonic() + assault.seconds

    async def client(requests: Requests) -> None:
        nonlocal unanswered
        connection, sent = Client(assault.host, assault.port), 0
        while not sent or time.monotonic() < until:  # a busy machine may begin later
            answer = await connection.ask(requests[sent % len(requests)])
            sent += 1
            if answer is None:
                unanswered += 1
                continue
            statuses[answer.status] += 1
            if answer.status >= 400:
                bodies.setdefault(answer.status, answer.body[:500])
                await asyncio.sleep(
                    0.01
                )  # refusals are cheap for both, and a flood of them is another attack

    await asyncio.gather(*map(client, assault.clients))
    return Answers(statuses=dict(statuses), unanswered=unanswered, bodies=bodies)


def main() -> None:
    """Runs the attack described on standard input."""
    os.nice(19)
    assault = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Assault)
    sys.stdout.buffer.write(msgspec.msgpack.encode(uvloop.run(_strike(assault))))


if __name__ == "__main__":
    main()
