"""Complete logs of tables once played, kept for ever."""
