"""A few of the tournaments that are compared with FIDE's tools; CONTRIBUTING.md has the command for all of them."""

import msgspec
import pytest

from hoodwink.domain.tournaments.files.trf import read_trf, write_trf
from tests.domain.tournaments.fide import generated, ours
from tests.domain.tournaments.fide.tools import check_pairings
from tests.seeds import chunks

pytestmark = pytest.mark.filterwarnings("ignore")  # FIDE's tools leave files open


@pytest.mark.parametrize("numbers", chunks(40, 14, first=12))
def test_p_2_generated_tournaments_are_paired_as_gacrux_paired_them(numbers, tmp_path):
    for number in numbers:
        text = generated.tournament(tmp_path, number, most=20)
        assert text is not None, number
        assert list(generated.differences(text)) == [], number


@pytest.mark.parametrize("numbers", chunks(20, 10, first=10))
def test_p_2_the_pairing_checker_confirms_our_pairings(numbers, tmp_path):
    for number in numbers:
        played = ours.tournament(number, most=20)
        assert list(ours.differences(played, check_pairings(tmp_path, ours.report(played)))) == [], number


def test_p_2_checker_and_comparison_find_a_wrong_pairing(tmp_path):
    played = ours.tournament(2, most=20)
    *rounds, last = played.rounds
    one, other, *boards = last.boards
    one, other = (
        msgspec.structs.replace(one, seats=(one.seats[0], other.seats[1])),
        msgspec.structs.replace(other, seats=(other.seats[0], one.seats[1])),
    )
    wrong = (*rounds, msgspec.structs.replace(last, boards=(one, other, *boards)))
    played = msgspec.structs.replace(played, rounds=wrong)
    text = ours.report(played)
    assert [number for number, *_ in ours.differences(played, check_pairings(tmp_path, text))] == [
        last.number
    ]
    assert [number for number, *_ in generated.differences(text)] == [last.number]


def test_a_file_of_gacrux_round_trips_with_the_same_rounds(tmp_path):
    text = generated.tournament(tmp_path, 3, most=20)
    again = write_trf(read_trf(text))
    columns = [
        [line[80:].rstrip() for line in report.splitlines() if line.startswith("001")]
        for report in (text, again)
    ]
    assert columns[0] == columns[1]
