"""Players: their names, tokens and standing, and the administrators."""
