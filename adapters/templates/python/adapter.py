"""A first adapter: it says who it is, and ``unsupported`` to all else. Run it with ``judgecall doctor``."""

from __future__ import annotations

from judgecall.adapters.base import Adapter


class MyEngine(Adapter):
    """Your engine."""

    name = "my-engine"
    version = "0.1"
    cards = ()  # The cards that your engine knows, by their English Oracle names.

    # Next: set_up(self, given) and view(self), then pass_priority, play, cast, one after another.
