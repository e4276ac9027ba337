"""A table: the aggregate for one game played by one group, from the opening to the end."""
