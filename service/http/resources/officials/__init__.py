"""What officials of tournaments do at their desk."""
