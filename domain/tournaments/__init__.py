"""Tournaments: competitions over several rounds and sittings."""
