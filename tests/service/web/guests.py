"""People at a running service: registered over HTTP, seated at tables, and signed in to a browser."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.request import Request, urlopen
from uuid import uuid4

from tests.pace import AT_ONCE
from tests.service.processes import await_true

SHORT: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "blindside": {"rounds": 2},
        "coconut": {"rounds": 1},
        "blind_don": {"rounds": 2},
        "double_blind": {"target_score": 100},
        "shithead": {"rounds": 1},
    }
)
"""The options of a short table of each game."""

_ACCEPTED: Final = 202


class Guest(NamedTuple):
    """A player over HTTP."""

    served: str
    id: str
    name: str
    token: str

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the JSON of an answer, or the result of the job that does the work."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method != "GET":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        data = None if method == "GET" else json.dumps(body or {}).encode()
        with urlopen(Request(self.served + path, data, headers, method=method), timeout=60) as answer:
            found = json.load(answer)
        return self._result_of(found["id"]) if answer.status == _ACCEPTED else found

    def _result_of(self, job: str) -> Any:
        """Waits for a job to end; returns its result."""
        ended = await_true(
            lambda: (found := self.get(f"/v1/jobs/{job}"))["state"] in {"done", "failed"} and found
        )
        assert ended["problem"] is None, ended["problem"]
        return ended["result"]

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.ask("POST", path, body)

    def table(self, game: str, *others: "Guest", bots: int = 0, **form: Any) -> str:
        """Returns the path of a started table with this host, the others and bots in seat order."""
        form = {
            "game": game,
            "seats": 1 + len(others) + bots,
            "options": SHORT.get(game, {}),
            **AT_ONCE,
            **form,
        }
        path = f"/v1/tables/{self.post('/v1/tables', form)['view']['id']}"
        for guest in (self, *others):
            guest.post(f"{path}/seats")
        for _ in range(bots):
            self.post(f"{path}/seats", {"policy": "steady"})
        self.post(f"{path}/start")
        return path

    @property
    def kept(self) -> str:
        """What a browser stores of this player."""
        return json.dumps({"id": self.id, "name": self.name, "token": self.token})

    def signed_in(self, context: Any) -> None:
        """Signs this player in to a browser context."""
        context.add_init_script(
            f"localStorage.getItem('hoodwink.player') || localStorage.setItem('hoodwink.player', {json.dumps(self.kept)})"
        )


def guest(served: str, name: str = "Ada") -> Guest:
    """Returns a newly registered player."""
    registered = Guest(served, "", "", "").post("/v1/players", {"name": name})
    return Guest(served, registered["id"], registered["name"], registered["token"])


def answer_name(page: Any, name: str = "") -> None:
    """Answers the question that newcomers get before they meet people; without a name, the generated one stays."""
    dialog = page.get_by_role("dialog", name="What should others call you?")
    if name:
        dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Use this name" if name else "Stay Guest").click()
