"""Steps of a case as actions of an engine: names become ids, words stay words."""

from __future__ import annotations

from collections.abc import Mapping

from judgecall.adapters.engine import Action, Activate, Cast, Concede, Json, ObjectView, Pass, Play, TurnFaceUp
from judgecall.harness.names import NameProblem, Names
from judgecall.harness.verdicts import mistake
from judgecall.schema.model import EMPTY, Step, Value
from judgecall.schema.names import counted

__all__ = ["action_of", "cast_of"]


def action_of(step: Step, player: str, names: Names) -> Action:
    """What a step asks of the engine, where its verb is an action and no declaration in combat.

    Raises:
        NameProblem: a name leads to no object, to several, or to one that is gone.
        Mistake: a value is not of the kind that the verb takes.
    """
    args = step.args
    if step.verb == "cast":
        return cast_of(step.subject, args, player, names)
    if step.verb == "pass":
        return Pass(player)
    if step.verb == "concede":
        return Concede(_name(step.subject))
    source = names.id_of(_name(step.subject))
    if step.verb == "play":
        return Play(player, source, face=_word(args, "face"), using=_using(args.get("using"), names))
    if step.verb == "activate":
        ability = args.get("ability")
        return Activate(
            player,
            source,
            ability=ability if isinstance(ability, (int, str)) else None,
            x=_whole(args, "x"),
            modes=_modes(args.get("modes")),
            targets=_targets(args.get("targets"), names),
            costs=_costs(args.get("costs"), player, names),
            paying=_paying(args.get("paying"), player, names),
        )
    if step.verb == "turn face up":
        return TurnFaceUp(
            player,
            source,
            using=_word(args, "using"),
            x=_whole(args, "x"),
            costs=_costs(args.get("costs"), player, names),
            paying=_paying(args.get("paying"), player, names),
        )
    raise mistake(f"{step.verb} is not an action that a player can be asked about")


def cast_of(subject: Value, args: Mapping[str, Value], player: str, names: Names, source: str | None = None) -> Cast:
    """Casting as a step or as an answer. Raises as `action_of` does.

    ``source`` is the id that ``subject`` means, where that is known: of what is on offer.
    """
    kicked = args.get("kicked")
    return Cast(
        player,
        source if source is not None else names.id_of(_name(subject)),
        using=_using(args.get("using"), names),
        face=_word(args, "face"),
        x=_whole(args, "x"),
        modes=_modes(args.get("modes")),
        targets=_targets(args.get("targets"), names),
        kicked=_kicked(kicked),
        costs=_costs(args.get("costs"), player, names),
        paying=_paying(args.get("paying"), player, names),
    )


def _name(value: Value) -> str:
    if not isinstance(value, str):
        raise mistake(f"expected the name of an object or a player, not {value!r}")
    return value


def _word(args: Mapping[str, Value], key: str) -> str | None:
    value = args.get(key)
    if value is None or isinstance(value, str):
        return value
    raise mistake(f"{key}: expected a word, not {value!r}")


def _whole(args: Mapping[str, Value], key: str) -> int | None:
    value = args.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise mistake(f"{key}: expected a whole number, not {value!r}")


def _modes(value: Value) -> tuple[int, ...] | None:
    if value is None:
        return None
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(int(mode) for mode in listed if isinstance(mode, int))


def _kicked(value: Value) -> int | Mapping[str, int] | None:
    if isinstance(value, bool):
        return 1 if value else 0
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return {cost: int(times) for cost, times in value.items() if isinstance(times, int)}
    raise mistake(f"kicked: expected how many times, not {value!r}")


def _targets(value: Value, names: Names) -> tuple[Json, ...] | None:
    if value is None:
        return None
    listed = value if isinstance(value, tuple) else (value,)
    found: list[Json] = []
    for target in listed:
        if isinstance(target, tuple):
            found.append(tuple(names.id_of(_name(each)) for each in target))
        else:
            found.append(names.id_of(_name(target)))
    return tuple(found)


def _using(value: Value, names: Names) -> tuple[str | Mapping[str, str], ...]:
    if value is None:
        return ()
    listed = value if isinstance(value, tuple) else (value,)
    found: list[str | Mapping[str, str]] = []
    for way in listed:
        if isinstance(way, Mapping):
            found.append({word: str(cost) for word, cost in way.items()})
        elif isinstance(way, str):
            # Words are never capitalized, names always are, and an alias is one that the case declares.
            found.append({"object": names.id_of(way)} if names.known(way) else way)
        else:
            raise mistake(f"using: expected a word or an object, not {way!r}")
    return tuple(found)


def _costs(value: Value, player: str, names: Names) -> Mapping[str, Json]:
    if value is None:
        return EMPTY
    if not isinstance(value, Mapping):
        raise mistake(f"costs: expected a mapping, not {value!r}")
    return {word: _cost(word, paid, player, names) for word, paid in value.items()}


def _cost(word: str, paid: Value, player: str, names: Names) -> Json:
    if isinstance(paid, (tuple, str)):
        return _several(paid if isinstance(paid, tuple) else (paid,), word, player, names)
    if isinstance(paid, Mapping):
        # remove: kinds of counters with numbers, or objects with the counters to remove from each.
        return {
            (names.id_of(key) if names.known(key) else key): (dict(count) if isinstance(count, Mapping) else count)
            for key, count in paid.items()
        }
    return paid


def _paying(value: Value, player: str, names: Names) -> tuple[str, ...] | str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return value if value.startswith("{") else _several((value,), "tap", player, names)
    if isinstance(value, tuple):
        mana = [item for item in value if isinstance(item, str) and item.startswith("{")]
        sources = tuple(item for item in value if item not in mana)
        return (*_several(sources, "tap", player, names), *mana) if sources else "".join(mana)
    raise mistake(f"paying: expected mana or its sources, not {value!r}")


def _several(listed: tuple[Value, ...], word: str, player: str, names: Names) -> tuple[str, ...]:
    """Ids of the objects listed; ``3 Island`` stands for the player's first three of that name that can pay so.

    They are discarded from the hand, exiled from wherever they are, else permanents, where they are tapped the
    untapped ones first.
    """
    found: list[str] = []
    for value in listed:
        name = _name(value)
        several = counted(name)
        if several is not None and not names.known(name):
            number, each = several
            things = [thing.object for thing in names.every(each) if thing.object is not None]
            able = [seen for seen in things if seen.id not in found and _can_pay(seen, word, player)]
            if word == "tap":
                able.sort(key=lambda seen: bool(seen.facts.get("tapped")))
            if len(able) < number:
                raise NameProblem(f"{player} has not {name} for that cost")
            found.extend(seen.id for seen in able[:number])
        else:
            found.append(names.id_of(name))
    return tuple(found)


def _can_pay(seen: ObjectView, word: str, player: str) -> bool:
    """Whether an object is where a player pays a cost of that kind with it."""
    if word == "discard":
        return seen.zone == "hand" and seen.owner == player
    if seen.zone == "battlefield":
        return bool(seen.facts.get("controller", seen.owner) == player)
    return word == "exile" and seen.zone != "stack" and seen.owner == player
