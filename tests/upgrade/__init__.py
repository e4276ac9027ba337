"""Upgrades with real processes: an older commit plays, the current code takes over, and nothing is lost."""
