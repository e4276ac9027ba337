"""Celery's keys in the broker's Redis: sends messages, counts those that wait, and cleans up after dead processes.

| key | type | holds |
|---|---|---|
| `hw:celery:celery`, and the same name followed by a priority | list | waiting tasks |
| `hw:celery-jobs:unacked` | hash | delivery tag → job that a worker has taken and not acknowledged |
| `hw:celery-jobs:unacked_index` | sorted set | the same tags by the time at which the job was taken |
| `hw:celery:_kombu.binding.celery.pidbox` | set | a queue for each worker that ever listened to `celery inspect` |

The keys of jobs start with `hw:celery-jobs:` instead, those of thinking bots with `hw:celery-thinking:`, and those of pushes with `hw:celery-pushes:`. Tasks are not acknowledged, but earlier releases did so.
"""

import time
from collections.abc import Mapping
from typing import Final

from redis import Redis

from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport

TASK_KEYS: Final = "hw:celery:"
JOB_KEYS: Final = "hw:celery-jobs:"
THINKING_KEYS: Final = "hw:celery-thinking:"
PUSH_KEYS: Final = "hw:celery-pushes:"
"""The prefixes of all keys of the broker: for tasks, for jobs, for tables at which a bot has to think, and for pushes."""

_PRIORITIES: Final = (0, 3, 6, 9)

# KEYS: tasks, index. ARGV: now, and the maximum distance between it and the time of a task (s). The distance is
# absolute, because a clock that was ahead leaves times in the future, which kombu would wait for.
_DROP: Final = Script("""\
local dropped = 0
for _, tag in ipairs(redis.call('HKEYS', KEYS[1])) do
  local taken = redis.call('ZSCORE', KEYS[2], tag)
  if not taken or math.abs(tonumber(taken) - tonumber(ARGV[1])) > tonumber(ARGV[2]) then
    redis.call('ZREM', KEYS[2], tag)
    dropped = dropped + redis.call('HDEL', KEYS[1], tag)
  end
end
return dropped
""")


class Broker:
    """Celery's data in the broker's Redis. Safe to share between threads. Every call may raise `StoreUnavailable`."""

    def __init__(self, client: Redis, *, keys: str = TASK_KEYS) -> None:
        """Takes the prefix of all keys."""
        self._transport = Transport(client)
        # kombu's own separator between the name of a queue and a priority; priority 0 has neither.
        self._queues = {
            priority: f"{keys}celery\x06\x16{priority}" if priority else f"{keys}celery"
            for priority in _PRIORITIES
        }
        self._unacked = f"{keys}unacked"
        self._index = f"{keys}unacked_index"
        self._listeners = f"{keys}_kombu.binding.celery.pidbox"

    def send(self, message: bytes, priority: int) -> None:
        """Adds a message to the list of its priority."""
        key = self._queues[priority]
        self._transport.call(key, "LPUSH", key, message)

    def waiting(self) -> Mapping[int, int]:
        """Returns the number of tasks that no worker has taken yet, by priority. Workers serve 0 first."""
        replies = self._transport.call_each([(key, ("LLEN", key)) for key in self._queues.values()])
        return dict(zip(self._queues, replies, strict=True))

    def tidy(self, *, after_seconds: int) -> int:
        """Drops tasks taken longer ago than this, and names of workers; returns the number of dropped tasks."""
        # Nobody reads the names, and each restart of a worker adds one.
        self._transport.call(self._listeners, "DEL", self._listeners)
        # kombu returns the tasks of a killed worker to the queue, except those without a time or with one in the
        # future. Dropping them loses nothing: due times are stored with the tables, and their tasks are sent again.
        return int(_DROP.run(self._transport, (self._unacked, self._index), int(time.time()), after_seconds))
