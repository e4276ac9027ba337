"""A tournament survives killed processes; `python -m tests.tournaments.faults` is the long form."""

import pytest

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from tests.tournaments.faults import survive

pytestmark = pytest.mark.processes


@pytest.mark.parametrize(
    ("entrants", "rounds", "kills"), [(8, 8, 3), pytest.param(16, 15, 4, marks=pytest.mark.campaign)]
)
def test_t_15_a_bot_tournament_ends_correctly_despite_killed_processes(tmp_path, entrants, rounds, kills):
    with isolated_service(Settings(port=0, data=str(tmp_path), api_workers=1)) as settings:
        survive(settings, entrants=entrants, rounds=rounds, kills=kills, seed=1)
