"""The background processes of the service: Celery workers, which carry out due work, and the projector."""
