"""The web page: its files in `page`, and the Python that makes answers of them. It knows no framework and no use case."""
