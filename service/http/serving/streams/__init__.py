"""Live streams: hubs, channels and their frames."""
