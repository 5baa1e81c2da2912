"""Which object a name in a case means: the section "Naming an object" of the case format.

`Names` remembers every object that an engine ever showed during a run, in the order listed or of appearance,
and under which names. A card is one thing from zone to zone (CR 400.7 makes a new object of it, with a new
id); tokens, copies and abilities are things of their own.
"""

from __future__ import annotations

import re

from judgecall.adapters.engine import ObjectView, View
from judgecall.schema.model import PLAYERS, Given, ObjectGiven

__all__ = [
    "AmbiguousName",
    "GoneName",
    "NameProblem",
    "Names",
    "Thing",
    "UnknownName",
    "halves",
    "split_number",
]

_NUMBERED = re.compile(r"(.+)#([1-9]\d*)\Z", re.DOTALL)


class NameProblem(Exception):
    """A name that does not lead to one object."""


class UnknownName(NameProblem):
    """No object has, or ever had, this name."""


class GoneName(UnknownName):
    """The object that had this name is in no zone any more."""


class AmbiguousName(NameProblem):
    """Several objects have this name now."""


def halves(name: str) -> tuple[str, ...]:
    """The names a full name stands for: itself, and its front half where it has two (``Fire // Ice``)."""
    front, found, _ = name.partition(" // ")
    return (name, front) if found else (name,)


def split_number(reference: str) -> tuple[str, int | None]:
    """``Island#2`` as (``Island``, 2); a name without a number as (name, None)."""
    match = _NUMBERED.match(reference)
    return (match[1], int(match[2])) if match else (reference, None)


class Thing:
    """One card, token, copy or ability, through all its zones."""

    __slots__ = ("alias", "default", "first", "generation", "id", "key", "names", "object")

    def __init__(self, key: str, alias: str | None = None, *, default: bool = False) -> None:
        self.key = key
        self.alias = alias
        self.default = default
        """Whether it is of a library that the case does not list."""
        self.names: tuple[str, ...] = ()
        """What it goes by now, or went by last."""
        self.first: tuple[str, ...] = ()
        """What it went by first: a token that has become a copy goes by both."""
        self.id: str | None = None
        """The engine's id of the object that it is now, or was last."""
        self.object: ObjectView | None = None
        self.generation = 0
        """The number of the view in which it was last seen."""


