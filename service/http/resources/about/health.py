"""`/healthz`, `/readyz`, `/metrics`: the state of the service, for its operators."""

from typing import Final

import msgspec

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import is_from_this_machine
from hoodwink.service.http.framework.metrics import FOR_OPERATORS
from hoodwink.service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import Health
from hoodwink.service.http.messages.problems import HttpCode, Problem
from hoodwink.service.monitoring.exposition import METRICS_TYPE, Exposition

_NOT_CACHED: Final = {"Cache-Control": "no-store"}  # a probe must not get the state of a minute ago


class HealthResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        # Strangers may still reach this port through a proxy that no setting names and that adds no header.
        self._exposition = Exposition(service, hidden=FOR_OPERATORS)

    @operation(
        method="GET",
        path="/healthz",
        tag=Tag.SERVICE,
        summary="Check that an API process responds",
        answer=Answer("It responds.", {JSON: Health}),
        # Without the store: a restart of this process would not bring Redis back.
        needs_store=False,
    )
    def healthz(self, _call: Call) -> Reply:
        return Reply(Health(), _NOT_CACHED)

    @operation(
        method="GET",
        path="/readyz",
        tag=Tag.SERVICE,
        summary="Check that the store accepts writes, so that tables can be played",
        answer=Answer("The store accepts writes.", {JSON: Health}),
        refuses=(HttpCode.STORAGE_FULL,),
    )
    def readyz(self, _call: Call) -> Reply:
        self._service.check_store()
        warning = self._service.disk_space.warning or msgspec.UNSET
        return Reply(Health(warning=warning), _NOT_CACHED)

    @operation(
        method="GET",
        path="/metrics",
        tag=Tag.SERVICE,
        summary="Get metrics of all processes of this machine, for Prometheus",
        description="Only for requests from the same machine and without a proxy; all others get 404. The metrics leave out "
        "counts of requests, because the number of refused actions is for operators. With the setting `HOODWINK_METRICS_PORT`, "
        "all metrics are served on that port alone.",
        answer=Answer("The metrics.", {METRICS_TYPE: {"type": "string"}}),
        refuses=(HttpCode.ROUTE_NOT_FOUND,),
        needs_store=False,
    )
    def metrics(self, call: Call) -> Reply:
        request = call.request
        # A proxy on this machine would pass on strangers' requests as its own.
        if self._service.settings.metrics_port or not is_from_this_machine(request.address, request.headers):
            raise Problem(HttpCode.ROUTE_NOT_FOUND)
        return Reply(self._exposition.text(), _NOT_CACHED, METRICS_TYPE)
