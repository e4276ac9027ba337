"""The pure core of Hoodwink: rules, tables, bots and projections. It does no I/O, reads no clock and draws no lots."""
