"""Commands that share their work among several processes."""

import os
import signal
from typing import Any

import pytest
from click import ClickException

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.projecting.projections import PartitionHeld
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.processes import Advance, run_each
from hoodwink.service.settings import Settings


def run(work: Any, *, processes: int = 2) -> list[Any]:
    service, bar = Service(Settings()), list[int]()
    results = run_each(service, work, [1, 2, 3], processes=processes, events=0, advance=bar.append)
    return [*sorted(results), sum(bar)]


def twice(_service: Service, item: int, advance: Advance) -> int:
    advance(item)
    return 2 * item


@pytest.mark.parametrize("processes", [1, 2])
def test_results_and_progress_of_all_processes_are_collected(processes):
    assert run(twice, processes=processes) == [2, 4, 6, 6]


def die(_service: Service, item: int, _advance: Advance) -> None:
    if item == 2:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_ends_the_command_with_a_message():
    with pytest.raises(ClickException, match=r"^A process was killed\. Run the command again to resume\.$"):
        run(die)


def refuse(_service: Service, item: int, _advance: Advance) -> None:
    raise PartitionHeld("lobby", item) if item == 1 else StoreUnavailable("No Redis.")


def test_an_error_in_another_process_is_reported_like_any_other():
    with pytest.raises(ClickException, match=r"^(Partition 1 of lobby is being audited|No Redis\.)"):
        run(refuse)
