"""Matches between bots on duplicate deals: each deal is played with every seating."""
