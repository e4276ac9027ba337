"""What changes a stream because somebody asked for it."""
