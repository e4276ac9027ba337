"""Work that is too long for a request: one request starts it, a worker does it, another request gets the outcome."""
