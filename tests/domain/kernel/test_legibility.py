"""What a text hides is shown on terminals; the rule for new names is tested with those of players and tournaments."""

import pytest

from hoodwink.domain.kernel import visible


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
