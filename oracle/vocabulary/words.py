"""The registry of words: what each is called, what it takes, and the function that says what it means.

A word belongs to a kind (``effect``, ``amount``, ``objects``, ``players``, ``condition``, ``test``, ``trigger``,
``replace``, ``change``, ``rule``, ``pay``). Its first parameter is the value written behind the word itself; the
others are keys beside it. A parameter's type is a kind, evaluated before the word's function is called, or one that
is handed on as it is (``filter``, ``effects``, ``cost``, ``abilities``, ``words``, ``text`` …, and any kind behind
``lazy``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Node

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["REGISTRY", "Parameter", "Word", "cited", "evaluate", "word"]

EAGER = frozenset({"amount", "objects", "players"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter's type, and what it is where a definition does not say."""

    type: str
    default: Any = None
    required: bool = False
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the vocabulary."""

    kind: str
    name: str
    parameters: Mapping[str, Parameter]
    function: Callable[..., Any]
    rules: tuple[str, ...] = ()
    """The rules that its docstring cites: they act when the word does."""
    values: tuple[tuple[str, str | None], ...] = field(init=False, default=())
    """Its parameters, each with the type that its value is of when the function gets it, or None: as it stands."""

    def __post_init__(self) -> None:
        values = tuple(
            (name, parameter.type if parameter.type in EAGER and not parameter.lazy else None)
            for name, parameter in self.parameters.items()
        )
        object.__setattr__(self, "values", values)

    @property
    def main(self) -> str | None:
        """The parameter whose value is written behind the word."""
        return next(iter(self.parameters), None)


_NUMBER = re.compile(r"\b(\d{3}(?:\.\d+[a-z]?)?)((?:–[a-z])?)")
# Kinds whose words act whenever they are evaluated; the others act where they hold or match.
_ALWAYS = frozenset({"effect", "change", "pay"})


def cited(text: str) -> tuple[str, ...]:
    """The rule numbers of a docstring's citations: ``CR 613.4d``, ``CR 701.24c–d``."""
    found: list[str] = []
    for citation in re.findall(r"CR ((?:\d{3}[\d.a-z–]*(?:, )?)+)", text):
        for number, range_ in _NUMBER.findall(citation):
            found.append(number)
            if range_ and number[-1].isalpha():
                found.extend(number[:-1] + chr(code) for code in range(ord(number[-1]) + 1, ord(range_[1]) + 1))
    return tuple(found)


REGISTRY: dict[str, dict[str, Word]] = {}


def _parameter(text: str) -> Parameter:
    lazy = text.startswith("lazy ")
    if lazy:
        text = text[5:]
    name, equals, default = text.partition("=")
    if equals:
        value: Any = {"": None, "true": True, "false": False}.get(default, default)
        if isinstance(value, str) and value.lstrip("-").isdigit():
            value = int(value)
        return Parameter(name, value, lazy=lazy)
    if name.endswith("?"):
        return Parameter(name[:-1], None, lazy=lazy)
    return Parameter(name, None, True, lazy)


def word(kind: str, name: str, /, **parameters: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as what a word means. A parameter named by a Python keyword has a trailing ``_``."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        table = REGISTRY.setdefault(kind, {})
        if name in table:
            raise ValueError(f"the word {name!r} of kind {kind} is there already")
        read = {key: _parameter(text) for key, text in parameters.items()}
        table[name] = Word(kind, name, read, function, cited(function.__doc__ or ""))
        return function

    return register


def evaluate(kind: str, node: Node, ctx: Context, *before: Any) -> Any:
    """What a word means now: its function is called with its parameters, the eager ones evaluated first."""
    entry = REGISTRY[kind][node.word]
    given = node.args
    arguments = {}
    for name, type_ in entry.values:
        value = given.get(name)
        if type_ is not None and value is not None:
            value = ctx.value(type_, value)
        arguments[name] = value
    found = entry.function(ctx, *before, **arguments)
    if entry.rules and (kind in _ALWAYS or (found is not None and found is not False)):
        ctx.game.trace.cite(*entry.rules)
    return found
