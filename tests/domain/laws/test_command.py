"""The command `python -m tests.domain.laws` ends with a verdict, or says what is missing."""

from dataclasses import replace

import pytest

from hoodwink.domain import games
from hoodwink.domain.games import GAMES
from tests.domain.laws import __main__ as command


def test_the_last_line_confirms_every_law(capsys):
    command.main("blindside", "1", "2")

    assert capsys.readouterr().out.splitlines()[-1] == "2 tables, every law holds."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Usage: python -m tests.domain.laws GAME [SEED…]"),
        (("coconut", "first"), "Usage: python -m tests.domain.laws GAME [SEED…]"),
        (("mirage",), f"There is no game mirage; choose from {', '.join(GAMES)}."),
    ],
)
def test_wrong_arguments_are_explained(arguments, message):
    with pytest.raises(SystemExit) as ended:
        command.main(*arguments)

    assert ended.value.code == message


def test_missing_entitlements_are_named_with_their_file(monkeypatch):
    monkeypatch.setitem(games._games, "mirage", replace(GAMES["coconut"], name="mirage"))

    with pytest.raises(SystemExit) as ended:
        command.main("mirage")

    assert (
        ended.value.code
        == "There are no entitlements for mirage; write tests/domain/laws/entitlements/mirage.py."
    )
