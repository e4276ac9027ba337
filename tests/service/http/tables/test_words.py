"""Events in words on request: in pages, lines, streams and answers to commands."""

import json

from hoodwink.domain.words import seating_of
from hoodwink.service.http.resources.access import names_at
from hoodwink.service.http.serving.streams.frames import event_frame
from tests.pace import AT_ONCE
from tests.service.http.api import first_legal, problem

WORDS = {"include": "words"}


def words_of(answer):
    return [event["words"] for event in answer.json["events"]]


def test_events_have_a_sentence_on_request(api, ada, path):
    listed = ada.get(f"{path}/events", query_string=WORDS)

    assert words_of(listed)[:4] == [
        "A table of Blindside with 2 seats was opened.",
        "Ada sat down at seat 0.",
        "Bob sat down at seat 1.",
        "Play began; seats and seeds are fixed from here on.",
    ]
    assert all("words" not in event for event in ada.get(f"{path}/events").json["events"])


def test_a_line_has_the_words_of_its_event(api, ada, path):
    lines = ada.get(
        f"{path}/events", query_string=WORDS, headers={"Accept": "application/x-ndjson"}
    ).data.splitlines()

    assert [json.loads(line)["words"] for line in lines] == words_of(
        ada.get(f"{path}/events", query_string=WORDS)
    )


def test_words_reveal_nothing_hidden_from_the_viewer(api, ada, bob, path):
    own, others = (
        next(event for event in words_of(who.get(f"{path}/events", query_string=WORDS)) if "dealt" in event)
        for who in (ada, api.spectator)
    )

    hand = ada.get(path).json["view"]["view"]["hands"][0]
    assert f"Hands: Ada {' '.join(hand)}." in own
    assert "Hands" not in others


def test_an_actions_answer_has_its_sentence(api, ada, path):
    action = next(first_legal(ada, path))
    answer = ada.post(f"{path}/actions", action, query_string=WORDS)

    assert words_of(answer) == [f"Ada passed {action['card']} face down to Bob."]


def test_an_offers_sentence_names_the_invited_player(api, ada, bob):
    path = ada.post("/v1/tables", {"game": "coconut", "seats": 3}).headers["Location"]
    offered = ada.post(f"{path}/offers", {"player": bob.id}, query_string=WORDS)
    ada.delete(f"{path}/seats/0")

    assert words_of(offered) == ["The host offered seat 0 to Bob."]
    assert words_of(ada.get(f"{path}/events", query_string=WORDS))[1:] == [
        "The host offered seat 0 to Bob.",
        "The host withdrew the offer of seat 0.",
    ]


def test_every_commands_answer_has_words_on_request(api, ada):
    opened = ada.post("/v1/tables", {"game": "coconut", "seats": 3, **AT_ONCE}, query_string=WORDS)
    taken = ada.post(f"{opened.headers['Location']}/seats", {}, query_string=WORDS)

    assert words_of(opened) == ["A table of Coconut with 3 seats was opened."]
    assert words_of(taken) == ["Ada sat down at seat 0."]


def test_a_stream_has_the_same_words_as_a_page(api, ada, path):
    table = path.rpartition("/")[2]
    loaded, history = api.service.tables.load(table), api.service.tables.history(table)
    seating = seating_of(loaded.state, names_at(api.service, loaded.state))
    frames = [event_frame("blindside", recorded, 0, seating, 0) for recorded in history]

    sent = [json.loads(frame.partition(b"data: ")[2])["words"] for frame in frames]
    assert sent == words_of(ada.get(f"{path}/events", query_string=WORDS))


def test_other_includes_are_refused(api, ada, path):
    problem(ada.get(f"{path}/events?include=secrets"), 400, "invalid_query")
    problem(ada.post(f"{path}/start?include=secrets"), 400, "invalid_query")
