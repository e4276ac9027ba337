"""What one worker process of the API runs."""

from collections.abc import Mapping
from typing import Final

from service.bootstrap import Service
from service.http.app import create_app
from service.http.description import API
from service.http.framework.lean import LeanFlask
from service.http.framework.metrics import MeteredStore
from service.http.framework.operations import RawBody, declared
from service.http.messages.bodies import LARGEST_BODY
from service.http.serving.bridge import Bridge, IsBrief, Paths, Wsgi
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
_BRIEF: Final = frozenset(
    name for resource in API for name, operation in declared(resource) if operation.is_brief
)


def brief_operations(app: LeanFlask) -> IsBrief:
    """Returns what tells whether a request may be answered on the event loop."""
    return lambda method, path: app.endpoint_at(method, path) in _BRIEF


def create_bridge(settings: Settings) -> Bridge:
    """Returns the application over a service with these settings; connects when first asked something."""
    service = Service(settings, watched=MeteredStore, process="api")
    hub = Hub(
        reader=lambda: service.store,
        tail=service.follow,
        tables=lambda: service.tables,
        tournaments=lambda: service.tournaments,
    )
    app = create_app(service)
    application: Wsgi = app.wsgi_app
    is_brief = brief_operations(app)
    if settings.bench:
        application, is_brief = with_floor(application, is_brief, service)
    return Bridge(
        application,
        Streams(hub),
        service.pipeline(),
        threads=settings.api_threads,
        paths=Paths(is_brief, lambda path: _OTHER_BODIES.get(path, LARGEST_BODY)),
    )
