"""Tournaments: organising, entering, playing, standings and files."""
