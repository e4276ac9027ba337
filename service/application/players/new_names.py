"""The names that new players and tournaments may have. Stored names are not checked again."""

import re
import unicodedata
from typing import Final

import msgspec

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.kernel import MAX_NAME_LENGTH, RuleCode, RuleViolation
from hoodwink.domain.tournaments.life import Setup
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.setup import MAX_TITLE_LENGTH
from hoodwink.service.application.players.legibility import legibility_fault, normal_form

# The names that the service itself shows: of players who left, and of its bots, such as `Steady bot 2`.
_RESERVED: Final = re.compile(rf"someonewholeft|({'|'.join(POLICIES)})bot\d*")

BOT_PREFIX: Final = "BOT "
"""The beginning of the shown name of every bot that somebody owns."""

# Beginnings that people would read as `BOT_PREFIX`, such as `[bot] Ada`.
_PREFIXED: Final = re.compile(r"[^\w\s]*bot[\W_]+\w")

_LOOK_ALIKES: Final = {
    "a": "АаΑαɑ",  # noqa: RUF001
    "b": "ВвЬьΒβ",
    "d": "ԀԁĐđδ",
    "e": "ЕеЄєΕε",
    "f": "ƒϜϝ",
    "h": "НнҺһΗ",
    "l": "IІΙӀӏŁłı",  # noqa: RUF001
    "m": "МмΜ",
    "n": "ПпΝη",
    "o": "ОоΟοσØøՕօ",
    "r": "Гг",
    "s": "Ѕѕς",
    "t": "ТтΤτŦŧ",
    "w": "ШшԜԝω",
    "y": "УуҮүΥυγ",  # noqa: RUF001
}
"""Letters that look like those of the reserved names, in either case."""

_LATIN: Final = str.maketrans({other: latin for latin, others in _LOOK_ALIKES.items() for other in others})


class PlayerCode(RuleCode):
    """Reasons for rejecting a name."""

    NAME_RESERVED = (
        "name_reserved",
        "This name is reserved for bots and for players who have left; choose another one.",
    )
    NAME_ILLEGIBLE = (
        "name_illegible",
        (
            "A name must have 1 to 40 visible characters, with single blanks between them, and letters of one script; only "
            "Latin letters may be mixed with Chinese, Japanese or Korean ones."
        ),
    )


def checked_name(name: str, *, is_bot: bool = False) -> str:
    """Returns a new name as it is stored and shown: in the normal form NFKC, as in RFC 8266; that of a bot with its prefix.

    Names need not be unique: ids distinguish players whose names look alike.

    Raises:
        RuleViolation: the name is illegible, or it imitates the names of bots or of players who left. Case, spacing,
            accents and look-alike letters make no difference.

    >>> checked_name("\uff21da"), checked_name("Maia", is_bot=True)
    ('Ada', 'BOT Maia')
    """
    name, prefix = normal_form(name), BOT_PREFIX if is_bot else ""
    folded = _folded(name)
    if _RESERVED.fullmatch("".join(filter(str.isalnum, folded))) or _PREFIXED.match(folded):
        raise RuleViolation(PlayerCode.NAME_RESERVED)
    if fault := legibility_fault(name, longest=MAX_NAME_LENGTH - len(prefix)):
        raise RuleViolation(PlayerCode.NAME_ILLEGIBLE, fault)
    return prefix + name


def _folded(name: str) -> str:
    """Returns a name without case and accents, with look-alikes replaced by Latin letters.

    >>> _folded("STEADY-Bót  2")
    'steady-bot  2'
    """
    decomposed = unicodedata.normalize("NFKD", name).translate(_LATIN)
    return "".join([character for character in decomposed if not unicodedata.combining(character)]).casefold()


def legibly_named(setup: Setup) -> Setup:
    """Returns the setup of a new tournament with its name in normal form; raises `RuleViolation` if it is illegible.

    `life.checked` does not require this, because it also checks stored logs, whose names were allowed by earlier rules.
    """
    name = normal_form(setup.name)
    fault = legibility_fault(name, longest=MAX_TITLE_LENGTH, mixes_words=True)
    if fault is not None:
        raise RuleViolation(TournamentCode.INVALID_SETUP, f"`name` is illegible. {fault}")
    return msgspec.structs.replace(setup, name=name)
