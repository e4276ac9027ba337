"""The bodies of requests, answers and problems."""
