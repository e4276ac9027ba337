"""The commands that let bots play: `hoodwink simulate` and `hoodwink arena`."""
