"""The parts that all operations share: declarations, checks, error handling, metrics."""
