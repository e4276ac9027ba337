"""Standings, ranks and crosstables of a running tournament."""
