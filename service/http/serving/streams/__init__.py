"""Live streams: hubs, channels and what they send."""
