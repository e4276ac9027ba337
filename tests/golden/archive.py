"""Archives all golden logs with the current revision of events: `python -m tests.golden.archive`."""

from collections.abc import Iterator

import msgspec

from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import split_logs
from hoodwink.service.adapters.archive.folder import Folder
from hoodwink.service.adapters.archive.frames import contents
from hoodwink.service.adapters.archive.segments import Segments, segment_name
from hoodwink.service.adapters.archive.shorthand import EVENTS_REVISION
from hoodwink.service.application.ports import WholeLog
from tests.golden.record import FOLDER

SEGMENTS = Segments(Folder(FOLDER / "segments"))


def golden_logs() -> Iterator[tuple[str, WholeLog]]:
    """Yields the log of each table and tournament, and a name for its stream."""
    for path in sorted(FOLDER.glob("*-*.*")):
        for number, log in enumerate(split_logs(path.read_bytes())):
            entries = tuple(msgspec.json.decode(line, type=Entry) for line in log.splitlines()[1:])
            category = entries[0].type.partition(".")[0]
            yield f"{category}:{path.stem}-{number}", WholeLog(entries, {entries[0].cmd: "fingerprint"})


if __name__ == "__main__":
    name = segment_name(0, 202611, EVENTS_REVISION)
    SEGMENTS.write(name, {stream: contents(log) for stream, log in golden_logs()})
