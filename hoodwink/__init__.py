"""Hoodwink: card games in which everybody is partly blind.

The packages live at the top of the repository. The links here give them the one name that they are installed under.
"""
