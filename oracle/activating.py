"""Activating abilities (CR 602), mana abilities among them (CR 605), and loyalty abilities (CR 606)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import (
    announcing,
    casting,
    choices,
    costs,
    events,
    layers,
    mana,
    objects,
    payment,
    statics,
    targets,
)
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.definitions import Activated, Cost, Node
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.ways import Request

__all__ = ["abilities", "activate", "activate_for_mana", "costs_mana", "could_activate"]


def abilities(game: Game, obj: Object) -> list[Activated]:
    """The activated abilities of an object in order: printed ones first, then those it has gained."""
    ch = layers.of(game, obj)
    own: list[Activated] = []
    gained: list[Activated] = []
    for ability, held in ch.each(Activated):
        (gained if held.granted else own).append(ability)
    return [*own, *gained]


def select(game: Game, player: Player, obj: Object, which: int | str | None) -> list[Activated]:
    """The abilities that an action may mean: by number, by keyword, or all."""
    found = abilities(game, obj)
    if isinstance(which, str):
        return [ability for ability in found if ability.keyword == which or ability.label == which]
    if which is not None:
        printed = [
            part
            for ability in objects.layer_one(game, obj).abilities
            for part in ability.all_parts
            if isinstance(part, Activated)
        ]
        if 1 <= which <= len(printed):
            wanted = printed[which - 1]
            return [ability for ability in found if ability is wanted]
        rest = [ability for ability in found if not any(ability is other for other in printed)]
        index = which - len(printed) - 1
        return [rest[index]] if 0 <= index < len(rest) else []
    return found


def activate(game: Game, player: Player, obj: Object, which: int | str | None, request: Request) -> Object | None:
    """Activate an ability (CR 602.2). Returns the ability on the stack, or None for a mana ability.

    Raises:
        Refused: with the rule and the stage; the state is as before.
    """
    found = select(game, player, obj, which)
    if not found:
        raise Refused("it has no such activated ability", "602.1", "permission")
    failure: Refused | None = None
    if len(found) > 1:
        found = [ability for ability in found if _legal_trial(game, player, obj, ability, request)] or found[:1]
    if which is None and len(found) > 1:
        found = _by_color(game, player, obj, found)
    for ability in found:
        mark = game.mark()
        try:
            return _activate(game, player, obj, ability, request)
        except targets.NoTargets:
            failure = Refused("there are not enough legal targets", "601.2c", "targets")
        except Refused as error:
            failure = error
        as_for_spells = ("602.2b",) if failure.stage in ("announce", "targets", "costs") else ()
        failure.also = (*failure.also, *ability.rules, *as_for_spells)
        game.undo(mark)
        break
    assert failure is not None
    raise failure


def _by_color(game: Game, player: Player, obj: Object, found: list[Activated]) -> list[Activated]:
    """Of mana abilities that differ in the one color they add (CR 305.6), the one that the player chooses."""
    ctx = Context(game, player, obj)
    runs = [mana.outputs(game, ability, ctx) if ability.mana else [] for ability in found]
    if any(len(outputs) != 1 or len(outputs[0]) != 1 for outputs in runs):
        return found
    names = {COLOR_OF.get(outputs[0][0].symbol, "colorless"): [one] for one, outputs in zip(found, runs, strict=True)}
    if len(names) < len(found):
        return found
    return names[choices.word(game, player, "color", tuple(names), "which color of mana", obj)]


def _legal_trial(game: Game, player: Player, obj: Object, ability: Activated, request: Request) -> bool:
    from judgecall.oracle import legality

    def attempt() -> None:
        copied = Request(**{name: getattr(request, name) for name in Request.__slots__})
        _activate(game, player, obj, ability, copied)

    return legality.search(game, attempt).legal


def could_activate(game: Game, player: Player, obj: Object, ability: Activated) -> bool:
    """Whether nothing but its cost in mana could stop the ability from being activated now."""
    try:
        _check(game, player, obj, ability)
    except Refused:
        return False
    ctx = Context(game, player, obj)
    for node in ability.cost.parts:
        if node.word == "tap this" and (obj.tapped or _sick(game, obj)):
            return False
        if node.word == "life" and player.life < ctx.amount(node.args["n"]):
            return False
        if node.word == "sacrifice" and not [
            thing for thing in ctx.all(node.args["filter"]) if thing.controller is player
        ]:
            return False
        if node.word == "remove":
            for kind, n in node.args["counters"].items():
                if isinstance(n, int) and objects.counters(obj, kind) < n:
                    return False
        if node.word == "discard" and not player.hand:
            return False
    return True


def _sick(game: Game, obj: Object) -> bool:
    """CR 302.6: a creature whose controller has not controlled it since that player's turn began, without haste."""
    from judgecall.oracle import turn

    ch = layers.of(game, obj)
    return "Creature" in ch.types and not ch.has("haste") and not turn.controlled_since_turn_began(game, obj)


