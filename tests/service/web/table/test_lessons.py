"""Texts of lessons at every step of tables played by bots, evaluated in the browser."""

import json
import re
from itertools import chain, islice
from typing import Any, NamedTuple

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.web.files import page
from tests.service.web.guests import SHORT
from tests.service.web.played import messages

pytestmark = [pytest.mark.browser, pytest.mark.processes]

SEATS = {"blind_don": 2}
TWISTED = {
    "blindside": {"five_card": True, "rounds": 2, "blindside_compare": "rank", "start_tokens": 5},
    "blind_don": {"rounds": 2, "flip": "immediate"},
    "coconut": {"rounds": 2, "two_plays_again": True, "clear_plays_again": False, "play_for_places": True},
    "double_blind": {"target_score": 100, "exhausted_trick": "void", "exposure_actions": True},
    "shithead": {"out_of_turn_burn": True, "pickup_restart": "next", "hidden_swap": True, "rounds": 2},
}
STEPS = {
    "blindside": {"pass", "draw", "keep", "discard"},
    "blind_don": {"lead", "follow"},
    "coconut": {"choose", "open", "move"},
    "double_blind": {"hat", "trick"},
    "shithead": {"swap", "play", "answer"},
}
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
NAMES = "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"
RANKS = dict(zip(NAMES, "23456789TJQKA", strict=True))
_NOT_WORDS = re.compile(r"undefined|null|NaN|\?\?|\[object|hidden card|empty place|  |\.\.| [,.;]")
_CARD = re.compile(rf"({'|'.join(RANKS)}) of ({'|'.join(SUITS)})")
_SAY = f"""async ([game, text]) => {{
  const {{ lessonOf }} = await import('{page().root}/table/lessons/lesson.js');
  const lessons = await lessonOf(game);
  const events = [];
  return JSON.parse(text).map((message) => {{
    const newcomer = [...events.filter(({{ data }}) => data.seat !== message.view.viewer), ...message.events];
    events.push(...message.events);
    return [events, newcomer].map((history) => lessons(message.view, message.legal_actions, history));
  }});
}}"""
SEEDS = (("red", "steady"), ("green", "steady"), ("blue", "steady"), ("north", "random"))
MAX_MESSAGES = 150
"""Random bots need far longer than people, and their later play only repeats earlier situations."""


class Taught(NamedTuple):
    """A state of a table with its lesson, and the lesson for a complete newcomer."""

    message: dict[str, Any]
    lesson: dict[str, str]
    newcomer: dict[str, str]

    @property
    def step(self):
        """The action owed by the viewer, if any."""
        view = self.message["view"]
        return view["view"]["step"] if view["seats"][0]["owes"] else None

    @property
    def words(self):
        return " ".join(filter(None, map(self.lesson.get, ("title", "text", "hint"))))


def messages_at_tables(game, options, seeds):
    """Yields the messages to seat 0 at each of some tables played by bots."""
    for seed, policy in seeds:
        found = messages(game, seats=SEATS.get(game, 3), options=options, seed=seed, policy=policy)
        yield list(islice(found, None if policy == "steady" else MAX_MESSAGES))


@pytest.fixture(scope="module")
def shown(chromium, served):
    """A page of the service that can import modules."""
    found = chromium.new_page(base_url=served)
    found.goto("/")
    yield found
    found.close()


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request):
    return request.param


@pytest.fixture(scope="module")
def tables(shown, game):
    """The lessons at tables with the usual options."""
    return taught(
        shown,
        game,
        SHORT[game],
        SEEDS,
    )


def taught(shown, game, options, seeds, lessons=""):
    """Returns the lessons at each of some tables; `lessons` can be those of another game."""
    return [
        [
            Taught(message, *both)
            for message, both in zip(
                said, shown.evaluate(_SAY, [lessons or game, json.dumps(said)]), strict=True
            )
        ]
        for said in messages_at_tables(game, options, seeds)
    ]


def test_every_step_of_a_table_has_its_words(tables, game):
    for moment in chain(*tables):
        assert moment.lesson["title"]
        assert moment.lesson["text"]
        assert not _NOT_WORDS.search(moment.words), moment.words
    assert {moment.step for moment in chain(*tables)} >= STEPS[game]


def test_tables_with_other_options_have_their_words(shown, game):
    for moment in chain(*taught(shown, game, TWISTED[game], [("one", "steady"), ("two", "random")])):
        assert not _NOT_WORDS.search(moment.words), moment.words


def test_lessons_name_only_cards_seen_by_the_viewer(tables):
    for table in tables:
        seen = ""
        for moment in table:
            seen += str(moment.message)
            for rank, suit in _CARD.findall(moment.words):
                assert RANKS[rank] + SUITS[suit] in seen


def test_repeated_steps_are_explained_more_briefly(tables):
    moments = [moment for moment in chain(*tables) if moment.step]

    assert all(len(moment.lesson["text"]) <= len(moment.newcomer["text"]) for moment in moments)
    assert any(len(moment.lesson["text"]) < len(moment.newcomer["text"]) for moment in moments)


def test_the_count_of_the_last_round_is_explained(tables):
    for table in tables[:3]:
        last = table[-1]

        scored = [
            event for said in table for event in said.message["events"] if "round_scored" in event["type"]
        ]
        own = {abs(scored[-1]["data"][sums][0]) for sums in ("deltas", "totals")}
        assert own & {int(number) for number in re.findall(r"\d+", last.lesson["text"])}
        assert "That was the whole game." in last.lesson["text"]


def test_a_game_without_lessons_is_explained_through_its_actions(shown, game):
    for moment in chain(*taught(shown, game, SHORT[game], [("one", "random")], lessons="unwritten")):
        assert not _NOT_WORDS.search(moment.lesson["title"] + moment.lesson["text"]), moment.lesson
        if moment.step:
            assert moment.lesson["title"] == "Your turn"
