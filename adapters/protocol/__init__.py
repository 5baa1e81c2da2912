"""The protocol between judgecall and an engine in another process: what messages say, and what they mean.

The specification is ``adapters/PROTOCOL.md``; the JSON Schemas are in ``schema/protocol/``.
"""

from __future__ import annotations

__all__ = ["CASE_FORMAT", "COMMANDS", "INTERIM", "MAY_ASK", "PROTOCOL"]

PROTOCOL = 1
"""The protocol's number. It grows when an engine that follows the old text would no longer be understood."""

CASE_FORMAT = 1
"""The number of the case format whose words the protocol uses."""

COMMANDS = (
    "hello",
    "supports",
    "setup",
    "act",
    "answer",
    "probe",
    "observe",
    "trace",
    "fault",
    "reset",
    "ping",
    "bye",
)
"""Everything that judgecall may say to an engine."""

MAY_ASK = frozenset({"setup", "act", "probe"})
"""The commands during which an engine may put questions."""

INTERIM = "interim"
"""The capability of an engine that takes ``observe`` while it waits for an answer."""
