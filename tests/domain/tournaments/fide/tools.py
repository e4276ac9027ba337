"""FIDE's tools as functions. Their scripts always end with exit code 0, so their output is read."""

import contextlib
import io
import json
import sys
from pathlib import Path


def generate(folder: Path, *, number: int, players: int, rounds: int, rates: tuple[float, float, float]):
    """Returns a random tournament's report file, or `None` if gacrux found no legal pairing for a round.

    The rates are those of absences, half-point byes and forfeits.
    """
    from gacrux.gacruxexeptions import GacruxNoLegalPairing
    from gacrux.tournamentgenerator import tournamentgenerator

    arguments = ["-g", str(number), "1", "-p", str(players), "-n", str(rounds), "-S", *map(str, rates)]
    try:
        with _called(*arguments, "-o", str(folder / "T%d.trf")):
            generator = tournamentgenerator()
            generator.read_command_line()
            generator.process_tournaments()
    except GacruxNoLegalPairing:
        return None
    return (folder / f"T{number:04}.trf").read_text()


def check_pairings(folder: Path, text: str):
    """Returns the rounds: `pairs` by the checker, `current` in the file, as (white, black) with 0 for a bye."""
    from gacrux.pairingchecker import pairingchecker

    report, answer = folder / "report.trf", folder / "answer.json"
    report.write_text(text, "utf-8")
    answer.unlink(missing_ok=True)
    with _called("-i", str(report), "-o", str(answer), "-c", "-b", "utf-8"):
        pairingchecker().common_main()
    found = json.loads(answer.read_text())
    assert found["status"]["code"] in {0, 1}, found["status"]
    return found["pairingResult"]["roundpairing"]


@contextlib.contextmanager
def _called(*arguments: str):
    """Replaces the command line of a script, and captures its output."""
    before, sys.argv = sys.argv, ["gacrux", *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        sys.argv = before
