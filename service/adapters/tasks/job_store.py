"""Jobs in Redis, all in one slot; see `service/application/jobs/jobs.py`.

| key | type | holds |
|---|---|---|
| `hw:{jobs}:job:<id>` | hash | kind, state, owners, bytes, attempt, beat, done, total; status, headers, body, until of the outcome |
| `hw:{jobs}:input:<id>` | string | the input, until the job has ended |
| `hw:{jobs}:bytes` | hash | owner → bytes of the inputs; `total` counts all inputs, and `outcomes` all outcomes |
| `hw:{jobs}:unended` | hash | owner → jobs that have not ended |
| `hw:{jobs}:watched` | sorted set | jobs that have not ended, by the time at which a task must be sent for them (again) |
| `hw:{jobs}:ends` | sorted set | jobs that have not ended, by the time at which they are forgotten |
| `hw:{jobs}:outcomes` | sorted set | jobs that have ended, by the time at which they are forgotten |
| `hw:{jobs}:wake` | list | one element after a job was queued; the dispatcher waits for it |
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.application.jobs.jobs import (
    Claimed,
    Crowded,
    Full,
    Job,
    JobKind,
    JobState,
    Outcome,
    Owner,
)
from hoodwink.service.application.limits import Limit

LEASE_MS: Final = 15_000
"""After this time without a report from its worker, a job is given to another one."""

_SENT_AGAIN_MS: Final = 60_000
_ARRIVING_MS: Final = 60_000
_QUEUED_MS: Final = 86_400_000

_CHUNK: Final = 256 * 1024
"""Maximum bytes per command, because Redis serves nobody else while it receives them and writes them to disk."""

_RECORD_BYTES: Final = 1024
"""Bytes that a job counts in addition to its input and outcome."""

_INPUTS: Final = 3 / 4
"""The share of the space that inputs may take. Outcomes get the rest."""

_OTHERS: Final = 4
"""Free space that must remain per byte of an owner, so that an owner gets a fifth of the space that others leave.

At least four times the size of each stored input stays free, so large inputs never keep a small one out, even if
they come from many owners.
"""

_MAX_DROPPED: Final = 100
"""Maximum outcomes dropped per command, because Redis serves nobody else meanwhile."""

_TAG: Final = "hw:{jobs}:"
_BYTES, _UNENDED, _WATCHED, _ENDS, _OUTCOMES, _WAKE = (
    f"{_TAG}{name}" for name in ("bytes", "unended", "watched", "ends", "outcomes", "wake")
)
TOTAL: Final = "total"

_LIMITS: Final = {limit.value: limit for limit in Limit}

# The scripts compute the names of further keys, which a cluster allows because all are in one slot.
_SHARED: Final = """\
local tag = KEYS[1]
local bytes, unended, watched = tag .. 'bytes', tag .. 'unended', tag .. 'watched'
local ends, outcomes, wake = tag .. 'ends', tag .. 'outcomes', tag .. 'wake'
local function count(key, field) return tonumber(redis.call('HGET', key, field) or '0') end
local function add(key, field, more)
  if redis.call('HINCRBY', key, field, more) <= 0 then redis.call('HDEL', key, field) end
end
local function drop_input(id, owners, size)
  for owner in string.gmatch(owners, '[^\\n]+') do
    add(bytes, owner, -tonumber(size))
    add(unended, owner, -1)
  end
  redis.call('UNLINK', tag .. 'input:' .. id)
  redis.call('ZREM', watched, id)
  redis.call('ZREM', ends, id)
end
local function forget(id)
  local job = tag .. 'job:' .. id
  local found = redis.call('HMGET', job, 'state', 'owners', 'bytes')
  if found[1] == 'ended' then
    add(bytes, 'outcomes', -tonumber(found[3]))
  else
    drop_input(id, found[2] or '', found[3] or '0')
  end
  redis.call('UNLINK', job)
  redis.call('ZREM', outcomes, id)
end
local function queue(id, now, ends_at)
  redis.call('HSET', tag .. 'job:' .. id, 'state', 'queued')
  redis.call('ZADD', watched, now, id)
  redis.call('ZADD', ends, ends_at, id)
  redis.call('LPUSH', wake, '1')
  redis.call('LTRIM', wake, 0, 0)
