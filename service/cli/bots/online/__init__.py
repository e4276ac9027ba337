"""Programs that play on a server as a player of their own, through hoodwink-client."""
