"""What the commands about tournaments read, play and print."""
