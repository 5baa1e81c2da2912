"""The case format: its JSON Schema, the typed model, and the loader that turns a file into it."""
