"""Plays tables and tournaments between bots in memory, without a running service."""
