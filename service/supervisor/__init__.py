"""The one-command run: checks, and a supervisor that keeps the parts of the service alive."""

from service.supervisor.aside import service_aside
from service.supervisor.checks import CannotStart, free_port
from service.supervisor.instance import Instance, find_instance, hold_folder, note_instance
from service.supervisor.parts import Pace
from service.supervisor.supervisor import GaveUp

__all__ = [
    "CannotStart",
    "GaveUp",
    "Instance",
    "Pace",
    "find_instance",
    "free_port",
    "hold_folder",
    "note_instance",
    "service_aside",
]
