"""Tournaments: competitions over rounds and sittings, the aggregate behind every tournament's event stream."""
