"""What is stored about players beside their events."""
