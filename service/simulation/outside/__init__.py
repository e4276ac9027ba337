"""Bots from outside: functions that somebody else wrote, each in a process of its own (docs/BOTS.md)."""
