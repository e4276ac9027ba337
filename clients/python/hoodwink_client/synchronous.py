"""The synchronous client, generated from `asynchronous.py` by `make client`."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any, Self, cast

import httpx
from httpx_sse import connect_sse

from hoodwink_client import models
from hoodwink_client.protocol import (
    JOB_PAUSE_SECONDS,
    PATIENCE_SECONDS,
    TIMEOUT_SECONDS,
    Attempts,
    Json,
    Position,
    Refused,
    Turn,
    Turns,
    content_of,
    request_options,
    result_of,
)


class Client:
    """Sends requests to one service as one player, or without a token as a spectator.

    Attributes:
        token: identifies the player; `register` sets it.
        http: the connections to the service.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        patience: float = PATIENCE_SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Takes the address of the service, such as `http://127.0.0.1:8000`.

        Args:
            patience: for how many seconds a request or a stream is repeated while the service does not answer.
            transport: replaces httpx's own, for instance to use a proxy.
        """
        self.token = token
        self.patience = patience
        self.http = httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def request(
        self, method: str, path: str, body: Json | bytes | None = None, *, key: str = "", invitation: str = ""
    ) -> Any:
        """Returns the JSON of the response, or its bytes if it is anything else. Repeats the request until there is one.

        If the request starts a job, which does work that takes long, the response is the result of the job.

        Args:
            body: sent as JSON, or as NDJSON if it is bytes.
            key: the Idempotency-Key, by default a random one.
            invitation: the invitation code of a private table.

        Raises:
            Refused: the service rejected the request.
            Unreachable: there was no response.
        """
        options = request_options(self.token, invitation, body, key)
        attempts = Attempts(self.patience)
        while True:
            failure: httpx.Response | httpx.TransportError
            try:
                failure = response = self.http.request(method, path, **options)
                if response.status_code == httpx.codes.ACCEPTED:
                    return self._wait_for(response.json())
                if response.is_success:
                    return content_of(response)
            except httpx.TransportError as error:
                failure = error
            time.sleep(attempts.pause_after(failure))

    def _wait_for(self, job: models.JobAnswer) -> Any:
        while job["state"] not in {"done", "failed"}:
            time.sleep(JOB_PAUSE_SECONDS)
            job = self.request("GET", f"/v1/jobs/{job['id']}")
        return result_of(job)

    def follow(self, path: str, *, after: str = "", invitation: str = "") -> Generator[Any]:
        """Yields each message of a live stream, and resumes the stream when it breaks.

        Args:
            after: the id of the last message that you have processed, to resume an earlier stream.
            invitation: the invitation code of a private table.

        Raises:
            Refused: the service rejected the stream.
            Unreachable: the stream could not be resumed.
        """
        position, attempts = Position(after), Attempts(self.patience)
        while True:
            failure: httpx.Response | httpx.TransportError | None = None
            try:
                options = position.options(self.token, invitation)
                with connect_sse(self.http, "GET", path, **options) as stream:
                    if stream.response.is_success:
                        for sent in stream.iter_sse():
                            attempts.succeed()
                            if message := position.message_of(sent):
                                yield message
                    else:
                        stream.response.read()
                        failure = stream.response
            except httpx.TransportError as error:
                failure = error
            time.sleep(attempts.pause_after(failure))

    def register(self, name: str | None = None) -> models.Registered:
        """Registers a player, by default a guest, and uses the new token from now on."""
        form: models.PlayerForm = {"name": name} if name else {}
        registered: models.Registered = self.request("POST", "/v1/players", form)
        self.token = registered["token"]
        return registered

    def my_tables(self) -> models.MyTablesAnswer:
        """Returns the tables where you sit or are offered a seat; those that wait for you come first."""
        return cast("models.MyTablesAnswer", self.request("GET", "/v1/me/tables"))

    def news(self, *, after: str = "") -> Generator[models.MyTablesStreamMessage]:
        """Yields your tables, and then each offered seat, start, turn and end at any of them."""
        return self.follow("/v1/me/events", after=after)

    def open_table(self, form: models.TableForm) -> "Table":
        """Opens a table. You become its host, without a seat."""
        return self.table((self.request("POST", "/v1/tables", form))["view"]["id"])

    def table(self, table_id: str, *, invitation: str = "") -> "Table":
        """Returns an existing table; a private one needs its invitation code unless you sit there."""
        return Table(self, table_id, invitation)


class Table:
    """A table as the client's player sees it."""

    def __init__(self, client: Client, table_id: str, invitation: str) -> None:
        self.client = client
        self.id = table_id
        self.invitation = invitation
        self._turns = Turns()

    def request(self, method: str, path: str, body: Json | None = None, *, key: str = "") -> Any:
        """Sends a request below the table's path, such as `request("POST", "/ready", {})`."""
        path = f"/v1/tables/{self.id}{path}"
        return self.client.request(method, path, body, key=key, invitation=self.invitation)

    def sit(self, *, policy: str | None = None, seat: int | None = None) -> models.AcceptedAnswer:
        """Takes a seat, by default the first free one. As the host you can seat a bot by its policy."""
        form = {"policy": policy, "seat": seat}
        form = {name: value for name, value in form.items() if value is not None}
        return cast("models.AcceptedAnswer", self.request("POST", "/seats", form))

    def start(self) -> models.AcceptedAnswer:
        """Starts the table once all seats are taken; only the host can do that."""
        return cast("models.AcceptedAnswer", self.request("POST", "/start", {}))

    def look(self) -> models.TableAnswer:
        """Returns the current table with your legal actions."""
        return cast("models.TableAnswer", self.request("GET", "?include=legal_actions"))

    def follow(
        self, *, after: str = "", words: bool = False
    ) -> Generator[models.TableStreamMessage]:
        """Yields a snapshot, then each change of the table with its view, and finally `end`.

        Args:
            after: the id of the last message that you have processed, to resume an earlier stream.
            words: whether each event has a sentence in `words`.
        """
        path = f"/v1/tables/{self.id}/events?with=view{'&include=words' if words else ''}"
        with closing(self.client.follow(path, after=after, invitation=self.invitation)) as messages:
            for message in messages:
                yield message
                if message["event"] == "end":
                    return

    def turns(self) -> Generator[Turn]:
        """Yields a turn whenever your seat may act, until the table ends."""
        with closing(self.follow()) as messages:
            for message in messages:
                if turn := self.turn_in(message):
                    yield turn

    def turn_in(self, message: models.TableStreamMessage) -> Turn | None:
        """Returns your turn in a message of `follow`; `None` if you may not act, or have acted since. Pass every message."""
        return self._turns.turn_in(message)

    def act(
        self, action: models.Action, *, version: int | None = None, key: str = ""
    ) -> models.AcceptedAnswer | None:
        """Takes an action, once even if the request has to be repeated.

        Args:
            version: act only at this version; returns `None` if the table has changed, and the next turn shows how.
            key: the Idempotency-Key, by default a random one.
        """
        expected = {} if version is None else {"expected_version": version}
        try:
            accepted: models.AcceptedAnswer = self.request(
                "POST", "/actions", {**action, **expected}, key=key
            )
        except Refused as refused:
            if not expected or refused.code != "version_conflict":
                raise
            self._turns.acknowledge(refused.problem["version"])
            return None
        self._turns.acknowledge(accepted["version"])
        return accepted

    def play(self, choose: Callable[[Turn], models.Action | None]) -> models.Result:
        """Plays to the end of the table. `choose` may return `None` if the table does not wait for your seat."""
        with closing(self.turns()) as turns:
            for turn in turns:
                if action := choose(turn):
                    self.act(action, version=turn.version)
        return cast("models.Result", (self.look())["view"]["result"])
