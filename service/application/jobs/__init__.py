"""Work that is too long for a request: begun by one, done by a worker, fetched by another."""
