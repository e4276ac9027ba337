"""The data in Redis: events, feeds, due times, projections and records. Code that knows a Redis key belongs here."""
