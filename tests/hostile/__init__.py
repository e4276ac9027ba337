"""Attacks a running service within its default limits, and measures what people notice of it; see `__main__`."""
