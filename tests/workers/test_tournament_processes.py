"""A tournament survives killed processes; `python -m tests.tournaments.faults` is the long form."""

import pytest

from hoodwink.service.supervisor import isolated_service
from tests.service.processes import service_settings
from tests.tournaments.faults import survive

pytestmark = pytest.mark.processes


@pytest.mark.parametrize(
    ("deal", "entrants", "rounds", "kills"),
    [
        ("same", 8, 3, 2),
        pytest.param("own", 16, 15, 4, marks=pytest.mark.campaign),
        pytest.param("same", 16, 12, 12, marks=pytest.mark.campaign),
        pytest.param("arena", 16, 0, 12, marks=pytest.mark.campaign),
    ],
)
def test_t_15_t_41_d_7_a_bot_tournament_ends_correctly_despite_killed_processes(
    tmp_path, deal, entrants, rounds, kills
):
    # With a job worker, which pairs rounds that take long.
    with isolated_service(service_settings(tmp_path)) as settings:
        survive(
            settings,
            entrants=entrants,
            rounds=rounds,
            kills=kills,
            seed=1,
            is_duplicate=deal == "same",
            arena_minutes=2 if deal == "arena" else None,
        )
