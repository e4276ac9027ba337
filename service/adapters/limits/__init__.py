"""Counters of what clients use, within a process and shared by all."""
