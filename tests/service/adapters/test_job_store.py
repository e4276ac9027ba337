"""Jobs in Redis: each starts once, belongs to one worker at a time, and expires; number and bytes are bounded."""

from contextlib import suppress

import msgspec
import pytest

from hoodwink.service.adapters.tasks.job_store import LEASE_MS, RedisJobStore
from hoodwink.service.application.jobs.jobs import Claimed, Crowded, Full, JobKind, JobState, Outcome, Owner
from hoodwink.service.application.limits import Limit
from tests.service.application.world import NOW

ADDRESS = Owner(Limit.JOBS_PER_ADDRESS, "2001:db8::", 2)
PLAYER = Owner(Limit.JOBS_PER_PLAYER, "ada00000", None)
DONE = Outcome(status=201, body=msgspec.Raw(b'{"valid":true}'), headers={"Location": "/v1/imports/x"})
OTHER = Outcome(status=422, body=msgspec.Raw(b"{}"))
HOUR = 3_600_000


@pytest.fixture
def jobs(client):
    return RedisJobStore(client=client, max_bytes=8_000_000)


def begin(jobs, job_id="a", body=b"log", *, owners=(ADDRESS,), now=NOW):
    return jobs.begin(job_id, JobKind.VERIFY, owners, body, now=now)


def due(jobs, *, now):
    return [job.id for job in jobs.due(now=now)]


def finish(jobs, job_id="a", outcome=DONE, *, now=NOW):
    jobs.claim(job_id, now=now, again=False)
    jobs.end(job_id, outcome, now=now, until=now + HOUR)


def find_job(jobs, job_id="a", *, now=NOW):
    (job,) = jobs.find_each([job_id], now=now)
    return job


def test_a_job_is_queued_taken_and_ended(jobs):
    assert begin(jobs, owners=(ADDRESS, PLAYER)).state is JobState.QUEUED
    assert due(jobs, now=NOW) == ["a"]

    owners = {Limit.JOBS_PER_ADDRESS: "2001:db8::", Limit.JOBS_PER_PLAYER: "ada00000"}
    assert jobs.claim("a", now=NOW, again=False) == Claimed(JobKind.VERIFY, b"log", 1, owners)
    jobs.report("a", 1, (3, 9), now=NOW)
    assert (find_job(jobs).state, find_job(jobs).done, find_job(jobs).total) == (JobState.RUNNING, 3, 9)

    jobs.end("a", DONE, now=NOW, until=NOW + HOUR)
    assert find_job(jobs).outcome == DONE
    assert jobs.claim("a", now=NOW, again=True) is None
    assert (jobs.unended(), due(jobs, now=NOW + HOUR)) == (0, [])


