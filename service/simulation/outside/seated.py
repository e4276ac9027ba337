"""A bot from outside in one seat: its process is started when the bot is first asked, and again after it was lost."""

from math import inf
from typing import Final

from hoodwink.service.simulation.outside.process import BotFailed, BotProcess, Kind, Limits, Reply

_MAX_LOSSES: Final = 3
"""How often a bot may lose its process at one table. After that it is not asked any more, so that a match comes to an end."""


class Seated:
    """A bot from outside that plays one seat of table after table.

    Each seat has a process of its own, so that two seats of the same bot cannot show each other their cards.

    Attributes:
        told: how many events of the present table the process has been told; 0 for a new process.
    """

    def __init__(self, bot: str, limits: Limits) -> None:
        self.bot = bot
        self._limits = limits
        self._process: BotProcess | None = None
        self.sit_down(None)

    def sit_down(self, seed: str | None) -> None:
        """Begins a table. The seed, if any, makes the bot's random numbers repeatable."""
        self._seed = self._unsent_seed = seed
        self.told = self._losses = 0

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def ask(self, observation: bytes, seconds: float = inf) -> Reply:
        """Returns the bot's reply to an observation. Starts the process if there is none.

        Args:
            observation: as JSON.
            seconds: the time for the answer, if it is less than the limit.

        Raises:
            BotFailed: there is no reply.
        """
        if self._losses >= _MAX_LOSSES:
            raise BotFailed(Kind.NOT_ASKED, f"the bot lost its process {_MAX_LOSSES} times at this table")
        try:
            if self._process is None:
                self._process = BotProcess(self.bot, self._limits)
            seed, self._unsent_seed = self._unsent_seed, None
            return self._process.ask(observation, seed, seconds)
        except BotFailed as failed:
            if failed.is_lost:
                self.close()
                # A new process knows nothing, so it is told everything again.
                self._losses, self.told, self._unsent_seed = self._losses + 1, 0, self._seed
            raise
