"""Players, their names and tokens, and the administrators."""
