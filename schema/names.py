"""References to objects and players: their forms, and whether the case declares what they name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from judgecall.schema.errors import shown
from judgecall.schema.model import PLAYERS, Case
from judgecall.schema.reading import Reader
from judgecall.schema.yaml_tree import Node, ScalarNode

__all__ = [
    "RESERVED",
    "KnownNames",
    "Names",
    "bare_name",
    "counted",
    "known_by",
    "names_mentioned",
]

KnownNames: TypeAlias = Callable[[str], bool]
"""Says whether a name is that of a card (front, back or whole), or of a token that a card it knows makes."""

RESERVED = (*PLAYERS, "stack", "game", "legal", "illegal")
"""Words that mean something else where an object may be named."""

_PREFIXES = ("ability of ", "copy of ")
_COUNTED = re.compile(r"(\d+) +(\S.*)\Z", re.ASCII | re.DOTALL)
_NUMBERED = re.compile(r"(.+)#([1-9]\d{0,5})\Z", re.ASCII | re.DOTALL)


def counted(text: str) -> tuple[int, str] | None:
    """Split ``3 Island`` into its number and name, or give None."""
    match = _COUNTED.match(text)
    return None if match is None else (int(match[1][:9]), match[2])


def bare_name(text: str) -> str:
    """Take ``ability of``, ``copy of`` and ``#2`` off a reference."""
    match = _NUMBERED.match(text)
    name = match[1] if match else text
    while name.startswith(_PREFIXES):
        name = name.split(" of ", 1)[1]
    return name


def known_by(card: str) -> set[str]:
    """Give the names that a declared card may go by: the whole, and each face of ``Front // Back``."""
    return {card, *(part.strip() for part in card.split(" // "))}


def names_mentioned(case: Case) -> set[str]:
    """Give the names of cards, tokens and copies that a case declares or refers to, aliases left out."""
    return set(case.mentions)


@dataclass(frozen=True, slots=True)
class _Mention:
    node: ScalarNode
    name: str
    sure: bool
    """Whether an object of this case must be meant, and not a word, or a name that may be absent."""


