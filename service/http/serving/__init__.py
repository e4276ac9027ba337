"""The worker process of the API: the bridge from the server to the application, and the streams of events."""
