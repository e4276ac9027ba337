"""Makes the application that a worker process of the API runs."""

import asyncio
from collections.abc import Mapping
from typing import Final

from service.adapters.shared_counts import keep_exchanging
from service.application.limits import Limit
from service.bootstrap import Service
from service.http.app import create_app, endpoints
from service.http.description import API
from service.http.framework.client_address import client_address
from service.http.framework.metrics import LIMITED, STREAMS, MeteredStore
from service.http.framework.operations import RawBody, declared
from service.http.messages.bodies import LARGEST_BODY
from service.http.serving.baseline import with_baseline
from service.http.serving.bridge import BodyLimits, Bridge, Wsgi
from service.http.serving.cross_origin import CrossOrigin
from service.http.serving.hub import Hub
from service.http.serving.idle_connections import IdleConnections
from service.http.serving.lane import Finder, Lane
from service.http.serving.large_bodies import LargeBodies
from service.http.serving.places import Follower, Places
from service.http.serving.player_changes import follow_players
from service.http.serving.sockets import end_vanished, room_for_connections
from service.http.serving.streams import Streams
from service.http.serving.unread_answers import UnreadAnswers
from service.monitoring.processes import count_start
from service.monitoring.server import serve_metrics, store_fault
from service.settings import Settings

_OTHER_BODIES: Final[Mapping[str, int]] = {
    operation.path: operation.largest_body
    for resource in API
    for _, operation in declared(resource)
    if isinstance(operation.body, RawBody)
}

_VANISHED_SECONDS: Final = 30.0
"""Heartbeats go out every 15 seconds, so the place of a client that has vanished is free within a minute."""


def start(settings: Settings) -> Bridge | CrossOrigin:
    """Returns the application that this process runs from now on, and serves the operator's port beside it."""
    count_start("api")
    # Prometheus sees no increase in a counter that appears.
    for limit in Limit:
        LIMITED.labels(limit)
    for follower in Follower:
        STREAMS.labels(follower)
    serve_metrics(settings, store_fault)
    return create_application(settings)


def create_application(settings: Settings) -> Bridge | CrossOrigin:
    """Returns the application of a service with these settings; it connects to Redis with the first request."""
    bridge = create_bridge(settings)
    return CrossOrigin(bridge, settings.allowed_origins) if settings.allowed_origins else bridge


def create_bridge(settings: Settings) -> Bridge:
    """Returns the bridge to a service's fast lane, Flask application and streams."""
    service = Service(settings, metered=MeteredStore, process="api")
    hub = Hub(
        reader=lambda: service.store,
        tail=service.follow,
        tables=lambda: service.tables,
        tournaments=lambda: service.tournaments,
        players=lambda: service.players,
        my_tables=lambda: service.my_tables,
        clock=lambda: service.clock,
        presence=lambda: service.presence,
    )
    streams = Streams(
        hub,
        players=lambda: service.players,
        places=Places(lambda: service.limits, most=settings.api_streams),
    )
    application: Wsgi = create_app(service).wsgi_app
    address_of = client_address(settings.proxy_networks)
    lane: Finder = Lane(endpoints(service), address_of).find
    if settings.bench:
        application, lane = with_baseline(application, lane, service)
    return Bridge(
        application,
        lane,
        streams,
        service.loop_connection(),
        address_of=address_of,
        idle=IdleConnections(
            port=settings.port,
            per_address=settings.connections_per_address,
            most=room_for_connections() * 3 // 4,
            proxies=settings.proxy_networks,
        ),
        bodies=LargeBodies(lambda: service.limits, most_bytes=settings.body_megabytes << 20),
        unread=UnreadAnswers(most_bytes=settings.body_megabytes << 20),
        threads=settings.api_threads,
        limits=BodyLimits(lambda path: _OTHER_BODIES.get(path, LARGEST_BODY)),
        works=(
            lambda: _end_vanished(settings.port),
            lambda: keep_exchanging(lambda: service.shared_counts),
            lambda: follow_players(service.follow_players, lambda: service.players, streams.check_tokens),
        ),
    )


async def _end_vanished(port: int) -> None:
    await asyncio.sleep(1)  # the server listens only after its application has been made
    end_vanished(port, seconds=_VANISHED_SECONDS)
