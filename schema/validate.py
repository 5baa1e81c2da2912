"""Holding case files against the JSON Schema, for checks: the loader itself does without."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from judgecall.schema.errors import Problem
from judgecall.schema.loader import read_text
from judgecall.schema.yaml_tree import ListNode, MappingNode, Node, parse_tree, plain_data
from referencing import Registry, Resource

__all__ = ["SCHEMAS", "schema", "validate_against_schema", "validate_text"]

SCHEMAS = ("ruling", "case", "given", "step", "answer", "expectations", "terms")
"""The schema files, ``NAME.schema.json``; the first is that of a whole file."""


@cache
def schema(name: str) -> dict[str, Any]:
    """Give one schema of `SCHEMAS`."""
    text = files("judgecall.schema").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def validate_against_schema(path: str | os.PathLike[str]) -> tuple[Problem, ...]:
    """Hold a case file against the schema and give what it finds, in the order of the file.

    Raises:
        CaseFileError: the file cannot be read as YAML at all.
    """
    return validate_text(read_text(path), os.fspath(path))


def validate_text(text: str, path: str) -> tuple[Problem, ...]:
    """As `validate_against_schema`, for text; ``path`` is for messages."""
    root, problems = parse_tree(text, path)
    found = list(problems)
    for error in _validator().iter_errors(plain_data(root)):
        best = best_match([error]) or error
        node = _node_at(root, best)
        found.append(Problem(path, node.line, node.column, f"against the schema: {_message(best)}"))
    return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))


@cache
def _validator() -> Draft202012Validator:
    registry: Registry[Any] = Registry().with_resources(
        (f"{name}.schema.json", Resource.from_contents(schema(name))) for name in SCHEMAS
    )
    return Draft202012Validator({"$ref": "ruling.schema.json"}, registry=registry)


def _node_at(root: Node, error: ValidationError) -> Node:
    node = root
    for key in error.absolute_path:
        if isinstance(node, MappingNode) and key in node.entries:
            node = node.entries[str(key)][1]
        elif isinstance(node, ListNode) and isinstance(key, int):
            node = node.items[key]
    return node


def _message(error: ValidationError) -> str:
    if error.validator in ("anyOf", "oneOf"):
        return "it is nothing that may stand here"
    return error.message if len(error.message) <= 200 else error.message[:197] + "..."
