"""Writes the log of a table that the laws play: `python -m tests.golden.record [--supervised] GAME SEED…`.

Seats, options, decks, actions and times are those of `python -m tests.domain.laws GAME SEED`, but the table aggregate
decides them, so the log has a hash chain, places and ledger entries. Players sit in even seats, and bots in odd ones
unless the laws let them commit an offence. The first player is the host; with `--supervised` the host has no seat, and
enters the offences that a host may enter for players. An existing log is never overwritten.
"""

import hashlib
import sys
from itertools import groupby
from pathlib import Path

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import (
    apply,
    export_log,
    head_of,
)
from hoodwink.domain.tables.proving.verify import TABLE
from hoodwink.domain.tables.state import (
    UNOPENED,
    Phase,
    Table,
    is_person,
)
from tests.domain.laws.playout import Play, play

FOLDER = Path(__file__).parent
SUMS = FOLDER / "SHA256SUMS"


class Recorder:
    """Carries out commands at a table and collects its log."""

    def __init__(self) -> None:
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []

    def do(self, command: commands.TableCommand, *, by: str, at: int) -> None:
        cmd = f"c{self.table.version}"
        head = head_of(self.entries)
        self.table, events = apply(TABLE, self.table, command, head=head, at=at, by=Actor(by), cmd=cmd)
        self.entries += [recorded.entry for recorded in events]


def log_of(table: Play, *, supervised: bool = False) -> bytes:
    """Returns the exported log of a table played to its end without a void round."""
    assert not table.is_cut, "the table was not played to its end"
    is_void = any(entry.kind == "void" for entry in table.entries)
    assert not is_void, "the laws stop a round of this seed early, as tables do not; take another seed"
    server_seed, at = f"{table.seed:064x}", table.entries[0].now
    recorder = Recorder()
    host = "host" if supervised else "p0"
    recorder.do(_opening(table, server_seed, host), by="host", at=at)
    offenders = {entry.seat for entry in table.entries if isinstance(entry.action, table.game.offences)}
    for seat in range(table.seats):
        policy = "random" if seat % 2 and seat not in offenders else None
        command = commands.TakeSeat(player=f"p{seat}", policy=policy, seat=seat)
        recorder.do(command, by="host" if policy else f"player:{seat}", at=at)
    recorder.do(commands.StartTable(), by="host", at=at)
    for _, commit in groupby(table.entries, key=lambda entry: entry.commit):
        first = next(commit)
        by = _actor(recorder.table, first.seat, first.action)
        recorder.do(_command(first.kind, first.seat, first.action), by=by, at=first.now)
    assert recorder.table.phase is Phase.ENDED
    return export_log(recorder.table.id, recorder.entries)


def _actor(table: Table, seat: int | None, action: Action | None) -> str:
    if seat is None:
        return "worker"
    if not is_person(table, seat):
        return f"bot:{seat}"
    is_entered = table.host == "host" and isinstance(action, table.rulebook.host_offences(table.options))
    return "host" if is_entered else f"player:{seat}"


def _opening(table: Play, server_seed: str, host: str) -> commands.OpenTable:
    return commands.OpenTable(
        table=f"{table.game.name}-{table.seed}",
        game=table.game.name,
        seats=table.seats,
        options=msgspec.to_builtins(table.options),
        host=host,
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=server_seed,
    )


def _command(kind: str, seat: int | None, action: Action | None) -> commands.TableCommand:
    if seat is None or action is None:
        return commands.DealRound() if kind == "deal" else commands.ScoreRound()
    return commands.Act(seat, action)


def main(name: str, *seeds: str, supervised: bool = False) -> None:
    """Writes the log of each table and its checksum; fails if the log exists."""
    for seed in map(int, seeds):
        path = FOLDER / f"{name}-{seed}.log"
        log = log_of(play(GAMES[name], seed), supervised=supervised)
        with path.open("xb") as file:
            file.write(log)
        with SUMS.open("a", encoding="ascii") as sums:
            sums.write(f"{hashlib.sha256(log).hexdigest()}  {path.name}\n")
        print(f"{path.name}: {len(log.splitlines()) - 1} events, {len(log)} bytes")


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--supervised"]
    main(*given, supervised=len(given) < len(sys.argv) - 1)
