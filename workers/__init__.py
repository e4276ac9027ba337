"""The processes behind the API: Celery tasks and the projector."""
