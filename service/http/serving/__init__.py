"""The API's worker process: the bridge from the server to the application, and the event streams."""
