"""Creates the parts of a service that know the players: accounts, ways to sign in, jobs, imports, pushes, administrators."""

from functools import cached_property
from typing import TYPE_CHECKING, Final

from hoodwink.service.adapters.outgoing.guard import Guard
from hoodwink.service.adapters.process.authenticators import WebAuthn
from hoodwink.service.adapters.store.import_shelf import RedisImportShelf
from hoodwink.service.adapters.store.installation_secret import InstallationSecret
from hoodwink.service.adapters.store.people.blocks import RedisBlocks
from hoodwink.service.adapters.store.people.links import RedisLinks
from hoodwink.service.adapters.store.people.newcomers import RedisNewcomers
from hoodwink.service.adapters.store.people.player_records import RedisPlayerRecords
from hoodwink.service.adapters.store.people.sessions import RedisSessionNotes
from hoodwink.service.adapters.store.people.subscriptions import RedisSubscriptions
from hoodwink.service.adapters.store.reasons import RedisReasons
from hoodwink.service.application.commands.import_retention import ImportRetention
from hoodwink.service.application.commands.import_shelf import DAY_MS
from hoodwink.service.application.jobs.jobs import Jobs
from hoodwink.service.application.players.administration import Administration
from hoodwink.service.application.players.administrators import Administrators
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.players.passkeys import Passkey, Passkeys
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.players.pushes import PushSubscriptions
from hoodwink.service.application.players.sessions import Sessions, SessionUses
from hoodwink.service.application.players.sign_ins import SignIns
from hoodwink.service.application.players.stream_tokens import StreamTokens
from hoodwink.service.foundation import Foundation

if TYPE_CHECKING:
    from hoodwink.service.adapters.outgoing.web_push import WebPush

_PROJECT: Final = "https://github.com/hoodwink-games/hoodwink"


class Accounts(Foundation):
    """The accounts of players and administrators, created on first use."""

    @cached_property
    def identities(self) -> Identities:
        installation_secret = InstallationSecret(client=self.client)
        return Identities(
            secrets=installation_secret,
            entropy=self.entropy,
            hears=lambda: self.players.is_known(),  # noqa: PLW0108 - players need the identities, so they come later
        )

    @cached_property
    def players(self) -> Players:
        return Players(store=self.store, clock=self.clock, identities=self.identities)

    @cached_property
    def session_uses(self) -> SessionUses:
        return SessionUses(self.clock)

    @cached_property
    def sessions(self) -> Sessions:
        return Sessions(players=self.players, notes=self.session_notes, uses=self.session_uses)

    @cached_property
    def sign_ins(self) -> SignIns:
        return SignIns(
            players=self.players,
            sessions=self.sessions,
            links=self.links,
            identities=self.identities,
            clock=self.clock,
        )

    @cached_property
    def passkeys(self) -> Passkeys:
        return Passkeys(
            players=self.players,
            sign_ins=self.sign_ins,
            store=self.passkey_store,
            authenticators=self.authenticators,
            identities=self.identities,
            clock=self.clock,
        )

    @cached_property
    def stream_tokens(self) -> StreamTokens:
        return StreamTokens(players=self.players, identities=self.identities, clock=self.clock)

    @cached_property
    def administrators(self) -> Administrators:
        return Administrators(self.settings.administrators)

    @cached_property
    def administration(self) -> Administration:
        reasons = RedisReasons(client=self.client)
        return Administration(store=self.store, reasons=reasons, identities=self.identities, clock=self.clock)

    @cached_property
    def push_subscriptions(self) -> PushSubscriptions:
        return PushSubscriptions(
            subscriptions=self.subscriptions,
            players=self.players,
            clock=self.clock,
            key=self.settings.push_key,
        )

    @cached_property
    def guard(self) -> Guard:
        return Guard()

    @cached_property
    def web_push(self) -> "WebPush":
        # Here, because few processes need the cryptography: it takes memory and time at the start of each.
        from hoodwink.service.adapters.outgoing.web_push import WebPush  # noqa: PLC0415

        # Push services ask for an address at which they reach the operator.
        contacts = [self.settings.security_contact, self.settings.own_origin, _PROJECT]
        return WebPush(
            guard=self.guard,
            secret=lambda: self.identities.push_secret(self.settings.push_key),
            contact=next(text for text in contacts if text.startswith(("mailto:", "https:"))),
            now_ms=self.clock.now_ms,
        )

    def _forget_players(self) -> None:
        # After a reconnection, the store may be an older copy that lacks some players. Cached tables are compared with the
        # store at each use, but players are not, because that would cost a round trip.
        made = vars(self)  # only existing parts: this runs while Redis reconnects, so it must not create any
        if "players" in made:
            self.players.forget()
        if "identities" in made:
            self.identities.forget()

    @cached_property
    def import_retention(self) -> ImportRetention:
        return ImportRetention(
            shelf=RedisImportShelf(client=self.client, partitions=self.settings.partitions),
            clock=self.clock,
            bounds=self.settings.bounds,
            max_bytes=self.settings.imports_megabytes << 20,
            stays_ms=round(self.settings.import_days * DAY_MS),
        )

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(
            store=self.job_store,
            identities=self.identities,
            entropy=self.entropy,
            clock=self.clock,
            bounds=self.settings.bounds,
        )

    @cached_property
    def blocks(self) -> RedisBlocks:
        return RedisBlocks(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def subscriptions(self) -> RedisSubscriptions:
        return RedisSubscriptions(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def newcomers(self) -> RedisNewcomers:
        return RedisNewcomers(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def bot_descriptions(self) -> RedisPlayerRecords[str]:
        return RedisPlayerRecords("bots", str, client=self.client, partitions=self.settings.partitions)

    @cached_property
    def session_notes(self) -> RedisSessionNotes:
        return RedisSessionNotes(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def links(self) -> RedisLinks:
        return RedisLinks(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def passkey_store(self) -> RedisPlayerRecords[Passkey]:
        return RedisPlayerRecords(
            "passkeys", Passkey, client=self.client, partitions=self.settings.partitions
        )

    @cached_property
    def authenticators(self) -> WebAuthn:
        return WebAuthn(self.settings.own_origin)
