"""Exports the journal as plain text for both hledger and beancount."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import JournalEntry, Posting

_ROOTS = {"player": "Assets:Players:P-", "bot": "Assets:Bots:B-", "table": "Equity:Tables:T-"}

_HEADER = """\
; The journal of Hoodwink. Check it with: hledger -f FILE check --strict, or bean-check FILE
; Tokens move between the players of a table. Points are issued by the table they were won at.
; When a table is voided, each of its entries is reversed by one of its own, and both stay.
; The lines that begin with "!" declare accounts and units to hledger; beancount passes over them.
"""


def journal_text(entries: Sequence[JournalEntry]) -> Iterator[str]:
    """Yields the text of the journal in parts; the entries must be in the order of time."""
    # Beancount needs a line that opens each account, which hledger reads as a transaction without postings.
    # `hledger check --strict` needs declarations. They begin with an exclamation mark, which hledger allows before
    # a directive and which makes beancount skip the line.
    yield _HEADER
    yield "".join(f"!commodity 1000. {unit}\n" for unit in sorted({entry.unit.upper() for entry in entries}))
    opened: dict[str, str] = {}
    for entry in entries:
        for posting in entry.postings:
            opened.setdefault(account_name(posting.account, entry.game), _day(entry.at))
    for account, day in opened.items():
        yield f"\n!account {account}\n{day} open {account}\n"
    for entry in entries:
        yield _transaction(entry)


def _transaction(entry: JournalEntry) -> str:
    void = "" if entry.reverses is None else ", void"
    what = f"{GAMES[entry.game].title}, round {entry.round}{void}"
    words = [entry.id, entry.event, iso_time(entry.at)]
    if entry.reverses is not None:
        words += ("reverses", entry.reverses)
    if entry.tournament is not None:
        words += ("tournament", entry.tournament)
    first = f'\n{_day(entry.at)} * "{what}" "{" ".join(words)}"\n'
    return first + "".join(_line(posting, entry) for posting in entry.postings)


def _line(posting: Posting, entry: JournalEntry) -> str:
    account = account_name(posting.account, entry.game)
    return f"  {account:<48}  {posting.amount:>6} {entry.unit.upper()}\n"


def account_name(account: str, game: str) -> str:
    """Returns the name of an account in both programs; each game has its own accounts.

    >>> account_name("player:mzxw6ytb", "blind_don")
    'Assets:Players:P-mzxw6ytb:BlindDon'
    >>> account_name("bot:steady", "coconut")
    'Assets:Bots:B-steady:Coconut'
    """
    kind, _, name = account.partition(":")
    return f"{_ROOTS[kind]}{_escaped(name)}:{game.title().replace('_', '')}"


def iso_time(at: int) -> str:
    """Returns a time in ms since the epoch in ISO 8601, UTC.

    >>> iso_time(1_750_000_000_005)
    '2025-06-15T15:06:40.005+00:00'
    """
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _escaped(name: str) -> str:
    """Returns the name with every character except letters and digits as `-<code in hex>-`."""
    # Beancount allows only letters, digits and hyphens. Hyphens are escaped, too, or two names could become equal.
    return re.sub("[^A-Za-z0-9]", lambda found: f"-{ord(found[0]):x}-", name)


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
