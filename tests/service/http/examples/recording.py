"""Plays the scenes, and chooses examples for the API's description from them."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from hoodwink.service.http.description import API
from hoodwink.service.http.description.examples import ITSELF, PARTS, Part, Slot, slots_of
from hoodwink.service.http.description.openapi import document
from hoodwink.service.http.framework.operations import EVENT_STREAM, JSON, NDJSON
from tests.service.http.examples import jobs, operators, players, tables, tournaments
from tests.service.http.examples.recorder import Example, Recorder

ITEMS: Final = 2
OBJECTS: Final = 1
LINES: Final = 4
WIDTH: Final = 64
"""The length of an example: items and objects of a list, lines of a text, and characters of a line."""

_FIELD: Final = re.compile("^(event|id|data): ?(.*)$", re.MULTILINE)

SCENES: Final[tuple[Callable[[Recorder], None], ...]] = (
    players.account,
    players.bots,
    tables.before_the_start,
    tables.in_play,
    tables.my_tables,
    tables.clocks,
    tables.taking_back,
    tables.hosts,
    tables.rooms,
    tables.after_the_end,
    tables.advice,
    tables.books,
    tournaments.registration,
    tournaments.admission,
    tournaments.teams,
    tournaments.end,
    tournaments.rounds,
    tournaments.deals,
    tournaments.statements,
    tournaments.series,
    jobs.verification,
    operators.health,
)
"""Each is played on a new service, so a step added to one does not change the others."""


def record_examples() -> dict[str, list[Example]]:
    """Plays all scenes and returns the examples of each operation."""
    found: dict[str, list[Example]] = {}
    for scene in SCENES:
        recorder = Recorder()
        scene(recorder)
        shown_twice = found.keys() & recorder.examples.keys()
        assert not shown_twice, shown_twice
        found |= recorder.examples
    return found


def chosen(shown: Mapping[str, Sequence[Example]]) -> dict[Part, dict[str, Any]]:
    """Returns an example for each slot: from a GET request if possible, otherwise from the first operation."""
    found: dict[Part, dict[str, Any]] = {part: {} for part in PARTS}
    slots = [slot for slot in slots_of(document(API)) if slot.operation not in ITSELF]
    for slot in sorted(slots, key=lambda slot: slot.method != "GET"):
        for value in found_in(shown[slot.operation], slot):
            found[slot.part].setdefault(slot.key, shortened(value, slot))
    return {part: dict(sorted(values.items())) for part, values in found.items()}


def found_in(examples: Sequence[Example], slot: Slot) -> list[Any]:
    """Returns the recorded value for a slot."""
    match slot.part:
        case "parameters":
            texts = [example.parameters[slot.name] for example in examples if slot.name in example.parameters]
            return [
                int(text) if slot.described["schema"].get("type") == "integer" else text for text in texts
            ]
        case "headers":
            return [example.headers[slot.name] for example in examples if slot.name in example.headers]
        case "requests":
            return [example.body for example in examples if example.body is not None]
    answers = [example.answer for example in examples if example.media_type == slot.name]
    if slot.name == EVENT_STREAM:  # the schema describes one message; the example is a short one
        messages = [message for answer in answers for message in messages_in(answer)]
        return sorted(messages, key=lambda message: len(msgspec.json.encode(message)))
    if slot.name == NDJSON and slot.key != "Log":  # the schema describes one line
        return [msgspec.json.decode(answer.partition("\n")[0]) for answer in answers]
    return answers


def messages_in(stream: str) -> list[dict[str, Any]]:
    """Returns the messages of a live stream as the schemas describe them."""
    frames = [dict(_FIELD.findall(frame)) for frame in stream.split("\n\n")]
    return [
        {"event": "message"} | frame | {"data": msgspec.json.decode(frame["data"])}
        for frame in frames
        if "data" in frame
    ]


def shortened(value: Any, slot: Slot) -> Any:
    """Returns an example with shortened lists and texts; in a request, only texts are shortened."""
    return value if slot.part != "answers" and slot.name == JSON else _shortened(value)


def _shortened(value: Any) -> Any:
    match value:
        case dict():
            return {name: _shortened(part) for name, part in value.items()}
        case list():
            length = OBJECTS if value and isinstance(value[0], dict) else ITEMS
            return [_shortened(item) for item in value[:length]]
        case str():
            lines = [line if len(line) <= WIDTH else f"{line[:WIDTH]}…" for line in value.split("\n")]
            return "\n".join(lines[:LINES])
    return value


def as_files(shown: Mapping[str, Sequence[Example]]) -> dict[str, str]:
    """Returns the text of each file of examples by its name."""
    return {
        f"{part}.json": msgspec.json.format(msgspec.json.encode(values), indent=1).decode() + "\n"
        for part, values in chosen(shown).items()
    }
