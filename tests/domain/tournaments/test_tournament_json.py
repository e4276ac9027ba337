"""The JSON file of a tournament: its contents, and that it can be read back."""

import json
import random
from fractions import Fraction

import msgspec
import pytest

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.files.tournament_json import read_tournament, write_tournament
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import ScoreBy, Tiebreak
from tests.domain.tournaments.random_crosstables import of_many, round_robin_of_two, swiss_of_two
from tests.domain.tournaments.tables import BOT, NO_SHOW, by_bot, crosstable, out, resigned, table

HALF = Fraction(1, 2)


def written(case, **given):
    return json.loads(write_tournament(case, game="blindside", **given))


SMALL = crosstable(
    [table(1, (2, 1), (1, 2), (BOT, 3), points=[12, -4, -8]), out(3, Why.PAIRING_BYE, 1)],
    [table(1, (1, 1), (2, 2), (3, NO_SHOW), outcome=Outcome.VOID)],
    seats=3,
    forbidden=((1, 2),),
    float_window="all",
    tiebreaks=(Tiebreak.BUCHHOLZ, Tiebreak.DIRECT),
)


def test_k_5_t_21_the_file_holds_rounds_and_standings_in_integers_and_fractions():
    file = written(SMALL)

    assert {name: file[name] for name in file if name not in {"entrants", "rounds_played", "standings"}} == {
        "format": "hoodwink-tournament-1",
        "kind": "swiss",
        "game": "blindside",
        "seats": 3,
        "table_min": 2,
        "table_max": 10,
        "rounds": 2,
        "score_by": "place",
        "bye_score": "1",
        "late_score": "0",
        "best_of": None,
        "float_window": "all",
        "forbidden": [[1, 2]],
        "tiebreaks": ["buchholz", "direct"],
        "strict_places": False,
    }
    assert file["entrants"][0] == {
        "id": 1,
        "name": "Entrant 1",
        "from_round": 1,
        "left_after": None,
        "organiser": False,
    }
    assert file["rounds_played"][0] == {
        "round": 1,
        "sitting": 1,
        "changed": False,
        "objective": [],
        "tables": [
            {
                "board": 1,
                "ended": "result",
                "void_score": None,
                "seats": [
                    {"entrant": 2, "place": 1, "points": "12", "state": "played"},
                    {"entrant": 1, "place": 2, "points": "-4", "state": "played"},
                    {"entrant": None, "place": 3, "points": "-8", "state": "bot"},
                ],
            }
        ],
        "unplayed": [{"entrant": 3, "why": "pairing_bye", "score": "1"}],
    }
    assert file["standings"][0] == {
        "round": 1,
        "rows": [
            {"entrant": 2, "rank": 1, "score": "1", "tiebreaks": {"buchholz": "1/2", "direct": None}},
            {"entrant": 3, "rank": 1, "score": "1", "tiebreaks": {"buchholz": "1/2", "direct": None}},
            {"entrant": 1, "rank": 3, "score": "1/2", "tiebreaks": {"buchholz": "1", "direct": None}},
        ],
    }


def test_t_12_the_file_has_the_score_of_a_voided_table():
    void = [table(1, (1, 1), (2, 2), outcome=Outcome.VOID)]
    stated = [table(1, (1, 1), (2, 2), outcome=Outcome.VOID, void_score=Fraction(1))]

    def void_score(case):
        return written(case)["rounds_played"][0]["tables"][0]["void_score"]

    assert void_score(crosstable(void)) == "1/2"
    assert void_score(crosstable(stated)) == "1"
    assert void_score(crosstable(void, score_by=ScoreBy.POINTS)) is None


def test_k_1_the_lots_of_each_standing_are_those_of_the_round_that_follows():
    asked = []

    def draw(round_):
        asked.append(round_)
        return lambda purpose: Lots("0" * 64, [], purpose=purpose, round_=round_)

    case = crosstable([table(1, (1, 1), (2, 1))], [table(1, (1, 1), (2, 1))], strict_places=True)
    file = written(case, draw=draw)

    assert asked == [2, 3]
    assert [[row["rank"] for row in after["rows"]] for after in file["standings"]] == [[1, 2], [1, 2]]


