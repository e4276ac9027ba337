"""Connections to Redis and the transport of commands. Code that knows a socket belongs here."""
