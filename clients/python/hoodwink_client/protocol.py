"""The rules of the protocol, shared by the synchronous and the asynchronous client. They do no I/O."""

import json
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import httpx
from httpx_sse import ServerSentEvent

from hoodwink_client.models import Action, CardChoice, EventRecord, JobAnswer, LegalActions, TableView

PATIENCE_SECONDS: Final = 60.0
TIMEOUT_SECONDS: Final = 30.0
JOB_PAUSE_SECONDS: Final = 1.0
SILENCE_SECONDS: Final = 45.0  # there is a heartbeat at least every 30 seconds
FIRST_PAUSE_SECONDS: Final = 0.25
MAX_PAUSE_SECONDS: Final = 10.0

Json: TypeAlias = Mapping[str, object]


class ServiceError(Exception):
    """A request has failed for good."""


class Refused(ServiceError):
    """The service rejected a request, which has changed nothing.

    Attributes:
        status: the HTTP status.
        code: the stable code of the reason, such as `not_your_turn`; empty if the response is not from Hoodwink.
        problem: the whole problem document.
        request_id: helps the operator to find the request in the logs.
    """

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.problem = _problem(response)
        self.code: str = self.problem.get("code", "")
        self.request_id = response.headers.get("X-Request-Id", "")
        faults = [f"{fault['name']}: {fault['detail']}" for fault in self.problem.get("faults", ())]
        detail = " ".join(faults) or self.problem.get("detail")
        super().__init__(detail or f"The service answered {self.status}.")


class Unreachable(ServiceError):
    """There was no response. A command may have taken effect; repeat it with the same key to find out."""


def _problem(response: httpx.Response) -> dict[str, Any]:
    try:
        problem = response.json()
    except ValueError:  # from a proxy, for instance
        return {}
    return problem if isinstance(problem, dict) else {}


def request_options(
    token: str | None, invitation: str, body: Json | bytes | None, key: str
) -> dict[str, Any]:
    """Returns the headers and the content of a request; with its key, a repeated command takes effect once."""
    headers = {"Idempotency-Key": key or uuid.uuid4().hex} | _identity(token, invitation)
    if isinstance(body, bytes):
        return {"headers": headers | {"Content-Type": "application/x-ndjson"}, "content": body}
    return {"headers": headers, "json": body}


def _identity(token: str | None, invitation: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return headers | {"Hoodwink-Invitation": invitation} if invitation else headers


def content_of(response: httpx.Response) -> Any:
    """Returns the parsed JSON of a response, or its bytes if it is anything else."""
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    return response.json() if is_json else response.content


def result_of(job: JobAnswer) -> Any:
    """Returns what the request would have got without the job; raises `Refused` if the job has failed."""
    if problem := job["problem"]:
        raise Refused(httpx.Response(problem["status"], json=problem))
    result = job["result"]
    return result.encode() if isinstance(result, str) else result  # a text, where JSON would be an object


class Attempts:
    """Decides how long to wait before a request is repeated, and when to give up."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._pause = FIRST_PAUSE_SECONDS
        self._deadline: float | None = time.monotonic() + patience

    def succeed(self) -> None:
        self._pause = FIRST_PAUSE_SECONDS
        # Set at the next failure: a stream may be quiet for long before it breaks.
        self._deadline = None

    def pause_after(self, failure: httpx.Response | httpx.TransportError | None) -> float:
        """Returns seconds; raises `Refused` or `Unreachable` if another attempt would not help.

        Args:
            failure: `None` if a stream ended, which happens at least every 15 minutes.
        """
        # Random, so that clients do not all return in the same moment after a restart.
        pause = self._pause * random.uniform(0.75, 1.25)  # noqa: S311
        if isinstance(failure, httpx.Response):
            if (
                failure.status_code < httpx.codes.INTERNAL_SERVER_ERROR
                and failure.status_code != httpx.codes.TOO_MANY_REQUESTS
            ):
                raise Refused(failure)
            after = failure.headers.get("Retry-After", "")
            pause = max(pause, int(after) if after.isdecimal() else 0)
        # The fault is in the address or in a header, such as a token with a line break.
        if isinstance(failure, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
            raise failure
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + self._patience
        if now + pause > self._deadline:
            if isinstance(failure, httpx.Response):
                raise Refused(failure)
            raise Unreachable(str(failure or "The stream ended.")) from failure
        self._pause = min(2 * self._pause, MAX_PAUSE_SECONDS)
        return pause


class Position:
    """The place in a live stream from which it resumes."""

    def __init__(self, after: str = "") -> None:
        self._last_id = after

    def options(self, token: str | None, invitation: str) -> dict[str, Any]:
        """Returns the headers and the timeouts of a request that opens or resumes the stream."""
        resumed = {"Last-Event-ID": self._last_id} if self._last_id else {}
        return {
            "headers": resumed | _identity(token, invitation),
            "timeout": httpx.Timeout(TIMEOUT_SECONDS, read=SILENCE_SECONDS),
        }

    def message_of(self, sent: ServerSentEvent) -> Any:
        """Returns the message in a server-sent event, or `None` for one without data, such as a heartbeat."""
        if not sent.data:
            return None
        # A `reset` has an empty id, so that the stream restarts with a snapshot if it breaks here. Any other message without
        # an id, such as `presence`, is not in the history and leaves the place as it is.
        if sent.id or sent.event == "reset":
            self._last_id = sent.id
        return {"event": sent.event, "id": self._last_id, "data": json.loads(sent.data)}


@dataclass(frozen=True)
class Turn:
    """A moment at which your seat may act.

    Attributes:
        version: the version of the table for which the actions are legal.
        must_act: whether the table waits for you; otherwise you may interrupt somebody else's turn.
        events: the events since your previous turn, as you may see them; incomplete after a long interruption.
    """

    seat: int
    version: int
    must_act: bool
    view: TableView
    legal: LegalActions
    events: list[EventRecord]


class Turns:
    """Finds your turns among the messages of a table's stream."""

    def __init__(self) -> None:
        self._acknowledged = 0
        self._events: list[EventRecord] = []

    def acknowledge(self, version: int) -> None:
        """Makes messages outdated that the service sent before this version, such as that of your last action."""
        self._acknowledged = max(version, self._acknowledged)

    def turn_in(self, message: Any) -> Turn | None:
        kind, data = message["event"], message["data"]
        if kind == "reset":
            self._acknowledged = 0
        if kind != "view":
            self._events = []
        if kind not in {"snapshot", "view"}:
            return None
        self._events += data.get("events", ())
        legal = data.get("legal_actions")
        if data["version"] < self._acknowledged or not (legal and (legal["actions"] or legal["choices"])):
            return None
        seat = data["view"]["seats"][legal["seat"]]
        turn = Turn(seat["seat"], data["version"], seat["owes"], data["view"], legal, self._events)
        self._events = []
        return turn


def random_action(legal: LegalActions, chance: random.Random | None = None) -> Action:
    """Returns a random legal action, never an offence. There must be at least one."""
    chance = chance or random.Random()  # noqa: S311
    option: Action | CardChoice = chance.choice([*legal["actions"], *legal["choices"]])
    if "at_least" not in option:
        return option
    choice = cast("CardChoice", option)
    cards = chance.sample(choice["cards"], chance.randint(choice["at_least"], choice["at_most"]))
    if (needed := choice.get("including")) and needed not in cards:
        cards[0] = needed
    return cast("Action", {"type": choice["type"], "cards": cards})
