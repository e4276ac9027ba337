"""Usage counters of clients, per process and shared by all processes."""
