"""Tournament report files: written by the columns of TRF-2026, read back, and refused if they are malformed."""

import random
from fractions import Fraction

import msgspec
import pytest

from hoodwink.domain.tournaments.crosstable import Entrant, Outcome, SeatState, Why
from hoodwink.domain.tournaments.files.trf import MalformedTrf, TrfSheet, Unwritable, read_trf, write_trf
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Tiebreak
from tests.domain.tournaments.fide import ours
from tests.domain.tournaments.swiss import (
    beats,
    draws,
    ends_without_result,
    forfeits,
    loses,
    swiss,
    unfinished,
)
from tests.domain.tournaments.tables import NO_SHOW, out, table

HALF = Fraction(1, 2)


def sheet(played, **changed):
    given = {
        "name": "Spring",
        "site": "Here",
        "start": "2026/11/01",
        "end": "2026/12/24",
        "initial": "w",
        "ranks": {},
    }
    return TrfSheet(crosstable=played, **(given | changed))


def lines(played, **changed):
    return write_trf(sheet(played, **changed)).splitlines()


def player(played, number, **changed):
    return next(line for line in lines(played, **changed) if line.startswith(f"001 {number:4}"))


def blocks(played, number):
    line = player(played, number)
    return [line[start : start + 10].lstrip() for start in range(89, len(line), 10)]


def test_the_head_of_a_file_holds_the_tournament_and_its_terms():
    terms = {
        "bye_score": HALF,
        "forbidden": ((1, 2), (3, 12)),
        "tiebreaks": (
            Tiebreak.DIRECT,
            Tiebreak.BUCHHOLZ_CUT1,
            Tiebreak.DIFFERENCE,
            Tiebreak.LOT,
            Tiebreak.WINS,
        ),
    }
    assert lines(swiss(entrants=12, rounds=7, **terms), initial="b")[:15] == [
        "012 Spring",
        "022 Here",
        "032 FID",
        "042 2026/11/01",
        "052 2026/12/24",
        "062 12",
        "072 0",
        "092 Individual: Swiss-System (FIDE Dutch)",
        "142 7",
        "152 B",
        "162  W 1.0    D 0.5    L 0.0    P 0.5",
        "192 FIDE_DUTCH",
        "212 PTS,DE,BH/C1,WON",
        "260   1   7    1    2",
        "260   1   7    3   12",
    ]


def test_a_date_before_the_rules_of_2026_is_written_as_their_first_day():
    head = lines(swiss(entrants=2), start="2025/12/31", end="2026/02/28")
    assert head[3:5] == ["042 2026/03/01", "052 2026/03/01"]


def test_a_player_fills_the_columns_of_record_001():
    line = player(swiss([beats(1, 2)]), 1, ranks={1: 1, 2: 2})
    assert line == "001    1      " + "Entrant 1".ljust(66) + " 1.0    1     2 w 1"
    assert (line[4:8], line[14:23], line[80:84], line[85:89], line[91:95]) == (
        "   1",
        "Entrant 1",
        " 1.0",
        "   1",
        "   2",
    )
    assert line[96] + line[98] == "w1"


def test_a_name_is_written_on_one_line_and_not_beyond_its_columns():
    named = msgspec.structs.replace(
        swiss(entrants=1), entrants=(Entrant(number=1, name="Long\n" + "x" * 60),)
    )
    assert player(named, 1)[14:48] == "Long " + "x" * 28 + " "


def test_results_are_written_with_opponent_and_colour():
    assert blocks(swiss([beats(1, 2)], [loses(1, 2)], [draws(2, 1)]), 1) == ["2 w 1", "2 w 0", "2 b ="]


def test_t_6_forfeits_are_written_with_opponent_and_colour():
    played = swiss([forfeits(2, 1)], [table(1, (1, NO_SHOW), (2, NO_SHOW))])
    assert blocks(played, 1) == ["2 b -", "2 w -"]
    assert blocks(played, 2) == ["1 w +", "1 b -"]


@pytest.mark.parametrize(
    ("unplayed", "written"),
    [
        (out(1, Why.PAIRING_BYE, 1), "0000 - U"),
        (out(1, Why.PAIRING_BYE, HALF), "0000 - U"),
        (out(1, Why.REQUESTED_BYE, HALF), "0000 - H"),
        (out(1, Why.ASSIGNED_BYE, 1), "0000 - F"),
        (out(1, Why.ASSIGNED_BYE, 0), "0000 - Z"),
        (out(1, Why.LATE, HALF), "0000 - H"),
        (out(1, Why.WITHDRAWN, 0), "0000 - Z"),
        (out(2), "0000 - Z"),
    ],
)
def test_unplayed_rounds_are_written_by_their_score(unplayed, written):
    assert blocks(swiss([unplayed], entrants=2), 1) == [written]


