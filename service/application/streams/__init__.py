"""Aggregates and their streams: how they are read, remembered and extended."""
