"""Compares all stored data with the events."""
