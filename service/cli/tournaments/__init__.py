"""Code of the commands about tournaments: reading, playing and printing."""
