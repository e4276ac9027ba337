"""Exports of a duplicate tournament and its tables, from a service's store."""

from contextlib import nullcontext
from importlib import import_module

from hoodwink.domain.tables.commands import Resign, SayReady
from hoodwink.domain.tournaments.life import Advance, OpenRound, StartRound
from tests.service.application.test_duplicate_tournaments import start
from tests.service.application.test_tournament_worker import ID, do, seat_of, tables
from tests.service.application.world import World
from tests.service.cli.test_duplicate_simulation import run


def test_d_7_exports_wait_for_the_release(tmp_path, monkeypatch):
    world = World()
    start(world, "ada", bots=5, advance=Advance.MANUAL)
    do(world, OpenRound(1))
    do(world, StartRound(1))
    world.settle()
    for name in ("export", "tournaments.export"):
        module = import_module(f"hoodwink.service.cli.{name}")
        monkeypatch.setattr(module, "connected_service", lambda: nullcontext(world.service))
    (open_,) = (table for table in tables(world) if not world.now_at(table).result)
    sealed = next(table for table in tables(world) if table != open_)

    assert "Other tables still play the deal of this one." in run("export", sealed, code=1)
    run("tournament", "export", ID, "--json", str(tmp_path / "cup.json"))
    assert "no place for the comparisons" in run(
        "tournament", "export", ID, "--trf", str(tmp_path / "cup.trf"), code=1
    )
    shown = run("tournament", "show", str(tmp_path / "cup.json"))
    assert "Standings" in shown

    seat = seat_of(world, open_, "ada")
    for command in (SayReady(seat), Resign(seat)):
        world.do(open_, command, by=f"player:{seat}")
    world.settle()
    assert "Other tables" not in run("export", sealed, "--out", str(tmp_path / "table.log"))
    run("tournament", "export", ID, "--json", str(tmp_path / "cup.json"))
    assert run("tournament", "show", str(tmp_path / "cup.json")) != shown