end
"""

# ARGV: id, kind, now, bytes, the deadlines for the input and for the job, the input if it is complete, the maximum
# bytes of all inputs, and per owner the name and the maximum number of jobs. A job without an owner counts only in
# the total. An expired job is forgotten here, because the cleaning may be late and the id may be used again.
_BEGIN: Final = Script(f"""{_SHARED}
local id, now, size = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local job = tag .. 'job:' .. id
local state = redis.call('HGET', job, 'state')
local kept_until = redis.call('ZSCORE', state == 'ended' and outcomes or ends, id)
if state and tonumber(kept_until or '0') <= now then
  forget(id)
  state = false
end
if state and state ~= 'arriving' then return {{'known', 0}} end
if not state then
  local left = tonumber(ARGV[8]) - count(bytes, '{TOTAL}') - size
  local owners = {{'{TOTAL}'}}
  for place = 9, #ARGV, 2 do
    local owner, most = ARGV[place], ARGV[place + 1]
    if most ~= '' and count(unended, owner) >= tonumber(most) then return {{'crowded', (place - 9) / 2}} end
    if {_OTHERS} * (count(bytes, owner) + size) > left then return {{'full', 0}} end
    owners[#owners + 1] = owner
  end
  for _, owner in ipairs(owners) do
    redis.call('HINCRBY', bytes, owner, size)
    redis.call('HINCRBY', unended, owner, 1)
  end
  redis.call('HSET', job, 'kind', ARGV[2], 'state', 'arriving', 'owners', table.concat(owners, '\\n'), 'bytes', size)
  redis.call('ZADD', ends, ARGV[5], id)
end
if ARGV[7] == '' and size > {_CHUNK} then return {{'arriving', 0}} end
redis.call('SET', tag .. 'input:' .. id, ARGV[7])
queue(id, now, ARGV[6])
return {{'queued', 0}}
""")

# ARGV: id, now, the deadline for the job. Only an arriving job is queued: a repeated upload restarts nothing.
_QUEUE: Final = Script(f"""{_SHARED}
if redis.call('HGET', tag .. 'job:' .. ARGV[1], 'state') == 'arriving' then queue(ARGV[1], ARGV[2], ARGV[3]) end
return 1
""")

# KEYS: job, watched. ARGV: id, now, the time of the next report, 1 to take it from another worker.
# The number of the attempt is returned, so that a worker that was only slow cannot report over its successor.
_CLAIM: Final = Script(f"""\
local found = redis.call('HMGET', KEYS[1], 'state', 'beat', 'kind', 'owners')
if found[1] ~= 'queued' and found[1] ~= 'running' then return false end
local is_held = found[1] == 'running' and ARGV[4] ~= '1' and tonumber(ARGV[2]) - tonumber(found[2]) < {LEASE_MS}
if is_held then return false end
redis.call('HSET', KEYS[1], 'state', 'running', 'beat', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return {{found[3], redis.call('HINCRBY', KEYS[1], 'attempt', 1), found[4]}}
""")

# KEYS: job, watched. ARGV: id, attempt, now, the time of the next report, and the progress, if any.
_REPORT: Final = Script("""\
local found = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if found[1] ~= 'running' or found[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'beat', ARGV[3])
if ARGV[5] then redis.call('HSET', KEYS[1], 'done', ARGV[5], 'total', ARGV[6]) end
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
return 1
""")

# ARGV: id, when it is forgotten, bytes, status, headers, body. Of two attempts, the first to end counts.
_END: Final = Script(f"""{_SHARED}
local id, job = ARGV[1], tag .. 'job:' .. ARGV[1]
local found = redis.call('HMGET', job, 'state', 'owners', 'bytes')
if not found[1] or found[1] == 'ended' then return 0 end
drop_input(id, found[2], found[3])
add(bytes, 'outcomes', ARGV[3])
redis.call('HSET', job, 'state', 'ended', 'bytes', ARGV[3], 'until', ARGV[2],
  'status', ARGV[4], 'headers', ARGV[5], 'body', ARGV[6])
redis.call('ZADD', outcomes, ARGV[2], id)
return 1
""")

# ARGV: id.
_FORGET: Final = Script(f"""{_SHARED}
forget(ARGV[1])
return 1
""")

# ARGV: the maximum bytes of all inputs and outcomes.
_MAKE_ROOM: Final = Script(f"""{_SHARED}
for dropped = 0, {_MAX_DROPPED - 1} do
  local oldest = redis.call('ZRANGE', outcomes, 0, 0)[1]
  if not oldest or count(bytes, '{TOTAL}') + count(bytes, 'outcomes') <= tonumber(ARGV[1]) then return dropped end
  forget(oldest)
end
return {_MAX_DROPPED}
""")

# KEYS: watched. ARGV: id, now, the time of the next task. A worker that has taken the job meanwhile has set a later
# time, which must stay.
_SENT: Final = Script("""\
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if due and tonumber(due) <= tonumber(ARGV[2]) then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
""")

_FIELDS: Final = ("kind", "state", "bytes", "done", "total", "status", "headers", "body", "until")


class RedisJobStore:
    """Stores jobs in Redis. Safe to share between threads; every call may raise `StoreUnavailable`."""

    def __init__(self, *, client: Client, max_bytes: int) -> None:
        """Takes the maximum bytes of all inputs and outcomes. Jobs without an owner are stored even beyond it."""
        self._transport = Transport(client)
        self._max_bytes = max_bytes

    def begin(self, job_id: str, kind: JobKind, owners: tuple[Owner, ...], body: bytes, *, now: int) -> Job:
        """Stores a job and queues it, or returns the one with that id; raises `Crowded` or `Full`."""
        is_whole = len(body) + _RECORD_BYTES <= _CHUNK
        size, whole = len(body) + _RECORD_BYTES, body if is_whole else b""
        times, room = (now + _ARRIVING_MS, now + _QUEUED_MS), int(self._max_bytes * _INPUTS)
        # The service's own jobs have no owner and so no limit: they are small, and tournaments wait for them.
        counted: list[Argument] = []
        for owner in owners:
            counted += [_name(owner), "" if owner.max_jobs is None else owner.max_jobs]
        answer, place = _BEGIN.run(
            self._transport, [_TAG], job_id, kind, now, size, *times, whole, room, *counted
        )
        match answer:
            case b"crowded":
                raise Crowded(owners[place])
            case b"full":
                raise Full
            case b"arriving":
                self._store_input(job_id, body)
                _QUEUE.run(self._transport, [_TAG], job_id, now, now + _QUEUED_MS)
        return self.find_each([job_id], now=now)[0] or Job(id=job_id, kind=kind, state=JobState.QUEUED)

    def _store_input(self, job_id: str, body: bytes) -> None:
        # By offset and not appended, so that a repeated request may store the same input at the same time.
        key = _input(job_id)
        for start in range(0, len(body), _CHUNK):
            self._transport.call(key, "SETRANGE", key, start, body[start : start + _CHUNK])

    def find_each(self, job_ids: Sequence[str], *, now: int) -> list[Job | None]:
        """Returns each of these jobs, or `None` if it does not exist or has expired."""
        keys = [_job(job_id) for job_id in job_ids]
        replies = self._transport.call_each([(key, ("HMGET", key, *_FIELDS)) for key in keys])
        return [_read(job_id, reply, now) for job_id, reply in zip(job_ids, replies, strict=True)]

    def claim(self, job_id: str, *, now: int, again: bool) -> Claimed | None:
        """Takes a job, or returns `None` if it has ended or another worker runs it; see `JobStore`."""
        keys = (_job(job_id), _WATCHED)
        found = _CLAIM.run(self._transport, keys, job_id, now, now + LEASE_MS, int(again))
        if found is None:
            return None
        kind, attempt, names = found
        owners = dict([name.split(":", 1) for name in names.decode().split("\n") if name != TOTAL])
        return Claimed(
            kind=JobKind(kind.decode()),
            input=b"".join(self._stored_input(job_id)),
            attempt=attempt,
            owners={_LIMITS[limit]: who for limit, who in owners.items()},
        )

    def _stored_input(self, job_id: str) -> Iterator[bytes]:
        key, start = _input(job_id), 0
        while chunk := self._transport.call(key, "GETRANGE", key, start, start + _CHUNK - 1):
            yield chunk
            start += len(chunk)

    def report(self, job_id: str, attempt: int, progress: tuple[int, int] | None, *, now: int) -> None:
        """Renews the worker's lease and notes its progress, unless another attempt has started since."""
        keys = (_job(job_id), _WATCHED)
        _REPORT.run(self._transport, keys, job_id, attempt, now, now + LEASE_MS, *(progress or ()))

    def end(self, job_id: str, outcome: Outcome, *, now: int, until: int) -> None:
        """Stores the outcome until that time and drops the input, unless the job has already ended."""
        body = bytes(outcome.body)
        size, headers = len(body) + _RECORD_BYTES, msgspec.json.encode(outcome.headers)
        _END.run(self._transport, [_TAG], job_id, until, size, outcome.status, headers, body)

    # ---------------------------------------------------------------------------------- dispatch

    def await_job(self, seconds: int) -> None:
        """Returns when a job was queued or the time is up. `seconds` must be at most 4, or the reply would time out."""
        self._transport.call(_WAKE, "BLPOP", _WAKE, seconds)

    def due(self, *, now: int) -> list[Job]:
        """Returns the jobs that need a task: new ones, and those whose worker was killed."""
        found = self._transport.call(_WATCHED, "ZRANGEBYSCORE", _WATCHED, "-inf", now, "LIMIT", 0, 100)
        jobs = self.find_each([job_id.decode() for job_id in found], now=now)
        if gone := [job_id for job_id, job in zip(found, jobs, strict=True) if job is None]:
            self._transport.call(_WATCHED, "ZREM", _WATCHED, *gone)  # or they would be found here forever
        return [job for job in jobs if job is not None]

    def mark_sent(self, job_id: str, *, now: int) -> None:
        """Notes that a task was sent for a job. Another one is sent later if no worker takes it."""
        _SENT.run(self._transport, (_WATCHED,), job_id, now, now + _SENT_AGAIN_MS)

    def forget_old(self, *, now: int) -> int:
        """Drops expired jobs, and the oldest outcomes if there is no space for all; returns their number."""
        old = [
            job_id.decode()
            for key in (_ENDS, _OUTCOMES)
            for job_id in self._transport.call(key, "ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, 100)
        ]
        for job_id in old:
            _FORGET.run(self._transport, [_TAG], job_id)
        dropped, together = len(old), _MAX_DROPPED
        while together == _MAX_DROPPED:
            together = _MAKE_ROOM.run(self._transport, [_TAG], self._max_bytes)
            dropped += together
        return dropped

    # ----------------------------------------------------------------------------------- figures

    def unended(self) -> int:
        """Returns the number of jobs that have not ended."""
        return int(self._transport.call(_UNENDED, "HGET", _UNENDED, TOTAL) or 0)

    def bytes_held(self) -> int:
        """Returns the bytes of all inputs and outcomes."""
        held = self._transport.call(_BYTES, "HMGET", _BYTES, TOTAL, "outcomes")
        return sum(int(size or 0) for size in held)


def _job(job_id: str) -> str:
    return f"{_TAG}job:{job_id}"


def _input(job_id: str) -> str:
    return f"{_TAG}input:{job_id}"


def _name(owner: Owner) -> str:
    return f"{owner.limit}:{owner.who}"


def _read(job_id: str, reply: Sequence[Any], now: int) -> Job | None:
    kind, state, size, done, total, status, headers, body, until = reply
    if kind is None or (until is not None and int(until) <= now):
        return None
    outcome = None
    if status is not None:
        named = msgspec.json.decode(headers, type=dict[str, str])
        outcome = Outcome(status=int(status), body=msgspec.Raw(body), headers=named)
    return Job(
        id=job_id,
        kind=JobKind(kind.decode()),
        state=JobState(state.decode()),
        size=int(size),
        done=int(done or 0),
        total=int(total or 0),
        outcome=outcome,
    )
