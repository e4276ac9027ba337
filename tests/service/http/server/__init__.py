"""The server on sockets, its fast lane and its guards."""
