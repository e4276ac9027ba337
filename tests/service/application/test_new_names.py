"""New names of players and tournaments must be legible, and text with hidden characters is shown safely on terminals."""

import pytest

from hoodwink.domain.kernel import RuleViolation, is_stored_name
from hoodwink.domain.tournaments.life import checked
from hoodwink.service.application.players.legibility import visible
from hoodwink.service.application.players.new_names import checked_name, legibly_named
from tests.tournaments.world import setup


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


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("\u3164", "invisible characters such as U+1160"),
        ("\u2800 \u2800", "invisible characters such as U+2800"),
        ("Z" + "\u0301" * 20, "an accent or mark"),
        ("Sp\u0433ing Cup", "one script"),
        ("x" * 81, "1 to 80 visible characters"),
        ("", "1 to 80 visible characters"),
    ],
)
def test_a_new_name_must_be_legible_and_a_stored_one_is_accepted(name, detail):
    with pytest.raises(RuleViolation, match="invalid_setup: `name` is illegible") as violation:
        legibly_named(setup(name=name))
    assert detail in violation.value.detail
    if is_stored_name(name, longest=80):
        assert checked(setup(name=name)).name == name


def test_the_name_of_a_new_tournament_is_kept_in_its_normal_form():
    assert legibly_named(setup(name="\uff33pring ① e\u0301")).name == "Spring 1 é"
    assert legibly_named(setup(name="Steady bot 2")).name == "Steady bot 2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada ♠ 李", "Ada ♠ 李"),
        ("\x1b[2J\x07\x9b31m\r\n\0", r"\u{1b}[2J\u{7}\u{9b}31m\u{d}\u{a}\u{0}"),
        ("\u202e\u2066\u200f\u200b\u2028\u00a0", r"\u{202e}\u{2066}\u{200f}\u{200b}\u{2028}\u{a0}"),
        ("\ud800\u2800\u3164\ufe0f\U000e0041", r"\u{d800}\u{2800}\u{3164}\u{fe0f}\u{e0041}"),
    ],
)
def test_hidden_characters_are_shown_on_a_terminal(text, shown):
    assert visible(text) == shown
