"""The web page: its files in `page`, and the Python that serves them, which depends on no framework and no use case."""
