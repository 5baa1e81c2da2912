"""The board at the start of a case as a picture: SVG within the page, colored by the page's style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from judgecall.harness.phrase import value_text
from judgecall.schema.model import Given, ObjectGiven, PlayerGiven
from markupsafe import Markup, escape

__all__ = ["board_svg", "given_text"]

WIDTH = 432
_PAD = 8
_GAP = 6
_CARD = (66, 86)
"""Width and height of a card that stands upright; tapped, it lies."""
_LABEL = 16
_LINE = 12
_LETTERS = 9
"""Letters that fit into a line of a card that stands upright."""
_SQUEEZED = 5
"""Letters more than that which a word may have before it is broken: it is written narrower."""
_LANDS = {"Plains": "w", "Island": "u", "Swamp": "b", "Mountain": "r", "Forest": "g"}
_ZONES = ("battlefield", "hand", "graveyard", "exile", "command", "library", "deck")


@dataclass(frozen=True, slots=True)
class _Pile:
    """Objects that look alike, drawn once."""

    name: str
    notes: tuple[str, ...]
    count: int
    tapped: bool
    face_down: bool
    token: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height: a card is as high as what is written on it needs."""
        width, height = _CARD[::-1] if self.tapped else _CARD
        lines = len(self.name_lines) + len(self.note_lines) + bool(self.corner)
        return width, max(height, lines * _LINE + 8)

    @property
    def letters(self) -> int:
        """Letters that fit into a line."""
        return _LETTERS * _CARD[1] // _CARD[0] if self.tapped else _LETTERS

    @property
    def name_lines(self) -> list[str]:
        """The name, in lines."""
        return _wrapped(self.name, self.letters)

    @property
    def note_lines(self) -> list[str]:
        """The notes, in lines of a smaller print."""
        return [line for note in self.notes for line in _wrapped(note, self.letters + 1)]

    @property
    def corner(self) -> str:
        """What stands in the lower right corner."""
        return " ".join([*(["tapped"] if self.tapped else []), *([f"×{self.count}"] if self.count > 1 else [])])


def board_svg(given: Given) -> Markup:
    """Draw a starting state: the opponents above, alice below."""
    parts: list[str] = []
    y = _PAD
    for player in (*reversed(given.players[1:]), given.players[0]):
        y = _player(parts, given, player, y, mirrored=player is not given.players[0])
    title = escape("The board at the start. " + given_text(given))
    return Markup(
        f'<svg class="board" viewBox="0 0 {WIDTH} {y}" role="img"><title>{title}</title>{"".join(parts)}</svg>'
    )


def given_text(given: Given) -> str:
    """A starting state in words."""
    sentences = [f"Turn {given.turn}, {given.active}'s {given.step}"]
    for player in given.players:
        words = [f"{player.name}: life {player.life}", *_extras(player)]
        for zone in _ZONES:
            objects = getattr(player, zone)
            if objects and not _default_library(objects):
                words.append(f"{zone} " + ", ".join(_in_words(pile) for pile in _piles(objects)))
        sentences.append("; ".join(words))
    return ". ".join(sentences) + "."


def _in_words(pile: _Pile) -> str:
    notes = [*(["tapped"] if pile.tapped else []), *pile.notes]
    count = f"{pile.count} " if pile.count > 1 else ""
    return f"{count}{pile.name}" + (f" ({', '.join(notes)})" if notes else "")


def _extras(player: PlayerGiven) -> list[str]:
    words = [f"{number} {kind} counter{'' if number == 1 else 's'}" for kind, number in player.counters.items()]
    if player.mana:
        words.append(f"mana {player.mana}")
    if player.lands_played:
        words.append(f"{player.lands_played} land{'' if player.lands_played == 1 else 's'} played")
    return words


def _default_library(objects: tuple[ObjectGiven, ...]) -> bool:
    return objects[0].order is None and ".library.default." in objects[0].handle


def _player(parts: list[str], given: Given, player: PlayerGiven, y: int, *, mirrored: bool) -> int:
    """Draw a player's part; gives where the next one begins."""
    start = y
    body: list[str] = []
    active = player.name == given.active
    notes = [f"turn {given.turn}, {given.step}"] if active else []
    notes += [*_extras(player), *([f"it is {given.day_night}"] if active and given.day_night else [])]
    y += 18
    body.append(f'<text class="who" x="{_PAD + 6}" y="{y}">{escape(f"{player.name}: {player.life} life")}</text>')
    if notes:
        text = escape(", ".join(notes))
        body.append(f'<text class="note" x="{WIDTH - _PAD - 6}" y="{y}" text-anchor="end">{text}</text>')
    y = _zones(body, player, _ZONES[::-1] if mirrored else _ZONES, y + 8) + 4
    style = "seat active" if active else "seat"
    place = f'x="{_PAD // 2}" y="{start}" width="{WIDTH - _PAD}" height="{y - start}"'
    parts.append(f'<rect class="{style}" {place} rx="6"/>')
    parts += body
    return y + _GAP


