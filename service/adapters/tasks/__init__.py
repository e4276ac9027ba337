"""The queue of the workers: its broker, tasks, jobs and results."""