@dataclass(slots=True)
class Names:
    """What a case declares, and what it refers to."""

    reader: Reader
    players: tuple[str, ...] = PLAYERS[:2]
    aliases: dict[str, ScalarNode] = field(default_factory=dict)
    alias_cards: dict[str, str] = field(default_factory=dict)
    """The card that each alias stands for."""
    cards: dict[str, None] = field(default_factory=dict)
    """The cards that the starting state lists, as listed."""
    tokens: dict[str, None] = field(default_factory=dict)
    """The predefined tokens that it lists."""
    declared: set[str] = field(default_factory=set)
    """All names that these may go by."""
    _mentions: list[_Mention] = field(default_factory=list)

    def declare(self, card: str) -> None:
        """Take note of a card of the starting state."""
        self.cards[card] = None
        self.declared |= known_by(card)

    def declares(self, name: str) -> bool:
        """Say whether something in the starting state has this name, whole or of one face, or alias."""
        return name in self.aliases or name in self.declared or name.partition(" // ")[0] in self.declared

    def declare_token(self, token: str) -> None:
        """Take note of a predefined token: ``Treasure`` is named ``Treasure Token`` (CR 111.4)."""
        self.tokens[token] = None
        self.declared |= {token, f"{token} Token"}

    def declare_alias(self, node: Node, card: str) -> str:
        """Read the alias of a card, which must not clash with another."""
        alias = self.reader.line(node, "an alias")
        if not alias or not isinstance(node, ScalarNode):
            return alias
        if alias in RESERVED:
            self.reader.report(node, f"the alias {shown(alias)} is a word of the format", "another word")
        elif alias.startswith(_PREFIXES) or "#" in alias:
            self.reader.report(node, f"the alias {shown(alias)} looks like a reference", "a word without '#'")
        elif alias in self.aliases:
            first = self.aliases[alias].line
            self.reader.report(node, f"the alias {shown(alias)} is used twice, first on line {first}")
        else:
            self.aliases[alias] = node
            self.alias_cards[alias] = card
        return alias

    def player(self, node: Node) -> str:
        """Read a player who plays in this case."""
        if isinstance(node, ScalarNode) and node.text in PLAYERS and node.text not in self.players:
            self._absent(node)
            return node.text
        return self.reader.word(node, self.players, "player")

    def object(self, node: Node, *, many: bool = False) -> str:
        """Read a reference to an object; ``many``: ``3 Island`` may stand for three."""
        text = self.reader.line(node, "the name of an object")
        if text and isinstance(node, ScalarNode):
            if text in PLAYERS:
                self.reader.report(node, f"{shown(text)} is a player", "an object")
            else:
                self._refer(node, text, many=many, sure=True)
        return text

    def object_or_player(self, node: Node) -> str:
        """Read a reference to an object or a player."""
        text = self.reader.line(node, "the name of an object or a player")
        if text and isinstance(node, ScalarNode):
            if text not in PLAYERS:
                self._refer(node, text, many=False, sure=True)
            elif text not in self.players:
                self._absent(node)
        return text

    def perhaps(self, node: ScalarNode) -> None:
        """Take note of text that names an object or a player or is just a word, if it looks like a name."""
        text = node.text
        if text in PLAYERS:
            if text not in self.players:
                self._absent(node)
        elif text:
            on_stack = text.startswith(_PREFIXES)
            if on_stack or "#" in text or not text[0].islower() or text in self.aliases:
                self._refer(node, text, many=True, sure=on_stack or "#" in text)

    def form(self, node: Node, text: str, *, prefixes: bool = True) -> str | None:
        """Check a reference's form and give the bare name, or None; ``prefixes``: it may be on the stack."""
        if not text:
            return None
        if "#" in text and text not in self.declared and not _NUMBERED.match(text):
            expected = "a name, '#' and a number from 1 on, such as 'Island#2'"
            self.reader.report(node, f"{shown(text)} is no reference", expected)
            return None
        if text.startswith(_PREFIXES) and not prefixes:
            self.reader.report(node, f"{shown(text)} is on the stack", "a permanent or a player")
            return None
        name = bare_name(text)
        if text.strip() in ("ability of", "copy of") or not name.strip():
            self.reader.report(node, f"{shown(text)} names nothing", "'ability of NAME' or 'copy of NAME'")
            return None
        return name

    def check(self, known: KnownNames | None) -> tuple[str, ...]:
        """Report references to what is nowhere declared; give the names mentioned, declared ones first."""
        names = {**self.cards, **self.tokens}
        for alias, node in self.aliases.items():
            others = (card for card in self.cards if card != self.alias_cards[alias])
            if alias in self.declared and any(alias in known_by(card) for card in others):
                message = f"the alias {shown(alias)} is also the name of another card here"
                self.reader.report(node, message, "another word")
        # Where a card is unknown itself, nobody can say what its other face or its tokens are called.
        judge = known if known is not None and all(map(known, self.cards)) else None
        for mention in self._mentions:
            name = mention.name
            if not name or name in self.aliases:
                continue
            if self.declares(name) or name.endswith(" Token") or not self._is_mistake(mention, judge):
                names[name] = None
            else:
                self._undeclared(mention)
        return tuple(names)

    def _is_mistake(self, mention: _Mention, known: KnownNames | None) -> bool:
        name = mention.name
        if known is not None and known(name):
            return False
        if mention.sure and name[0].islower():
            # Names of cards begin with a capital, and aliases are declared.
            return True
        if known is None:
            return False
        return mention.sure or self.reader.guess(name, (*self.aliases, *self.declared)) is not None

    def _refer(self, node: ScalarNode, text: str, *, many: bool, sure: bool) -> None:
        number = counted(text)
        if number is not None and text not in self.declared:
            if number[0] < 1:
                self.reader.report(node, f"{shown(text)} names no object", "a number from 1 on")
            elif not many:
                self.reader.report(node, f"{shown(text)} names {number[0]} objects", "one object")
            text = number[1]
        name = self.form(node, text)
        if name is not None:
            self._mentions.append(_Mention(node, name, sure))

    def _absent(self, node: ScalarNode) -> None:
        message = f"{node.text} does not play in this case"
        self.reader.report(node, message, f"{_either(self.players)}, or {node.text} in 'given'")

    def _undeclared(self, mention: _Mention) -> None:
        candidates = (*self.aliases, *sorted(self.declared), *self.players, *RESERVED[4:])
        message = f"{shown(mention.name)} is nowhere declared and is no name of a card or token"
        suggestion = self.reader.guess(mention.name, candidates)
        self.reader.report(mention.node, message, "an alias or a name of 'given'", suggestion)


def _either(words: tuple[str, ...]) -> str:
    return " or ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} or {words[-1]}"
