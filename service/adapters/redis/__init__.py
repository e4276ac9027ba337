"""Connections to Redis, and how requests travel on them. Code that knows a socket belongs here."""
