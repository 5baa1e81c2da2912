"""Keyword actions (CR 701), each said in the vocabulary."""
