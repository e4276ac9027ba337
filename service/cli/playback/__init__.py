"""The playback of an exported log in a terminal, one version at a time."""
