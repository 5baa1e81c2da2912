"""Faults of casting, costs and the stack."""