def _check(game: Game, player: Player, obj: Object, ability: Activated) -> None:
    """Who may activate it, from where and when (CR 602.2, 602.5)."""
    from judgecall.oracle import turn

    zone = obj.zone
    if zone not in ability.zones and "any" not in ability.zones:
        raise Refused("the ability does not function there", "113.6", "permission")
    if obj.phased_out or (obj.face_down is not None and zone == "exile"):
        raise Refused("the object is not there", "702.26b", "permission")
    owner = obj.controller if zone in ("battlefield", "stack", "command") else obj.owner
    if owner is not player and not ability.anyone:
        raise Refused("only its controller may activate it", "602.2", "permission")
    ch = layers.of(game, obj)
    if "activate" in ch.cant and not (ability.mana and "activate mana" not in ch.cant):
        raise Refused("an effect says that its abilities can't be activated", "602.5", "permission")
    for node, ctx in statics.rules(game, "cant activate"):
        if player in ctx.players(node.args["who"]) and ctx.matches(node.args["filter"], obj):
            if ability.mana and not node.args.get("mana", True):
                continue
            raise Refused("an effect says that it can't be activated", "602.5", "permission")
    ctx = Context(game, player, obj)
    if ability.condition is not None and not ctx.holds(ability.condition):
        raise Refused("its condition does not hold", "602.5b", "permission")
    if ability.timing == "sorcery" and not (
        (game.active is player and turn.is_main(game) and not game.stack) or _as_instant(game, player, obj, ability)
    ):
        raise Refused("only when a sorcery could be cast", "606.3" if ability.loyalty else "602.5d", "permission")
    if ability.timing == "your turn" and game.active is not player:
        raise Refused("only during one's own turn", "602.5b", "permission")
    if ability.loyalty and obj.notes.get("loyalty", 0) >= 1 + int(obj.flags.get("extra loyalty", 0)):
        raise Refused("a loyalty ability of it was activated this turn", "606.3", "permission")
    if ability.limit is not None and _times(obj, ability) >= ability.limit + _more(game, player, ability):
        raise Refused("it was activated as often as it may be this turn", "602.5b", "permission")
    if ability.once and obj.flags.get(_key(ability)) and not _again(game, player):
        raise Refused("it may be activated only once", "702.177a", "permission")


def _again(game: Game, player: Player) -> bool:
    return any(player in ctx.players(node.args["who"]) for node, ctx in statics.rules(game, "exhaust again"))


def _as_instant(game: Game, player: Player, obj: Object, ability: Activated) -> bool:
    return any(
        player in ctx.players(node.args["who"]) and ctx.matches(node.args["filter"], obj)
        for node, ctx in statics.rules(game, "activate as instant")
    )


def _gained(game: Game, obj: Object, ability: Activated) -> bool:
    return any(held.granted for part, held in layers.of(game, obj).each(Activated) if part is ability)


