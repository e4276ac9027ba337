"""Makes the application that a worker process of the API runs."""

from collections.abc import Mapping
from typing import Final

from service.adapters.shared_counts import keep_exchanging
from service.bootstrap import Service
from service.http.app import create_app, endpoints
from service.http.description import API
from service.http.framework.client_address import client_address
from service.http.framework.metrics import MeteredStore
from service.http.framework.operations import RawBody, declared
from service.http.messages.bodies import LARGEST_BODY
from service.http.serving.baseline import with_baseline
from service.http.serving.bridge import BodyLimits, Bridge, Wsgi
from service.http.serving.cross_origin import CrossOrigin
from service.http.serving.hub import Hub
from service.http.serving.idle_connections import IdleConnections
from service.http.serving.lane import Finder, Lane
from service.http.serving.player_changes import follow_players
from service.http.serving.sockets import room_for_connections
from service.http.serving.streams import Streams
from service.monitoring.processes import count_start
from service.monitoring.server import serve_metrics, store_fault
from service.settings import Settings

_OTHER_BODIES: Final[Mapping[str, int]] = {
    operation.path: operation.largest_body
    for resource in API
    for _, operation in declared(resource)
    if isinstance(operation.body, RawBody)
}


def start(settings: Settings) -> Bridge | CrossOrigin:
    """Returns the application that this process runs from now on, and serves the operator's port beside it."""
    count_start("api")
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
    streams = Streams(hub, players=lambda: service.players)
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
        ),
        threads=settings.api_threads,
        limits=BodyLimits(lambda path: _OTHER_BODIES.get(path, LARGEST_BODY)),
        works=(
            lambda: keep_exchanging(lambda: service.shared_counts),
            lambda: follow_players(service.follow_players, lambda: service.players, streams.check_tokens),
        ),
    )
