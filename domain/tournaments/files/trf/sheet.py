"""The contents of a tournament report file, and the columns and codes shared by writing and reading."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import msgspec

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.pairing.dutch.colours import Colour
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.terms import Format, Tiebreak


class MalformedTrf(ValueError):
    """Raised for text that is not a tournament report file of a two-seat Swiss or league; the message names the line."""


class Unwritable(ValueError):
    """Raised for a tournament that cannot be written as a tournament report file; the message says why."""


class TrfSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a tournament report file.

    Attributes:
        name, site: texts of one line.
        federation: a code of three letters.
        start, end: dates as yyyy/mm/dd. Programs choose the tie-break rules by the start, so a date before the rules of
            2026 is written as their first day, 2026/03/01.
        initial: the initial colour: that of the first player in the first round. A league has none.
        crosstable: must have only finished tables.
        ranks: the ranks of the entrants who have one; equal entrants share a rank.
    """

    name: str
    start: str
    end: str
    initial: Colour
    crosstable: Crosstable
    ranks: Mapping[int, int]
    site: str = ""
    federation: str = "FID"


FIRST_DAY: Final = "2026/03/01"
SYSTEMS: Final[Mapping[Format, str]] = {Format.SWISS: "FIDE_DUTCH", Format.LEAGUE: "CUSTOM_SWISS"}
"""The encoded types of tournaments: a league is the only other one that pairs anybody with anybody (P-7)."""

TYPES: Final[Mapping[Format, str]] = {
    Format.SWISS: "Individual: Swiss-System (FIDE Dutch)",
    Format.LEAGUE: "Individual: Swiss-System (league)",
}
NAME_LENGTH: Final = 33

# Record 001: the first column of the block for round 1, counted from 0, and the length of a block.
FIRST_ROUND: Final = 89
ROUND_LENGTH: Final = 10

UNPLAYED_CODES: Final[Mapping[Fraction, str]] = {Fraction(1): "F", HALF: "H", Fraction(0): "Z"}

# C.07 has no codes for the lot and the difference of points.
TIEBREAK_CODES: Final[Mapping[Tiebreak, str]] = {
    Tiebreak.DIRECT: "DE",
    Tiebreak.BUCHHOLZ: "BH",
    Tiebreak.BUCHHOLZ_CUT1: "BH/C1",
    Tiebreak.BUCHHOLZ_MEDIAN: "BH/M1",
    Tiebreak.SONNEBORN_BERGER: "SB",
    Tiebreak.WINS: "WON",
    Tiebreak.PROGRESSIVE: "PS",
}
