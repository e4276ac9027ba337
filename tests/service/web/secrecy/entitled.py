"""The knowledge each viewer of a table is entitled to, derived from log and rules alone, and leaks in a page.

The entitlements (tests/domain/laws/entitlement.py) are declared from the rules, independently of the views and redacted
events received by a page. These must also be exactly those for the page's own viewer.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from math import inf
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoodwink.domain.cards import HIDDEN, JOKER, RANKS, SUITS
from hoodwink.domain.kernel import Viewer, redact
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import (
    Entry,
    Recorded,
    decoded,
)
from hoodwink.domain.tables.events import RoundScored
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.state import (
    UNOPENED,
    Phase,
    Table,
)
from hoodwink.service.http.messages.answers import encode
from tests.domain.laws.cards import cards_in, count_cards
from tests.domain.laws.entitlement import Look, cards_of, picture
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.service.web.secrecy.evidence import Evidence, Zone

_RANK_NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
_GLYPHS: Final = "♣♦♥♠"
_NAMED: Final = re.compile(
    r"(?<![\w-])(?:(?P<code>(?:10|[2-9TJQKA])[CDHS]|JK)(?![\w-])"
    rf"|(?P<rank>10|[2-9TJQKA])\s?(?P<glyph>[{_GLYPHS}])"
    rf"|(?i:(?P<name>{'|'.join(_RANK_NAMES)})s? of (?P<suit>{'|'.join(_SUIT_NAMES)})))"
)

FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "blindside": ("blindsides",),
        "discard": ("discard_pile",),
        "hand": ("hands",),
        "pocket": ("pockets",),
        "row": ("face_up", "face_down"),
        "sleeve": ("sleeves",),
        "trick": ("lead",),
    }
)
"""The state's field for a zone of the page, if it has another name."""


def named_in(text: str) -> Counter[str]:
    """Returns the cards named in a text, as codes or in words.

    >>> sorted(named_in("led KD, 10H, the Ace of spades or 4♣, as long as not AKD nor -9S-"))
    ['4C', 'AS', 'KD', 'TH']
    """
    return Counter(_face(found) for found in _NAMED.finditer(text))


def _face(found: re.Match[str]) -> str:
    if code := found["code"]:
        return code.upper().replace("10", "T")
    if rank := found["rank"]:
        return rank.upper().replace("10", "T") + SUITS[_GLYPHS.index(found["glyph"])]
    rank = RANKS[_RANK_NAMES.index(found["name"].lower())]
    return rank + SUITS[_SUIT_NAMES.index(found["suit"].lower())]


class Moment(NamedTuple):
    """A table right after a commit.

    Attributes:
        events: the events of the commit.
    """

    table: Table
    events: tuple[Recorded, ...]

    @property
    def version(self) -> int:
        return self.table.version

    def shown(self, viewer: Viewer) -> dict[str, Any]:
        """Returns all zones as the viewer may see them by the rules; none before the start."""
        if self.table.phase is Phase.OPEN or not self.table.round:
            return {}
        is_revealed = any(isinstance(recorded.event, RoundScored) for recorded in self.events)
        look = Look(self.table.state, viewer, is_revealed)
        return picture(ENTITLEMENTS[self.table.game], look)

    def told(self, viewer: Viewer) -> dict[int, list[Any]]:
        """Returns by version the cards and public facts that events show to the viewer."""
        rules = ENTITLEMENTS.get(self.table.game)
        return {
            recorded.entry.version: [
                cards_of(rules, recorded.event, viewer),
                rules.facts.get(recorded.event.wire, lambda _: ())(self.table.state),
            ]
            for recorded in self.events
            if rules is not None
        }

    def seen(self, viewer: Viewer) -> Counter[str]:
        """Returns the cards seen by the viewer, with the largest number of simultaneous copies."""
        seen: Counter[str] = Counter()
        for cards in (self.shown(viewer), *self.told(viewer).values()):
            seen |= count_cards(cards)
        return seen


class Story:
    """The course of a table, from its log."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        table, self.moments = UNOPENED, list[Moment]()
        self._seen: dict[Viewer, list[Counter[str]]] = {}
        for _, commit in groupby(decoded(entries, decode_event), key=lambda recorded: recorded.entry.cmd):
            events = tuple(commit)
            for recorded in events:
                table = evolve(table, recorded)
            self.moments.append(Moment(table, events))

    @property
    def ended_at(self) -> float:
        """The version from which everything is public; infinite before the end."""
        over = (moment.version for moment in self.moments if moment.table.phase is Phase.ENDED)
        return next(over, inf)

    def at(self, version: int) -> Moment:
        """Returns the last moment up to a version."""
        return [moment for moment in self.moments if moment.version <= version][-1]

    def known(self, viewer: Viewer, version: int, *, in_round: int = 0) -> Counter[str]:
        """Returns the cards seen by the viewer up to a version, with the largest number of simultaneous copies.

        Args:
            in_round: ignores earlier rounds.
        """
        if viewer not in self._seen:
            self._seen[viewer] = [moment.seen(viewer) for moment in self.moments]
        known: Counter[str] = Counter()
        for moment, seen in zip(self.moments, self._seen[viewer], strict=True):
            if moment.version <= version and moment.table.round >= in_round:
                known |= seen
        return known


def prose_of(description: Any) -> frozenset[str]:
    """Returns every text in the description of a game (`GET /v1/games/{game}`), which is the same for everybody."""
    if isinstance(description, str):
        return frozenset({description.replace("\n", " ")})
    parts = description.values() if isinstance(description, dict) else description
    return (
        frozenset(text for part in parts for text in prose_of(part))
        if isinstance(description, dict | list)
        else frozenset()
    )


def _without(rules: Collection[str], objects: str) -> str:
    """Returns the objects' contents without the cached description of the game."""
    lines = [line.partition(" = ") for line in objects.split("\n")]
    return "\n".join(
        f"{path} = {value}" for path, _, value in lines if ".info." not in path or value not in rules
    )


