"""Logs of tables, and the proof that they are complete and fair."""
