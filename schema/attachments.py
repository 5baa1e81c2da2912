"""What ``attached_to`` names, once all objects of a starting state are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from judgecall.schema.errors import shown
from judgecall.schema.model import PLAYERS, ZONES, ObjectGiven, PlayerGiven
from judgecall.schema.names import Names, bare_name, known_by
from judgecall.schema.reading import Reader
from judgecall.schema.yaml_tree import Node

__all__ = ["resolve_attachments"]


def resolve_attachments(
    reader: Reader, names: Names, players: Iterable[PlayerGiven], attached: Mapping[str, Node]
) -> tuple[PlayerGiven, ...]:
    """Give the players with every ``attached_handle`` filled in; ``attached`` has the node by handle."""
    players = tuple(players)
    if not attached:
        return players
    resolver = _Resolver(reader, names, players)

    def resolved(thing: ObjectGiven) -> ObjectGiven:
        if thing.handle not in attached or not thing.attached_to:
            return thing
        return replace(thing, attached_handle=resolver.target(attached[thing.handle], thing))

    return tuple(
        replace(player, battlefield=tuple(resolved(thing) for thing in player.battlefield)) for player in players
    )


class _Resolver:
    """Finds permanents by what they go by."""

    def __init__(self, reader: Reader, names: Names, players: tuple[PlayerGiven, ...]) -> None:
        self.reader = reader
        self.names = names
        listed = [
            thing for player in players for zone in ZONES for thing in getattr(player, zone) if thing.order is not None
        ]
        listed.sort(key=lambda thing: thing.order)
        self._permanents = {thing.handle for player in players for thing in player.battlefield}
        self._named: dict[str, list[ObjectGiven]] = {}
        self._aliased = {thing.alias: thing for thing in listed if thing.alias is not None}
        self._with_unsaid_back: list[ObjectGiven] = []
        for thing in listed:
            for name in _names_of(thing):
                self._named.setdefault(name, []).append(thing)
            if thing.face == "back" and " // " not in thing.card and thing.handle in self._permanents:
                self._with_unsaid_back.append(thing)

    def target(self, node: Node, thing: ObjectGiven) -> str | None:
        """Give the handle or player that a thing is attached to, or report why there is none."""
        reference = thing.attached_to or ""
        if reference in PLAYERS:
            return reference
        found = self._found(reference)
        others = [other for other in found if other is not thing]
        if len(others) == 1:
            return others[0].handle
        name = bare_name(reference)
        if others:
            expected = f"an alias, or a number such as {shown(name + '#2')}"
            self.reader.report(node, f"{shown(reference)} names {len(others)} permanents", expected)
        elif found:
            self.reader.report(node, f"{shown(reference)} is attached to itself", "another permanent")
        elif self.names.declares(name):
            message = f"{shown(reference)} is not on the battlefield"
            self.reader.report(node, message, "a permanent or a player")
        else:
            known = (*self.names.aliases, *self.names.declared, *self.names.players)
            message = f"{shown(reference)} is nowhere declared"
            self.reader.report(node, message, "a permanent or a player", self.reader.guess(name, known))
        return None

    def _found(self, reference: str) -> list[ObjectGiven]:
        """Give the permanents that a reference may mean."""
        name = bare_name(reference)
        named = self._named.get(name) or self._named.get(name.partition(" // ")[0], [])
        if name != reference:
            number = int(reference.rpartition("#")[2])
            named = named[number - 1 : number]
        found = [thing for thing in named if thing.handle in self._permanents]
        if not found and name == reference and name in self._aliased:
            found = [thing for thing in (self._aliased[name],) if thing.handle in self._permanents]
        if not found and not self.names.declares(name):
            # It may be the name of a back face, which a case need not say elsewhere.
            found = self._with_unsaid_back
        return found


def _names_of(thing: ObjectGiven) -> set[str]:
    names = known_by(thing.card) if thing.card else set()
    if thing.token_name is not None:
        names |= {thing.token_name, f"{thing.token_name} Token"}
    if thing.copy_of is not None:
        names |= known_by(thing.copy_of)
    return names
