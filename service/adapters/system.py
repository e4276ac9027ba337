"""The machine's clock and entropy."""

import secrets
import time


class SystemClock:
    """Reads the wall clock."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """Draws from the operating system."""

    def server_seed(self) -> str:
        return secrets.token_hex(32)

    def command_id(self) -> str:
        return secrets.token_urlsafe(12)