def _more(game: Game, player: Player, ability: Activated) -> int:
    """How many more times a turn effects let the player activate abilities with a keyword."""
    return sum(
        ctx.amount(node.args["n"])
        for node, ctx in statics.rules(game, "more activations")
        if player in ctx.players(node.args["who"]) and node.args["keyword"] == ability.keyword
    )


def _key(ability: Activated) -> str:
    return f"once {ability.number}{ability.keyword or ''}"


def _times(obj: Object, ability: Activated) -> int:
    return int(obj.notes.get(f"activated {ability.number}{ability.keyword or ''}", 0))


def _activate(game: Game, player: Player, obj: Object, ability: Activated, request: Request) -> Object | None:
    if not ability.mana:
        if game.priority is not player:
            raise Refused(f"{player.name} does not have priority", "117.1b", "permission")
        casting.check_split_second(game)
    _check(game, player, obj, ability)
    game.trace.cite("602.1a", *(("605.1a", "605.2") if ability.mana else ()), *ability.rules)
    if obj.zone != "battlefield":
        game.trace.cite("113.6m")
    if objects.is_copying(game, obj) or _gained(game, obj, ability):
        game.trace.cite("201.5b", "707.11")
    if ability.once:  # CR 702.177b: begun is enough
        game.write(player, "notes", MappingProxyType({**player.notes, "exhausted": True}))
    item = game.new_object("ability", player, "stack")
    item.controller = item.holder = player
    item.ability = ability
    item.source = obj
    ctx = Context(game, player, obj, stack=item)
    if not ability.mana:
        game.write(game, "stack", (*game.stack, item))
    ctx.x = _choose_x(ctx, ability, request, item)
    modes = announcing.choose_modes(ctx, ability.body, request.modes)
    if modes is None:
        raise Refused("no mode can be chosen", "602.2b", "announce")
    groups = targets.choose(ctx, announcing.specs_of(ability.body, modes), request.targets, item)
    game.write(item, "targets", groups)
    game.write(item, "context", MappingProxyType({"modes": modes, "x": ctx.x}))
    announcing.announce_division(ctx, ability.body, modes, item)
    extra = _additional(game, player, obj, ability)
    total = costs.total_cost(game, player, obj, ability.cost, extra, ctx, ctx.x, "ability", _names(ability))
    for node in ability.reductions:
        if node.word == "reduce cost":
            for _ in range(ctx.amount(node.args["times"])):
                costs.reduce(total, node.args["cost"].mana or ())
    _merge_loyalty(total)
    about = item
    paid = payment.pay(game, player, about, total, request.costs, request.paying, "ability")
    kept = {key: value for key, value in paid.items() if key != "spent units"}
    game.write(item, "context", MappingProxyType({**item.context, "paid": MappingProxyType(kept)}))
    _note(game, player, obj, ability)
    if ability.mana:
        _resolve_mana(game, player, obj, ability, ctx, kept, modes)
        return None
    game.write(game, "passed", frozenset())
    events.happen(
        game,
        [
            events.Event(
                "activate",
                item,
                player,
                source=obj,
                details={"loyalty": ability.loyalty, "keyword": ability.keyword},
            )
        ],
    )
    targets.became_targets(game, item)
    return item


def _additional(game: Game, player: Player, obj: Object, ability: Activated) -> list[tuple[Cost, Context]]:
    """What effects have paid beside an ability's own cost (CR 118.8)."""
    return [
        (node.args["cost"], rule)
        for node, rule in statics.rules(game, "additional cost")
        if node.args.get("of") in ("ability", "loyalty")
        and (node.args.get("of") == "ability" or ability.loyalty)
        and player in rule.players(node.args["who"])
        and (node.args.get("for_") is None or rule.matches(node.args["for_"], obj))
    ]


