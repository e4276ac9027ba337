"""A short version of the campaign: every attack is answered and measured. Its times are meaningless."""

import asyncio

import pytest

from tests.hostile.attackers import Answers
from tests.hostile.attacks import ATTACKS
from tests.hostile.campaign import Outcome, Plan, attacked, limited_service
from tests.hostile.probes import Noticed, Times
from tests.hostile.world import SHORT

pytestmark = pytest.mark.processes

PLAN = Plan(clients=2, seconds=0.2, warm_up_seconds=0.0, quiet_seconds=0.1, size=SHORT)


@pytest.fixture(scope="module")
def service():
    with limited_service() as settings:
        yield settings


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_request_of_an_attack_is_answered_without_server_errors(service, attack):
    outcome = asyncio.run(attacked(service, attack, PLAN))

    assert outcome.answers.statuses
    assert not {status for status in outcome.answers.statuses if status >= 500}, outcome.answers.bodies
    assert (outcome.answers.unanswered, outcome.attacked.unanswered) == (0, 0), outcome.failures
    for noticed in (outcome.quiet, outcome.attacked):
        assert all(times.taken for times in (noticed.readyz, noticed.lobby, noticed.action))
    assert outcome.lobby_ratio > 0


def outcome_of(*, statuses, readyz, lobby, unanswered=0):
    def noticed(lobby_ms, taken, lost):
        return Noticed(readyz=Times(taken), lobby=Times((lobby_ms,)), action=Times((5.0,)), unanswered=lost)

    return Outcome(
        attack="pages_in_words",
        quiet=noticed(1.0, (1.0,), 0),
        attacked=noticed(lobby, readyz, unanswered),
        answers=Answers(statuses=statuses, unanswered=0, bodies={}),
        failures=(),
    )


@pytest.mark.parametrize(
    ("given", "missed"),
    [
        ({}, []),
        ({"readyz": (1.0, 201.0)}, ["p99.9 of /readyz"]),
        ({"readyz": (1.0,) * 1_999 + (501.0,)}, ["/readyz took"]),
        ({"lobby": 3.1}, ["the lobby"]),
        ({"unanswered": 1}, ["0 hostile requests and 1"]),
        ({"statuses": {200: 5, 500: 1}}, ["hostile requests were answered [500]"]),
        ({"readyz": ()}, ["p99.9 of /readyz", "/readyz took"]),
    ],
)
def test_the_bars_match_the_campaign(given, missed):
    outcome = outcome_of(**{"statuses": {200: 5, 429: 9}, "readyz": (1.0, 200.0), "lobby": 3.0, **given})

    assert [line[: len(start)] for line, start in zip(outcome.misses(), missed, strict=True)] == missed
