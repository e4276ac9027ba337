"""Lists of players in files (T-29)."""

import pytest

from hoodwink.service.application.commands import player_lists as lists
from hoodwink.service.application.commands.player_lists import MalformedList, read_list


def test_t_29_csv_names_its_columns():
    text = '\ufeffName;Rank;Player;Club\r\nAda L.;2;https://example.org/players/ada00001/;A\r\n\r\n;1;bob00001\r\n"Cy\nD.";;\r\n'

    found = [(each.line, each.id, each.name, each.order, each.fault) for each in read_list(text)]

    assert found == [
        (2, "ada00001", "Ada L.", 2, ""),
        (4, "bob00001", "", 1, ""),
        (6, "", "Cy\nD.", None, ""),
    ]


def test_t_29_the_list_of_entrants_of_another_tournament_can_be_read():
    text = "entrant,id,name,bot\r\n1,ada00001,Ada,\r\n2,bot:1,Steady bot,steady\r\n"

    assert [(each.id, each.order) for each in read_list(text)] == [("ada00001", 1), ("bot:1", 2)]


@pytest.mark.parametrize(
    ("row", "fault"), [(",,5", "neither an id nor a name"), (",Ada,first", "number"), (",Ada,0", "number")]
)
def test_t_29_a_faulty_line_is_reported_and_not_left_out(row, fault):
    (line,) = read_list(f"id,name,order\n{row}\n")

    assert line.line == 2
    assert fault in line.fault


def test_t_29_a_report_has_names_and_starting_ranks():
    text = (
        "012 The Cup\n"
        "001    2  m    Bobova, Rosa                      2100 ENG      12345\n"
        f"001    1      {'A' * 33} 2000\n"
        "001   x1       Cy\n"
    )

    found = [(each.line, each.name, each.is_cut, each.order, bool(each.fault)) for each in read_list(text)]

    assert found == [
        (2, "Bobova, Rosa", False, 2, False),
        (3, "A" * 33, True, 1, False),
        (4, "Cy", False, None, True),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "columns"),
        ("first,last\nAda,L.", "id or name"),
        ("id,name\n", "no players"),
        ("012 The Cup\n001", "no players"),
        ("id\n" + "a" * 200_000, "Line 2"),
        ("name\nA\nB\nC\n", "3 players"),
    ],
)
def test_t_29_a_text_that_is_no_list_is_refused(monkeypatch, text, reason):
    monkeypatch.setattr(lists, "MAX_LISTED", 2)

    with pytest.raises(MalformedList, match=reason):
        read_list(text)
