"""`/healthz`, `/readyz`, `/metrics`: the state of the service, for its operators."""

from collections.abc import Mapping
from typing import Final

from service.application.ports import Lag, StoreUnavailable
from service.application.projecting import lags
from service.bootstrap import Service
from service.http.framework.metrics import METRICS_TYPE, exposition, exposition_of
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.answers import Health

_NOT_CACHED: Final = {"Cache-Control": "no-store"}


class HealthResource:
    """Reports the state of the service."""

    def __init__(self, service: Service) -> None:
        self._service = service

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
        summary="Get the metrics of all API processes of this machine, for Prometheus",
        answer=Answer("The metrics.", {METRICS_TYPE: {"type": "string"}}),
        needs_store=False,
    )
    def metrics(self, _call: Call) -> Reply:
        shown = exposition(*self._stored()) + exposition_of(self._service.settings.bounds)
        return Reply(shown, _NOT_CACHED, METRICS_TYPE)

    def _stored(self) -> tuple[Mapping[str, Lag], Mapping[str, int]]:
        """Returns the metrics that come from the store; none while it does not answer."""
        try:
            return lags(self._service.feed), self._service.rollbacks.counted()
        except StoreUnavailable:
            return {}, {}
