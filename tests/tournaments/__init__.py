"""Tournaments played by simulated entrants, to measure their pairings."""
