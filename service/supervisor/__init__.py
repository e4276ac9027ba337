"""`hoodwink run`: checks, and a supervisor that keeps the parts of the service running."""

from hoodwink.service.supervisor.checks import CannotStart, free_port
from hoodwink.service.supervisor.instance import Instance, find_instance, lock_folder, record_instance
from hoodwink.service.supervisor.isolated import isolated_service
from hoodwink.service.supervisor.parts import RestartPolicy
from hoodwink.service.supervisor.supervisor import GaveUp

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
