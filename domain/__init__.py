"""The pure heart of Hoodwink: rules, tables, bots and projections. No I/O, no clock, no chance."""
