"""Runs FIDE's tie-break checker (gacrux) on a cross-table of tables of two, by a TRF file."""

from fractions import Fraction

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from hoodwink.domain.tournaments.crosstable import Crosstable, Outcome, SeatState, Why
from hoodwink.domain.tournaments.terms import Format, Tiebreak

CODES = {
    Tiebreak.DIRECT: "DE",
    Tiebreak.BUCHHOLZ: "BH",
    Tiebreak.BUCHHOLZ_CUT1: "BH/C1",
    Tiebreak.BUCHHOLZ_MEDIAN: "BH/M1",
    Tiebreak.SONNEBORN_BERGER: "SB",
    Tiebreak.WINS: "WON",
    Tiebreak.PROGRESSIVE: "PS",
}


def fide_standings(crosstable: Crosstable, tiebreaks):
    """Returns each entrant's rank, score and tie-break values after the last round, by the checker."""
    trf = trf2json()
    trf.parse_file(_trf(crosstable), 0)
    assert trf.get_status() == 0, trf.chessjson["status"]
    is_scheduled = crosstable.terms.format is Format.ROUND_ROBIN
    params = {
        "tiebreak": ["PTS", *(CODES[tiebreak] for tiebreak in tiebreaks)],
        "check": False,
        "swiss": not is_scheduled,
        "pre_determined": is_scheduled,
    }
    tournament = trf.get_tournament(1)
    rounds = len(crosstable.rounds)
    result = tiebreak(tournament, rounds, params).compute_tiebreaks(tournament, params)
    assert result["rules"] == "2026-03-01"
    return {
        row["cid"]: (row["rank"], [Fraction(value) for value in row["tiebreakScore"]])
        for row in result["competitors"]
    }


def _trf(crosstable):
    is_scheduled = crosstable.terms.format is Format.ROUND_ROBIN
    columns = [_round(round_, is_scheduled) for round_ in crosstable.rounds]
    head = [
        "012 A tournament",
        "042 2026/11/22",
        f"092 Individual: {'Round-Robin' if is_scheduled else 'Swiss-System (FIDE Dutch)'}",
        f"142 {len(crosstable.rounds)}",
        "152 W",
        f"162  W 1.0    D 0.5    L 0.0    P {float(crosstable.terms.bye_score)}",
    ]
    players = [
        _player(entrant, [column[entrant.number] for column in columns]) for entrant in crosstable.entrants
    ]
    return "\n".join([*head, *players, ""])


def _player(entrant, cells):
    head = f"001 {entrant.number:4} m    {entrant.name:33} {2000 - entrant.number:4} FID"
    return f"{head:80}{0:4.1f} {entrant.number:4}" + "".join(f"  {cell}" for cell in cells)


def _round(round_, is_scheduled):
    """Returns each entrant's cell of eight characters."""
    cells = {unplayed.entrant: _unplayed(unplayed, is_scheduled) for unplayed in round_.unplayed}
    for board in round_.boards:
        cells |= _board(board)
    return cells


def _unplayed(unplayed, is_scheduled):
    is_allocated = unplayed.why is Why.PAIRING_BYE and not is_scheduled
    return "0000 - U" if is_allocated else _bye(unplayed.score)


def _bye(score):
    return f"0000 - {'ZHF'[int(score * 2)]}"


def _board(board):
    white, black = board.seats
    absent = [seat.state is SeatState.NO_SHOW for seat in board.seats]
    if board.outcome is Outcome.VOID or (board.outcome is Outcome.NO_RESULT and not all(absent)):
        worth = Fraction(1, 2) if board.void_score is None else board.void_score
        return {
            seat.entrant: _bye(Fraction(0) if away else worth)
            for seat, away in zip(board.seats, absent, strict=True)
        }
    if any(absent):
        results = ["-" if away else "+" for away in absent]
    else:
        results = (
            ["1", "0"]
            if white.place < black.place
            else ["0", "1"]
            if black.place < white.place
            else ["=", "="]
        )
    return {
        white.entrant: f"{black.entrant:4} w {results[0]}",
        black.entrant: f"{white.entrant:4} b {results[1]}",
    }
