"""Plays a case against an engine and judges it: pytest plugin, command line, verdicts."""
