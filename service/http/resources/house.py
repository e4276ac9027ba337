"""For those who run the service: is it well, and what does it do."""

from collections.abc import Mapping
from typing import Final

from service.application.ports import Lag, StoreUnavailable
from service.application.projecting import lags
from service.bootstrap import Service
from service.http.framework.metrics import METRICS_TYPE, exposition
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.answers import Health

_FRESH: Final = {"Cache-Control": "no-store"}


class HouseResource:
    """Tells how the service is."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/healthz",
        tag=Tag.SERVICE,
        summary="Tell whether this process answers",
        answer=Answer("It does.", {JSON: Health}),
        needs_store=False,
    )
    def healthz(self, _call: Call) -> Reply:
        return Reply(Health(), _FRESH)

    @operation(
        method="GET",
        path="/readyz",
        tag=Tag.SERVICE,
        summary="Tell whether tables can be played: the store answers",
        answer=Answer("They can.", {JSON: Health}),
    )
    def readyz(self, _call: Call) -> Reply:
        self._service.check_store()
        return Reply(Health(), _FRESH)

    @operation(
        method="GET",
        path="/metrics",
        tag=Tag.SERVICE,
        summary="Metrics of all API processes of this machine, for Prometheus",
        answer=Answer("The metrics.", {METRICS_TYPE: {"type": "string"}}),
        needs_store=False,
    )
    def metrics(self, _call: Call) -> Reply:
        return Reply(exposition(*self._stored()), _FRESH, METRICS_TYPE)

    def _stored(self) -> tuple[Mapping[str, Lag], Mapping[str, int]]:
        """Returns what the metrics take from the store; nothing while it does not answer."""
        try:
            return lags(self._service.feed), self._service.rollbacks.counted()
        except StoreUnavailable:
            return {}, {}