def _zones(body: list[str], player: PlayerGiven, zones: Sequence[str], y: int) -> int:
    """Draw zones from left to right, and on below where there is no room."""
    left, right = _PAD + 6, WIDTH - _PAD
    x, height = left, 0
    for zone in zones:
        objects: tuple[ObjectGiven, ...] = getattr(player, zone)
        if not objects or _default_library(objects):
            continue
        label = f"{zone}, top first" if zone == "library" and len(objects) > 1 else zone
        piles = list(_piles(objects))
        least = len(label) * 6
        for number, pile in enumerate(piles):
            width, tall = pile.size
            if x + max(width, 0 if number else least) > right and x > left:
                x, y, height = left, y + height + _GAP, 0
            if not number:
                body.append(f'<text class="zone" x="{x}" y="{y + 11}">{escape(label)}</text>')
            body.append(_card(pile, x, y + _LABEL))
            x += (max(width, least) if len(piles) == 1 else width) + _GAP
            height = max(height, _LABEL + tall)
        x += _GAP
    return y + height + (_GAP if height else 0)


def _piles(objects: tuple[ObjectGiven, ...]) -> Iterator[_Pile]:
    """Objects in their order, those that stand side by side and look alike as one."""
    for pile, alike in groupby(map(_pile, objects)):
        yield replace(pile, count=sum(1 for _ in alike))


def _pile(each: ObjectGiven) -> _Pile:
    name = each.card or f"{each.token_name} Token"
    notes = []
    if each.alias:
        notes.append(f"“{each.alias}”")
    if each.face_down:
        notes.append(f"face down: {each.face_down}")
    if each.copy_of:
        notes.append(f"as {each.copy_of}")
    if each.face == "back":
        notes.append("back face")
    if each.token and each.token_name is None:
        notes.append("token")
    for kind, number in (each.counters or {}).items():
        notes.append(f"{number} {kind}")
    if each.damage:
        notes.append(f"damage {each.damage}")
    if each.attached_to:
        notes.append(f"on {each.attached_to}")
    if each.controller:
        notes.append(f"under {each.controller}")
    if each.commander:
        notes.append("commander")
    if each.summoning_sick:
        notes.append("new this turn")
    if each.protector:
        notes.append(f"protected by {each.protector}")
    for kind, value in each.chosen.items():
        notes.append(f"{kind}: {value_text(value)}")
    token = each.token or each.token_name is not None
    return _Pile(name, tuple(notes), 1, each.tapped, each.face_down is not None, token)


def _card(pile: _Pile, x: int, y: int) -> str:
    width, height = pile.size
    kind = (
        " down"
        if pile.face_down
        else " token"
        if pile.token
        else f" land-{_LANDS[pile.name]}"
        if pile.name in _LANDS
        else ""
    )
    box = f'width="{width}" height="{height}" rx="4"'
    parts = [f'<rect class="card{kind}" x="{x + 3}" y="{y - 3}" {box}/>'] if pile.count > 1 else []
    parts.append(f'<rect class="card{kind}" x="{x}" y="{y}" {box}/>')
    at = y + 13
    for style, most, lines in (("name", pile.letters, pile.name_lines), ("state", pile.letters + 1, pile.note_lines)):
        for line in lines:
            narrow = f' textLength="{width - 8}" lengthAdjust="spacingAndGlyphs"' if len(line) > most else ""
            parts.append(f'<text class="{style}" x="{x + 4}" y="{at}"{narrow}>{escape(line)}</text>')
            at += _LINE
    if pile.corner:
        place = f'x="{x + width - 4}" y="{y + height - 5}" text-anchor="end"'
        parts.append(f'<text class="count" {place}>{escape(pile.corner)}</text>')
    return "".join(parts)


@cache
def _wrapped(text: str, letters: int) -> list[str]:
    """Words in lines of so many letters. A word that is a little longer stands alone; a longer one is broken."""
    lines = [""]
    for word in text.split():
        while len(word) > letters + _SQUEEZED:
            lines.append(word[: letters - 1] + "-")
            word = word[letters - 1 :]
        if not lines[-1] or len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] = f"{lines[-1]} {word}".strip()
        else:
            lines.append(word)
    return [line for line in lines if line]
