"""Two people and a spectator at one table, each in their own browser, and everything on their pages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.request import Request, urlopen

from playwright.sync_api import TimeoutError  # noqa: A004 - it is no OSError

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Viewer
from hoodwink.domain.tables.events import PlayerSeedRevealed, TableOpened
from hoodwink.domain.tables.proving.log import parse_log
from tests.pace import AT_ONCE
from tests.service.web.guests import Guest, guest
from tests.service.web.hands import EDGE, PATIENCE_MS, stage
from tests.service.web.secrecy.entitled import Story, faults, faults_received, prose_of
from tests.service.web.secrecy.evidence import Evidence, Witness

PATIENCE_SECONDS: Final = PATIENCE_MS / 1000
CLICK_MS: Final = 3_000
STEPS_BETWEEN_LOOKS: Final = 3

TELLING_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"double_blind": {"exposure_actions": True}, "shithead": {"hidden_swap": True}}
)
"""Options with more hidden information or more actions."""

_IS_OVER: Final = "() => Boolean(document.querySelector('hw-outcome .places'))"
_BUTTON: Final = ".prompt .buttons button.main"
_CARD: Final = ".card-holder.playable:not(.selected)"
_CAN_ACT: Final = f"() => Boolean(document.querySelector('{_BUTTON}, {_CARD}'))"
_SEED: Final = re.compile(r'"seed":\s*"([0-9a-f]{32,64})"')
_VERSION: Final = re.compile(r'"version":\s*(\d+)')


class Onlooker:
    """Somebody who follows a table in a browser, and the page's contents at many moments.

    Attributes:
        held: the evidence of each moment.
        fetched: the answers to the page.
    """

    def __init__(self, browser: Any, viewer: Viewer, who: Guest) -> None:
        self.viewer, self.who = viewer, who
        self._context = browser.new_context(base_url=who.served)
        self._context.set_default_timeout(PATIENCE_MS)
        self.page = self._context.new_page()
        self.witness = Witness(self.page)
        if who.token:
            who.signed_in(self.page)
        self.held: list[Evidence] = []
        self.fetched: list[dict[str, Any]] = []

    def look(self) -> None:
        self.held.append(self.witness.evidence())

    def finish(self) -> None:
        self.look()
        self.fetched = self.witness.fetched()
        self._context.close()

    @property
    def seeds(self) -> set[str]:
        """The seeds drawn by this browser before the start."""
        return set(_SEED.findall(self.held[0].texts["storage"]))

    def places_of(self, secret: str, until: float) -> Iterator[str]:
        """Yields the places of a secret that becomes public at a version."""
        for held in self.held:
            if held.version < until:
                yield from (place for place, text in held.texts.items() if secret in text)
        for answer in self.fetched:
            for message in answer["text"].split("\n\n"):
                found = _VERSION.search(message)
                if secret in message and (int(found[1]) if found else 0) < until:
                    yield f"an answer of {answer['address']}"


class Played(NamedTuple):
    """A finished table and its onlookers.

    Attributes:
        rules: the texts of the game's description.
    """

    story: Story
    onlookers: list[Onlooker]
    invitation: str
    rules: frozenset[str]

    def faults(self) -> Iterator[str]:
        """Yields everything on a page that its viewer may not know."""
        for onlooker in self.onlookers:
            found = [
                *onlooker.witness.unnoted,
                *faults_received(self.story, onlooker.viewer, onlooker.fetched),
                *self._secrets_of_others(onlooker),
                *self._own_secrets(onlooker),
            ]
            for held in onlooker.held:
                seen = faults(self.story, onlooker.viewer, held, self.rules)
                found += [f"{fault} at version {held.version}" for fault in seen]
            yield from (f"{onlooker.viewer}: {fault}" for fault in dict.fromkeys(found))

    def _secrets_of_others(self, onlooker: Onlooker) -> Iterator[str]:
        for other in self.onlookers:
            if other is not onlooker:
                for seed in other.seeds:
                    until = self._revealed().get(seed, inf)
                    yield from (
                        f"a seed of {other.viewer} is in {place}" for place in onlooker.places_of(seed, until)
                    )
                if token := other.who.token:
                    yield from (
                        f"the token of {other.viewer} is in {place}"
                        for place in onlooker.places_of(token, inf)
                    )
        opened = self.story.moments[0].events[0].event
        assert isinstance(opened, TableOpened)
        seed, until = opened.server_seed, self.story.ended_at
        yield from (f"the server's seed is in {place}" for place in onlooker.places_of(seed, until))

    def _own_secrets(self, onlooker: Onlooker) -> Iterator[str]:
        """Yields forbidden places of a token or invitation that its viewer may know."""
        if token := onlooker.who.token:
            places = {*onlooker.places_of(token, inf)} - {"storage"}
            yield from (f"the token is in {place}" for place in places)
        places = {*onlooker.places_of(self.invitation, inf)} & {"an address", "the console"}
        yield from (f"the invitation is in {place}" for place in places)

    def _revealed(self) -> dict[str, int]:
        """Returns the versions from which players' seeds are public."""
        return {
            each.event.seed: each.entry.version
            for moment in self.story.moments
            for each in moment.events
            if isinstance(each.event, PlayerSeedRevealed)
        }


