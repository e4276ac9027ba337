"""Reads a running service's metrics like Prometheus."""

import socket
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection

from prometheus_client.parser import text_string_to_metric_families

from hoodwink.service.settings import Settings


def free_port() -> int:
    """Returns a currently unused port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return int(taken.getsockname()[1])


def ask(settings: Settings, path: str) -> tuple[int, str]:
    """Returns status and text of an answer from the operator's port."""
    with closing(HTTPConnection(settings.metrics_host, settings.metrics_port, timeout=60)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def summed(text: str, name: str, labels: Mapping[str, str]) -> float:
    """Returns the sum of a metric's samples with these labels."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def names_in(text: str) -> set[str]:
    """Returns the names of all samples."""
    return {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
