"""Series: their dates and points, and the life of a season (S-1 … S-13)."""

from fractions import Fraction
from itertools import zip_longest

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series import (
    CloseSeries,
    ConfirmTournament,
    CountTournament,
    MissDate,
    Missed,
    Points,
    SkipDate,
    Stopped,
    StopSeries,
    counts_at,
    decode_series_event,
    due_date,
    season_table,
    tournament_to_open,
    work_due,
)
from hoodwink.domain.series.events import SeasonEnded, SeriesClosed, SeriesStopped, TournamentCounted
from hoodwink.domain.series.plan import HOUR_MS, PointsBy
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    TOURNAMENT,
    Admission,
    Advance,
    Enter,
    Expel,
    OpenRegistration,
    Phase,
    SeriesPlace,
    Sitting,
    StartOnTime,
    Visibility,
    next_step,
    placings_of,
    trophies_of,
)
from hoodwink.domain.tournaments.life.due import work_due as tournament_due
from hoodwink.domain.tournaments.terms import Format
from tests.domain.series.seasons import DAY_MS, START, Season
from tests.tournaments.world import SEED, World, setup


@pytest.mark.parametrize(
    "given",
    [
        {"admission": Admission(visibility=Visibility.PRIVATE), "rated": False},
        {"admission": Admission(visibility=Visibility.UNLISTED)},
        {"sittings": (Sitting(rounds=2), Sitting(rounds=2))},
        {"name": "x" * 78},
        {"opens_hours": 73},
        {"dates": 61},
        {"dates": 2, "points": Points(best_of=3)},
        {"points": Points(places=(3, 4))},
        {"format": Format.KNOCKOUT, "sittings": (Sitting(),), "points": Points(by=PointsBy.SCORE)},
        {"requested_byes": 1, "late_until": 9},
    ],
)
def test_s_1_s_3_s_8_settings_that_do_not_fit_are_refused(given):
    with pytest.raises(RuleViolation):
        Season(**({"dates": 4} | given))


def test_s_1_an_unlisted_series_opens_unlisted_tournaments():
    season = Season(admission=Admission(visibility=Visibility.UNLISTED), rated=False)

    opened = tournament_to_open(season.series, season.series.dates[0], SEED)

    assert opened.admission.visibility is Visibility.UNLISTED


def test_s_2_a_first_date_in_the_past_is_refused():
    with pytest.raises(RuleViolation, match="past"):
        Season(now=START)


def test_s_3_each_tournament_is_due_before_its_start_and_has_one_id():
    season = Season()
    assert work_due(season.series).at == START - 24 * HOUR_MS

    first = tournament_to_open(season.series, season.series.dates[0], SEED)
    again = tournament_to_open(season.series, season.series.dates[0], SEED)
    assert first == again
    assert (first.organiser, first.setup.name) == ("olga", "Club night 1")
    assert [sitting.starts_at for sitting in first.setup.sittings] == [START]
    assert first.series == SeriesPlace("club", 1)

    season.do(ConfirmTournament(1))
    assert season.series.dates[0].tournament == first.tournament
    assert work_due(season.series).at == START + DAY_MS - 24 * HOUR_MS
    assert season.refusal(ConfirmTournament(1)) == "date_settled"


def test_s_3_a_date_is_due_from_its_opening_on_until_it_is_settled():
    season = Season()
    opens = START - 24 * HOUR_MS

    assert due_date(season.series, opens - 1) is None
    assert due_date(season.series, opens) == season.series.dates[0]
    season.do(ConfirmTournament(1))
    assert due_date(season.series, opens) is None


def test_s_1_a_series_is_opened_once():
    season = Season()

    assert season.refusal(season.opening) == "series_exists"


def test_an_event_of_a_series_that_is_not_as_it_was_written_is_refused():
    with pytest.raises(UnknownEvent, match="there is no event"):
        decode_series_event("series.won", b"{}")
    with pytest.raises(UnknownEvent, match="date_skipped"):
        decode_series_event("series.date_skipped", b'{"number": "one"}')


def begun(*players, **changes):
    """Returns a tournament of a series in registration, with its start in ten minutes."""
    given = {"sittings": (Sitting(rounds=1, starts_at=1_600_000),), "advance": Advance.SCHEDULE, "seats": 3}
    world = World(setup(**(given | changes)), series=SeriesPlace("club", 1))
    world.register(*players)
    return world


