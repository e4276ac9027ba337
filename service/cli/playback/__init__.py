"""An exported log played back in a terminal, a version at a time."""
