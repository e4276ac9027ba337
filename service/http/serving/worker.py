"""Builds the application that a worker process of the API runs."""

import asyncio
from collections.abc import Mapping
from typing import Final

from hoodwink.service.adapters.limits.shared_counts import keep_exchanging
from hoodwink.service.adapters.tasks.pulse import keep_beating
from hoodwink.service.application.limits import Limit
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app, endpoints
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.client_address import client_address
from hoodwink.service.http.framework.metrics import LIMITED, STREAMS, MeteredStore
from hoodwink.service.http.framework.operations import RawBody, declared
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.serving.bridge import BodyLimits, Bridge
from hoodwink.service.http.serving.cross_origin import CrossOrigin
from hoodwink.service.http.serving.guards.costly_reads import CostlyReads
from hoodwink.service.http.serving.guards.idle_connections import IdleConnections
from hoodwink.service.http.serving.guards.large_bodies import LargeBodies
from hoodwink.service.http.serving.guards.unread_answers import UnreadAnswers
from hoodwink.service.http.serving.lane import Finder, Lane
from hoodwink.service.http.serving.session_uses import keep_storing_uses
from hoodwink.service.http.serving.sockets import limit_silence, max_connections
from hoodwink.service.http.serving.streams.hub import Hub
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.places import Follower, Places
from hoodwink.service.http.serving.streams.player_changes import follow_players
from hoodwink.service.http.serving.streams.streams import Streams
from hoodwink.service.http.serving.wsgi import Wsgi
from hoodwink.service.monitoring.processes import count_start
from hoodwink.service.monitoring.server import serve_metrics, store_fault
from hoodwink.service.settings import Settings

# By the path as it is sent, because no operation with a raw body has a parameter in its path.
_OTHER_BODIES: Final[Mapping[str, int]] = {
    operation.path: operation.largest_body
    for resource in API
    for _, operation in declared(resource)
    if isinstance(operation.body, RawBody)
}

_VANISHED_SECONDS: Final = 30.0
"""With a heartbeat every 15 seconds, the place of a vanished client is free within a minute."""


def start(settings: Settings) -> Bridge | CrossOrigin:
    """Returns the application of this process, and starts to serve the operator's port."""
    count_start("api")
    # From zero: Prometheus sees no increase in a counter that first appears with the value 1.
    for limit in Limit:
        LIMITED.labels(limit)
    for follower in Follower:
        STREAMS.labels(follower)
    serve_metrics(settings, store_fault)
    return create_application(settings)


def create_application(settings: Settings) -> Bridge | CrossOrigin:
    """Returns the application of a service with these settings. It connects to Redis on the first request."""
    bridge = create_bridge(settings)
    return CrossOrigin(bridge, settings.allowed_origins) if settings.allowed_origins else bridge


def create_bridge(settings: Settings) -> Bridge:
    """Returns the bridge to a service's fast lane, Flask application and streams."""
    service = Service(settings, metered=MeteredStore, process="api")
    lane = Lane(endpoints(service), client_address(settings.proxy_networks))
    return bridge_to(create_app(service).wsgi_app, lane.find, service, settings)


def bridge_to(application: Wsgi, lane: Finder, service: Service, settings: Settings) -> Bridge:
    """Returns the bridge to an application and a fast lane, with the streams and guards of a service."""
    jobs = JobWatch(lambda: service.jobs)
    streams = _streams(service, settings, jobs)
    return Bridge(
        application,
        lane,
        streams,
        service.loop_connection(),
        jobs,
        CostlyReads(operation for resource in API for _, operation in declared(resource)),
        address_of=client_address(settings.proxy_networks),
        idle=IdleConnections(
            port=settings.port,
            per_address=settings.connections_per_address,
            # The rest is for busy connections, and for new ones that arrive before the next check.
            max_idle=max_connections() * 3 // 4,
            proxies=settings.proxy_networks,
        ),
        bodies=LargeBodies(lambda: service.limits, max_bytes=settings.body_megabytes << 20),
        unread=UnreadAnswers(max_bytes=settings.body_megabytes << 20),
        threads=settings.api_threads,
        limits=BodyLimits(lambda path: _OTHER_BODIES.get(path, MAX_BODY)),
        background=(
            lambda: _limit_silence(settings.port),
            lambda: keep_beating(lambda: service.outages),
            lambda: keep_exchanging(lambda: service.shared_counts),
            lambda: keep_storing_uses(lambda: service.sessions),
            lambda: follow_players(service.follow_players, lambda: service.players, streams.check_tokens),
        ),
    )


def _streams(service: Service, settings: Settings, jobs: JobWatch) -> Streams:
    # Functions instead of parts: the service connects when a part is first used, and Redis may still be starting.
    hub = Hub(
        reader=lambda: service.store,
        tail=service.follow,
        tables=lambda: service.tables,
        tournaments=lambda: service.tournaments,
        players=lambda: service.players,
        my_tables=lambda: service.my_tables,
        clock=lambda: service.clock,
        presence=lambda: service.presence,
        jobs=jobs,
    )
    return Streams(
        hub,
        players=lambda: service.players,
        places=Places(
            lambda: service.limits,
            max_streams=settings.api_streams,
            agree=lambda limit, who: service.shared_counts.agree(limit, who),  # noqa: PLW0108 - made with a connection
        ),
    )


async def _limit_silence(port: int) -> None:
    await asyncio.sleep(1)  # the server starts to listen only after the application has been built
    limit_silence(port, seconds=_VANISHED_SECONDS)
