"""A file with the results of tasks, so that a long run can be interrupted and continued."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from hoodwink.domain.bots import VERSIONS
from hoodwink.service.simulation.arena.tasks import Played, Task
from hoodwink.service.simulation.outside.mistakes import Mistakes

_Key: TypeAlias = bytes


class _Line(msgspec.Struct, frozen=True):
    """The results of built-in bots in a task.

    Attributes:
        versions: those of both levels, because a level of another version may play otherwise.
    """

    task: Task
    versions: tuple[int, int]
    scores: list[tuple[int, ...]]
    times_ns: dict[str, list[int]]


class KeptResults:
    """The results in a file of JSON lines. Several runs may append to the same file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Mapping[_Key, Played]:
        """Returns the results by `key_of` their tasks; nothing if there is no file yet."""
        found: dict[_Key, Played] = {}
        for text in self._path.read_bytes().splitlines() if self._path.exists() else ():
            try:
                line = msgspec.json.decode(text, type=_Line)
            except msgspec.DecodeError:
                continue  # a run was killed while it wrote the line
            if line.versions == _versions(line.task):
                found[key_of(line.task)] = Played(line.scores, line.times_ns, Mistakes())
        return found

    def append(self, task: Task, played: Played) -> None:
        line = msgspec.json.encode(_Line(task, _versions(task), played.scores, played.times_ns))
        with self._path.open("ab") as file:
            # The last line may have been cut off.
            file.write(b"\n" + line)


def key_of(task: Task) -> _Key:
    return msgspec.json.encode(task)


def _versions(task: Task) -> tuple[int, int]:
    return VERSIONS[task.pairing.first], VERSIONS[task.pairing.second]
