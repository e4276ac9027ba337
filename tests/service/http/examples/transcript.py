"""The transcript of a short table for authors of clients: a player's requests, their answers, and the live stream."""

import json
import re
from pathlib import Path
from typing import Any, Final

from tests.service.http.api import Person
from tests.service.http.examples.live import LiveStream
from tests.service.http.examples.recorder import NDJSON, Recorder, key

PAGE: Final = Path(__file__).parents[4] / "docs" / "CLIENT_TRANSCRIPT.md"
_MAX_MOVES: Final = 100


def page_with_transcript() -> str:
    """Returns the current page: the first message that asks for an action, and the transcript."""
    transcript = Transcript(Recorder())
    transcript.play()
    page = _with_block(PAGE.read_text(encoding="utf-8"), "message", "json", laid_out(transcript.first))
    return _with_block(page, "transcript", "text", transcript.lines)


def _with_block(page: str, name: str, language: str, lines: list[str]) -> str:
    """Returns a page with these lines in the block marked with the name."""
    opening = f"<!-- {name} -->\n```{language}\n"
    before, rest = page.split(opening)
    _, _, after = rest.partition("```\n")
    return "\n".join([before + opening + lines[0], *lines[1:], f"```\n{after}"])


def laid_out(value: Any, label: str = "", width: int = 116) -> list[str]:
    """Returns a JSON value as the fewest lines that fit the width.

    >>> laid_out({"version": 1, "cards": ["9S", "TH"]}, width=25)
    ['{', '  "version": 1,', '  "cards": ["9S", "TH"]', '}']
    """
    line = label + json.dumps(value, ensure_ascii=False)
    if len(line) <= width or not isinstance(value, dict | list):
        return [line]
    named = [(f'"{name}": ', part) for name, part in value.items()] if isinstance(value, dict) else []
    lines: list[str] = []
    was_short = False
    for name, part in named or [("", part) for part in value]:
        made = laid_out(part, name, width - 3)
        made[-1] += ","
        is_short = len(made) == 1 and not isinstance(part, dict)
        if was_short and is_short and len(lines[-1]) + len(made[0]) < width - 3:
            lines[-1] += f" {made[0]}"
        else:
            lines += made
        was_short = is_short
    lines[-1] = lines[-1].removesuffix(",")
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return [label + opening, *[f"  {line}" for line in lines], closing]


class Transcript:
    """The messages of a player's client: `>` starts a request, `<` an answer, `|` a message of the live stream.

    Attributes:
        first: the first message of the stream that asks for an action.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._player = recorder.nobody
        self.lines: list[str] = []
        self.first: Any = None

    def play(self) -> None:
        """Plays a table with one person and one bot, from registration to verification."""
        registered = self._post("/v1/players", {"name": "Ada"})
        self._player = Person(self._recorder.api.app, registered["token"], registered["id"])
        form = {"game": "blindside", "seats": 2, "options": {"rounds": 1}}
        table = f"/v1/tables/{self._post('/v1/tables', form)['view']['id']}"
        self._post(f"{table}/seats", {})
        self._post(f"{table}/seats", {"policy": "steady"})
        stream = self._follow(f"{table}/events?with=view")
        self._post(f"{table}/start", {})
        for _ in range(_MAX_MOVES):
            message = self._next(stream, table)
            if message is None:
                break
            self.first = self.first or message
            action = message["legal_actions"]["actions"][0]
            self._post(f"{table}/actions", action | {"expected_version": message["version"]})
        stream.close()
        log = self._get(f"{table}/log")
        sent = ["> POST /v1/verify", f"> Content-Type: {NDJSON}", "> (the log, byte for byte)"]
        self._show(self._player.post("/v1/verify", data=log, content_type=NDJSON), *sent)

    def _next(self, stream: LiveStream, table: str) -> Any:
        """Shows the stream until the player may act; returns the last message, or `None` at the end."""
        for _ in range(_MAX_MOVES):
            self._recorder.api.run_due(table)
            message = self._read(stream)
            if message is None or message.get("legal_actions", {}).get("actions"):
                return message
            self._recorder.clock.now = self._recorder.api.spectator.get(table).json["view"]["waiting"][
                "until"
            ]
        raise AssertionError(f"nobody moves at {table}")

    def _read(self, stream: LiveStream) -> Any:
        frames = stream.read()
        self.lines += [f"| {line}".rstrip() for line in frames.splitlines()]
        (*_, last) = re.findall("^data: (.*)$", frames, re.MULTILINE) or ["{}"]
        return None if "event: end" in frames else json.loads(last)

    def _follow(self, path: str) -> LiveStream:
        stream = LiveStream(self._recorder.api, self._player, path, {})
        self.lines += [f"> GET {path}", "> Accept: text/event-stream", "< 200", ""]
        return stream

    def _get(self, path: str) -> str:
        return self._show(self._player.get(path), f"> GET {path}")

    def _post(self, path: str, body: Any) -> Any:
        repeatable = key(f"request after {len(self.lines)} lines")
        sent = [f"> POST {path}", f"> Idempotency-Key: {repeatable}", f"> {json.dumps(body)}"]
        return json.loads(self._show(self._player.post(path, body, key=repeatable), *sent))

    def _show(self, answer: Any, *sent: str) -> str:
        assert answer.status_code < 300, answer.text
        text: str = answer.text
        self.lines += [*sent, f"< {answer.status_code}", *[f"< {line}" for line in text.splitlines()], ""]
        return text
