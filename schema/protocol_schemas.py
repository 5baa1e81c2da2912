"""The JSON Schemas of the protocol, for tests and for examining an engine: whoever speaks it does without."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

__all__ = ["MESSAGES", "SHARED", "message_problem", "protocol_schema"]

MESSAGES = (
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
"""The commands: each has a schema with its ``request`` and, save ``answer``, what it is when it is ``done``."""

SHARED = ("reply", "state", "action", "question", "view", "terms")
"""What they are made of; ``reply`` has the replies that any command may get."""


@cache
def protocol_schema(name: str) -> dict[str, Any]:
    """Give one schema of `MESSAGES` or `SHARED`."""
    path = files("judgecall.schema").joinpath("protocol", f"{name}.schema.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def message_problem(message: Mapping[str, Any], command: str, *, reply: bool) -> str | None:
    """What is wrong with a request, or with a reply to it, by the schemas; None: nothing."""
    reference = f"{command}.schema.json#/$defs/request"
    if reply:
        done = message.get("reply") == "done"
        reference = f"{command}.schema.json#/$defs/done" if done else "reply.schema.json"
    error = best_match(_validator(reference).iter_errors(message))
    if error is None:
        return None
    where = error.json_path.removeprefix("$").removeprefix(".")
    told = error.message if len(error.message) <= 200 else error.message[:197] + "..."
    return f"{where}: {told}" if where else told


@cache
def _validator(reference: str) -> Draft202012Validator:
    registry: Registry[Any] = Registry().with_resources(
        (f"{name}.schema.json", Resource.from_contents(protocol_schema(name))) for name in (*MESSAGES, *SHARED)
    )
    return Draft202012Validator({"$ref": reference}, registry=registry)
