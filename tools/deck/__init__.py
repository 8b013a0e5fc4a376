"""Draws the decks of web/decks: every card is an SVG picture made from the shapes written here."""