def faults(story: Story, viewer: Viewer, held: Evidence, rules: Collection[str]) -> Iterator[str]:
    """Yields everything on a page that its viewer may not know; after the end, nothing is secret.

    Args:
        rules: the texts of the game's description.
    """
    if held.version >= story.ended_at:
        return
    moment = story.at(held.version)
    known = story.known(viewer, held.version)
    for place, text in (held.texts | {"an object": _without(rules, held.texts["an object"])}).items():
        may_name = Counter() if place in {"storage", "the console", "an address"} else known
        yield from (f"{place} names {face}" for face in set(named_in(text)) - set(may_name))
    in_round = story.known(viewer, held.version, in_round=moment.table.round)
    yield from (f"the document names {face}" for face in set(named_in(held.outside_history)) - set(in_round))
    for zone in held.zones:
        yield from faults_of_zone(zone, moment.shown(viewer))
    told = {version: seen for each in story.moments for version, seen in each.told(viewer).items()}
    for version, line in held.lines:
        beyond = set(named_in(line)) - set(cards_in(told[version]))
        yield from (f"the history names {face} at version {version}" for face in beyond)
    for face, times in counted(held.grid).items():
        if times > in_round[face]:
            yield f"{face} is counted as seen {times} times"


def faults_of_zone(zone: Zone, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yields everything a zone shows in addition to the viewer's cards there."""
    name, _, seat = zone.name.partition(".")
    fields = [shown[field] for field in FIELDS.get(name, (name,)) if field in shown]
    lying = count_cards([field[int(seat)] if seat else field for field in fields])
    # SH-50: until all are ready, others see them as dealt.
    if name in shown and name == "face_up" and HIDDEN in shown[name][int(seat)]:
        lying = count_cards(shown["dealt_face_up"][int(seat)])
    drawn = Counter(face for face, _ in zone.cards if face not in {None, HIDDEN})
    yield from (f"{zone.name} shows {face}" for face in drawn - lying)
    yield from (f"the label of {zone.name} names {face}" for face in named_in(zone.label) - lying)
    for face, html in zone.cards:
        names = set(named_in(html))
        if face in {None, HIDDEN} and "joker" in html.lower():
            names.add(JOKER)
        yield from (f"a card of {zone.name} drawn as {face} names {name}" for name in names - {face})


def counted(grid: Sequence[Sequence[str]]) -> dict[str, int]:
    """Returns the count of each card in the grid of seen cards, with a row per suit and a column per rank."""
    rows = [row[1:] for row in grid]
    return {
        rank + suit: int(cell) if cell.strip().isdecimal() else bool(cell.strip())
        for row, suit in zip(rows, SUITS, strict=False)
        for cell, rank in zip(row, RANKS, strict=True)
    }


def faults_received(story: Story, viewer: Viewer, fetched: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields everything in a page's answers that its viewer may not know."""
    for answer in fetched:
        address, text = answer["address"], answer["text"]
        if address.startswith("/v1/games"):  # equal for everybody, and its rules mention cards
            continue
        for body in _bodies(text):
            version = body.get("version", 0)
            yield from (f"{address}: {fault}" for fault in _faults_of_body(story, viewer, body, version))


def _bodies(text: str) -> Iterator[dict[str, Any]]:
    """Yields the JSON of an answer, or of each message of a stream."""
    for line in text.split("\n"):
        # The last message may be incomplete.
        with suppress(json.JSONDecodeError):
            yield from [json.loads(line.removeprefix("data: "))] if "{" in line[:7] else []


def _faults_of_body(story: Story, viewer: Viewer, body: Mapping[str, Any], version: int) -> Iterator[str]:
    version = max([version, *(event["version"] for event in body.get("events", ()))])
    if version >= story.ended_at:
        return
    known = story.known(viewer, version)
    yield from (f"names {face}" for face in set(named_in(json.dumps(body))) - set(known))
    yield from _faults_of_view(story, viewer, body)
    recorded = {each.entry.version: each.event for moment in story.moments for each in moment.events}
    for event in body.get("events", ()):
        if event["data"] != _plain(redact(recorded[event["version"]], viewer)):
            yield f"event {event['version']} is not as {viewer} may know it"


def _plain(answer: Any) -> Any:
    """Returns a record in the form clients read."""
    return json.loads(encode(answer))


def _faults_of_view(story: Story, viewer: Viewer, body: Mapping[str, Any]) -> Iterator[str]:
    view = body.get("view")
    if view is None:
        return
    moment = story.at(view["version"])
    if view["phase"] == "playing":
        expected = moment.table.rulebook.view(moment.table.state, view["viewer"])
        if view["viewer"] not in {viewer, "spectator"} or view["view"] != _plain(expected):
            yield f"the view of version {view['version']} is not that of {viewer}"
    if view["server_seed"] is not None:
        yield "the server's seed is there before the end"
    legal = body.get("legal_actions")
    shown = moment.shown(viewer)
    beyond = set(named_in(json.dumps(legal))) - set(cards_in(shown))
    yield from (f"the legal actions name {face}" for face in beyond)
