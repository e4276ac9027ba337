"""Logs of tournaments, and the proof that they are complete and fair."""
