"""Code about one process or machine: log lines, request ids, private files, disk space."""
