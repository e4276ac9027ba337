"""Administrators' acts, each recorded in a stream of the installation before it takes effect."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

from hoodwink.domain.administration import Act, ActRecorded, decode_act, reason_digest
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import ADMIN
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash
from hoodwink.service.application.errors import ApplicationError, NotFound, NotFoundCode
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.ports import (
    Appended,
    Clock,
    Commit,
    Duplicate,
    EventStore,
    IdempotencyKey,
    StoreUnavailable,
    StreamId,
)

STREAM: Final = StreamId("administration", "administration")
"""The only stream of its category. Its pointers are in the players' feed, which every API process follows."""

_MAX_ATTEMPTS: Final = 100


class Reason(msgspec.Struct, frozen=True, gc=False):
    """The reason of an act, and the salt that was hashed with it."""

    salt: str
    text: str


class Reasons(Protocol):
    """Stores reasons apart from the events, so that they can be erased. Every call may raise `StoreUnavailable`."""

    def keep(self, digest: str, reason: Reason) -> None: ...
    def find(self, digests: Sequence[str]) -> list[Reason | None]: ...
    def erase(self, digest: str) -> None: ...


class Recorded(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An act in the list of acts.

    Attributes:
        number: the version of its event, from 1.
        at: in ms since the epoch.
        reason: `None` if there was none or it was erased.
    """

    number: int
    at: int
    event: ActRecorded
    reason: str | None


class Administration:
    """Records and lists the acts of administrators."""

    def __init__(self, *, store: EventStore, reasons: Reasons, identities: Identities, clock: Clock) -> None:
        self._store = store
        self._reasons = reasons
        self._identities = identities
        self._clock = clock

    def record(
        self,
        admin: str,
        act: Act,
        subject: str = "",
        *,
        reason: str = "",
        key: IdempotencyKey | None = None,
        check: Callable[[str], object] = lambda _: None,
    ) -> str:
        """Records an act that is about to take effect; returns the hash of its reason for the events of the act.

        Args:
            admin: the name of the authenticated administrator.
            act: the kind of act.
            subject: the object of the act, see `Act`.
            reason: the text of the reason, if the act has one.
            key: of the request, so that a repeated request is recorded once.
            check: called with the hash of the reason. If it raises an error of the rules or of a use case, the act
                will be refused, or was done before, and nothing is recorded.

        Raises:
            RuleViolation: the reason is not valid.
        """
        digest, kept = "", None
        if reason:
            check_reason(reason)
            digest, kept = self._hashed(reason, key)
        try:
            check(digest)
        except (RuleViolation, ApplicationError):
            # Not raised here: the caller carries out the act next, and then the act itself raises it.
            return digest
        # The text before the event: a hash in the log whose text was never stored would look like an erased reason.
        if kept is not None:
            self._reasons.keep(digest, kept)
        self._append(ActRecorded(admin, act, subject, digest), _own(act, subject, key, self._identities))
        return digest

    def keep_text(
        self, text: str, *, key: IdempotencyKey | None = None, check: Callable[[str], object]
    ) -> str:
        """Stores a text that somebody wrote in a tournament; returns its hash for the event.

        Args:
            text: valid, such as a reason, a description or the name of a team.
            check: as in `record`; if it raises an error, nothing is stored.
        """
        digest, kept = self._hashed(text, key)
        try:
            check(digest)
        except (RuleViolation, ApplicationError):
            return digest  # as in `record`
        self._reasons.keep(digest, kept)
        return digest

    def _hashed(self, text: str, key: IdempotencyKey | None) -> tuple[str, Reason]:
        kept = Reason(self._identities.reason_salt(None if key is None else key.id), text)
        return reason_digest(kept.salt, kept.text), kept

    def acts(self) -> list[Recorded]:
        """Returns all acts, the oldest first."""
        entries = self._store.read(STREAM)
        events = [_act_in(entry) for entry in entries]
        reasons = self._reasons.find([event.reason for event in events])
        return [
            Recorded(
                number=entry.version, at=entry.at, event=event, reason=None if reason is None else reason.text
            )
            for entry, event, reason in zip(entries, events, reasons, strict=True)
        ]

    def reason(self, digest: str) -> Reason:
        """Returns the reason with this hash; raises `NotFound`."""
        (found,) = self._reasons.find([digest])
        if found is None:
            raise NotFound(NotFoundCode.REASON_NOT_FOUND)
        return found

    def texts(self, digests: Sequence[str]) -> dict[str, str]:
        """Returns the texts with these hashes, without those that were erased."""
        found = zip(digests, self._reasons.find(digests), strict=True)
        return {digest: kept.text for digest, kept in found if kept is not None}

    def erase_reason(self, admin: str, number: int) -> None:
        """Erases the reason of an act in all places that have its hash; raises `NotFound`."""
        found = self._store.read(STREAM, after=number - 1, count=1) if number > 0 else ()
        digest = _act_in(found[0]).reason if found else ""
        self.reason(digest)  # raises before anything is recorded
        # Before the erasure, like every act. A repetition after a kill in between is recorded again.
        self.record(admin, Act.ERASE_REASON, str(number))
        self._reasons.erase(digest)

    def erase_reason_of(self, admin: str, digest: str) -> None:
        """Erases the reason with this hash, such as that of a ruling; raises `NotFound`."""
        self.reason(digest)  # raises before anything is recorded
        self.record(admin, Act.ERASE_REASON, digest)
        self._reasons.erase(digest)

    def _append(self, event: ActRecorded, key: IdempotencyKey) -> None:
        for _ in range(_MAX_ATTEMPTS):
            version = self._store.version(STREAM)
            last = self._store.read(STREAM, after=version - 1, count=1) if version else ()
            entry = _entry(event, last, cmd=key.id, now=self._clock.now_ms())
            commit = Commit(
                stream=STREAM,
                expected_version=entry.version - 1,
                expected_head=last[0].hash if last else GENESIS,
                entries=(entry,),
                key=key,
            )
            if isinstance(self._store.append(commit), Appended | Duplicate):
                return
        raise StoreUnavailable(
            "the act could not be recorded: other administrators were faster at every attempt, or the stream "
            "`administration` is damaged, which `hoodwink audit` would show"
        )


def _act_in(entry: Entry) -> ActRecorded:
    """Returns the act in an event; raises `UnknownEvent`."""
    try:
        return decode_act(bytes(entry.data))
    except msgspec.DecodeError as error:
        raise UnknownEvent(f"{entry.type}: {error}") from None


def _entry(event: ActRecorded, last: Sequence[Entry], *, cmd: str, now: int) -> Entry:
    version, head, at = (last[0].version, last[0].hash, last[0].at) if last else (0, GENESIS, 0)
    wire, data, at, by = event.wire, msgspec.json.encode(event), max(at, now), ADMIN
    # This hash is never shown and hides nothing, so the chain needs no secret key.
    hash_ = chain_hash(b"", head, version + 1, wire, at, by, cmd, data)
    return Entry(version=version + 1, type=wire, at=at, by=by, cmd=cmd, data=msgspec.Raw(data), hash=hash_)


def _own(act: Act, subject: str, key: IdempotencyKey | None, identities: Identities) -> IdempotencyKey:
    """Returns a key that differs by act and subject, because one request may act on several tables."""
    text = f"{act}:{subject}:{identities.key_or_fresh(None if key is None else key.id)}"
    return IdempotencyKey(blake2b(text.encode(), digest_size=16).hexdigest(), key.fingerprint if key else "")
