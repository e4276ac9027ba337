"""The lines of a tournament report file, and the players in its 001 records."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec

from hoodwink.domain.tournaments.files.trf.sheet import FIRST_ROUND, ROUND_LENGTH, MalformedTrf

_UNSUPPORTED: Final = {
    "013": "teams",
    "240": "byes outside of 001",
    "250": "acceleration",
    "299": "abnormal points",
    "310": "teams",
    "320": "byes of teams",
    "330": "forfeits outside of 001",
    "362": "match points",
}


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line with its number, from 1."""

    number: int
    text: str

    @property
    def code(self) -> str:
        """The three-digit code of the record."""
        return self.text[:3]

    @property
    def value(self) -> str:
        """The text after the code."""
        return self.text[4:].strip()

    def error(self, detail: str) -> MalformedTrf:
        return MalformedTrf(f"Line {self.number} (record {self.code}): {detail}.")

    def whole(self, start: int, end: int | None) -> int:
        """Returns the whole number in the columns from `start` up to, but not including, `end`, counted from 0."""
        digits = self.text[start:end].strip()
        if not (digits.isascii() and digits.isdigit()):
            raise self.error(
                f"{digits!r} is not a whole number in columns {start + 1} to {end or len(self.text)}"
            )
        return int(digits)

    def decimal(self, start: int, end: int) -> Fraction:
        """Returns the decimal number in the columns from `start` up to, but not including, `end`, counted from 0."""
        digits = self.text[start:end].strip()
        whole, _, rest = digits.partition(".")
        if not (digits.isascii() and whole.isdigit() and (rest or "0").isdigit()):
            raise self.error(f"{digits!r} is not a number such as 1.5 in columns {start + 1} to {end}")
        return Fraction(int(whole + rest), 10 ** len(rest))


class Block(msgspec.Struct, frozen=True, gc=False):
    """A player's entry for a round: opponent (0 for none), colour (w, b or -) and result."""

    opponent: int
    colour: str
    result: str


ABSENT: Final = Block(0, "-", "Z")


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a 001 record."""

    line: Line
    number: int
    name: str
    points: Fraction | None
    rank: int
    blocks: tuple[Block, ...]

    def block(self, round_: int) -> Block:
        """Returns the entry for a round; the player is absent from rounds beyond the end of the line."""
        return self.blocks[round_ - 1] if round_ <= len(self.blocks) else ABSENT


def lines_of(text: str) -> tuple[Line, ...]:
    lines = tuple(
        Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()
    )
    for line in lines:
        if line.code in _UNSUPPORTED:
            raise line.error(f"this record ({_UNSUPPORTED[line.code]}) is not supported; remove it")
    return lines


def players_of(lines: Sequence[Line]) -> tuple[Player, ...]:
    """Returns the players by starting rank."""
    players = sorted(
        (_player(line) for line in lines if line.code == "001"), key=lambda player: player.number
    )
    if not players:
        raise MalformedTrf(
            "There are no players: a tournament report file has a line for each, which begins with 001."
        )
    for number, player in enumerate(players, 1):
        if player.number != number:
            raise player.line.error(
                f"the starting rank is {player.number}; they must be 1 … {len(players)}, each once"
            )
    return tuple(players)


def _player(line: Line) -> Player:
    starts = range(FIRST_ROUND, len(line.text), ROUND_LENGTH)
    return Player(
        line=line,
        number=line.whole(4, 8),
        name=line.text[14:47].strip(),
        points=line.decimal(80, 84) if line.text[80:84].strip() else None,
        rank=line.whole(85, 89) if line.text[85:89].strip() else 0,
        blocks=tuple(_block(line, start) for start in starts),
    )


def _block(line: Line, start: int) -> Block:
    """Returns the block of ten columns that starts at `start`: two blanks, the opponent, the colour, the result."""
    text = line.text[start : start + ROUND_LENGTH]
    if not text.strip():
        return ABSENT
    if len(text) != ROUND_LENGTH or text[:2] + text[6] + text[8] != "    ":
        raise line.error(
            f"columns {start + 1} to {start + ROUND_LENGTH} must hold two blanks, four digits, a colour and a result "
            f"with a blank before each, and hold {text!r}"
        )
    return Block(line.whole(start + 2, start + 6), text[7].lower(), text[9].upper())
