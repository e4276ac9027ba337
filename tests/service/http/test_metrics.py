"""The metrics count the API's work without revealing secrets."""

import pytest
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from hoodwink.domain.kernel import RuleViolation, SharedCode
from hoodwink.domain.tables.state import UNOPENED
from hoodwink.service.application.errors import (
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
    VersionConflict,
)
from hoodwink.service.application.ports import Conflict, StoreUnavailable
from hoodwink.service.application.work.due import Due
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app
from hoodwink.service.http.framework.metrics import FOR_OPERATORS, MeteredStore
from hoodwink.service.http.messages.problems import HttpCode, Problem
from hoodwink.service.http.resources.tables.play import outcome_of
from hoodwink.service.monitoring.exposition import Exposition
from tests.service.http.api import catch_up, first_legal, problem


def metric_value(api, name, **labels):
    """Returns the value of a counter from the exposition."""
    families = text_string_to_metric_families(Exposition(api.service).text().decode())
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


def test_actions_are_counted_by_outcome(api, ada, bob):
    path = api.playing(ada, bob)
    outcomes = ("accepted", "against_the_rules", "not_allowed", "refused")
    before = [metric_value(api, "hoodwink_action_seconds_count", outcome=outcome) for outcome in outcomes]

    ada.post(f"{path}/actions", next(first_legal(ada, path)))
    ada.post(f"{path}/actions", {"type": "draw", "source": "stock"})
    api.person("Eve").post(f"{path}/actions", {"type": "draw", "source": "stock"})
    ada.post(f"{path}/actions", {"type": "dance"})

    after = [metric_value(api, "hoodwink_action_seconds_count", outcome=outcome) for outcome in outcomes]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (RuleViolation(SharedCode.NOT_YOUR_TURN), "against_the_rules"),
        (Forbidden(ForbiddenCode.NOT_HOST), "not_allowed"),
        (StoreUnavailable(), "unavailable"),
        (Problem(HttpCode.INVALID_BODY), "refused"),
        (NotFound(NotFoundCode.TABLE_NOT_FOUND), "refused"),
        (VersionConflict("table", UNOPENED), "refused"),
        (KeyError(), "failed"),
    ],
)
def test_every_error_has_an_outcome(error, outcome):
    assert outcome_of(error) == outcome


def test_requests_are_counted_by_operation_and_status(api):
    before = metric_value(api, "hoodwink_http_requests_total", operation="get_game", status="404")

    api.spectator.get("/v1/games/whist")

    assert metric_value(api, "hoodwink_http_requests_total", operation="get_game", status="404") == before + 1


def test_conflicts_at_the_store_are_counted(api):
    store = api.service.store

    class Busy:
        read, version, known, streams = store.read, store.version, store.known, store.streams
        confirm, confirm_all = store.confirm, store.confirm_all

        def append(self, commit):
            return Conflict(7, ())

    before = metric_value(api, "hoodwink_append_conflicts_total")

    MeteredStore(Busy()).append(None)  # type: ignore[arg-type]

    assert metric_value(api, "hoodwink_append_conflicts_total") == before + 1


def test_a_stalled_feed_reader_is_shown(api, ada, bob):
    feed = api.service.feed
    api.table(ada, bob)  # the commits of the two players are in a separate feed
    behind = metric_value(api, "hoodwink_feed_lag_entries", group="results")
    assert behind == 3
    taken = feed.read(group="results", consumer="one", partitions=feed.partitions, count=100, block_ms=0)
    assert metric_value(api, "hoodwink_feed_lag_entries", group="results") == behind
    assert metric_value(api, "hoodwink_feed_lag_seconds", group="results") >= 0
    feed.ack("results", taken)
    assert metric_value(api, "hoodwink_feed_lag_entries", group="results") == 0
    assert metric_value(api, "hoodwink_feed_lag_seconds", group="results") == 0
    assert metric_value(api, "hoodwink_feed_lag_entries", group="reactions") == behind


def test_other_metrics_are_reported_without_a_store(api, ada, monkeypatch):
    def refuse(group):
        raise StoreUnavailable("away")

    monkeypatch.setattr(api.service.feed, "lag", refuse)
    text = Exposition(api.service).text().decode()
    assert "hoodwink_http_requests_total" in text
    assert 'group="' not in text
    assert metric_value(api, "hoodwink_store_up", store="events") == 0


def test_co_36_a_refused_attempt_changes_no_public_metric(api, ada, bob):
    path = api.playing(ada, bob)

    def public_metrics():
        return without_times(Exposition(api.service, hidden=FOR_OPERATORS).text().decode())

    before = public_metrics()
    assert before == without_times(api.spectator.get("/metrics").text)
    assert not ada.post(f"{path}/actions", {"type": "draw", "source": "stock"}).get_json().get("view")
    assert not bob.post(f"{path}/actions", {"type": "dance"}).get_json().get("view")
    assert public_metrics() == before


def without_times(text):
    """Returns the metrics without those of the test's own process, and without the memory of Redis."""
    lines = [line for line in text.splitlines() if line.startswith("hoodwink_") and "_seconds{" not in line]
    return [line for line in lines if "_memory_" not in line]


def test_metrics_with_their_own_port_are_not_at_the_api(api):
    settings = replace(api.service.settings, metrics_port=9100)
    strangers = create_app(Service(settings, client=api.service.client)).test_client()
    assert strangers.get("/metrics").status_code == 404
    assert strangers.get("/healthz").status_code == 200


def from_machine(api, address, **headers):
    return api.app.test_client().get("/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": address})


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1"])
def test_the_local_machine_can_read_the_metrics(api, address):
    assert from_machine(api, address).status_code == 200


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "0.0.0.0", "", "localhost"])
def test_another_machine_cannot_read_the_metrics(api, address):
    problem(from_machine(api, address), 404, "route_not_found")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "Via",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Server",
        "X-Real-IP",
    ],
)
def test_a_proxied_request_cannot_read_the_metrics(api, address, header):
    for value in ("127.0.0.1", "for=127.0.0.1", "https", "unreadable \\"):
        problem(from_machine(api, address, **{header: value}), 404, "route_not_found")


def test_tables_are_counted_by_phase(api, ada, bob):
    catch_up(api)
    before = [metric_value(api, "hoodwink_tables", phase=phase) for phase in ("open", "playing", "ended")]
    api.playing(ada, bob)
    api.table(ada, bob)
    catch_up(api)
    after = [metric_value(api, "hoodwink_tables", phase=phase) for phase in ("open", "playing", "ended")]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 0]


def test_scheduled_work_and_its_age_are_shown(api):
    now = api.service.clock.now_ms()
    due = {"t1": Due(0, "", now - 4_000), "t2": Due(0, "", now - 1_000), "t3": Due(0, "", now + 9_000)}
    api.service.due_times.record({"report": due})
    assert metric_value(api, "hoodwink_due_recorded", kind="report") == 3
    assert metric_value(api, "hoodwink_due", kind="report") == 2
    assert metric_value(api, "hoodwink_due_oldest_seconds", kind="report") >= 4
    assert metric_value(api, "hoodwink_due_oldest_seconds", kind="round") == 0


def test_tables_without_people_do_not_count_as_overdue(api):
    now = api.service.clock.now_ms()
    before = metric_value(api, "hoodwink_due_oldest_seconds", kind="work")
    api.service.due_times.record({"work": {"t1": Due(0, "", now - 9_000_000, is_for_bots=True)}})
    assert metric_value(api, "hoodwink_due_oldest_seconds", kind="bots") >= 9_000
    assert metric_value(api, "hoodwink_due_oldest_seconds", kind="work") == before
