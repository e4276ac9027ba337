"""Upgrades tried for real: an older commit plays, the present code takes over, and nothing may be lost."""
