"""Face-down spells and permanents (CR 708), manifest, cloak, and turning face up (CR 116.2b, 701.40, 701.58)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judgecall.oracle import choices, costs, entering, events, layers, objects, payment
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import FaceValues
from judgecall.oracle.definitions import Ability, Cost
from judgecall.oracle.state import NOTHING, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.ways import Request

__all__ = ["put", "special_action", "turn_down", "turn_up", "values"]

_VALUES: dict[str, FaceValues] = {}
MANIFESTED = frozenset({"manifest", "manifest dread", "cloak"})
Way = tuple[str, Cost, str]


def values(kind: str) -> FaceValues:
    """The characteristics that what made it face down lists (CR 708.2, 701.40a, 701.58a, 702.37a, 702.168a)."""
    if kind not in _VALUES:
        abilities: tuple[Ability, ...] = ()
        if kind in ("cloak", "disguise"):
            from judgecall.oracle import keyword_abilities

            abilities = (keyword_abilities.make("ward", "{2}"),)
        _VALUES[kind] = FaceValues("", types=("Creature",), power=2, toughness=2, abilities=abilities)
    return _VALUES[kind]


def put(ctx: Context, cards: Sequence[Object], player: Player, kind: str, *, tapped: bool = False) -> list[Object]:
    """Put cards onto the battlefield face down, one after another (CR 701.40a, 701.40e, 708.3)."""
    found: list[Object] = []
    rule = "701.58a" if kind == "cloak" else "701.62a" if kind == "manifest dread" else "701.40a"
    # From a library one after another (CR 701.40e, 701.58e); others at once.
    single = [[card] for card in cards] if any(card.zone == "library" for card in cards) else [list(cards)]
    for together in single:
        done = events.happen(
            ctx.game,
            [
                events.move(
                    card,
                    "battlefield",
                    cause=kind,
                    source=ctx.this,
                    rules=(rule, "708.3"),
                    controller=player,
                    face_down=kind,
                    face_down_values=values(kind),
                    tapped=tapped,
                )
                for card in together
            ],
        )
        found.extend(event.new for event in done if event.new is not None and event.new.zone == "battlefield")
        if any(not card.gone for card in together):
            ctx.game.trace.cite("701.58f" if kind == "cloak" else "701.40f")
    return found


def turn_down(game: Game, things: Sequence[Object]) -> None:
    """Turn permanents face down at once (CR 708.2a–b); double-faced ones stay as they are (CR 712.16)."""
    made = []
    for thing in things:
        if objects.is_double_faced(thing):
            game.trace.cite("712.16")
        elif thing.face_down is None:
            details = {"what": "down", "kind": "effect", "values": values("effect")}
            made.append(events.Event("face", thing, details=details))
    events.happen(game, made)


def turn_up(
    game: Game, things: Sequence[Object], x: int = 0, counters: Mapping[str, int] = NOTHING
) -> list[Object | None]:
    """Turn permanents face up at once; an instant or sorcery card is revealed and stays (CR 701.40g, 708.8).

    Returns:
        Those that have been turned up.
    """
    made = []
    for thing in (thing for thing in things if thing.face_down is not None):
        card = objects.base_values(thing).whole
        if thing.kind == "card" and any(kind in card.types for kind in ("Instant", "Sorcery")):
            rule = "701.58g" if thing.face_down == "cloak" else "701.40g"
            events.happen(game, [events.Event("reveal", thing, rules=(rule,))])
        else:
            event = events.Event("face", thing, details={"what": "up", "x": x})
            for kind, n in counters.items():
                entering.enter_with(game, event, thing, kind, n)
            made.append(event)
    return [event.obj for event in events.happen(game, made)]


def special_action(game: Game, player: Player, obj: Object, using: str | None, request: Request) -> None:
    """Turn a face-down permanent face up any time one has priority, without the stack (CR 116.2b).

    Args:
        using: ``mana cost``, ``morph``, ``megamorph``, ``disguise``; None: the only way there is.

    Raises:
        Refused: with the rule and the stage.
    """
    mark = game.mark()
    try:
        _turn(game, player, obj, using, request)
    except Refused:
        game.undo(mark)
        raise


def _turn(game: Game, player: Player, obj: Object, using: str | None, request: Request) -> None:
    if game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "116.2b", "permission")
    if obj.zone != "battlefield" or obj.gone or obj.phased_out:
        raise Refused("it is not a permanent", "116.2b", "permission")
    if obj.face_down is None:
        raise Refused("it is not face down", "116.2b", "permission", ("708.7", _why(obj, using)))
    if obj.controller is not player:
        raise Refused("another player controls it", _why(obj, using), "permission")
    found = _ways(game, obj)
    if using is not None:
        wanted = {"morph", "megamorph"} if using == "morph" else {using}
        found = [way for way in found if way[0] in wanted]
    if not found:
        raise Refused("nothing lets it be turned face up so", _why(obj, using), "permission", ("702.37e",))
    if using is None:
        found = [way for way in found if _could_pay(game, player, obj, way, request)] or found
    _turn_for(game, player, obj, found[0], request)


def _could_pay(game: Game, player: Player, obj: Object, way: Way, request: Request) -> bool:
    from judgecall.oracle import legality

    return legality.search(game, lambda: _turn_for(game, player, obj, way, request)).legal


def _turn_for(game: Game, player: Player, obj: Object, way: Way, request: Request) -> None:
    word, cost, rule = way
    x = _x(game, player, obj, cost, request)
    ctx = Context(game, player, obj, x=x)
    total = costs.TotalCost()
    total.add(cost, ctx, x)
    if word != "mana cost":
        for reduction in _reductions(game, obj):
            costs.reduce(total, reduction)
    costs.apply_increases(game, player, obj, total, "turn face up", (word,))
    costs.apply_reductions(game, player, obj, total, "turn face up", (word,))
    game.trace.add(f"{player.name} turns a permanent face up for its {word}", "116.1", "116.2b", rule)
    if obj.face_down in MANIFESTED and word != "mana cost":
        game.trace.cite(_EITHER[obj.face_down == "cloak", word == "disguise"])
    try:
        payment.pay(game, player, obj, total, request.costs, request.paying, "turn face up")
    except Refused as refused:
        refused.also += (rule, "116.2b")
        raise
    if word == "megamorph":
        game.trace.cite("702.37b")
    turn_up(game, [obj], x, {"+1/+1": 1} if word == "megamorph" else NOTHING)
    game.trace.cite("116.3")  # the player has priority again


_EITHER = {
    (False, False): "701.40c",
    (False, True): "701.40d",
    (True, False): "701.58c",
    (True, True): "701.58d",
}
"""What was manifested or cloaked may be turned up for its morph or disguise cost, too."""


def _why(obj: Object, using: str | None) -> str:
    """The rule that says who may turn it up so; by default that of what made it face down."""
    word = using or obj.face_down
    if word == "disguise":
        return "702.168d"
    if word in ("morph", "megamorph"):
        return "702.37e"
    if word == "mana cost" or word in MANIFESTED:
        return "701.58b" if obj.face_down == "cloak" else "701.40b"
    return "116.2b"


def _ways(game: Game, obj: Object) -> list[Way]:
    """For which costs it may be turned face up: by what it would be face up (CR 702.37e, 702.168d, 701.40b)."""
    found: list[Way] = []
    with game.trial():
        game.write(obj, "face_down", None)
        ch = layers.of(game, obj)
        keywords = {word: list(ch.keywords().get(word, ())) for word in ("morph", "megamorph", "disguise")}
    for word, held in keywords.items():
        found.extend((word, ability.value, "702.168d" if word == "disguise" else "702.37e") for ability in held)
    if obj.face_down in MANIFESTED and obj.kind == "card":
        # The card itself counts, whatever effects apply to the permanent (CR 701.40b).
        card = objects.base_values(obj).whole
        if "Creature" in card.types and card.mana_cost is not None:
            rule = "701.58b" if obj.face_down == "cloak" else "701.40b"
            found.append(("mana cost", Cost(card.mana_cost), rule))
    return found


def _reductions(game: Game, obj: Object) -> list[tuple[str, ...]]:
    """What a card says of its own morph or disguise cost."""
    from judgecall.oracle.definitions import Static

    found: list[tuple[str, ...]] = []
    for ability in objects.under(game, obj).abilities:
        for part in ability.all_parts:
            if isinstance(part, Static) and "face down" in part.zones:
                ctx = Context(game, obj.controller, obj)
                for node in part.effects:
                    found.extend([node.args["cost"].mana] * ctx.amount(node.args["times"]))
    return found


def _x(game: Game, player: Player, obj: Object, cost: Cost, request: Request) -> int:
    if "X" not in (cost.mana or ()):
        if request.x:
            raise Refused("there is no X to choose", "107.3", "announce")
        return 0
    return choices.value_of_x(game, player, request.x, obj)
