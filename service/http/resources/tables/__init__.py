"""Tables: opening, joining, playing, watching, and their logs."""
