"""The feeds of committed events: writing, reading by groups, and following the newest."""
