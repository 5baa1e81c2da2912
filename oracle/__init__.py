"""The reference engine: a rules engine that knows nothing of cases, adapters or pytest."""
