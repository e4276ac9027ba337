"""Players and their books over HTTP."""
