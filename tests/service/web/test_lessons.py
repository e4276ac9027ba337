"""Lessons: what they say at every step of tables that bots play, evaluated in the browser."""

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
    const anew = [...events.filter(({{ data }}) => data.seat !== message.view.viewer), ...message.events];
    events.push(...message.events);
    return [events, anew].map((history) => lessons(message.view, message.legal_actions, history));
  }});
}}"""
SEEDS = (("red", "steady"), ("green", "steady"), ("blue", "steady"), ("north", "random"))
MAX_MESSAGES = 150
"""Bots that play at random need far longer than people do; what happens there after a while has happened before."""


class Taught(NamedTuple):
    """A moment of a table with its lesson, and the lesson for somebody who has done nothing before."""

    message: dict[str, Any]
    lesson: dict[str, str]
    anew: dict[str, str]

    @property
    def step(self):
        """The action that the viewer owes, if any."""
        view = self.message["view"]
        return view["view"]["step"] if view["seats"][0]["owes"] else None

    @property
    def words(self):
        return " ".join(filter(None, map(self.lesson.get, ("title", "text", "hint"))))


def heard(game, options, seeds):
    """Yields the messages of each of some tables that bots play, as seat 0 sees them."""
    for seed, policy in seeds:
        found = messages(game, seats=SEATS.get(game, 3), options=options, seed=seed, policy=policy)
        yield list(islice(found, None if policy == "steady" else MAX_MESSAGES))


@pytest.fixture(scope="module")
def shown(chromium, served):
    """A page of the service, in which modules can be imported."""
    found = chromium.new_page(base_url=served)
    found.goto("/")
    yield found
    found.close()


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request):
    return request.param


@pytest.fixture(scope="module")
def tables(shown, game):
    """What is taught at tables with the usual options."""
    return taught(
        shown,
        game,
        SHORT[game],
        SEEDS,
    )


def taught(shown, game, options, seeds, lessons=""):
    """Returns for each of some tables what is taught there; `lessons` are those of another game."""
    return [
        [
            Taught(message, *both)
            for message, both in zip(
                said, shown.evaluate(_SAY, [lessons or game, json.dumps(said)]), strict=True
            )
        ]
        for said in heard(game, options, seeds)
    ]


def test_every_step_of_a_table_has_its_words(tables, game):
    for moment in chain(*tables):
        assert moment.lesson["title"]
        assert moment.lesson["text"]
        assert not _NOT_WORDS.search(moment.words), moment.words
    assert {moment.step for moment in chain(*tables)} >= STEPS[game]


def test_tables_with_other_options_have_theirs(shown, game):
    for moment in chain(*taught(shown, game, TWISTED[game], [("one", "steady"), ("two", "random")])):
        assert not _NOT_WORDS.search(moment.words), moment.words


def test_no_card_is_named_that_the_viewer_has_not_seen(tables):
    for table in tables:
        seen = ""
        for moment in table:
            seen += str(moment.message)
            for rank, suit in _CARD.findall(moment.words):
                assert RANKS[rank] + SUITS[suit] in seen


def test_what_was_done_before_is_explained_in_fewer_words(tables):
    moments = [moment for moment in chain(*tables) if moment.step]

    assert all(len(moment.lesson["text"]) <= len(moment.anew["text"]) for moment in moments)
    assert any(len(moment.lesson["text"]) < len(moment.anew["text"]) for moment in moments)


def test_the_count_of_the_last_round_is_explained(tables):
    for table in tables[:3]:
        last = table[-1]

        scores = {abs(score) for score in last.message["view"]["result"]["scores"]}
        assert scores & {int(number) for number in re.findall(r"\d+", last.lesson["text"])}
        assert "That was the whole game." in last.lesson["text"]


def test_a_game_without_lessons_is_explained_by_its_actions(shown, game):
    for moment in chain(*taught(shown, game, SHORT[game], [("one", "random")], lessons="unwritten")):
        assert not _NOT_WORDS.search(moment.lesson["title"] + moment.lesson["text"]), moment.lesson
        if moment.step:
            assert moment.lesson["title"] == "Your turn"
