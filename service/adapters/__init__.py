"""Implements the ports of the use cases with Redis, Celery, the clock and the machine's randomness."""
