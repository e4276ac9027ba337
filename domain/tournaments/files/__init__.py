"""Tournament files: writing a tournament to text, and reading it back."""
