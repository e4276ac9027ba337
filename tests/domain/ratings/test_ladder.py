"""Ratings are a fold of one stream (R-3), and a void makes them what they were without the table (V-2)."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoodwink.domain.ratings import (
    DAY_MS,
    NEWCOMER,
    UNRATED,
    Ladder,
    RatedSeat,
    RatedTable,
    RatedTableVoided,
    RatingEvent,
    Snapshot,
    Standing,
    TableRated,
    aged,
    decode_rating_event,
    evolve,
    rated,
    restored,
)
from hoodwink.domain.tables.codec import UnknownEvent, encode_event


def table(name: str, *players: str, places: tuple[int, ...] | None = None, absent: str = "") -> TableRated:
    """Returns the event of a table with the players in the order of their places, or with the given places.

    The players named in `absent` did not take part.
    """
    ranks = places or range(1, len(players) + 1)
    took_part = [player not in absent.split() for player in players]
    return TableRated("coconut", name, 99, tuple(map(RatedSeat, players, ranks, took_part)))


def void(name: str) -> RatedTableVoided:
    return RatedTableVoided("coconut", name, 101)


def folded(*events: RatingEvent, start: Ladder = UNRATED, each_ms: int = 1_000) -> Ladder:
    """Returns the ladder after the events; table `t7` is rated in the seventh second, or at seven times `each_ms`."""
    ladder = start
    for version, event in enumerate(events, start.version + 1):
        ladder = evolve(ladder, event, version=version, at=each_ms * int(event.table[1:]))
    return ladder


def shown(ladder: Ladder) -> tuple[dict[str, Standing], list[RatedTable]]:
    """Returns everything public about a ladder."""
    return {standing.player: standing for standing in ladder.standings}, list(ladder.tables())


def standing_of(player: str, ladder: Ladder) -> Standing:
    standing = ladder.standings.get(player)
    assert standing is not None
    return standing


def season(seed: int, tables: int, players: int) -> list[TableRated]:
    chance = Random(seed)
    names = [f"p{number}" for number in range(players - 1)] + ["steady@1"]
    events = []
    for number in range(1, tables + 1):
        seated = chance.sample(names, chance.randint(2, min(5, players)))
        places = tuple(chance.randint(1, len(seated)) for _ in seated)
        absent = " ".join([player for player in seated if chance.random() < 0.1 and player != "steady@1"])
        events.append(table(f"t{number}", *seated, places=places, absent=absent))
    return events


def test_r_3_each_table_continues_from_the_ratings_after_the_one_before():
    ladder = folded(table("t1", "ada", "bo"), table("t2", "bo", "cy"))
    ada, bo = rated([NEWCOMER, NEWCOMER], [1, 2])
    bo_then, cy = rated([bo, NEWCOMER], [1, 2])
    standings = {standing.player: standing.rating for standing in ladder.standings}
    assert standings == {"ada": ada, "bo": bo_then, "cy": cy}
    first, second = ladder.tables()
    assert (first.before, first.after) == ((NEWCOMER, NEWCOMER), (ada, bo))
    assert (second.before, second.after) == ((bo, NEWCOMER), (bo_then, cy))


def test_r_3_the_order_of_the_tables_is_a_fact():
    first, second = table("t1", "ada", "bo"), table("t2", "bo", "cy")
    assert shown(folded(first, second))[0] != shown(folded(second, first))[0]


def test_r_3_a_standing_counts_tables_and_shows_the_trend_over_the_latest_ten():
    ladder = folded(*[table(f"t{number}", "ada", "bo") for number in range(1, 13)], each_ms=DAY_MS // 8)
    ada = standing_of("ada", ladder)
    assert (ada.tables, ada.rated_at, len(ada.recent)) == (12, 12 * DAY_MS // 8, 10)
    third = list(ladder.tables())[2]
    assert ada.trend == ada.rating.mu - third.before[0].mu
    assert standing_of("bo", folded(table("t1", "ada", "bo"))).trend < 0


def test_r_1_a_table_with_one_person_counts_for_its_bots_alone():
    ladder = folded(table("t1", "ada", "bo"), table("t2", "ada", "steady@1", "random@1"))
    two = list(ladder.tables())[1]
    assert standing_of("ada", ladder) == standing_of("ada", folded(table("t1", "ada", "bo")))
    assert (two.uncounted, two.after[0]) == ((0,), two.before[0])
    assert two.before[0] != NEWCOMER
    assert two.after[1:] == rated(two.before, [1, 2, 3])[1:]
    assert {standing.player for standing in ladder.change.standings} == {"steady@1", "random@1"}


def test_r_1_bots_among_people_count_for_everybody():
    ladder = folded(table("t1", "steady@1", "ada", "bo"))
    assert {standing.player for standing in ladder.standings} == {"steady@1", "ada", "bo"}
    assert next(ladder.tables()).uncounted == ()


def test_r_3_a_table_uses_sigma_grown_since_the_players_latest_table():
    first, second = table("t1", "ada", "bo"), table("t31", "bo", "cy")
    ladder = folded(first, second, each_ms=DAY_MS)
    one, two = ladder.tables()
    assert two.before == (aged(one.after[1], 30 * DAY_MS), NEWCOMER)
    assert two.before[0].sigma > one.after[1].sigma
    assert two.after == rated(two.before, [1, 2])
    assert standing_of("ada", ladder).rating == one.after[0], "what is stored depends on the tables alone"


def test_r_6_an_idle_player_can_only_lose_and_nobody_gains():
    ladder = folded(table("t1", "ada", "bo", "cy", "dee", absent="ada dee"))
    (row,) = ladder.tables()
    winner, second, third, loser = row.after
    assert winner == NEWCOMER
    assert (loser.mu < NEWCOMER.mu, loser.sigma) == (True, NEWCOMER.sigma)
    assert (second, third) == rated([NEWCOMER, NEWCOMER], [1, 2])
    assert row.uncounted == ()


def test_r_6_the_only_active_person_is_not_rated_but_bots_are_compared():
    ladder = folded(table("t1", "ada", "random@1", "steady@1", "bo", absent="bo"))
    (row,) = ladder.tables()
    assert row.uncounted == (0,)
    assert row.after[:3] == (NEWCOMER, *rated([NEWCOMER] * 3, [1, 2, 3])[1:])
    assert row.after[3].mu < NEWCOMER.mu
    assert ladder.standings.get("ada") is None


def test_r_6_a_bot_gains_nothing_from_idle_people():
    ladder = folded(table("t1", "steady@1", "ada", "bo", absent="ada bo"))
    assert ladder.standings.get("steady@1") is None
    assert standing_of("bo", ladder).rating.mu < standing_of("ada", ladder).rating.mu <= NEWCOMER.mu


def test_r_6_no_order_of_tables_raises_an_idle_player():
    chance, worth = Random(3), [NEWCOMER.ordinal]
    ladder = UNRATED
    for number in range(1, 200):
        others = chance.sample(["bo", "cy", "dee", "eve", "steady@1"], 2)
        players = chance.sample(["ada", *others], 3)
        ladder = folded(table(f"t{number}", *players, absent="ada"), start=ladder, each_ms=DAY_MS // 20)
        worth.append(standing_of("ada", ladder).rating.ordinal)
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] < worth[0]


def test_r_6_a_pair_is_compared_at_ten_tables_of_a_utc_day():
    midnight = 20_000 * DAY_MS
    duels = [table(f"t{number}", "ada", "bo") for number in range(1, 26)]
    ladder = UNRATED
    for version, duel in enumerate(duels[:12], 1):
        ladder = evolve(ladder, duel, version=version, at=midnight + version)
    assert standing_of("ada", ladder).tables == standing_of("bo", ladder).tables == 10
    assert [row.uncounted for row in ladder.tables()] == [()] * 10 + [(0, 1)] * 2
    last = evolve(ladder, duels[12], version=13, at=midnight + DAY_MS - 1)
    assert standing_of("ada", last).tables == 10
    ladder = evolve(ladder, duels[13], version=13, at=midnight + DAY_MS)
    assert standing_of("ada", ladder).tables == 11


@pytest.mark.parametrize(("rival", "counted"), [("zero@bot", 10), ("ada", 10), ("steady@1", 12)])
def test_r_6_the_limit_includes_bots_of_players_but_not_policies(rival, counted):
    ladder = folded(*[table(f"t{number}", "maia@bot", rival) for number in range(1, 13)])
    assert standing_of("maia@bot", ladder).tables == counted


def test_r_6_a_pair_over_the_limit_is_still_compared_with_the_others():
    duels = [table(f"t{number}", "ada", "bo") for number in range(1, 11)]
    ladder = folded(*duels, table("t11", "ada", "bo", "cy", "steady@1"))
    *_, row = ladder.tables()
    ada, bo, cy, bot = row.before
    assert (row.spent, row.uncounted) == (((0, 1),), ())
    assert row.after[0] == rated([ada, cy, bot], [1, 2, 3])[0]
    assert row.after[1] == rated([bo, cy, bot], [1, 2, 3])[0]
    assert row.after[2:] == rated(row.before, [1, 2, 3, 4])[2:]


def test_r_6_a_pair_over_the_limit_does_not_count_with_bots_alone():
    duels = [table(f"t{number}", "ada", "bo") for number in range(1, 11)]
    ladder = folded(*duels, table("t11", "ada", "bo", "steady@1"))
    *_, row = ladder.tables()
    assert row.uncounted == (0, 1)
    assert row.after[:2] == row.before[:2]
    assert row.after[2] == rated(row.before, [1, 2, 3])[2]


def test_r_6_pairs_with_bots_are_not_limited():
    ladder = folded(*[table(f"t{number}", "steady@1", "random@1") for number in range(1, 31)])
    assert standing_of("steady@1", ladder).tables == 30


def test_r_6_a_void_lets_a_later_table_of_the_day_count():
    duels = [table(f"t{number}", "ada", "bo") for number in range(1, 13)]
    ladder = folded(*duels, void("t3"))
    assert shown(ladder) == shown(folded(*[duel for duel in duels if duel.table != "t3"]))
    assert [changed.table for changed in ladder.change.tables] == ["t11"], "it is listed for both from now on"


def test_r_6_only_the_pairs_of_the_day_are_remembered():
    ladder = folded(*season(4, 1_000, 200), each_ms=DAY_MS // 20)
    remembered = sum([len(met) for part in ladder.meetings.tables for met in part.values()])
    assert 0 < remembered <= 20 * 10


def test_v_2_a_void_removes_a_table_from_the_ladder():
    first, second, third = table("t1", "ada", "bo"), table("t2", "bo", "cy"), table("t3", "dan", "eve")
    ladder = folded(first, second, third, void("t1"))
    assert shown(ladder) == shown(folded(second, third))
    assert ladder.version == 4
    assert ladder.change.voided == next(folded(first).tables())
    assert ladder.change.gone == ("ada",)
    assert [changed.table for changed in ladder.change.rerated] == ["t2"]
    assert ladder.change.tables == ()
    assert [standing.player for standing in ladder.change.standings] == ["bo", "cy"]


def test_v_2_only_a_table_on_the_ladder_can_be_voided():
    with pytest.raises(LookupError):
        folded(table("t1", "ada", "bo"), void("t2"))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 1_500),
    st.integers(3, 30),
    st.sampled_from([0, 1_000, DAY_MS // 50, 3 * DAY_MS]),
    st.data(),
)
def test_v_2_v_3_voids_at_any_time_give_the_ladder_without_these_tables(seed, tables, players, each_ms, data):
    events = season(seed, tables, players)
    victims = data.draw(st.lists(st.sampled_from(events), max_size=4, unique=True))
    history: list[RatingEvent] = list(events)
    for victim in victims:
        index = data.draw(st.integers(history.index(victim) + 1, len(history)))
        history.insert(index, void(victim.table))
    others = [event for event in events if event not in victims]
    assert shown(folded(*history, each_ms=each_ms)) == shown(folded(*others, each_ms=each_ms))


def test_r_3_tables_rated_in_the_same_millisecond_keep_their_order():
    ladder = folded(table("t1", "ada", "bo"), table("t2", "bo", "cy"), table("t3", "ada", "cy"), each_ms=0)
    assert [(row.table, row.at, row.recorded_at) for row in ladder.tables()] == [
        ("t1", 0, 0),
        ("t2", 1, 0),
        ("t3", 2, 0),
    ]


@pytest.mark.parametrize("each_ms", [0, 1_000, DAY_MS // 50])
@pytest.mark.parametrize(("before", "after"), [(0, 40), (1, 40), (32, 40), (150, 150)])
def test_r_3_a_restored_ladder_goes_on_like_the_one_from_the_beginning(before, after, each_ms, monkeypatch):
    monkeypatch.setattr("hoodwink.domain.ratings.ladder._BLOCK", 32)
    seed = before + each_ms
    chance, tables = Random(seed), season(seed, before + after, 12)
    whole = folded(
        *tables[:before], *[void(f"t{number}") for number in some(chance, 1, before)], each_ms=each_ms
    )
    resumed = restored(msgspec.json.decode(msgspec.json.encode(whole.snapshot("")), type=Snapshot))
    later: list[RatingEvent] = list(tables[before:])
    for number in some(chance, before + 1, before + after):
        voided = later.index(tables[number - 1])
        later.insert(chance.randint(voided + 1, len(later)), void(f"t{number}"))
    for event in later:
        whole, resumed = (folded(event, start=ladder, each_ms=each_ms) for ladder in (whole, resumed))
        assert resumed.change == whole.change
    assert resumed.snapshot("") == whole.snapshot("")
    players = [standing.player for standing in whole.snapshot("").standings]
    assert players == sorted(players), "the same in every process"
    if before:
        with pytest.raises(LookupError):
            folded(void("t1"), start=resumed)


def some(chance: Random, first: int, last: int) -> list[int]:
    """Returns up to two of these numbers."""
    return chance.sample(range(first, last + 1), min(2, max(0, last - first)))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 1_200), st.sampled_from([0, 1_000, DAY_MS // 50]), st.data())
def test_v_2_a_change_names_every_difference(seed, tables, each_ms, data):
    before = folded(*season(seed, tables, 12), each_ms=each_ms)
    victim = f"t{data.draw(st.integers(1, tables))}"
    after = folded(void(victim), start=before, each_ms=each_ms)
    standings, listed = shown(before)
    rows = {row.table: row for row in listed}
    standings |= {standing.player: standing for standing in after.change.standings}
    for player in after.change.gone:
        del standings[player]
    rows |= {row.table: row for row in (*after.change.tables, *after.change.rerated)}
    times = {row.table: row.at for row in listed}
    assert all(times[row.table] == row.at for row in after.change.rerated)
    del rows[victim]
    assert after.change.voided in listed
    assert (standings, list(rows.values())) == shown(after)


def test_r_3_more_tables_do_not_change_an_earlier_ladder():
    early = folded(*season(1, 1_100, 6))
    kept = shown(early)
    folded(table("t1101", "p0", "p1"), void("t3"), void("t1099"), start=early)
    assert shown(early) == kept


def test_an_event_of_the_stream_round_trips():
    for event in (table("t1", "ada", "steady@1"), void("t1")):
        assert decode_rating_event(event.wire, encode_event(event)) == event


@pytest.mark.parametrize(
    ("wire", "data"),
    [("ratings.table_lost", b"{}"), ("ratings.table_rated@2", b"{}"), ("ratings.table_voided", b"\xff")],
)
def test_data_of_no_event_is_refused(wire, data):
    with pytest.raises(UnknownEvent):
        decode_rating_event(wire, data)
