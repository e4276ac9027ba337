"""Reads a tournament report file."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from hoodwink.domain.tournaments.crosstable import Crosstable, Entrant, Round
from hoodwink.domain.tournaments.files.trf.lines import Line, Player, lines_of, players_of
from hoodwink.domain.tournaments.files.trf.rounds import round_of, score_of
from hoodwink.domain.tournaments.files.trf.sheet import SYSTEMS, TIEBREAK_CODES, TrfSheet
from hoodwink.domain.tournaments.pairing.dutch.colours import Colour
from hoodwink.domain.tournaments.terms import Format, Terms, Tiebreak


def read_trf(text: str) -> TrfSheet:
    """Returns the tournament in a report file.

    Raises:
        MalformedTrf: a line does not follow TRF-2026, contradicts another line, or is not for a two-seat Swiss or league.
    """
    lines = lines_of(text)
    players = players_of(lines)
    terms = _terms(lines, players)
    return TrfSheet(
        name=_value(lines, "012"),
        site=_value(lines, "022"),
        federation=_value(lines, "032"),
        start=_value(lines, "042"),
        end=_value(lines, "052"),
        initial=_initial(lines),
        crosstable=Crosstable(
            terms=terms,
            entrants=tuple(Entrant(number=player.number, name=player.name) for player in players),
            rounds=_rounds(players, terms.bye_score),
        ),
        ranks={player.number: player.rank for player in players if player.rank},
    )


def _value(lines: Sequence[Line], code: str) -> str:
    return next((line.value for line in lines if line.code == code), "")


def _records(lines: Sequence[Line], code: str) -> Iterator[Line]:
    return (line for line in lines if line.code == code)


def _format(lines: Sequence[Line]) -> Format:
    known, found = {code: format_ for format_, code in SYSTEMS.items()}, Format.SWISS
    for line in _records(lines, "192"):
        if line.value not in known:
            raise line.error(f"the tournament type is {line.value}; only {' and '.join(known)} can be read")
        found = known[line.value]
    return found


def _initial(lines: Sequence[Line]) -> Colour:
    for line in _records(lines, "152"):
        if line.value not in {"W", "B"}:
            raise line.error(f"the initial colour is {line.value!r}; it must be W or B")
        return "w" if line.value == "W" else "b"
    return "w"


def _terms(lines: Sequence[Line], players: Sequence[Player]) -> Terms:
    played = max(len(player.blocks) for player in players)
    return Terms(
        format=_format(lines),
        seats=2,
        table_min=2,
        table_max=2,
        rounds=max([played, *(line.whole(4, None) for line in _records(lines, "142"))]),
        bye_score=_bye_score(lines),
        forbidden=tuple(
            sorted({pair for line in _records(lines, "260") for pair in _pairs(line, len(players))})
        ),
        tiebreaks=tuple(tiebreak for line in _records(lines, "212") for tiebreak in _tiebreaks(line)),
    )


def _bye_score(lines: Sequence[Line]) -> Fraction:
    """Returns the points of a pairing-allocated bye from record 162, where all other results must have their usual points."""
    bye = Fraction(1)
    for line in _records(lines, "162"):
        for at in range(5, len(line.text) - 1, 9):
            letter, score = line.text[at].upper(), line.decimal(at + 1, at + 5)
            if letter == "P":
                bye = score
            elif letter in _POINTS and score != _POINTS[letter]:
                raise line.error(f"{letter} scores {score}; it must be {_POINTS[letter]}")
    return bye


_POINTS: Mapping[str, Fraction] = {"W": Fraction(1), "D": Fraction(1, 2), "L": Fraction(0), "A": Fraction(0)}


def _pairs(line: Line, players: int) -> Iterator[tuple[int, int]]:
    """Yields the pairs of players who must not meet: columns 13 to 16, 18 to 21 and so on."""
    together = sorted(line.whole(at, at + 4) for at in range(12, len(line.text), 5))
    if together and not 1 <= together[0] <= together[-1] <= players:
        raise line.error(f"the starting ranks must be 1 … {players}")
    for i, higher in enumerate(together):
        yield from ((lower, higher) for lower in together[:i])


def _tiebreaks(line: Line) -> Iterator[Tiebreak]:
    known = {code: tiebreak for tiebreak, code in TIEBREAK_CODES.items()}
    for code in filter(None, (part.strip() for part in line.value.split(","))):
        if code in known:
            yield known[code]
        elif code != "PTS":
            raise line.error(f"the tie-break {code} is not known; allowed are PTS, {', '.join(known)}")


def _rounds(players: Sequence[Player], bye_score: Fraction) -> tuple[Round, ...]:
    rounds: list[Round] = []
    scores = {player.number: Fraction(0) for player in players}
    for number in range(1, max(len(player.blocks) for player in players) + 1):
        rounds.append(round_of(players, number, scores, bye_score))
        for player in players:
            scores[player.number] += score_of(player.block(number), bye_score)
    for player in players:
        if player.points is not None and player.points != scores[player.number]:
            raise player.line.error(
                f"the points are {player.points}, but the results add up to {scores[player.number]}"
            )
    return tuple(rounds)
