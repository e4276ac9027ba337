"""`/healthz`, `/readyz`, `/metrics`: the state of the service, for its operators."""

from typing import Final

from service.bootstrap import Service
from service.http.framework.metrics import FOR_OPERATORS
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.answers import Health
from service.http.messages.problems import HttpCode, Problem
from service.monitoring.exposition import METRICS_TYPE, Exposition

_NOT_CACHED: Final = {"Cache-Control": "no-store"}


class HealthResource:
    """Reports the state of the service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._exposition = Exposition(service, hidden=FOR_OPERATORS)

    @operation(
        method="GET",
        path="/healthz",
        tag=Tag.SERVICE,
        summary="Check that an API process answers",
        answer=Answer("It answers.", {JSON: Health}),
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
    )
    def readyz(self, _call: Call) -> Reply:
        self._service.check_store()
        return Reply(Health(), _NOT_CACHED)

    @operation(
        method="GET",
        path="/metrics",
        tag=Tag.SERVICE,
        summary="Get metrics of all processes of this machine, for Prometheus",
        description="They tell how the service is doing, and not what requests were answered: the number of refused actions "
        "is for operators. With the setting `HOODWINK_METRICS_PORT` all metrics are served on that port, and here "
        "there are none (404).",
        answer=Answer("The metrics.", {METRICS_TYPE: {"type": "string"}}),
        refuses=(HttpCode.ROUTE_NOT_FOUND,),
        needs_store=False,
    )
    def metrics(self, _call: Call) -> Reply:
        if self._service.settings.metrics_port:
            raise Problem(HttpCode.ROUTE_NOT_FOUND)
        return Reply(self._exposition.text(), _NOT_CACHED, METRICS_TYPE)