def test_t_10_t_12_a_table_without_result_is_written_as_byes():
    no_show = table(1, (1, None), (2, NO_SHOW), outcome=Outcome.NO_RESULT)
    void = table(1, (1, None), (2, None), outcome=Outcome.VOID, void_score=Fraction(1))
    played = swiss([ends_without_result(1, 2)], [no_show], [void])
    assert blocks(played, 1) == ["0000 - H", "0000 - H", "0000 - F"]
    assert blocks(played, 2) == ["0000 - H", "0000 - Z", "0000 - F"]


@pytest.mark.parametrize(
    ("played", "why"),
    [
        (swiss([unfinished(1, 2)]), "Round 1 has a table in play"),
        (swiss([out(1, Why.ASSIGNED_BYE, Fraction(1, 3))]), "Entrant 1 has 1/3 for unplayed round 1"),
        (swiss(entrants=2, bye_score=Fraction(1, 3)), "The score 1/3 is not a multiple of a half"),
        (swiss(entrants=4, seats=4), "two seats per table"),
        (swiss(entrants=4, format=Format.KNOCKOUT), "Only a Swiss tournament"),
        (swiss(entrants=4, format=Format.LEAGUE, best_of=1), "only the best sittings count"),
        (swiss(entrants=4, format=Format.LEAGUE, score_by=ScoreBy.POINTS), "no points of a game"),
    ],
)
def test_a_tournament_beyond_the_format_is_refused(played, why):
    with pytest.raises(Unwritable, match=why):
        write_trf(sheet(played))


def test_a_league_is_a_custom_swiss_without_an_initial_colour():
    played = swiss([beats(1, 2)], [beats(2, 1)], entrants=2, format=Format.LEAGUE)
    text = write_trf(sheet(played))
    head = [line for line in text.splitlines() if line[:3] in {"092", "152", "192"}]
    assert head == ["092 Individual: Swiss-System (league)", "192 CUSTOM_SWISS"]
    found = read_trf(text)
    assert (write_trf(found), found.crosstable.terms) == (text, played.terms)


def test_a_written_file_is_read_back():
    played = swiss(
        [beats(1, 3), forfeits(4, 2), out(5, Why.PAIRING_BYE, HALF)],
        [draws(4, 1), table(2, (3, NO_SHOW), (5, NO_SHOW)), out(2, Why.REQUESTED_BYE, HALF)],
        [beats(1, 2), out(3, Why.ABSENT), out(4, Why.ASSIGNED_BYE, 1), out(5, Why.PAIRING_BYE, HALF)],
        bye_score=HALF,
        forbidden=((2, 5),),
        tiebreaks=(Tiebreak.BUCHHOLZ, Tiebreak.SONNEBORN_BERGER),
    )
    text = write_trf(sheet(played, ranks={1: 1, 2: 4, 3: 4, 4: 1}, initial="b"))
    found = read_trf(text)
    assert write_trf(found) == text
    assert (found.name, found.site, found.federation) == ("Spring", "Here", "FID")
    assert (found.start, found.end, found.initial) == ("2026/11/01", "2026/12/24", "b")
    assert found.ranks == {1: 1, 2: 4, 3: 4, 4: 1}
    assert found.crosstable.terms == played.terms
    assert found.crosstable.entrants == played.entrants
    boards = [board for round_ in found.crosstable.rounds for board in round_.boards]
    assert [tuple(seat.entrant for seat in board.seats) for board in boards] == [
        (1, 3),
        (4, 2),
        (4, 1),
        (3, 5),
        (1, 2),
    ]
    assert [board.number for board in boards] == [1, 2, 1, 2, 1]
    assert boards[1].seats[1].state is SeatState.NO_SHOW
    assert boards[3].outcome is Outcome.NO_RESULT
    assert [unplayed.why for unplayed in found.crosstable.rounds[2].unplayed] == [
        Why.ABSENT,
        Why.ASSIGNED_BYE,
        Why.PAIRING_BYE,
    ]


@pytest.mark.parametrize("number", range(0, 60, 3))
def test_any_tournament_round_trips(number):
    played = ours.tournament(number, most=16)
    text = ours.report(played)
    found = read_trf(text)
    assert write_trf(found) == text
    assert [seats_of(round_) for round_ in found.crosstable.rounds] == [
        seats_of(round_) for round_ in played.rounds
    ]


