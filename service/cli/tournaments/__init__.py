"""Shared code of the tournament commands: reading, playing and printing."""
