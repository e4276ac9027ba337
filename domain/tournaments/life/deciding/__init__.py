"""Decides whether a command is allowed, and which events it leads to."""
