"""Pairing: from what was played so far to the tables of the next round."""
