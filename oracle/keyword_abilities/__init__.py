"""Keyword abilities (CR 702), each said in the vocabulary."""