class Names:
    """The objects of one run and their names."""

    def __init__(self, given: Given) -> None:
        self.view: View | None = None
        """The last view observed."""
        self.generation = 0
        self._things: dict[str, Thing] = {}
        self._by_name: dict[str, list[Thing]] = {}
        self._by_alias: dict[str, Thing] = {}
        self._by_id: dict[str, Thing] = {}
        for declared in _listed(given):
            self._declare(declared)

    def _declare(self, declared: ObjectGiven) -> None:
        thing = Thing(declared.handle, declared.alias)
        self._things[declared.handle] = thing
        if declared.alias is not None:
            self._by_alias[declared.alias] = thing
        if declared.token_name is not None:
            # CR 111.4: a token's name is its subtypes plus the word "Token".
            names: tuple[str, ...] = (f"{declared.token_name} Token", declared.token_name)
        else:
            names = halves(declared.card)
        if declared.copy_of is not None:
            names += halves(declared.copy_of)
        self._rename(thing, names)

    def _rename(self, thing: Thing, names: tuple[str, ...]) -> None:
        if thing.object is not None and thing.object.kind == "token":
            names += tuple(name for name in thing.first if name not in names)
        thing.first = thing.first or names
        thing.names = names
        if thing.default:
            return
        for name in names:
            bearers = self._by_name.setdefault(name, [])
            if thing not in bearers:
                bearers.append(thing)

    def observe(self, view: View) -> None:
        """Take in what the engine shows now. Views must be given in the order in which they were made."""
        if view is self.view:
            return
        self.view = view
        self.generation += 1
        for id_, seen in view.objects.items():
            # What waits in an unlisted library has no name that leads to it, and there is much of it.
            if seen.kind != "ability" and not (seen.zone == "library" and _is_default(seen.card)):
                self._see(id_, seen)
        for id_ in reversed(view.stack):
            on_stack = view.objects.get(id_)
            if on_stack is not None and on_stack.kind == "ability":
                self._see(id_, on_stack)

    def _see(self, id_: str, seen: ObjectView) -> None:
        key = seen.card or id_
        thing = self._things.get(key)
        if thing is None:
            thing = self._things[key] = Thing(key, default=_is_default(seen.card))
        before = thing.object
        thing.object = seen
        thing.generation = self.generation
        if thing.id != id_:
            thing.id = id_
            self._by_id[id_] = thing
        if before is None or before.name != seen.name or before.card_name != seen.card_name or before.kind != seen.kind:
            self._rename(thing, self._names_of(seen) or thing.names)

    def _names_of(self, seen: ObjectView) -> tuple[str, ...]:
        """What an object goes by: as it is, and as the front face of its card."""
        if seen.kind == "ability":
            sources = self.source_names(seen)
            sourceless = seen.source is None and not sources
            return ("ability",) if sourceless else tuple(f"ability of {name}" for name in sources)
        if seen.kind == "copy":
            known = dict.fromkeys((*halves(seen.name), *halves(seen.card_name or "")))
            return tuple(f"copy of {name}" for name in known if name)
        names = halves(seen.name) if seen.name else ()
        if seen.card_name and seen.card_name != seen.name:
            names += tuple(name for name in halves(seen.card_name) if name not in names)
        return names

    def source_names(self, ability: ObjectView) -> list[str]:
        """The names and the alias of the object that an ability is of."""
        names = list(halves(ability.source_name)) if ability.source_name else []
        source = self._things.get(ability.source_card) if ability.source_card else None
        if source is None and ability.source is not None:
            source = self._by_id.get(ability.source)
        if source is not None:
            names += [name for name in source.names if name not in names]
            if source.alias is not None:
                names.append(source.alias)
        return names

    def is_live(self, thing: Thing) -> bool:
        """Whether it is in some zone, by the last view. An engine may still show what is nowhere."""
        seen = self.shown(thing)
        return seen is not None and seen.zone != "nowhere"

    def shown(self, thing: Thing) -> ObjectView | None:
        """What the last view shows of it, if anything."""
        return thing.object if thing.generation == self.generation else None

    def thing(self, id_: str) -> Thing | None:
        """What the engine calls ``id_``, or once called so."""
        return self._by_id.get(id_)

    def find(self, reference: str) -> Thing:
        """The one thing that a name, alias or ``NAME#n`` means.

        It may be gone: `is_live` tells.

        Raises:
            UnknownName: nothing has or had this name.
            AmbiguousName: several things have it now.
        """
        base, number = split_number(reference)
        base = self._without_alias(base)
        bearers = self._bearers(base)
        if number is not None:
            if number <= len(bearers):
                return bearers[number - 1]
            raise UnknownName(f"there is no {reference}: {_as_many(len(bearers))} had that name")
        current = [thing for thing in bearers if self.is_live(thing) and self._goes_by(thing, base)]
        if len(current) == 1:
            return current[0]
        by_alias = self._by_alias.get(reference)
        if by_alias is not None:
            return by_alias
        if current:
            raise AmbiguousName(f"{len(current)} objects go by {reference}: use an alias, or {reference}#n")
        for thing in bearers:
            if not self.is_live(thing):
                return thing
        return self._default(base)

    def _goes_by(self, thing: Thing, name: str) -> bool:
        return any(half in thing.names for half in halves(name))

    def _bearers(self, name: str) -> list[Thing]:
        """Everything that ever had a name, in the order in which it came to have it."""
        for half in halves(name):
            found = self._by_name.get(half)
            if found:
                return found
        return []

    def _without_alias(self, name: str) -> str:
        """``copy of ALIAS`` as ``copy of NAME``; anything else as it is."""
        before, copy, alias = name.partition("copy of ")
        original = self._by_alias.get(alias) if copy and not before else None
        return f"copy of {original.names[0]}" if original is not None and original.names else name

    def _default(self, name: str) -> Thing:
        """A card of an unlisted library: they are all alike, and one that has left it is meant first."""
        inside: ObjectView | None = None
        for seen in self.view.objects.values() if self.view is not None else ():
            if _is_default(seen.card) and name in self._names_of(seen):
                if seen.zone != "library":
                    return self._things[seen.card or seen.id]
                inside = inside or seen
        if inside is None:
            raise UnknownName(f"no object goes by {name}")
        self._see(inside.id, inside)
        return self._things[inside.card or inside.id]

    def ever(self, name: str) -> int:
        """How many things ever went by a name."""
        return len(self._bearers(name))

    def every(self, name: str) -> list[Thing]:
        """All live things that go by a name, in order."""
        return [t for t in self._bearers(name) if self.is_live(t) and self._goes_by(t, name)]

    def id_of(self, reference: str) -> str:
        """A player's name as it is, or the id of the live object that a name means.

        Raises:
            NameProblem: it means none, several, or one that is gone.
        """
        if reference in PLAYERS:
            return reference
        thing = self.find(reference)
        if not self.is_live(thing) or thing.id is None:
            raise GoneName(f"{reference} is nowhere: it is gone")
        return thing.id

    def means(self, reference: str, id_: str) -> bool:
        """Whether a reference can mean the object ``id_``, by any of its names, its alias or its number."""
        if reference == id_:
            return True
        thing = self._by_id.get(id_)
        if thing is None:
            return False
        base, number = split_number(reference)
        base = self._without_alias(base)
        if number is not None:
            bearers = self._bearers(base)
            return number <= len(bearers) and bearers[number - 1] is thing
        return self._goes_by(thing, base) or (thing.alias is not None and thing.alias == reference)

    def same(self, reference: str, id_: str) -> bool:
        """Whether a reference means the thing that ``id_`` is or was, or is that player's name."""
        if reference in PLAYERS or id_ in PLAYERS:
            return reference == id_
        thing = self._by_id.get(id_)
        try:
            return thing is not None and self.find(reference) is thing
        except NameProblem:
            return False

    def label(self, id_: str) -> str:
        """What to call an object in a message: its name, with its alias, or its number if others share it."""
        if id_ in PLAYERS:
            return id_
        thing = self._by_id.get(id_)
        if thing is None or not thing.names:
            seen = self.view.objects.get(id_) if self.view is not None else None
            return (seen.name or seen.card_name or id_) if seen is not None else id_
        name = thing.names[0]
        if thing.alias is not None:
            return f"{name} ({thing.alias})"
        bearers = self._by_name.get(name, [])
        if len(bearers) > 1 and thing in bearers:
            return f"{name}#{bearers.index(thing) + 1}"
        return name

    def known(self, reference: str) -> bool:
        """Whether anything that a case lists, or that appeared, has or had this name, alias or number."""
        if reference in self._by_alias:
            return True
        base, number = split_number(reference)
        return len(self._bearers(self._without_alias(base))) >= (number or 1)


def _listed(given: Given) -> list[ObjectGiven]:
    """The objects that a case lists, in order: no deck, and no library that it leaves out."""
    objects = [
        declared
        for player in given.players
        for zone in (
            player.hand,
            player.battlefield,
            player.graveyard,
            player.library,
            player.exile,
            player.command,
        )
        for declared in zone
        if declared.order is not None
    ]
    objects.sort(key=lambda declared: declared.order or 0)
    return objects


def _is_default(handle: str | None) -> bool:
    return handle is not None and ".library.default." in handle


def _as_many(count: int) -> str:
    return {0: "no object", 1: "only one object"}.get(count, f"only {count} objects")
