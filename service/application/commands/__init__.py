"""Changes to streams that somebody asked for."""
