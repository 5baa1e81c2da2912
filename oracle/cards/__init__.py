"""Card definitions as data, one file a card, and their loader."""
