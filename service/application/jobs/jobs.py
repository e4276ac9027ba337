"""Jobs: expensive work that a request starts and a job worker does. The outcome is kept for up to an hour.

A job has an id that nobody can guess; there is no list of jobs. Its input is dropped when it ends. If a worker was
killed, the job runs again, so the work of each kind must lead to the same outcome every time.
"""

from base64 import b32encode
from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.service.application.errors import Busy, BusyCode, LimitReached, NotFound, NotFoundCode
from hoodwink.service.application.limits import Bound, Limit
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.ports import Clock, Entropy

KEPT_MS: Final = 3_600_000
"""Lifetime of an outcome, unless newer ones need its room."""

FAULT_KEPT_MS: Final = 30_000
"""Lifetime of a temporary failure. Those who poll the job still see it, and the same request soon runs it again."""

MAX_OUTCOME: Final = 8 * 1024 * 1024
"""Limit of an outcome in bytes."""

_ID_BYTES: Final = 20

_RETRY_SECONDS: Final = 5
"""Pause before another attempt when there are too many jobs. Nobody knows when one of them will end."""


class JobKind(StrEnum):
    """The kinds of jobs."""

    VERIFY = "verify"
    VERIFY_TOURNAMENT = "verify_tournament"
    IMPORT = "import"
    TOURNAMENT_COMMAND = "tournament_command"
    TOURNAMENT_STEP = "tournament_step"
    TOURNAMENT_READING = "tournament_reading"
    REVIEW = "review"
    HINT = "hint"


class JobState(StrEnum):
    ARRIVING = "arriving"
    """Its input is being stored, so no worker can take it yet."""
    QUEUED = "queued"
    RUNNING = "running"
    ENDED = "ended"