def seats_of(round_):
    return [
        [(seat.entrant, seat.state, seat.place == 1) for seat in board.seats if seat.place or seat.state]
        for board in round_.boards
    ]


ONE = "001    1      " + "One".ljust(66) + " 1.5    1     2 w 1  0000 - H\n"
TWO = "001    2      " + "Two".ljust(66) + " 1.0    2     1 b 0  0000 - U\n"
FILE = ONE + TWO


def test_a_file_may_have_other_records_and_other_ends_of_lines():
    found = read_trf("### a remark\r\n\r\n102 An arbiter\r\n142 5\r\n" + FILE.replace("\n", "\r\n"))
    assert (found.crosstable.terms.rounds, len(found.crosstable.rounds)) == (5, 2)
    assert (found.name, found.initial) == ("", "w")


def test_a_file_may_leave_absences_and_points_blank():
    first = ONE.replace(" 2 w 1", "      ").replace("1.5", "   ")
    found = read_trf(first + TWO.replace("  1 b 0  0000 - U", "").replace("1.0", "   "))
    assert [unplayed.why for unplayed in found.crosstable.rounds[0].unplayed] == [Why.ABSENT, Why.ABSENT]
    assert [unplayed.why for unplayed in found.crosstable.rounds[1].unplayed] == [
        Why.REQUESTED_BYE,
        Why.ABSENT,
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        (FILE, "", "There are no players"),
        (
            "001    2",
            "001    3",
            r"Line 2 \(record 001\): the starting rank is 3; they must be 1 … 2, each once",
        ),
        ("001    2", "001    x", "'x' is not a whole number in columns 5 to 8"),
        ("1.5", "1,5", "'1,5' is not a number such as 1.5 in columns 81 to 84"),
        ("1.5", "2.5", "the points are 5/2, but the results add up to 3/2"),
        ("2 w 1", "2-w 1", "columns 90 to 99 must hold two blanks"),
        ("0000 - H", "0000 -", "columns 100 to 109 must hold two blanks"),
        ("2 w 1", "2 - 1", "round 1 must have the colour w or b and one of the results"),
        ("2 w 1", "2 w W", "round 1 must have the colour w or b and one of the results"),
        ("2 w 1", "3 w 1", "round 1 has the opponent 3; there is no such other player"),
        ("2 w 1", "1 w 1", "round 1 has the opponent 1; there is no such other player"),
        ("1 b 0", "1 w 0", "whose line does not name this player"),
        ("   1 b 0", "0000 - Z", "whose line does not name this player"),
        ("1 b 0", "1 b 1", "round 1 has the result 1, and the line of 2 has 1"),
        ("1 b 0", "1 b -", "round 1 has the result 1, and the line of 2 has -"),
        ("0000 - H", "0000 w H", "round 2 without an opponent must be"),
        ("0000 - H", "0000 - +", "round 2 without an opponent must be"),
        (FILE, "152 x\n" + FILE, "the initial colour is 'x'; it must be W or B"),
        (FILE, "162  W 3.0    D 1.0\n" + FILE, "W scores 3; it must be 1"),
        (
            FILE,
            "192 FIDE_DUBOV\n" + FILE,
            "the tournament type is FIDE_DUBOV; only FIDE_DUTCH and CUSTOM_SWISS can be read",
        ),
        (FILE, "212 PTS,ARO\n" + FILE, "the tie-break ARO is not known; allowed are PTS, DE, BH"),
        (FILE, "260   1   2    1    3\n" + FILE, "the starting ranks must be 1 … 2"),
        (
            FILE,
            "299 W   2.0    1\n" + FILE,
            r"Line 1 \(record 299\): this record \(abnormal points\) is not supported",
        ),
    ],
)
def test_a_malformed_file_is_refused_with_the_line(was, becomes, why):
    assert was in FILE
    with pytest.raises(MalformedTrf, match=why):
        read_trf(FILE.replace(was, becomes))


def test_the_score_of_the_bye_is_read_and_foreign_letters_are_ignored():
    text = "162  W 1.0    D 0.5    L 0.0    A 0.0    P 0.5    X 0.5\n212 PTS\n" + FILE.replace(
        "1.0    2", "0.5    2"
    )
    assert read_trf(text).crosstable.terms.bye_score == HALF


def test_any_text_is_read_or_refused():
    chance = random.Random(1)
    for _ in range(2000):
        text = list(FILE)
        for _ in range(chance.randint(1, 4)):
            text[chance.randrange(len(text))] = chance.choice("0123456789 wb-=+HUFZ.\nx")
        try:
            write_trf(read_trf("".join(text)))
        except MalformedTrf:
            continue
