"""Checks commands and turns them into events."""
