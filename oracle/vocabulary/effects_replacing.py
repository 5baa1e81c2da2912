"""Instructions inside a replacement or prevention effect (CR 614, 615): what happens instead, or how."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import applying, linking, preventing
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.effects_zones import event, happen
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word(
    "effect",
    "go to",
    zone="text",
    position="place=",
    reveal="bool=false",
    shuffle="bool=false",
    under="players=",
)
def go_to(ctx: Context, zone: str, position: Any, reveal: bool, shuffle: bool, under: list[Player] | None) -> None:
    """What would move goes to another zone instead (CR 614.6)."""
    changed = ctx.results["event"]
    changed.to = zone
    changed.position = position
    changed.new = None
    if under:
        changed.details["controller"] = under[0]
    ctx.results["kept"] = True
    if reveal and changed.obj is not None:
        happen(ctx, [event("reveal", changed.obj)])
    if shuffle and changed.obj is not None:
        changed.details["shuffle after"] = True


@word("effect", "link it", key="text=exiled")
def link_it(ctx: Context, key: str) -> None:
    """What goes elsewhere is linked there with the source (CR 607.2a)."""
    changed = ctx.results["event"]
    if changed.obj is None or ctx.this is None or not ctx.results["kept"]:
        return
    if changed.new is None:
        changed.new = applying.fresh(ctx.game, changed)
    linking.link(ctx.game, ctx.this, key, [changed.new])


@word("effect", "draw instead", n="amount")
def draw_instead(ctx: Context, n: int) -> None:
    """In place of a draw so many are drawn, to which the same effect does not apply again (CR 614.5, 614.11)."""
    changed = ctx.results["event"]
    for _ in range(n - 1):  # one after another (CR 121.2)
        happen(ctx, [changed.but()])
    ctx.results["kept"] = n > 0


@word("effect", "arrive with", counters="counters")
def arrive_with(ctx: Context, counters: Any) -> None:
    """What goes elsewhere has counters there from the start (CR 122.6)."""
    changed = ctx.results["event"]
    if changed.obj is None or not ctx.results["kept"]:
        return
    if changed.new is None:
        changed.new = applying.fresh(ctx.game, changed)
    made = [
        event("counters", changed.new, amount=ctx.amount(node), details={"kind": kind}, by=ctx.you)
        for kind, node in counters.items()
    ]
    ctx.results["extra"] = [*ctx.results.get("extra", ()), *made]


@word("effect", "amount becomes", n="amount")
def amount_becomes(ctx: Context, n: int) -> None:
    """The number in the event is another: of tokens, of each kind in proportion."""
    changed = ctx.results["event"]
    if changed.details.get("also") and changed.amount:
        more = tuple((made, count * n // changed.amount) for made, count in changed.details["also"])
        changed.details["also"] = more
    changed.amount = n
    ctx.results["kept"] = True


@word("effect", "under control of", who="players")
def under_control_of(ctx: Context, who: list[Player]) -> None:
    """What enters does so under another player's control (CR 110.2a)."""
    changed = ctx.results["event"]
    changed.details["controller"] = who[0]
    if changed.kind == "token":
        ctx.game.write(changed.new, "holder", who[0])
        ctx.game.write(changed.new, "controller", who[0])
    else:
        changed.new = None
    ctx.results["kept"] = True


@word("effect", "prevent it", n="amount=", then="effects=")
def prevent_it(ctx: Context, n: int | None, then: Any) -> None:
    """Damage is prevented (CR 615): all of it, or up to a number; what a shield has left is remembered.

    What is done besides (``then``) waits for `preventing.afterward`.
    """
    changed = ctx.results["event"]
    if changed.details.get("unpreventable"):  # CR 615.12: only what the effect does besides
        ctx.results["prevented"] = 0
        ctx.results["kept"] = True
        return
    effect = ctx.results.get("effect")
    shield = ctx.results.get("shield")
    much = changed.amount
    if shield is not None:
        ctx.game.trace.cite("615.7")
        much = preventing.share(ctx, effect, changed, shield[0]) if effect is not None else min(much, shield[0])
        shield[0] -= much
        left = shield[0]
        shield[0] += much
        if effect is not None:
            _shrink(ctx, effect, left)
    elif n is not None:
        ctx.game.trace.cite("615.10")
        much = min(much, n)
    changed.amount -= much
    ctx.results["prevented"] = much
    ctx.game.trace.add(f"{much} damage is prevented", "615.1")
    ctx.results["kept"] = changed.amount > 0


def _shrink(ctx: Context, effect: Any, left: int) -> None:
    from dataclasses import replace

    kept = []
    for other in ctx.game.effects:
        if other is effect:
            if left > 0:
                context = {**other.context, "results": {**other.context.get("results", {}), "shield": [left]}}
                kept.append(replace(other, context=MappingProxyType(context)))
            continue
        kept.append(other)
    ctx.game.write(ctx.game, "effects", tuple(kept))


@word("effect", "keep it")
def keep_it(ctx: Context) -> None:
    """The event still happens, beside what else the effect does."""
    ctx.results["kept"] = True


@word("effect", "damage goes to", what="objects")
def damage_goes_to(ctx: Context, what: list[Any]) -> None:
    """Damage is dealt to something else instead (CR 614.9)."""
    changed = ctx.results["event"]
    things = [t for t in what if not (isinstance(t, Object) and t.gone)]
    ctx.results["kept"] = True
    if not things:
        return
    thing = things[0]
    changed.obj = thing if isinstance(thing, Object) else None
    changed.player = thing if isinstance(thing, Player) else None


@word("effect", "enter tapped")
def enter_tapped(ctx: Context) -> None:
    """What enters does so tapped (inside "as this enters")."""
    changed = ctx.results["event"]
    changed.details["tapped"] = True
    if changed.new is not None:
        ctx.game.write(changed.new, "tapped", True)


@word("effect", "enter with", counters="counters")
def enter_with(ctx: Context, counters: Any) -> None:
    """What enters, or is turned face up, does so with counters."""
    from judgecall.oracle import entering

    changed = ctx.results["event"]
    about = changed.new if changed.new is not None else changed.obj
    for kind, node in counters.items():
        entering.enter_with(ctx.game, changed, about, kind, ctx.amount(node))


@word("effect", "skip")
def skip(ctx: Context) -> None:
    """Nothing happens instead."""
