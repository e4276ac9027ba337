"""Schedules in which every two entrants meet exactly once: resolvable designs from the literature.

These are affine planes of order 3, 4 and 5, Kirkman's fifteen schoolgirls, and a unital on 28 points. Each was generated
by a group that fixes only the first point, `a`, and maps the first round to the others.
"""

from collections.abc import Mapping
from string import ascii_letters

_ROUNDS: Mapping[tuple[int, int], tuple[str, ...]] = {
    (9, 3): (
        "abf cdi egh",
        "acg bde fhi",
        "adh bgi cef",
        "aei bch dfg",
    ),
    (15, 3): (
        "abi cdf ejn gmo hkl",
        "acj blm deg fko hin",
        "adk bjo cmn efh gil",
        "ael bfg cik dno hjm",
        "afm bkn cgh djl eio",
        "agn bdh clo ekm fij",
        "aho bce dim fln gjk",
    ),
    (16, 4): (
        "abgl cdfj emnp hiko",
        "achm bfno degk ijlp",
        "adin bjkm cgop efhl",
        "aejo bdhp ckln fgim",
        "afkp bcei dlmo ghjn",
    ),
    (25, 5): (
        "abhnt cdqsx eglop fijwy kmruv",
        "aciou bgjkx derty fhmpq lnsvw",
        "adjpv befsu chkly ginqr motwx",
        "aekqw bdilm cfgtv hjors npuxy",
        "aflrx boqvy cejmn dghuw ikpst",
        "agmsy bcprw dfkno ehivx jlqtu",
    ),
    (28, 4): (
        "abcd ehku filv gjmt nryA oswB pqxz",
        "aefg bhnx cioy djpw kstA lquB mrvz",
        "ahij beqA cfrB dgsz kovx lpty mnuw",
        "aklm bpsv cnqt doru ejxB fhyz giwA",
        "anop bitB cjuz dhvA emsy fkqw glrx",
        "aqrs bguy cevw dftx hmpB iknz jloA",
        "atuv blwz cmxA dkyB eipr fjns ghoq",
        "awxy bjkr chls dimq eotz fpuA gnvB",
        "azAB bfmo cgkp deln hrtw isux jqvy",
    ),
}


def design(entrants: int, seats: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Returns the rounds of an exact schedule, with entrants numbered from 0; empty if there is none in this module."""
    rounds = _ROUNDS.get((entrants, seats), ())
    return tuple(
        tuple(tuple(map(ascii_letters.index, table)) for table in tables.split()) for tables in rounds
    )