def test_s_4_a_tournament_of_a_series_starts_by_itself_before_check_in():
    world = begun("ada", "bob", "cy", check_in=300)
    assert tournament_due(world.tournament).at == 1_300_000

    world.wait()
    world.settle()

    assert (world.tournament.phase, world.tournament.check_in) == (Phase.RUNNING, 1)
    assert world.log[-2].entry.by == "worker"
    assert replayed(TOURNAMENT, world.log) == world.tournament


@pytest.mark.parametrize("players", [(), ("ada",)])
def test_s_4_a_tournament_of_a_series_without_two_entrants_is_cancelled_at_its_start(players):
    world = begun(*players, check_in=300)
    assert tournament_due(world.tournament).at == 1_600_000

    world.wait()
    world.settle()

    assert world.tournament.phase is Phase.CANCELLED
    assert world.tournament.is_seed_revealed
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_s_4_a_tournament_that_the_rules_do_not_let_start_is_cancelled():
    world = begun(
        *[f"p{number}" for number in range(30)],
        format=Format.ROUND_ROBIN,
        sittings=(Sitting(rounds=500, starts_at=1_600_000),),
    )

    world.wait()
    world.settle()

    assert world.tournament.phase is Phase.CANCELLED


def test_s_4_with_manual_advance_and_outside_a_series_the_organiser_starts():
    assert next_step(begun("ada", "bob", advance=Advance.MANUAL).tournament) is None
    world = World(setup())
    world.do(OpenRegistration())
    world.do(Enter(player="ada"))
    world.do(Enter(player="bob"))
    assert next_step(world.tournament) is None
    assert world.refusal(StartOnTime({})) == "registration_closed"


def test_s_5_a_missed_date_is_shown_and_the_next_one_follows():
    season = Season()

    season.do(MissDate(1, Missed.TOO_MANY))

    assert season.statuses() == ["missed", "planned", "planned"]
    assert season.series.dates[0].why is Missed.TOO_MANY
    assert work_due(season.series).at == START + DAY_MS - 24 * HOUR_MS


def test_s_5_a_series_without_organiser_ends_even_if_a_date_is_due():
    season = Season()
    season.now = START - HOUR_MS

    events = season.do(StopSeries(Stopped.ORGANISER_GONE))

    assert [type(event) for event in events] == [SeriesStopped, SeasonEnded]
    assert season.statuses() == ["skipped"] * 3


def test_s_6_the_organiser_leaves_out_dates_whose_entries_are_not_open():
    season = Season()
    season.do(SkipDate(2))
    season.now = START - 24 * HOUR_MS

    assert season.statuses() == ["planned", "skipped", "planned"]
    assert season.refusal(SkipDate(1)) == season.refusal(SkipDate(2)) == "date_settled"
    assert season.refusal(SkipDate(4)) == season.refusal(SkipDate(0)) == "no_such_date"


def test_s_6_s_12_an_ended_series_still_counts_its_open_tournaments():
    season = Season()
    season.do(ConfirmTournament(1))
    season.now = START - HOUR_MS + DAY_MS

    season.do(StopSeries(Stopped.ORGANISER))
    assert season.statuses() == ["open", "planned", "skipped"]
    assert season.refusal(StopSeries(Stopped.ORGANISER)) == "series_stopped"

    season.do(ConfirmTournament(2))
    assert [type(event) for event in season.count(1, ("ada", 1, 3), ("bob", 2, 1))] == [TournamentCounted]
    assert [type(event) for event in season.count(2)] == [TournamentCounted, SeasonEnded]
    assert season.table() == [(1, "ada", 25), (2, "bob", 18)]


def test_s_13_an_administrator_ends_a_series_with_a_reason():
    season = Season()
    season.do(ConfirmTournament(1))
    season.now = START - HOUR_MS + DAY_MS
    assert season.refusal(CloseSeries(" ")) == "invalid_reason"

    assert season.do(CloseSeries("spam")) == (SeriesClosed("spam"),)

    # The second tournament may be opening.
    assert season.statuses() == ["open", "planned", "skipped"]
    assert season.series.stopped is Stopped.ADMINISTRATOR
    assert (
        season.refusal(CloseSeries("spam"))
        == season.refusal(StopSeries(Stopped.ORGANISER))
        == "series_stopped"
    )


def test_s_7_places_are_those_of_players_who_appeared():
    world = begun("ada", "bob", "cy", "dee", "eve", advance=Advance.AUTOMATIC)
    world.do(Enter(player="", policy="steady"))
    world.wait()
    world.settle()
    assert placings_of(world.tournament) == ()

    # The bot wins its table, eve never appears, and ada is expelled.
    world.do(Expel("ada", "Rude."))
    for table, order in list(world.open.items()):
        absent = tuple(seat for seat, who in enumerate(order.seats) if who.player == "eve")
        points = tuple(9 if who.policy else -seat for seat, who in enumerate(order.seats))
        world.end(table, points=points, no_shows=absent)
    world.settle()

    placings = placings_of(world.tournament)
    assert {placing.player for placing in placings} == {"bob", "cy", "dee"}
    assert min(placing.place for placing in placings) == 1


