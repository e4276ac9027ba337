"""The processes behind the service: Celery workers that attend to tables, and the projector that follows the feed."""
