"""What one worker process of the API runs."""

from collections.abc import Mapping
from typing import Final

from service.bootstrap import Service
from service.http.app import create_app
from service.http.description import API
from service.http.framework.metrics import MeteredStore
from service.http.framework.operations import RawBody, declared
from service.http.messages.bodies import LARGEST_BODY
from service.http.serving.bridge import Bridge
from service.http.serving.floor import with_floor
from service.http.serving.hub import Hub
from service.http.serving.streams import Streams
from service.settings import Settings

_OTHER_BODIES: Final[Mapping[str, int]] = {
    operation.path: operation.body.most_bytes
    for resource in API
    for _, operation in declared(resource)
    if isinstance(operation.body, RawBody)
}


def create_bridge(settings: Settings) -> Bridge:
    """Returns the application over a service with these settings; connects when first asked something."""
    service = Service(settings, watched=MeteredStore)
    hub = Hub(reader=lambda: service.store, tail=service.follow)
    application = create_app(service).wsgi_app
    return Bridge(
        with_floor(application, service) if settings.bench else application,
        Streams(hub),
        threads=settings.api_threads,
        largest_body=lambda path: _OTHER_BODIES.get(path, LARGEST_BODY),
    )
