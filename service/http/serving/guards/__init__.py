"""Guards that keep clients from exhausting a process: idle connections, large bodies, unread answers, costly reads."""
