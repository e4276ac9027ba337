"""The settings that limit players, addresses and hosts."""

from typing import Annotated, Self

import msgspec
from msgspec import Meta, field

from hoodwink.service.application.limits import LEVEL_PATTERN, OFF, RATE_PATTERN, Bound, Limit, bound_of


class LimitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """One field per member of `Limit`, with the same name."""

    registrations_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="Players that one address may register.")
    ] = field(default="100/hour", name="HOODWINK_REGISTRATIONS_PER_ADDRESS")
    sign_ins_per_address: Annotated[
        str,
        Meta(pattern=RATE_PATTERN, description="Attempts to sign in from one address, by a link or a code."),
    ] = field(default="60/hour", name="HOODWINK_SIGN_INS_PER_ADDRESS")
    tables_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Tables, forks, rematches, tournaments and series that one player may open.",
        ),
    ] = field(default="60/hour", name="HOODWINK_TABLES_PER_PLAYER")
    tables_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="The same for all players at one address together.")
    ] = field(default="300/hour", name="HOODWINK_TABLES_PER_ADDRESS")
    commands_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Requests other than GET that one player may send, including rejected ones.",
        ),
    ] = field(default="20/second", name="HOODWINK_COMMANDS_PER_PLAYER")
    commands_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="The same for all players at one address together.")
    ] = field(default="200/second", name="HOODWINK_COMMANDS_PER_ADDRESS")
    anonymous_commands_per_address: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN, description="The same for requests from one address without a valid token."
        ),
    ] = field(default="20/second", name="HOODWINK_ANONYMOUS_COMMANDS_PER_ADDRESS")
    reads_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Milliseconds of CPU time for costly GET requests of one player: long pages of events, logs, "
            "earlier versions, imports, standings and results.",
        ),
    ] = field(default="1500/minute", name="HOODWINK_READS_PER_PLAYER")
    reads_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="The same for all clients at one address together.")
    ] = field(default="3000/minute", name="HOODWINK_READS_PER_ADDRESS")
    open_tables_per_host: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Tables that have not ended and have the same host.")
    ] = field(default="20", name="HOODWINK_OPEN_TABLES_PER_HOST")
    bot_tables_per_host: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Such tables with only bots playing, or only bots left."),
    ] = field(default="3", name="HOODWINK_BOT_TABLES_PER_HOST")
    tournaments_per_host: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Tournaments that are not over and have the same organiser."),
    ] = field(default="5", name="HOODWINK_TOURNAMENTS_PER_HOST")
    series_per_host: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Series that are not over and have the same organiser."),
    ] = field(default="3", name="HOODWINK_SERIES_PER_HOST")
    offers_per_host: Annotated[
        str,
        Meta(
            pattern=LEVEL_PATTERN, description="Pending offers of seats at all tables of one host together."
        ),
    ] = field(default="5", name="HOODWINK_OFFERS_PER_HOST")
    bots_per_tournament: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Bots that an organiser may enter into a tournament."),
    ] = field(default="32", name="HOODWINK_BOTS_PER_TOURNAMENT")
    streams_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Event streams that one player may have open.")
    ] = field(default="20", name="HOODWINK_STREAMS_PER_PLAYER")
    streams_per_address: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Event streams that one address may have open.")
    ] = field(default="200", name="HOODWINK_STREAMS_PER_ADDRESS")
    bodies_per_address: Annotated[
        str,
        Meta(
            pattern=LEVEL_PATTERN,
            description="Request bodies over 64 KiB that one address may have in progress.",
        ),
    ] = field(default="3", name="HOODWINK_BODIES_PER_ADDRESS")
    jobs_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Jobs of one player that have not ended.")
    ] = field(default="4", name="HOODWINK_JOBS_PER_PLAYER")
    jobs_per_address: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Jobs from one address that have not ended.")
    ] = field(default="8", name="HOODWINK_JOBS_PER_ADDRESS")
    reviews_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Such jobs that review a table, which take long.")
    ] = field(default="1", name="HOODWINK_REVIEWS_PER_PLAYER")
    hints_per_player: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="Hints that one player may ask for.")
    ] = field(default="20/minute", name="HOODWINK_HINTS_PER_PLAYER")
    sayings_per_player: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="What one player may say at tables.")
    ] = field(default="6/minute", name="HOODWINK_SAYINGS_PER_PLAYER")
    descriptions_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Descriptions of tournaments and names of teams that one player may write.",
        ),
    ] = field(default="30/hour", name="HOODWINK_DESCRIPTIONS_PER_PLAYER")
    webhook_changes_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Webhooks that one player may add, test or give another secret, together.",
        ),
    ] = field(default="30/hour", name="HOODWINK_WEBHOOK_CHANGES_PER_PLAYER")
    imports_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Imported logs that one player may keep.")
    ] = field(default="20", name="HOODWINK_IMPORTS_PER_PLAYER")
    imports_per_address: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Imported logs that one address may keep.")
    ] = field(default="60", name="HOODWINK_IMPORTS_PER_ADDRESS")
    import_megabytes_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="MiB of the imported logs of one player.")
    ] = field(default="16", name="HOODWINK_IMPORT_MEGABYTES_PER_PLAYER")
    import_megabytes_per_address: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="MiB of the imported logs from one address.")
    ] = field(default="48", name="HOODWINK_IMPORT_MEGABYTES_PER_ADDRESS")

    @property
    def bounds(self) -> dict[Limit, Bound]:
        # By name: a limit without a field of its name fails here.
        found = {limit: bound_of(getattr(self, limit)) for limit in Limit}
        return {limit: bound for limit, bound in found.items() if bound is not None}

    def unlimited(self) -> Self:
        return msgspec.structs.replace(self, **dict.fromkeys(Limit, OFF))
