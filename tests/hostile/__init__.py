"""Attacks a running service within its default limits, and measures the effect on people; see `__main__`."""
