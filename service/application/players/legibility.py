"""Legibility of new names of players and tournaments. Stored names are not checked again (`domain/kernel/names.py`)."""

import unicodedata
from typing import Final

import regex

from hoodwink.domain.kernel import MAX_NAME_LENGTH, is_stored_name

_INVISIBLE: Final = (
    r"(?V1)[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\U00013441\U00013442\U00016fe4\U0001d159]--\x20]"
)
"""Characters that are invisible by themselves: control and format characters, and all blanks but the space."""

_STRAY_MARKS: Final = r"(?<![\p{L}\p{M}\p{N}])\p{M}|([\p{Mn}\p{Me}])\1|[\p{Mn}\p{Me}]{5}"
"""Marks without a letter or digit, and the sequences of nonspacing marks that UTS #39 (5.4) rejects."""

_SCRIPTS: Final = """
    Latn+Hani+Hira+Kana Latn+Hani+Bopo Latn+Hani+Hang
    Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt
    Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Nagm Newa Nkoo Olck Osge Plrd
    Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii
"""
"""The scripts whose letters may be mixed: the combinations of UTS #39 (5.2, Highly Restrictive), then single scripts in
modern use (UAX #31, tables 5 and 7)."""


def _letters_of(scripts: str) -> str:
    """Returns a pattern for texts in these scripts; it includes characters that belong to no single script."""
    classes = [rf"\p{{scx={script}}}" for script in ("Common", "Inherited", *scripts.split("+"))]
    return f"[{''.join(classes)}]*"


_ONE_SCRIPT: Final = "|".join(map(_letters_of, _SCRIPTS.split()))


def normal_form(name: str) -> str:
    r"""Returns a new name as it is stored and shown: in the normal form NFKC, as in RFC 8266.

    >>> normal_form("\uff21da")
    'Ada'
    """
    return unicodedata.normalize("NFKC", name)


def legibility_fault(name: str, *, longest: int = MAX_NAME_LENGTH, mixes_words: bool = False) -> str | None:
    """Returns a sentence that says why a new name is illegible, or `None` if it is legible.

    Args:
        name: in its normal form.
        longest: the maximum number of characters.
        mixes_words: whether its words may be in different scripts. Titles may, because nobody mistakes one for a
            person's name.

    >>> legibility_fault("Ada ")
    'A name must have 1 to 40 visible characters, with single blanks between them.'
    """
    if hidden := regex.search(_INVISIBLE, name):
        return f"A name must not have blank or invisible characters such as U+{ord(hidden[0]):04X}."
    if not is_stored_name(name, longest=longest):
        return f"A name must have 1 to {longest} visible characters, with single blanks between them."
    if regex.search(_STRAY_MARKS, name):
        return "A name must not have an accent or mark without a letter, the same one twice, or more than four on one letter."
    if not all(regex.fullmatch(_ONE_SCRIPT, part) for part in (name.split() if mixes_words else (name,))):
        return (
            f"The letters of a {'word' if mixes_words else 'name'} must be of one script in modern use; only Latin "
            "letters may be mixed with Chinese, Japanese or Korean ones."
        )
    return None


def visible(text: str) -> str:
    r"""Returns a text that is safe for terminals: characters that are invisible or act on others become `\u{…}`.

    >>> visible("Ada\x1b[2J")
    'Ada\\u{1b}[2J'
    """
    shown: str = regex.sub(_INVISIBLE, lambda found: f"\\u{{{ord(found[0]):x}}}", text)
    return shown