@pytest.mark.parametrize("make", [of_many, swiss_of_two, round_robin_of_two])
@pytest.mark.parametrize("seed", range(15))
def test_k_5_a_file_read_back_gives_the_same_standings_and_the_same_file(make, seed):
    case = make(random.Random(seed))
    data = write_tournament(case, game="coconut")
    read = read_tournament(data)

    assert read.game == "coconut"
    assert write_tournament(read.crosstable, game="coconut") == data
    assert [
        [(row.entrant, row.rank, row.score, row.tiebreaks) for row in rows] for rows in read.standings
    ] == [
        [(row.entrant, row.rank, row.score, row.tiebreaks) for row in standings(case, after=after).rows]
        for after in range(1, len(case.rounds) + 1)
    ]


def test_t_7_an_expelled_entrant_is_read_back_as_expelled():
    entrants = (
        *SMALL.entrants[:2],
        msgspec.structs.replace(SMALL.entrants[2], left_after=1, is_expelled=True),
    )
    case = msgspec.structs.replace(SMALL, entrants=entrants)

    assert read_tournament(write_tournament(case, game="blindside")).crosstable.entrants == entrants


def test_t_20_the_file_says_who_left_a_table():
    case = crosstable([table(1, (1, resigned(3)), (2, by_bot(2)), (3, 1))], score_by=ScoreBy.POINTS)
    states = [seat["state"] for seat in written(case)["rounds_played"][0]["tables"][0]["seats"]]

    assert states == ["resigned", "stand_in", "played"]


def test_t_9_the_file_names_the_entrant_who_organises():
    organiser = msgspec.structs.replace(SMALL.entrants[0], is_organiser=True)
    case = msgspec.structs.replace(SMALL, entrants=(organiser, *SMALL.entrants[1:]))

    assert [entrant["organiser"] for entrant in written(case)["entrants"]] == [True, False, False]
    assert read_tournament(write_tournament(case, game="blindside")).crosstable.entrants == case.entrants


def change(path, value):
    file = written(SMALL)
    inner = file
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(file).encode()


def test_an_exact_number_may_be_an_integer():
    assert read_tournament(change(["bye_score"], 1)).crosstable.terms.bye_score == 1


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (["format"], "hoodwink-tournament-2", '"format": "hoodwink-tournament-1"'),
        (["kind"], "ladder", "kind"),
        (["bye_score"], "0.5", r'such as "5/2".*bye_score'),
        (["bye_score"], 0.5, "bye_score"),
        (["late_score"], "1/0", "late_score"),
        (["entrants", 0, "id"], 4, "Entrants must be numbered"),
        (["entrants", 0, "team"], 1, "An entrant has a team that the file does not list"),
        (["rounds_played", 0, "round"], 3, "Rounds must be numbered"),
        (["rounds_played", 0, "unplayed", 0, "entrant"], 2, "Round 1 names an entrant twice"),
        (["rounds_played", 0, "unplayed", 0, "entrant"], 9, "Round 1 names an entrant twice, or one that"),
        (["rounds_played", 0, "tables", 0, "seats", 0, "points"], "1/2", "Points must be whole"),
        (["standings", 1, "rows", 0, "entrant"], 9, "standings after round 2 must list every entrant once"),
        (["standings", 0, "rows"], [], "standings after round 1 must list every entrant once"),
    ],
)
def test_a_malformed_file_is_refused_with_the_fault(path, value, fault):
    with pytest.raises(ValueError, match=fault):
        read_tournament(change(path, value))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\xff{", "It is not JSON."),
        (b'{"name": "\xff"}', "It is not JSON."),
        (b"[]", 'It must have "format"'),
        (b'{"seats": 4}', 'It must have "format"'),
    ],
)
def test_other_data_is_refused(data, fault):
    with pytest.raises(ValueError, match=fault):
        read_tournament(data)
