"""The one-command run: checks, and a supervisor that keeps the parts of the service running."""

from service.supervisor.checks import CannotStart, free_port
from service.supervisor.instance import Instance, find_instance, lock_folder, record_instance
from service.supervisor.isolated import isolated_service
from service.supervisor.parts import RestartPolicy
from service.supervisor.supervisor import GaveUp

__all__ = [
    "CannotStart",
    "GaveUp",
    "Instance",
    "RestartPolicy",
    "find_instance",
    "free_port",
    "isolated_service",
    "lock_folder",
    "record_instance",
]
