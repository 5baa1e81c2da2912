"""How instructions name objects and players (CR 109.2–109.5, 608.2h–k)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["current"]


def current(thing: Any) -> Any | None:
    """The object that a card became in the zone it went to, if it is still there (CR 400.7), else None."""
    if not isinstance(thing, Object) or not thing.gone:
        return thing
    after = thing.became
    return after if after is not None and not after.gone else None


# -- objects -------------------------------------------------------------------------------------------------


@word("objects", "this")
def this(ctx: Context) -> list[Object]:
    """The object whose ability it is, as it is or last was."""
    return [ctx.this] if ctx.this is not None else []


@word("objects", "this card")
def this_card(ctx: Context) -> list[Object]:
    """The same card in the zone that it went to, if it is there (CR 400.7)."""
    found = current(ctx.this)
    return [found] if found is not None else []


@word("objects", "this spell")
def this_spell(ctx: Context) -> list[Object]:
    """The spell or ability that resolves."""
    return [ctx.stack] if ctx.stack is not None else []


def _group(ctx: Context, n: int) -> list[Any]:
    return list(ctx.groups[n]) if n < len(ctx.groups) else []


@word("objects", "target")
def target(ctx: Context) -> list[Any]:
    """What the first use of the word "target" chose, as far as it is still legal (CR 608.2c, 700.7)."""
    return _group(ctx, 0)


@word("objects", "target 2")
def target_2(ctx: Context) -> list[Any]:
    """What the second use of the word "target" chose."""
    return _group(ctx, 1)


@word("objects", "target 3")
def target_3(ctx: Context) -> list[Any]:
    """What the third use of the word "target" chose."""
    return _group(ctx, 2)


@word("objects", "targets")
def targets(ctx: Context) -> list[Any]:
    """Everything targeted that is still legal."""
    return [thing for group in ctx.groups for thing in group]


@word("objects", "that")
def that(ctx: Context) -> list[Any]:
    """What the triggering or replaced event happened to, as it is or last was (CR 608.2k)."""
    found = ctx.event.get("that")
    return [found] if found is not None else []


@word("objects", "those")
def those(ctx: Context) -> list[Any]:
    """All that the triggering event happened to."""
    found = ctx.event.get("those")
    return list(found) if found is not None else that(ctx)


@word("objects", "that card")
def that_card(ctx: Context) -> list[Any]:
    """The same card in the zone that it went to, if it is there."""
    found = current(ctx.event.get("that"))
    return [found] if found is not None else []


@word("objects", "those cards")
def those_cards(ctx: Context) -> list[Any]:
    """The same cards in the zones that they went to."""
    return [found for found in map(current, those(ctx)) if found is not None]


@word("objects", "that source")
def that_source(ctx: Context) -> list[Any]:
    """The source or agent of the triggering event: what dealt the damage, what blocks, what targets (CR 608.2k)."""
    found = ctx.event.get("source")
    return [found] if found is not None else []


@word("objects", "each")
def each(ctx: Context) -> list[Any]:
    """The one that a "for each" is about."""
    return [ctx.each] if ctx.each is not None else []


@word("objects", "it")
def it(ctx: Context) -> list[Any]:
    """What the instruction before was about, or made."""
    return list(ctx.results.get("it", ()))


@word("objects", "result", name="text")
def result(ctx: Context, name: str) -> list[Any]:
    """What an earlier instruction named with ``as``, or a cost that was paid (``sacrificed``, ``discarded`` …)."""
    found = ctx.results.get(name)
    if found is None:
        found = ctx.paid.get(name, ())
    return list(found) if isinstance(found, (list, tuple)) else []


@word("objects", "attached")
def attached(ctx: Context) -> list[Any]:
    """What the source is attached to: the enchanted or equipped object or player."""
    if ctx.this is None or ctx.this.attached_to is None:
        return []
    return [ctx.this.attached_to]


@word("objects", "linked", key="text=exiled")
def linked(ctx: Context, key: str) -> list[Any]:
    """What the source's linked ability exiled or chose (CR 607), as far as it is still there."""
    from judgecall.oracle import objects

    if ctx.this is None:
        return []
    if ctx.stack is not None and ctx.stack.ability is not None and not _printed(ctx.game, ctx.this, ctx.stack.ability):
        ctx.game.trace.cite("607.5")
    return [thing for thing in objects.linked(ctx.game, ctx.this, key) if not thing.gone]


def _printed(game: Game, obj: Object, ability: Any) -> bool:
    """Whether an ability is the object's own: printed on it, or copied."""
    from judgecall.oracle import objects

    return any(part is ability for own in objects.layer_one(game, obj).abilities for part in own.all_parts)


