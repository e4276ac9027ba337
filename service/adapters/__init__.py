"""Where the ports of the use cases meet Redis, Celery, the clock and the machine's randomness."""
