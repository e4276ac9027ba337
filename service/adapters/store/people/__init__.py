"""Stored data about players that is not in their events."""
