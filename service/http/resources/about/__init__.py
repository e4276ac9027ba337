"""The games, the health of the service, and the results of jobs."""