class Outcome(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The outcome of a job: the answer that the request would have got directly.

    Attributes:
        status: the HTTP status; from 400 on the body is a problem document.
        body: JSON.
        headers: such as `Location`.
    """

    status: int
    body: msgspec.Raw
    headers: dict[str, str] = {}

    @property
    def is_failure(self) -> bool:
        """Whether the body is a problem document."""
        return self.status >= 400

    @property
    def kept_ms(self) -> int:
        """How long the outcome is kept."""
        # Jobs may be shared: without this, everybody who asks the same would get the failure for an hour.
        return FAULT_KEPT_MS if self.status >= 500 else KEPT_MS


class Job(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A job as the store knows it.

    Attributes:
        size: its bytes in the store.
        done: the amount of work done.
        total: the amount in all; 0 until the worker knows it.
        outcome: `None` until it has ended.
    """

    id: str
    kind: JobKind
    state: JobState
    size: int = 0
    done: int = 0
    total: int = 0
    outcome: Outcome | None = None


class Owner(NamedTuple):
    """A player or address against whose limit a job counts.

    Attributes:
        limit: of the jobs that have not ended.
        who: an address or the id of a player.
        max_jobs: `None` without a limit.
    """

    limit: Limit
    who: str
    max_jobs: int | None


class Crowded(Exception):
    """Raised by the store when an owner has reached the limit of jobs."""

    def __init__(self, owner: Owner) -> None:
        super().__init__(owner.limit)
        self.owner = owner


class Full(Exception):
    """Raised by the store when an input exceeds its owner's share of the room."""


class Claimed(NamedTuple):
    """A job that a worker has taken.

    Attributes:
        attempt: 1 for the first; later reports of an earlier attempt are ignored.
        owners: the client's address, and the player's id if known, by their limits.
    """

    kind: JobKind
    input: bytes
    attempt: int
    owners: Mapping[Limit, str]


class JobStore(Protocol):
    """Stores jobs, their inputs and their outcomes. Every call may raise `StoreUnavailable`."""

    def begin(self, job_id: str, kind: JobKind, owners: tuple[Owner, ...], body: bytes, *, now: int) -> Job:
        """Stores and queues a job, or returns the one with that id; raises `Crowded` or `Full`."""
        ...

    def find_each(self, job_ids: Sequence[str], *, now: int) -> Sequence[Job | None]:
        """Returns each of these jobs, or `None` if it does not exist or has expired."""
        ...

    def claim(self, job_id: str, *, now: int, again: bool) -> Claimed | None:
        """Takes a job; returns `None` if it has ended or another worker holds it.

        Args:
            job_id: of the job.
            now: in ms.
            again: take it even if another worker seems to hold it, because that one is known to have been killed.
        """
        ...

    def report(self, job_id: str, attempt: int, progress: tuple[int, int] | None, *, now: int) -> None:
        """Renews the lease and records the progress, unless another attempt has begun since."""
        ...

    def end(self, job_id: str, outcome: Outcome, *, now: int, until: int) -> None:
        """Stores the outcome with that expiry and drops the input, unless the job has already ended."""
        ...


class Jobs:
    """Starts jobs and finds them. Safe to share between threads."""

    def __init__(
        self,
        *,
        store: JobStore,
        identities: Identities,
        entropy: Entropy,
        clock: Clock,
        bounds: Mapping[Limit, Bound],
    ) -> None:
        self._store = store
        self._identities = identities
        self._entropy = entropy
        self._clock = clock
        self._bounds = bounds

    def begin(
        self,
        kind: JobKind,
        body: bytes,
        *,
        address: str | None = None,
        player: str | None = None,
        key: str | None = None,
    ) -> Job:
        """Queues a job and returns it; the same request with the same key gets the same job.

        Args:
            kind: the work to do.
            body: its input.
            address: the client's, as limits count it; `None` for a job of the service itself.
            player: the id of the player who asks, if known.
            key: the idempotency key of the request, or another text for work that is to be done once.

        Raises:
            LimitReached: the player or the address has too many jobs that have not ended.
            Busy: there is no room for the body.
        """
        # A job of the service itself has no address and no player, so nobody's limit can keep it from running.
        given = [(Limit.JOBS_PER_ADDRESS, address), (Limit.JOBS_PER_PLAYER, player)]
        if kind is JobKind.REVIEW:
            given.append((Limit.REVIEWS_PER_PLAYER, player))
        owners = tuple([Owner(limit, who, self._max_jobs(limit)) for limit, who in given if who is not None])
        job_id = self._id(kind, body, player, key)
        try:
            return self._store.begin(job_id, kind, owners, body, now=self._clock.now_ms())
        except Crowded as crowded:
            limit = crowded.owner.limit
            raise LimitReached(limit, self._bounds[limit], _RETRY_SECONDS) from None
        except Full:
            raise Busy(BusyCode.NO_ROOM_FOR_JOBS) from None

    def find_each(self, job_ids: Sequence[str]) -> Sequence[Job | None]:
        """Returns each of these jobs, or `None` if it no longer exists."""
        return self._store.find_each(job_ids, now=self._clock.now_ms())

    def find(self, job_id: str) -> Job:
        """Returns a job; raises `NotFound`, also when its outcome has expired."""
        (found,) = self.find_each([job_id])
        if found is None:
            raise NotFound(NotFoundCode.JOB_NOT_FOUND)
        return found

    def _max_jobs(self, limit: Limit) -> int | None:
        bound = self._bounds.get(limit)
        return bound if isinstance(bound, int) else None

    def _id(self, kind: JobKind, body: bytes, player: str | None, key: str | None) -> str:
        # Anyone who knows the id may read the job. So it is an HMAC, which nobody else can compute from the key, and
        # it covers the whole request: the same key with another body must not find the outcome of the first.
        if key is None:
            digest = bytes.fromhex(self._entropy.server_seed())
        else:
            digest = self._identities.job(f"{kind}:{player or ''}:{key}:{sha256(body).hexdigest()}")
        return b32encode(digest[:_ID_BYTES]).decode().lower()
