"""Players: known by the hash of their token, and by a name that no event holds."""

import hashlib
from typing import get_args

import msgspec
import pytest

from hoodwink.domain.kernel import RuleViolation, is_stored_name
from hoodwink.domain.players import (
    SOMEONE_WHO_LEFT,
    Player,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerRenamed,
    TokenEnded,
    TokenReplaced,
    changed,
    checked_name,
    decode_player_event,
    hash_token,
)

ADA = Player(id="p1", name="Ada", token_hash="old")


def test_only_the_hash_of_a_token_is_kept():
    assert hash_token("hw_p1_secret") == hashlib.sha256(b"hw_p1_secret").hexdigest()


def test_no_event_of_a_player_has_a_name():
    assert all("name" not in kind.__struct_fields__ for kind in get_args(PlayerEvent))


@pytest.mark.parametrize(
    "event", [PlayerRegistered("p1", "hash"), TokenReplaced("p1", "hash"), TokenEnded("p1")]
)
def test_events_round_trip(event):
    assert decode_player_event(event.wire, msgspec.json.encode(event)) == event


@pytest.mark.parametrize(
    ("event", "changes"), [(PlayerRegistered("p1", "hash"), 0), (PlayerRenamed("p1"), 1)]
)
def test_a_name_is_looked_up_outside_the_events(event, changes):
    assert changed(ADA, event, cmd="c") == msgspec.structs.replace(ADA, name_changes=changes)


@pytest.mark.parametrize(("event", "present"), [(TokenReplaced("p1", "new"), "new"), (TokenEnded("p1"), "")])
def test_an_ended_token_is_remembered_for_repeating_that_command(event, present):
    after = changed(ADA, event, cmd="c")

    assert (after.token_hash, after.former_hash, after.former_cmd) == (present, "old", "c")
    assert after.name == "Ada"


def test_an_erased_player_has_no_token_and_no_name():
    after = changed(ADA, PlayerErased("p1"), cmd="c")

    assert (after.token_hash, after.name, after.is_erased) == ("", SOMEONE_WHO_LEFT, True)
    assert after.name_changes == 1


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ada",
            "Ada Lovelace",
            "Zoë",
            "José María",
            "O'Brien-Smith",
            "O\u2019Brien",
            "Nguyễn Thị Ánh",
            "Åse Ł.",
            "R2-D2",
            "x_X",
        ),
        *("Мария", "Ѓорѓи", "Ελένη", "Հայկ", "ნინო", "מרים", "שָׁלוֹם", "محمد", "مُحَمَّد", "فاطمة", "سید علی"),
        *("देवनागरी", "राहुल शर्मा", "कुँवर", "বাংলা", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "ਪੰਜਾਬੀ", "ગુજરાતી"),
        *("สมชาย", "คำปัน", "ลาว", "ພອນ", "ខ្មែរ", "မြန်မာ", "བསྒྲུབས", "አበበ", "ᏣᎳᎩ", "ᐃᓄᒃᑎᑐᑦ", "ߒߞߏ", "ⵜⵉⴼⵉⵏⴰⵖ"),
        *(
            "李小龙",
            "张伟 88",
            "さくら 2",
            "サクラー",
            "DJ 山田さくらー",
            "김민준",
            "BTS 지민",
            "ㄅㄆㄇ Ann",
            "々木",
        ),
        *("🎲 Ada", "Ada 🦊🦊", "♠ Queen", "¡Olé!", "A+B=C", "Mª", "ﬁona", "42", "½"),
    ],
)
def test_names_of_people_are_legible(name):
    assert is_stored_name(checked_name(name))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            " Ada",
            "Ada ",
            "Ada  L",
            "A\u202eda",
            "A\u2066da",
            "A\u200bda",
            "A\nda",
            "A\u0085da",
            "\x1b[2J",
        ),
        *(
            "\u2800",
            "A\u2800a",
            "\u3164",
            "A\u115fa",
            "A\u1160a",
            "A\uffa0a",
            "A\u034fda",
            "A\u17b4",
            "A\u180b",
        ),
        *(
            "Ada\ufe0f",
            "❤\ufe0f",
            "Ada\U000e0041",
            "Ada\U000e0100",
            "A\U0001d159",
            "A\U00016fe4",
            "A\U00013441",
        ),
        *(
            "A\u200dda",
            "👩\u200d🚀",
            "A\u00ada",
            "A\ufeffa",
            "A\u2028a",
            "A\ud800",
            "A\ue000",
            "A\uffff",
            "A\U0010ffff",
        ),
    ],
)
def test_names_with_invisible_or_bidirectional_characters_are_refused(name):
    with pytest.raises(
        RuleViolation, match=r"name_illegible: A name must (not have blank or|have 1 to 40 visible)"
    ):
        checked_name(name)


@pytest.mark.parametrize(
    "name", ["\u0301", "A \u0301a", "🎲\u0301", "x\u0301\u0301", "q\u0316\u0301\u0317\u0302\u0318"]
)
def test_names_with_stacked_marks_are_refused(name):
    with pytest.raises(RuleViolation, match="name_illegible: A name must not have an accent or mark"):
        checked_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "p\u0430ypal",
            "\u0410da",
            "Ad\u03b1",
            "Ада Lovelace",
            "Ελένη B",
            "محمد Ali",
            "ᏣᎳᎩ A",
            "さ김",
            "李д",
            "ㄅさ",
        ),
        *("देবা", "𐍈", "\U00013000", "ᚠ"),
    ],
)
def test_names_with_mixed_or_historic_scripts_are_refused(name):
    with pytest.raises(RuleViolation, match="name_illegible: The letters of a name must be of one script"):
        checked_name(name)


def test_letters_in_a_special_form_become_plain_ones():
    assert checked_name("\U0001d400\U0001d41d\U0001d41a \uff2c ① e\u0301") == "Ada L 1 é"


@pytest.mark.parametrize(
    "name",
    [
        "someone who left",
        "Someone-Who-Left",
        "SOMEONEWHOLEFT",
        "Steady bot",
        "Steady bot 2",
        "steadybot2",
        "STEADY_BÖT 12",
        "\uff32andom bot 0",
        "St\u0435ady bot 2",
        "\u0405t\u0451\u0430dy \u0412\u041e\u0422",
        "r\u03b1nd\u03bfm b\u00f8t",
        "Someone who Ieft",
    ],
)
def test_names_of_bots_and_departed_players_are_refused(name):
    with pytest.raises(RuleViolation, match="name_reserved"):
        checked_name(name)


@pytest.mark.parametrize(
    "name", ["Steady", "Bot", "Стефан", "Δημήτρης", "Steady bottom", "someone", "random bot of ada"]
)
def test_other_names_are_free(name):
    checked_name(name)
