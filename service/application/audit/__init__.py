"""Compares all that is stored with what the events say."""
