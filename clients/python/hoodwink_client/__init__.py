"""A client of the card-game service Hoodwink."""

from hoodwink_client import models
from hoodwink_client.asynchronous import AsyncClient, AsyncTable
from hoodwink_client.protocol import Refused, ServiceError, Turn, Unreachable, random_action
from hoodwink_client.synchronous import Client, Table

__all__ = [
    "AsyncClient",
    "AsyncTable",
    "Client",
    "Refused",
    "ServiceError",
    "Table",
    "Turn",
    "Unreachable",
    "models",
    "random_action",
]