def test_the_first_of_two_outcomes_stays(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    for outcome in (DONE, OTHER):
        jobs.end("a", outcome, now=NOW, until=NOW + HOUR)
    assert find_job(jobs).outcome == DONE
    assert jobs.unended() == 0


def test_the_same_job_is_begun_once(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    assert begin(jobs).state is JobState.RUNNING
    assert jobs.unended() == 1


def test_a_job_belongs_to_one_worker_until_silence_or_kill(jobs):
    begin(jobs)
    assert jobs.claim("a", now=NOW, again=False).attempt == 1
    assert jobs.claim("a", now=NOW + LEASE_MS - 1, again=False) is None
    assert jobs.claim("a", now=NOW + 1, again=True).attempt == 2
    assert jobs.claim("a", now=NOW + 1 + LEASE_MS, again=False).attempt == 3


def test_a_replaced_worker_cannot_report(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    jobs.claim("a", now=NOW, again=True)
    jobs.report("a", 1, (3, 9), now=NOW)
    assert find_job(jobs).total == 0


def test_a_task_is_due_again_only_if_its_worker_is_silent(jobs):
    begin(jobs)
    jobs.mark_sent("a", now=NOW)
    assert due(jobs, now=NOW) == []
    jobs.claim("a", now=NOW, again=False)
    jobs.report("a", 1, None, now=NOW + 10_000)
    assert due(jobs, now=NOW + LEASE_MS) == []
    assert due(jobs, now=NOW + 10_000 + LEASE_MS) == ["a"]


def test_a_task_sent_while_its_job_is_taken_delays_nothing(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    jobs.mark_sent("a", now=NOW)
    assert due(jobs, now=NOW + LEASE_MS) == ["a"]


def test_a_large_input_arrives_in_parts_whole(jobs):
    body = bytes(range(256)) * 4_000
    assert begin(jobs, body=body).state is JobState.QUEUED
    assert jobs.claim("a", now=NOW, again=False).input == body


def test_an_incomplete_input_is_sent_again_or_dropped(jobs, monkeypatch):
    body = bytes(500_000)
    with monkeypatch.context() as broken:
        broken.setattr(jobs, "_store_input", lambda *_: 1 / 0)
        for name in ("a", "b"):
            with pytest.raises(ZeroDivisionError):
                begin(jobs, name, body)
    assert jobs.claim("a", now=NOW, again=False) is None
    begin(jobs, "a", body)
    assert jobs.claim("a", now=NOW, again=False).input == body

    assert jobs.forget_old(now=NOW + 60_000) == 1
    assert (find_job(jobs, "b"), jobs.unended()) == (None, 1)


def test_jobs_are_limited_per_owner(jobs):
    begin(jobs, "a")
    begin(jobs, "b")
    with pytest.raises(Crowded) as crowded:
        begin(jobs, "c", owners=(PLAYER, ADDRESS))
    assert crowded.value.owner == ADDRESS
    begin(jobs, "d", owners=(PLAYER,))

    finish(jobs)
    begin(jobs, "c")
    assert jobs.unended() == 3


def test_an_owner_may_use_a_fifth_of_the_free_room(jobs):
    player = (Owner(Limit.JOBS_PER_PLAYER, "player00", None),)
    with pytest.raises(Full):
        begin(jobs, "a", bytes(1_200_000))
    begin(jobs, "a", bytes(1_190_000))
    with pytest.raises(Full):
        begin(jobs, "b", bytes(1_190_000), owners=player)
    begin(jobs, "b", bytes(950_000), owners=player)

    finish(jobs, "b")
    with pytest.raises(Full):
        begin(jobs, "c", bytes(100_000))
    begin(jobs, "c", bytes(950_000), owners=player)


def fill(jobs, *sizes):
    """Sends inputs from a hundred addresses until every size is refused."""
    for size in sizes:
        for number in range(100):
            stranger = (Owner(Limit.JOBS_PER_ADDRESS, f"192.0.2.{number}", None),)
            with suppress(Full):
                for part in range(100):
                    begin(jobs, f"{size}-{number}-{part}", bytes(size - 1_024), owners=stranger)
    assert jobs.bytes_held() > 4_000_000


def test_a_small_job_finds_room_among_many_large_ones(jobs):
    fill(jobs, 200_000, 20_000)
    begin(jobs, "ours", bytes(10_000))


def test_a_job_of_the_service_finds_room_in_a_full_store(jobs):
    fill(jobs, 200_000)
    with pytest.raises(Full):
        begin(jobs, "another", bytes(250_000))

    assert begin(jobs, "step", bytes(250_000), owners=()).state is JobState.QUEUED


def test_the_oldest_outcomes_make_room_for_jobs(jobs):
    large = Outcome(status=200, body=msgspec.Raw(b"1" * 1_000_000))
    for number in range(10):
        begin(jobs, str(number))
        finish(jobs, str(number), large, now=NOW + number)
    begin(jobs, "a", bytes(1_190_000))

    assert jobs.forget_old(now=NOW) == 4
    left = [job.id for job in jobs.find_each([*"0123456789a"], now=NOW) if job is not None]
    assert left == [*"456789a"]
    assert jobs.bytes_held() == 6 * 1_001_024 + 1_191_024
    assert jobs.forget_old(now=NOW) == 0


def test_many_small_outcomes_are_dropped_in_batches(client):
    jobs = RedisJobStore(client=client, max_bytes=10_000)
    for number in range(130):
        begin(jobs, str(number), now=NOW + number)
        finish(jobs, str(number), now=NOW + number)
    assert jobs.forget_old(now=NOW) == 121
    assert find_job(jobs, "121") is not None


def test_an_expired_job_is_removed_with_its_counts(jobs, client):
    begin(jobs)
    finish(jobs)
    begin(jobs, "b", now=NOW)

    assert find_job(jobs, now=NOW + HOUR - 1) is not None
    assert find_job(jobs, now=NOW + HOUR) is None
    assert begin(jobs, "a", now=NOW + HOUR).outcome is None, "the request can be made again"
    jobs.forget_old(now=NOW + 100 * HOUR)
    assert (jobs.unended(), jobs.bytes_held()) == (0, 0)
    assert [key for key in client.scan_iter() if b"wake" not in key] == []


def test_an_outcome_replaces_the_input(jobs):
    begin(jobs, body=bytes(200_000))
    held = jobs.bytes_held()
    finish(jobs)
    assert held - jobs.bytes_held() == 200_000 - len(DONE.body)


def test_a_queued_job_ends_the_wait_for_jobs(jobs):
    begin(jobs)
    begin(jobs, "b")
    jobs.await_job(4)
    assert due(jobs, now=NOW) == ["a", "b"]


def test_a_deleted_job_does_not_stay_due(jobs, client):
    begin(jobs)
    client.delete("hw:{jobs}:job:a")
    assert due(jobs, now=NOW) == []
    assert client.zcard("hw:{jobs}:watched") == 0
