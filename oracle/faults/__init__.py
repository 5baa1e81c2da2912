"""Deliberately wrong rules, each a patch that lives outside the rules code."""
