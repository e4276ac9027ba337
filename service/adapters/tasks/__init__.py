"""The workers' queues: broker, tasks, jobs and results."""
