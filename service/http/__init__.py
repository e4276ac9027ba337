"""HTTP: the API, its description and its server."""
