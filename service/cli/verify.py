"""`hoodwink verify`: is an exported log whole, fair and legal?"""

import sys
from pathlib import Path

import click

from domain.tables import Verdict, verify_log
from service.cli.files import EXPORTED_LOG, content


@click.command("verify")
@click.argument("file", type=EXPORTED_LOG)
def command(file: Path) -> None:
    """Check an exported log by itself: chain, commitment, every deck, action and score.

    With - as FILE it reads the standard input. Exits with 0 if the log is valid, with 1 and the place of the
    first fault if it is not.
    """
    verdict = verify_log(content(file))
    click.echo(said(verdict))
    sys.exit(0 if verdict.valid else 1)


def said(verdict: Verdict) -> str:
    """Returns the verdict as a sentence."""
    if verdict.finding is None:
        rounds = "1 round" if verdict.rounds == 1 else f"{verdict.rounds} rounds"
        return (
            f"valid: table {verdict.table}, {verdict.game}, {verdict.events} events, {rounds}. "
            "The chain holds, the seed matches its commitment, and every deck, action and score follows the rules."
        )
    finding = verdict.finding
    place = "" if finding.line is None else f" at line {finding.line}"
    event = "" if finding.version is None else f", event {finding.version}"
    return f"INVALID{place}{event}: {finding.code}: {finding.detail}"