@word("objects", "chosen", key="text=object")
def chosen(ctx: Context, key: str) -> list[Any]:
    """The object or player that was chosen for the source."""
    from judgecall.oracle import linking

    found = linking.chosen(ctx.game, ctx.this, key)
    return [found] if found is not None else []


@word("objects", "all", filter="filter")
def all_(ctx: Context, filter: Filter) -> list[Any]:
    """Everything as described."""
    return ctx.choosable(filter)


@word("objects", "those of", objects="objects", where="filter=", but="objects=")
def those_of(ctx: Context, objects: list[Any], where: Filter | None, but: list[Any] | None) -> list[Any]:
    """Those of a reference that are as described; ``but``: the rest, without these."""
    return [
        thing
        for thing in objects
        if (where is None or ctx.matches(where, thing)) and not any(thing is other for other in but or ())
    ]


@word("objects", "cards of", objects="objects")
def cards_of(ctx: Context, objects: list[Any]) -> list[Any]:
    """The cards of a reference in the zones that they went to."""
    return [found for found in map(current, objects) if found is not None]


@word("objects", "union", of="raw")
def union(ctx: Context, of: tuple[Node, ...]) -> list[Any]:
    """Several references together, each thing once."""
    found: list[Any] = []
    for node in of:
        for thing in ctx.objects(node):
            if not any(thing is other for other in found):
                found.append(thing)
    return found


