"""A collection of faults: `make test` must notice them, however much shorter it becomes."""
