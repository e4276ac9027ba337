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


class NotResults(ValueError):
    """Raised for a file that contains something else."""


class KeptResults:
    """The results in a file of JSON lines. Several runs may append to the same file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Mapping[_Key, Played]:
        """Returns the results by `key_of` their tasks; nothing if there is no file yet.

        Raises:
            NotResults: no line of the file is a result, so it is another file that must not be changed.
        """
        texts = self._path.read_bytes().splitlines() if self._path.exists() else []
        lines = []
        for text in texts:
            try:
                lines.append(msgspec.json.decode(text, type=_Line))
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue  # a run was killed while it wrote the line
        if any(texts) and not lines:
            raise NotResults(
                f"{self._path} contains no results of an arena. Delete it, or choose another file."
            )
        return {
            key_of(line.task): Played(line.scores, line.times_ns, Mistakes())
            for line in lines
            if line.versions == _versions(line.task)
        }

    def append(self, task: Task, played: Played) -> None:
        line = msgspec.json.encode(_Line(task, _versions(task), played.scores, played.times_ns))
        with self._path.open("ab") as file:
            # The last line may have been cut off.
            file.write(b"\n" + line)


def key_of(task: Task) -> _Key:
    return msgspec.json.encode(task)


def _versions(task: Task) -> tuple[int, int]:
    return VERSIONS[task.pairing.first], VERSIONS[task.pairing.second]
