"""HTTP: the API, its description, and the server that answers it."""
