"""`hoodwink tournament simulate --format arena`: an arena is simulated, shown and verified."""

from tests.service.cli.test_duplicate_simulation import run


def test_t_40_a_simulated_arena_is_verified(tmp_path):
    logs, file = tmp_path / "logs", tmp_path / "arena.json"
    arena = ("tournament", "simulate", "--format", "arena")
    short = ("--arena-minutes", "8", "--entrants", "6", "--game", "coconut")
    played = run(*arena, *short, "--logs", str(logs), "--json", str(file))

    assert "--format arena" in played
    assert "Cross-table" not in played
    assert "valid" in run("verify", str(logs / "tournament.ndjson"), "--tables", str(logs))
    assert "score" in run("tournament", "show", str(file))
    assert "where absences are pauses" in run(*arena, "--absences", code=2)
    assert "leave it out" in run(*arena, "--rounds", "3", code=2)
    assert "`--format arena`" in run("tournament", "simulate", "--arena-minutes", "3", code=2)
