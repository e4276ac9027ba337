"""Positions in which one move is clearly right, each with the reason."""
