"""The one-command run: checks, and a supervisor that keeps the parts of the service alive."""

from service.supervisor.checks import CannotStart, free_port, hold_folder
from service.supervisor.parts import Pace, Part
from service.supervisor.supervisor import GaveUp, Supervisor

__all__ = ["CannotStart", "GaveUp", "Pace", "Part", "Supervisor", "free_port", "hold_folder"]
