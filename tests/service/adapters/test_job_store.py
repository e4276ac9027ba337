"""Jobs in Redis: each is begun once, taken by one worker at a time, bounded in number and bytes, and forgotten."""

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


def found(jobs, job_id="a", *, now=NOW):
    (job,) = jobs.find_each([job_id], now=now)
    return job


def test_a_job_is_queued_taken_and_ended(jobs):
    assert begin(jobs, owners=(ADDRESS, PLAYER)).state is JobState.QUEUED
    assert due(jobs, now=NOW) == ["a"]

    owners = {Limit.JOBS_PER_ADDRESS: "2001:db8::", Limit.JOBS_PER_PLAYER: "ada00000"}
    assert jobs.claim("a", now=NOW, again=False) == Claimed(JobKind.VERIFY, b"log", 1, owners)
    jobs.report("a", 1, (3, 9), now=NOW)
    assert (found(jobs).state, found(jobs).done, found(jobs).total) == (JobState.RUNNING, 3, 9)

    jobs.end("a", DONE, now=NOW, until=NOW + HOUR)
    assert found(jobs).outcome == DONE
    assert jobs.claim("a", now=NOW, again=True) is None
    assert (jobs.unended(), due(jobs, now=NOW + HOUR)) == (0, [])


def test_the_first_of_two_outcomes_stays(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    for outcome in (DONE, OTHER):
        jobs.end("a", outcome, now=NOW, until=NOW + HOUR)
    assert found(jobs).outcome == DONE
    assert jobs.unended() == 0


def test_the_same_job_is_begun_once(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    assert begin(jobs).state is JobState.RUNNING
    assert jobs.unended() == 1


def test_one_worker_at_a_time_has_a_job_until_it_is_silent_or_known_to_be_killed(jobs):
    begin(jobs)
    assert jobs.claim("a", now=NOW, again=False).attempt == 1
    assert jobs.claim("a", now=NOW + LEASE_MS - 1, again=False) is None
    assert jobs.claim("a", now=NOW + 1, again=True).attempt == 2
    assert jobs.claim("a", now=NOW + 1 + LEASE_MS, again=False).attempt == 3


def test_a_worker_that_was_replaced_reports_nothing(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    jobs.claim("a", now=NOW, again=True)
    jobs.report("a", 1, (3, 9), now=NOW)
    assert found(jobs).total == 0


def test_a_task_is_due_again_when_its_worker_is_silent_but_not_while_it_reports(jobs):
    begin(jobs)
    jobs.mark_sent("a", now=NOW)
    assert due(jobs, now=NOW) == []
    jobs.claim("a", now=NOW, again=False)
    jobs.report("a", 1, None, now=NOW + 10_000)
    assert due(jobs, now=NOW + LEASE_MS) == []
    assert due(jobs, now=NOW + 10_000 + LEASE_MS) == ["a"]


def test_a_task_that_was_sent_while_a_worker_took_the_job_delays_nothing(jobs):
    begin(jobs)
    jobs.claim("a", now=NOW, again=False)
    jobs.mark_sent("a", now=NOW)
    assert due(jobs, now=NOW + LEASE_MS) == ["a"]


def test_a_large_input_arrives_in_parts_whole(jobs):
    body = bytes(range(256)) * 4_000
    assert begin(jobs, body=body).state is JobState.QUEUED
    assert jobs.claim("a", now=NOW, again=False).input == body


def test_an_input_that_did_not_arrive_is_sent_again_or_forgotten(jobs, monkeypatch):
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
    assert (found(jobs, "b"), jobs.unended()) == (None, 1)


def test_an_owner_has_so_many_jobs_at_a_time(jobs):
    begin(jobs, "a")
    begin(jobs, "b")
    with pytest.raises(Crowded) as crowded:
        begin(jobs, "c", owners=(PLAYER, ADDRESS))
    assert crowded.value.owner == ADDRESS
    begin(jobs, "d", owners=(PLAYER,))

    finish(jobs)
    begin(jobs, "c")
    assert jobs.unended() == 3


def test_an_owner_has_a_fifth_of_the_room_that_others_leave(jobs):
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
    """Sends inputs from a hundred addresses until no more of any size is taken."""
    for size in sizes:
        for number in range(100):
            stranger = (Owner(Limit.JOBS_PER_ADDRESS, f"192.0.2.{number}", None),)
            with suppress(Full):
                for part in range(100):
                    begin(jobs, f"{size}-{number}-{part}", bytes(size - 1_024), owners=stranger)
    assert jobs.bytes_held() > 4_000_000


def test_small_job_finds_room_although_many_strangers_fill_the_store_with_larger_ones(jobs):
    fill(jobs, 200_000, 20_000)
    begin(jobs, "ours", bytes(10_000))


def test_job_of_the_service_is_queued_although_strangers_have_filled_the_store(jobs):
    fill(jobs, 200_000)
    with pytest.raises(Full):
        begin(jobs, "another", bytes(250_000))

    assert begin(jobs, "step", bytes(250_000), owners=()).state is JobState.QUEUED


def test_outcomes_keep_no_job_out_and_the_oldest_are_dropped_when_all_need_too_much(jobs):
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


def test_many_small_outcomes_are_dropped_a_hundred_at_a_time_until_there_is_room(client):
    jobs = RedisJobStore(client=client, max_bytes=10_000)
    for number in range(130):
        begin(jobs, str(number), now=NOW + number)
        finish(jobs, str(number), now=NOW + number)
    assert jobs.forget_old(now=NOW) == 121
    assert found(jobs, "121") is not None


def test_a_job_is_forgotten_when_its_time_is_over_with_all_that_it_counted(jobs, client):
    begin(jobs)
    finish(jobs)
    begin(jobs, "b", now=NOW)

    assert found(jobs, now=NOW + HOUR - 1) is not None
    assert found(jobs, now=NOW + HOUR) is None
    assert begin(jobs, "a", now=NOW + HOUR).outcome is None, "the request can be made again"
    jobs.forget_old(now=NOW + 100 * HOUR)
    assert (jobs.unended(), jobs.bytes_held()) == (0, 0)
    assert [key for key in client.scan_iter() if b"wake" not in key] == []


def test_an_outcome_takes_the_place_of_the_input(jobs):
    begin(jobs, body=bytes(200_000))
    held = jobs.bytes_held()
    finish(jobs)
    assert held - jobs.bytes_held() == 200_000 - len(DONE.body)


def test_who_waits_for_a_job_is_woken_by_it(jobs):
    begin(jobs)
    begin(jobs, "b")
    jobs.await_job(4)
    assert due(jobs, now=NOW) == ["a", "b"]


def test_a_job_that_somebody_deleted_is_not_due_for_ever(jobs, client):
    begin(jobs)
    client.delete("hw:{jobs}:job:a")
    assert due(jobs, now=NOW) == []
    assert client.zcard("hw:{jobs}:watched") == 0
