"""What words there are: their parameters, what they mean, and which cards use them."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import judgecall.oracle
from judgecall.oracle import keyword_abilities
from judgecall.oracle.cards import loader
from judgecall.oracle.vocabulary import read_vocabulary
from judgecall.oracle.vocabulary.grammar import watched
from judgecall.oracle.vocabulary.words import REGISTRY, Parameter, Word

__all__ = ["Entry", "entries", "written"]

_CITATION = re.compile(r"CR \d{3}(?:\.\d+[a-z]?)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the vocabulary, or a keyword (of the kind ``keyword``), and the cards that use it."""

    kind: str
    name: str
    parameters: str
    meaning: str
    cards: tuple[str, ...]
    """Those whose definitions say it, themselves or through a keyword that stands for it."""
    in_rules: bool
    """Whether modules of the rules say it, beside the one that registers it."""

    @property
    def reason(self) -> str | None:
        """Why there is a word that at most one card uses, or None: a rule that has it, or that the rules say it."""
        if len(self.cards) > 1:
            return None
        found = _CITATION.search(self.meaning)
        if found:
            return found[0]
        if self.kind == "keyword":
            return "CR 702"
        return "said by the rules" if self.in_rules else None


def entries() -> Iterator[Entry]:
    """All words by kind and name, then all keywords.

    Raises:
        DefinitionError: a definition is not in the vocabulary.
    """
    read_vocabulary()
    users: dict[tuple[str, str], list[str]] = {}
    said: set[tuple[str, str]] = set()
    with watched(lambda kind, word: said.add((kind, word))):
        for card in loader.names():
            said.clear()
            loader.read(card)
            for each in said:
                users.setdefault(each, []).append(card)
    sources = _sources()
    for kind, table in sorted(REGISTRY.items()):
        for name, word in sorted(table.items()):
            cards = tuple(users.get((kind, name), ()))
            in_rules = _said(sources, name, word.function.__module__)
            yield Entry(kind, written(name), _parameters(word), _meaning(word.function), cards, in_rules)
    for name, builder in keyword_abilities.builders():
        cards = tuple(users.get(("keyword", name), ()))
        yield Entry("keyword", name, "", _meaning(builder), cards, _said(sources, name, builder.__module__))


def written(name: str) -> str:
    """A word or parameter as definitions write it: with spaces, without what keeps Python's keywords away."""
    return name.rstrip("_").replace("_", " ")


def _sources() -> dict[str, str]:
    """The texts of the oracle's modules by their names, faults left out: they say words only to break them."""
    found = {}
    for info in pkgutil.walk_packages(judgecall.oracle.__path__, "judgecall.oracle."):
        if not info.name.startswith("judgecall.oracle.faults") and not info.name.endswith("__main__"):
            spec = importlib.util.find_spec(info.name)
            if spec is not None and spec.origin is not None:
                found[info.name] = Path(spec.origin).read_text(encoding="utf-8")
    return found


def _said(sources: dict[str, str], name: str, registered: str) -> bool:
    return any(f'"{name}"' in text for module, text in sources.items() if module != registered)


def _meaning(function: object) -> str:
    return " ".join((function.__doc__ or "").split())


def _parameters(word: Word) -> str:
    """``amount, to: objects, [from: objects]``: the value behind the word, then the keys beside it."""
    return ", ".join(_parameter(name, each, word.main) for name, each in word.parameters.items())


def _parameter(name: str, parameter: Parameter, main: str | None) -> str:
    text = parameter.type if name == main else f"{written(name)}: {parameter.type}"
    if parameter.required:
        return text
    default = parameter.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    return f"[{text}]" if default is None else f"[{text} = {default}]"