def _names(ability: Activated) -> list[str]:
    """What effects that change costs call an ability."""
    return [name for name in (ability.keyword, "mana ability" if ability.mana else None) if name]


def costs_mana(game: Game, player: Player, obj: Object, ability: Activated) -> bool:
    """Whether mana is paid for an ability, for its own cost or for what effects add to it (CR 601.2f, 602.2b)."""
    if ability.cost.mana:
        return True
    added = costs.TotalCost()
    for extra, ctx in _additional(game, player, obj, ability):
        added.add(extra, ctx)
    costs.apply_increases(game, player, obj, added, "ability", _names(ability))
    costs.apply_minimum(game, added, "ability")
    return bool(added.amount or added.floor)


def _merge_loyalty(total: costs.TotalCost) -> None:
    """CR 606.5: loyalty symbols in one cost are added up."""
    parts = [(node, ctx) for node, ctx in total.parts if node.word == "loyalty"]
    if len(parts) < 2:
        return
    amount = sum(int(node.args["n"]) for node, _ in parts)
    parts[0][1].game.trace.cite("606.5")

    rest = [(node, ctx) for node, ctx in total.parts if node.word != "loyalty"]
    total.parts = [*rest, (Node("loyalty", MappingProxyType({"n": amount})), parts[0][1])]


def _choose_x(ctx: Context, ability: Activated, request: Request, item: Object) -> int:
    if not casting.cost_has_x(ability.cost) and not any(
        node.word == "loyalty" and node.args["n"] in ("X", "-X") for node in ability.cost.parts
    ):
        counted = [node.args.get("times") for node in ability.cost.parts]
        defined = [ctx.amount(times) for times in counted if isinstance(times, Node)]
        if defined:
            ctx.game.trace.cite("107.3c")
            if request.x is not None and request.x not in defined:  # what the text defines may be said
                raise Refused("the value of X is defined, not chosen", "107.3c", "announce")
        elif request.x:
            raise Refused("there is no X to choose", "107.3", "announce")
        return 0
    return choices.value_of_x(ctx.game, ctx.you, request.x, item)


def _note(game: Game, player: Player, obj: Object, ability: Activated) -> None:
    notes = dict(obj.notes)
    if ability.loyalty:
        notes["loyalty"] = notes.get("loyalty", 0) + 1
    key = f"activated {ability.number}{ability.keyword or ''}"
    notes[key] = notes.get(key, 0) + 1
    game.write(obj, "notes", MappingProxyType(notes))
    if ability.once:
        game.write(obj, "flags", MappingProxyType({**obj.flags, _key(ability): True}))


def activate_for_mana(game: Game, player: Player, obj: Object, ability: Activated, output: tuple[str, ...]) -> None:
    """Activate a mana ability during a payment, for an output that was chosen with it (CR 605.3a)."""
    game.write(game, "fresh", MappingProxyType({**game.fresh, "output": output}))
    try:
        _activate(game, player, obj, ability, Request())
    finally:
        game.write(game, "fresh", MappingProxyType({k: v for k, v in game.fresh.items() if k != "output"}))


def _resolve_mana(
    game: Game,
    player: Player,
    obj: Object,
    ability: Activated,
    ctx: Context,
    paid: dict[str, Any],
    modes: tuple[int, ...],
) -> None:
    """CR 605.3b: a mana ability resolves at once, without the stack."""
    from judgecall.oracle import resolving

    ctx.paid = paid
    before = player.mana
    resolving.perform(ctx, ability.body.effects)
    if ability.body.modes is not None:
        for index in modes:
            resolving.perform(ctx, ability.body.modes.bodies[index].effects)
    added = tuple(unit.symbol for unit in player.mana[len(before) :])
    events.happen(game, [events.Event("activate", None, player, source=obj, details={"mana": True})])
    if added and any(node.word == "tap this" for node in ability.cost.parts):
        events.happen(game, [events.Event("tapped for mana", obj, player, details={"symbols": added})])