@word("objects", "top", n="amount=1", who="players=you")
def top(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """The top cards of each of these players' libraries."""
    entering = ctx.game.fresh.get("entering", ())
    if entering:
        ctx.game.trace.cite("614.13c")
    found: list[Any] = []
    for player in who:
        found.extend([card for card in player.library_cards if card.id not in entering][: max(n, 0)])
    return found


@word("objects", "hand of", who="players")
def hand_of(ctx: Context, who: list[Player]) -> list[Any]:
    """The cards in these players' hands."""
    return [card for player in who for card in player.hand]


@word("objects", "graveyard of", who="players")
def graveyard_of(ctx: Context, who: list[Player]) -> list[Any]:
    """The cards in these players' graveyards."""
    return [card for player in who for card in player.graveyard]


@word("objects", "top of graveyard", where="filter=", n="amount=1", who="players=you")
def top_of_graveyard(ctx: Context, where: Filter | None, n: int, who: list[Player]) -> list[Any]:
    """The top cards as described of each of these players' graveyards: those put there last (CR 404.1)."""
    found: list[Any] = []
    for player in who:
        found.extend([card for card in player.graveyard[::-1] if ctx.matches(where, card)][:n])
    return found


@word("objects", "player", who="players")
def player(ctx: Context, who: list[Player]) -> list[Any]:
    """Players, where a reference may name them (damage)."""
    return list(who)


@word("objects", "blocking this")
def blocking_this(ctx: Context) -> list[Any]:
    """The creatures that block the source."""
    return [thing for thing in ctx.game.battlefield if any(other is ctx.this for other in thing.blocking)]


@word("objects", "attached to", objects="objects")
def attached_to(ctx: Context, objects: list[Any]) -> list[Any]:
    """What is attached to these, or was as they left."""
    found = [thing for thing in ctx.game.battlefield if any(thing.attached_to is other for other in objects)]
    for other in objects:
        if isinstance(other, Object) and other.gone:
            found.extend(thing for thing in other.linked.get("attachments", ()) if not thing.gone)
    return found


@word("objects", "source of", objects="objects")
def source_of(ctx: Context, objects: list[Any]) -> list[Any]:
    """The sources of abilities on the stack."""
    return [thing.source for thing in objects if isinstance(thing, Object) and thing.source is not None]


@word("objects", "commanders of", who="players")
def commanders_of(ctx: Context, who: list[Player]) -> list[Any]:
    """The commanders that these players own."""
    return [
        card.now for card in ctx.game.cards.values() if card.commander and card.owner in who and card.now is not None
    ]


# -- players -------------------------------------------------------------------------------------------------


@word("players", "you")
def you(ctx: Context) -> list[Player]:
    """The controller of the spell or ability (CR 109.5)."""
    return [ctx.you]


@word("players", "opponent")
def opponent(ctx: Context) -> list[Player]:
    """The opponents of "you"."""
    return list(ctx.game.opponents(ctx.you))


@word("players", "each opponent")
def each_opponent(ctx: Context) -> list[Player]:
    """The opponents of "you", in APNAP order."""
    return [player for player in ctx.game.apnap() if player is not ctx.you]


@word("players", "each player")
def each_player(ctx: Context) -> list[Player]:
    """All players, in APNAP order (CR 101.4)."""
    return list(ctx.game.apnap())


@word("players", "each other player", who="players")
def each_other_player(ctx: Context, who: list[Player]) -> list[Player]:
    """All players but these."""
    return [player for player in ctx.game.apnap() if player not in who]


@word("players", "active player")
def active_player(ctx: Context) -> list[Player]:
    """The active player (CR 102.1)."""
    return [ctx.game.active]


@word("players", "nonactive player")
def nonactive_player(ctx: Context) -> list[Player]:
    """The players whose turn it is not (CR 102.1)."""
    return [player for player in ctx.game.apnap() if player is not ctx.game.active]


def _in_order(ctx: Context, players: list[Player]) -> list[Player]:
    """In APNAP order, in which players choose and act (CR 101.4)."""
    return [player for player in ctx.game.apnap() if player in players]


def _players(things: list[Any]) -> list[Player]:
    return [thing for thing in things if isinstance(thing, Player) and not thing.left]


@word("players", "target")
def target_player(ctx: Context) -> list[Player]:
    """The players among the first targets, in APNAP order."""
    return _in_order(ctx, _players(_group(ctx, 0)))


@word("players", "target 2")
def target_player_2(ctx: Context) -> list[Player]:
    """The players among the second targets, in APNAP order."""
    return _in_order(ctx, _players(_group(ctx, 1)))


@word("players", "that player")
def that_player(ctx: Context) -> list[Player]:
    """The player that the triggering event is about."""
    found = ctx.event.get("player")
    if found is None:
        thing = ctx.event.get("that")
        found = thing if isinstance(thing, Player) else None
    return [found] if found is not None else []


@word("players", "controller of", objects="objects")
def controller_of(ctx: Context, objects: list[Any]) -> list[Player]:
    """The controllers of these objects, as they are or last were; outside battlefield and stack the owners."""
    found = []
    for thing in objects:
        who = thing
        if isinstance(thing, Object):
            who = thing.controller if thing.zone in ("battlefield", "stack") else thing.owner
        if who not in found:
            found.append(who)
    return found


@word("players", "owner of", objects="objects")
def owner_of(ctx: Context, objects: list[Any]) -> list[Player]:
    """The owners of these objects."""
    found: list[Player] = []
    for thing in objects:
        if isinstance(thing, Object) and thing.owner not in found:
            found.append(thing.owner)
    return found


@word("players", "defending player")
def defending_player(ctx: Context) -> list[Player]:
    """The player whom the source attacks, or who controls or protects what it attacks (CR 508.5)."""
    from judgecall.oracle import combat

    about = ctx.event.get("that") if isinstance(ctx.event.get("that"), Object) else None
    if ctx.event.get("defender") is not None:
        found = combat.defending_player(ctx.game, ctx.event["defender"])
    elif ctx.this is not None and ctx.this.attacking is not None:
        found = combat.defending_player(ctx.game, ctx.this.attacking)
    elif about is not None and about.attacking is not None:
        found = combat.defending_player(ctx.game, about.attacking)
    else:
        return []
    return [found] if found is not None else []


@word("players", "each", who="players=")
def each_one(ctx: Context, who: list[Player] | None) -> list[Player]:
    """The player that a "for each" is about."""
    return [ctx.each] if isinstance(ctx.each, Player) else []


@word("players", "attached")
def attached_player(ctx: Context) -> list[Player]:
    """The enchanted player (CR 303.4)."""
    return _players(attached(ctx))


@word("players", "chosen", key="text=player")
def chosen_player(ctx: Context, key: str) -> list[Player]:
    """The player chosen for the source."""
    return _players(chosen(ctx, key))


@word("players", "result", name="text")
def result_players(ctx: Context, name: str) -> list[Player]:
    """The players that an earlier instruction named."""
    return _players(result(ctx, name))


@word("players", "union", of="raw")
def union_players(ctx: Context, of: tuple[Node, ...]) -> list[Player]:
    """Several references together."""
    found: list[Player] = []
    for node in of:
        found.extend(player for player in ctx.players(node) if player not in found)
    return found


@word("players", "protector of", objects="objects")
def protector_of(ctx: Context, objects: list[Any]) -> list[Player]:
    """The protectors of these battles (CR 310.8)."""
    found = [thing.chosen.get("protector") for thing in objects if isinstance(thing, Object)]
    return [player for player in found if player is not None]
