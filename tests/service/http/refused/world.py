"""An API with people, tables and tournaments in many states, to provoke every refusal."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hoodwink.domain.cards import commitment
from hoodwink.domain.players import hash_token
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.application.limits import OFF
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import RawBody
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.http.api import CONFIRMED, Person, first_legal
from tests.service.http.cup import FORM, SERIES, Cup, standing_api
from tests.service.http.examples.players import SUBSCRIPTION
from tests.service.http.refused.listed import OPERATIONS

ROOT: Final = "hwa_root"
SEED, OTHER_SEED = "ada0" * 8, "b0b0" * 8
HELD: Final = {"seed_commitment": commitment(SEED)}
REASON: Final = {"reason": "It rains."}
BLANK: Final = {"reason": " "}
LOG: Final = (Path(__file__).parents[3] / "golden" / "blindside-117.log").read_bytes()
NDJSON: Final = "application/x-ndjson"
EXPOSE: Final = {"type": "expose_pocket", "owner": 1, "slot": 0}
KEEP: Final = {"type": "keep", "card": "9S"}

SAMPLES: Final[dict[str, Any]] = {
    "register_player": {"name": "Eve"},
    "rename_me": {"name": "Eve"},
    "keep_passkey": {"credential": {}},
    "sign_in_with_passkey": {"credential": {}},
    "sign_in": {"code": "hwl_nobody00_" + 32 * "0"},
    "name_session": {"device": "Laptop"},
    "register_bot": {"name": "Maia"},
    "add_push": SUBSCRIPTION,
    "erase_me": CONFIRMED,
    "open_table": {"game": "blindside", "seats": 2},
    "reveal_seed": {"seed": SEED},
    "offer_seat": {"player": "nobody00"},
    "challenge_bot": {"game": "blindside", "seats": 2},
    "change_host": {"player": "nobody00"},
    "say": {"saying": "hello"},
    "close_table": CONFIRMED,
    "act": KEEP,
    "enter": KEEP,
    "resign": CONFIRMED,
    "open_tournament": FORM,
    "open_series": SERIES,
    "skip_date": CONFIRMED,
    "end_series": CONFIRMED,
    "stop_series": CONFIRMED | REASON,
    "withdraw_entrant": CONFIRMED,
    "reveal_entrant_seed": {"seed": SEED},
    "request_bye": {"round": 1},
    "order_entrants": {"entrants": []},
    "read_entrant_list": {"list": "id\nnobody00"},
    "offer_entries": {"players": ["nobody00"]},
    "withdraw_offers": {"players": ["nobody00"]},
    "found_team": {"name": "Foxes"},
    "join_team": {"code": "AAAA-AAAA-AAAA"},
    "set_team": {"team": 1},
    "replace_team_code": {"team": 1},
    "expel_entrant": CONFIRMED | REASON,
    "reschedule_sitting": {"starts_at": 5} | REASON,
    "change_pairing": {"tables": [[1, 2]]} | REASON,
    "score_void": REASON,
    "mark_absent": REASON,
    "name_co_organiser": {"player": "nobody00"},
    "remove_co_organiser": {"player": "nobody00"},
    "name_arbiter": {"player": "nobody00"},
    "offer_place": {"player": "nobody00"} | REASON,
    "reverse_decision": {"decision": "absence"} | CONFIRMED | REASON,
    "reverse_added_rounds": CONFIRMED | REASON,
    "describe_tournament": {"text": "Club night."},
    "add_webhook": {"url": "https://example.org/", "types": ["announcement"]},
    "announce": {"text": "Lunch at one."},
    "remove_arbiter": {"player": "nobody00"},
    "add_rounds": {"rounds": 1} | REASON,
    "end_board": CONFIRMED | REASON,
    "rule_on_board": REASON,
    "reverse_ruling": CONFIRMED | REASON,
    "change_tiebreaks": {"tiebreaks": []} | REASON,
    "finish_tournament": CONFIRMED | REASON,
    "cancel_tournament": CONFIRMED | REASON,
    "fork_table": {"version": 5},
    "fork_import": {"version": 5},
    "void_table": CONFIRMED | REASON,
    "end_table": CONFIRMED,
    "end_tournament": CONFIRMED | REASON,
}
"""A valid body of each operation, unless it is an empty object."""


class World:
    """An API with a stopped clock, people, tables and tournaments."""

    def __init__(self) -> None:
        # In all these situations together, Ada offers more seats than a host may.
        self.api = standing_api(Settings(administrators=f"root={hash_token(ROOT)}", offers_per_host=OFF))
        self.root = Person(self.api.app, ROOT)
        self.nobody = self.api.spectator
        self._shared = dict[tuple[str, int], Any]()

    @property
    def service(self) -> Service:
        return self.api.service

    @cached_property
    def ada(self) -> Person:
        return self.api.person("Ada")

    @cached_property
    def bob(self) -> Person:
        return self.api.person("Bob")

    @cached_property
    def cy(self) -> Person:
        return self.api.person("Cy")

    @cached_property
    def olga(self) -> Person:
        return self.api.person("Olga")

    def series(self) -> str:
        """Returns the path of a series that Olga has opened."""
        opened = self.olga.post("/v1/series", SERIES)
        assert opened.status_code == 201, opened.text
        return str(opened.headers["Location"])

    @property
    def bot(self) -> Person:
        """A bot that is online, however late it is."""
        self._come_online(self._bot.id)
        return self._bot

    @cached_property
    def _bot(self) -> Person:
        return self.new_bot()

    def _come_online(self, bot: str) -> None:
        self.service.presence.note_bots([bot], now=self.service.clock.now_ms())

    def new_bot(self, owner: Person | None = None, *, is_online: bool = True, **accepts: Any) -> Person:
        """Returns a new bot of a player, by default of a new one."""
        owner = owner or self.api.person("Owner")
        made = owner.post("/v1/me/bots", {"name": "Maia", "accepts": accepts}).json
        if is_online:
            self._come_online(made["id"])
        return Person(self.api.app, made["token"], made["id"])

    @cached_property
    def dee(self) -> Person:
        return self.api.person("Dee")

    def later(self, ms: int) -> None:
        self.service.clock.now += ms  # type: ignore[attr-defined]

    def shared(self, state: str) -> Any:
        """Returns one table or cup in a state, for requests that are all refused and therefore change nothing.

        Time may change the state, so there is another one after each change of the clock.
        """
        key = state, self.service.clock.now_ms()
        if key not in self._shared:
            self._shared[key] = getattr(self, state)()
        return self._shared[key]

    # ------------------------------------------------------- new tables, opened by Ada

    def opened(self) -> str:
        path: str = self.ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
        return path

    def waiting(self, *, key: str | None = None) -> str:
        """Returns the path of a table where only Ada has a seat; `key` is the key of taking it."""
        path = self.opened()
        assert self.ada.post(f"{path}/seats", {"seat": 0}, key=key).status_code == 201
        return path

    def private(self) -> str:
        form = {"game": "blindside", "seats": 2, "private": True}
        path: str = self.ada.post("/v1/tables", form).headers["Location"]
        return path

    def playing(self) -> str:
        return self.api.playing(self.ada, self.bob)

    def beside_a_bot(self) -> str:
        """Returns the path of a table in play, with a bot on seat 1."""
        return self.api.playing(self.ada, bots=1)

    def advised(self, *, is_over: bool) -> str:
        """Returns the path of a table at which Ada may ask for a hint, or for a review if it is over."""
        path = self.api.playing(self.ada, bots=1, game="coconut", rated=False)
        assert not is_over or self.ada.resign(path).status_code == 200
        return path

    def of_bots(self) -> str:
        """Returns the path of a bot table in play."""
        path = self.api.of_bots(self.ada)
        assert self.ada.post(f"{path}/start").status_code == 200
        return path

    def over(self) -> str:
        """Returns the path of a table that ended without a played round."""
        path = self.waiting()
        assert self.ada.close(path).status_code == 200
        return path

    def played(self) -> str:
        """Returns the path of a table that ended by resignation in its first round."""
        path = self.playing()
        assert self.bob.resign(path).status_code == 200
        return path

    def given_up(self) -> str:
        """Returns the path of a table in play that Cy has resigned from."""
        path = self.api.playing(self.ada, self.bob, self.cy)
        assert self.cy.resign(path).status_code == 200
        return path

    def finished(self) -> str:
        """Returns the path of a table played to the end of its last round."""
        form = {"game": "blindside", "seats": 2, "options": {"rounds": 2}, **AT_ONCE}
        path: str = self.ada.post("/v1/tables", form).headers["Location"]
        self.ada.post(f"{path}/seats")
        self.ada.post(f"{path}/seats", {"policy": "random"})
        self.ada.post(f"{path}/start")
        self.api.play_out(path, self.ada)
        return path

    def between_rounds(self) -> str:
        """Returns the path of a table in the pause after its first round."""
        path = self.api.playing(self.ada, self.bob, options={"five_card": True}, round_pause=60_000)
        while self.ada.get(path).json["view"]["stage"] == "in_play":
            who, legal = next(
                (who, legal) for who in (self.ada, self.bob) if (legal := list(first_legal(who, path)))
            )
            assert who.post(f"{path}/actions", legal[0]).status_code == 200
        self.api.run_due(path)
        return path

    def seeded(self) -> str:
        """Returns the path of a table that waits for Ada's seed."""
        path = self.opened()
        self.ada.post(f"{path}/seats", HELD)
        self.bob.post(f"{path}/seats")
        assert self.ada.post(f"{path}/start").status_code == 200
        return path

    def supervised(self, *, is_seeded: bool = False, is_dealt: bool = True, **options: Any) -> str:
        """Returns the path of a Double Blind table of Ada and Bob that is hosted by Olga, who does not play."""
        form = {"game": "double_blind", "seats": 2, "options": {"exposure_actions": True} | options}
        path: str = self.olga.post("/v1/tables", form).headers["Location"]
        self.ada.post(f"{path}/seats", HELD if is_seeded else {})
        self.bob.post(f"{path}/seats")
        assert self.olga.post(f"{path}/start").status_code == 200
        if is_dealt:
            self.api.run_due(path)
        return path

    def imported(self) -> str:
        path: str = self.ada.post("/v1/imports", data=LOG, content_type=NDJSON).headers["Location"]
        return path

    def job(self) -> str:
        return f"/v1/jobs/{self.service.jobs.begin(JobKind.VERIFY, LOG, address='::1').id}"

    # ----------------------------------------------------------- tournaments, organised by Olga

    def cup(self, **form: Any) -> Cup:
        return Cup(self.api, self.olga, **form)

    def entering(self, **form: Any) -> Cup:
        """Returns a cup that Ada, Bob and Cy have entered."""
        cup = self.cup(**form)
        cup.enter(self.ada, self.bob, self.cy)
        return cup

    def running(self, **form: Any) -> Cup:
        return self.cup(**form).start(self.ada, self.bob, self.cy)

    def hooked(self) -> Cup:
        """Returns a running cup with a webhook, at `/webhooks/` and its id."""
        cup = self.running()
        self.webhook = cup.command("/webhooks", SAMPLES["add_webhook"])["id"]
        return cup

    def ruled(self) -> Cup:
        """Returns a cup with a ruling on the board of its first round."""
        cup = self.running()
        cup.pair()
        cup.start_round()
        cup.end_tables()
        cup.command("/rounds/1/boards/1/ruling", REASON)
        return cup

    def decided(self) -> Cup:
        """Returns a cup whose organiser marked Ada as absent and added a round."""
        cup = self.running()
        cup.command(f"/entrants/{self.ada.id}/absence", REASON)
        cup.command("/added-rounds", {"rounds": 1} | REASON)
        return cup

    def substituted(self) -> Cup:
        """Returns a cup in which Dee has been offered the place of Ada."""
        cup = self.running()
        cup.command(f"/entrants/{self.ada.id}/substitute", {"player": self.dee.id} | REASON)
        return cup

    def paused(self) -> Cup:
        cup = self.running()
        cup.command("/pause")
        return cup

    def cancelled(self) -> Cup:
        cup = self.entering()
        cup.cancel()
        return cup

    # ------------------------------------------------------------------------------------- requests

    def ask_in(self, who: Person, name: str, game: str) -> Any:
        """Sends an operation on a game."""
        path = OPERATIONS[name].path.replace("{game}", game).replace("{player_id}", self.ada.id)
        return who.get(path)

    def send(self, who: Person, name: str, body: Any = None, *, at: str = "", **given: Any) -> Any:
        """Sends an operation, with its sample as the body unless one is given.

        Args:
            at: the path of the table, import or tournament; further numbers in the path are 1, or 0 for a seat.
        """
        operation = OPERATIONS[name]
        path = address(operation.path, at)
        if operation.body is None:
            return who.ask(operation.method, path, **given)
        if isinstance(operation.body, RawBody):
            return who.post(path, **({"data": LOG, "content_type": NDJSON} | given))
        if "data" not in given:
            given["json"] = SAMPLES.get(name, {}) if body is None else body
        return who.ask(operation.method, path, **given)


def address(path: str, at: str) -> str:
    """Returns the path with `at` as its beginning and common values for the rest."""
    parts = path.split("/")
    begun = at.split("/") if at else []
    filled = [*begun, *(_VALUES.get(part, part) for part in parts[len(begun) :])]
    return "/".join(filled)


_VALUES: Final = {
    "{table_id}": "nowhere0",
    "{import_id}": "nowhere0",
    "{job_id}": "a" * 32,
    "{digest}": "0" * 64,
    "{tournament_id}": "nowhere0",
    "{series_id}": "nowhere0",
    "{date}": "1",
    "{player_id}": "nobody00",
    "{session}": "0",
    "{passkey}": "!",
    "{game}": "blindside",
    "{seat}": "0",
    "{entrant_id}": "nobody00",
    "{webhook_id}": "nothing0",
    **{f"{{{name}}}": "1" for name in ("round", "board", "deal", "sitting", "entrant")},
}

Provocation = Callable[[World, str], Any]
"""Provokes a refusal in a new world; takes the name of the operation."""