def play(browser: Any, served: str, game: str, *, steps: int, options: Mapping[str, Any]) -> Played:
    """Opens a private table of the game, lets two people play some steps by clicking, and ends it."""
    ada, bob = guest(served, "Ada"), guest(served, "Bob")
    seats = seats_of(game)
    form = {
        "game": game,
        "seats": seats,
        "options": dict(options),
        "private": True,
        "watch": "invited",
        **AT_ONCE,
    }
    path = f"/v1/tables/{ada.post('/v1/tables', form)['view']['id']}"
    invitation = ada.get(f"{path}/invitation")["invitation"]
    onlookers = [
        Onlooker(browser, 0, ada),
        Onlooker(browser, 1, bob),
        Onlooker(browser, "spectator", Guest(served, "", "", "")),
    ]
    for onlooker in onlookers:
        link = "" if onlooker.who is ada else f"#invitation={invitation}"
        onlooker.page.goto(f"{path.removeprefix('/v1')}{link}")
    _begin(onlookers, seats)
    _take_steps(onlookers, steps)
    for onlooker in onlookers:
        onlooker.finish()
    for who in (ada, bob):
        if ada.get(path)["view"]["phase"] == "playing":
            who.post(f"{path}/resign", {"confirm": True})
    return Played(story_at(ada, path), onlookers, invitation, prose_of(ada.get(f"/v1/games/{game}")))


def seats_of(game: str) -> int:
    """Returns the number of seats: two people, and a bot if the game allows it."""
    return min(3, GAMES[game].seats[1])


def story_at(who: Guest, path: str) -> Story:
    """Returns the story of a finished table."""
    asked = Request(f"{who.served}{path}/log", headers={"Authorization": f"Bearer {who.token}"})
    with urlopen(asked, timeout=60) as answer:
        return Story(parse_log(answer.read())[1])


def _begin(onlookers: Sequence[Onlooker], seats: int) -> None:
    """Seats the two and a bot if there is a third seat, and starts the table."""
    ada, bob, _ = (onlooker.page for onlooker in onlookers)
    for page, button in (
        (ada, "Sit here at seat 0"),
        (bob, "Sit here at seat 1"),
        *((ada, f"Seat a bot at seat {seat}") for seat in range(2, seats)),
    ):
        page.get_by_role("button", name=button).click()
        page.get_by_role("button", name=button).wait_for(state="detached")
    for onlooker in onlookers:
        onlooker.look()
    ada.get_by_role("button", name="Start").click()
    for onlooker in onlookers:
        onlooker.page.wait_for_selector(".felt")
        onlooker.page.get_by_text("Seen so far").click()
        onlooker.look()


def _take_steps(onlookers: Sequence[Onlooker], steps: int) -> None:
    """Lets the people act click by click, and records all pages at intervals."""
    people = [onlooker for onlooker in onlookers if isinstance(onlooker.viewer, int)]
    for step in range(steps):
        if any(onlooker.page.evaluate(_IS_OVER) for onlooker in people):
            return
        take_step(people[step % 2 :] + people[: step % 2])
        if step % STEPS_BETWEEN_LOOKS == 1:
            for onlooker in onlookers:
                onlooker.look()


def take_step(people: Sequence[Onlooker]) -> None:
    """Lets the first person who can act click a button or card, and waits until the page has changed."""
    until = monotonic() + PATIENCE_SECONDS
    while monotonic() < until:
        for one in people:
            if one.page.evaluate(_CAN_ACT) and _has_clicked(one.page):
                return
        people[0].page.wait_for_timeout(20)
    raise AssertionError("nobody can act")


def _has_clicked(page: Any) -> bool:
    """Clicks a button or card; returns whether anything changed. Somebody else may be faster."""
    before = stage(page)
    try:
        (page.locator(_BUTTON).or_(page.locator(_CARD))).first.click(position=EDGE, timeout=CLICK_MS)
    except TimeoutError:
        return False
    until = monotonic() + CLICK_MS / 1000
    while stage(page) == before and monotonic() < until:
        page.wait_for_timeout(20)
    return stage(page) != before