def test_s_8_players_who_share_places_share_the_points_exactly():
    season = Season(points=Points(places=(10, 5), participation=1))

    season.count(1, ("ada", 1, 3), ("bob", 2, 1), ("cy", 2, 1), ("dee", 2, 1), ("eve", 5, 0))

    shared = Fraction(5, 3) + 1
    assert season.table() == [
        (1, "ada", 11),
        (2, "bob", shared),
        (2, "cy", shared),
        (2, "dee", shared),
        (5, "eve", 1),
    ]


def test_s_8_the_score_can_be_the_points():
    season = Season(points=Points(by=PointsBy.SCORE))

    season.count(1, ("ada", 1, "7/3"), ("bob", 2, "1/2"))

    assert season.table() == [(1, "ada", Fraction(7, 3)), (2, "bob", Fraction(1, 2))]


def test_s_9_the_best_tournaments_count_the_earlier_of_equal_ones():
    season = Season(points=Points(places=(10, 5, 1), best_of=1))
    for number in (1, 2):
        season.count(number, ("bob", 1, 1), ("ada", 2, 0))
    season.count(3, ("ada", 1, 1), ("bob", 3, 0))

    rows = {row.player: row for row in season_table(season.series)}

    assert [result.counts for result in rows["ada"].results] == [False, False, True]
    assert [result.counts for result in rows["bob"].results] == [True, False, False]
    # Equal points: bob has more first places in all tournaments.
    assert season.table() == [(1, "bob", 10), (2, "ada", 10)]


@pytest.mark.parametrize(
    ("ada", "bob", "order"),
    [
        ([1, 3], [2, 2], [(1, "ada"), (2, "bob")]),
        ([2, 4], [2, 3], [(1, "bob"), (2, "ada")]),
        ([3], [3, 9], [(1, "bob"), (2, "ada")]),
        ([2, 3], [3, 2], [(1, "ada"), (1, "bob")]),
    ],
)
def test_s_9_equal_points_are_ordered_by_places(ada, bob, order):
    season = Season(points=Points(places=()))
    for number, places in enumerate(zip_longest(ada, bob), start=1):
        came = [(who, place, 0) for who, place in zip(("ada", "bob"), places, strict=True) if place]
        season.count(number, *came)

    assert [(place, player) for place, player, _ in season.table()] == order


def test_s_9_a_table_of_many_players_takes_little_more_than_their_order(monkeypatch):
    season, compared, equal = Season(dates=1), 0, Fraction.__eq__
    season.count(1, *[(f"player {place}", place, 0) for place in range(1, 301)])

    def counted(one: Fraction, other: object) -> bool:
        nonlocal compared
        compared += 1
        return equal(one, other)

    monkeypatch.setattr(Fraction, "__eq__", counted)

    assert len(season.table()) == 300
    assert compared < 300 * 20


def test_s_10_a_correction_replaces_the_result_even_after_the_season():
    season = Season(dates=1)
    season.count(1, ("ada", 1, 3), ("bob", 2, 1), version=9)
    with pytest.raises(RuleViolation, match="cannot be counted"):
        season.count(1, ("ada", 1, 3), ("bob", 2, 1), version=10)
    with pytest.raises(RuleViolation, match="cannot be counted"):
        season.count(1, ("bob", 1, 3), version=8)

    events = season.count(1, ("bob", 1, 3), ("ada", 2, 1), version=11)

    assert [type(event) for event in events] == [TournamentCounted]
    assert season.table() == [(1, "bob", 25), (2, "ada", 18)]


def test_s_10_only_a_tournament_of_the_series_is_counted():
    season = Season(dates=1)
    other = CountTournament(number=2, version=9, head="ab", placings=())

    assert counts_at(season.series, other) is None
    assert season.refusal(other) == "no_such_date"


def test_s_11_a_trophy_needs_more_players_than_its_place():
    assert trophies_of((("ada", 1),)) == {}
    assert trophies_of((("ada", 1), ("bob", 2))) == {"ada": 1}
    assert trophies_of((("ada", 1), ("bob", 1), ("cy", 3))) == {"ada": 1, "bob": 1}
    five = tuple((player, place) for place, player in enumerate("abcde", start=1))
    assert trophies_of(five) == {"a": 1, "b": 2, "c": 3}
