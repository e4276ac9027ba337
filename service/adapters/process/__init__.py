"""What belongs to one process or machine: log lines, request ids, private files, disk space."""
