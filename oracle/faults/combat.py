"""Faults of combat: attacking, blocking, assigning damage (CR 506–511, 702)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import blocking, combat, damage, events, layers, replacement, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap, wrap_word
from judgecall.oracle.state import Player

__all__: list[str] = []


@fault("no-summoning-sickness-for-attackers", "302.6", "A creature may attack in the turn in which it came.")
def no_summoning_sickness() -> Mend:
    return patch(turn, "controlled_since_turn_began", lambda game, obj: True)


@fault("attackers-stay-untapped", "508.1f", "Attacking does not tap a creature.")
def stay_untapped() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        before = {obj: obj.tapped for obj in game.battlefield}
        right(game)
        for obj in combat.attackers(game):
            game.write(obj, "tapped", before.get(obj, False))

    return wrap(combat, "declare_attackers", wrong)


@fault(
    "attack-restrictions-judged-one-by-one",
    "508.1c",
    "A creature that cannot attack alone is judged as though it were alone.",
)
def judged_one_by_one() -> Mend:
    def wrong(right: Any, game: Any, declared: Any) -> bool:
        return all(right(game, {obj: what}) for obj, what in declared.items()) and bool(right(game, declared))

    return wrap(combat, "_restrictions_hold", wrong)


@fault("attack-requirements-ignored", "508.1d", "A creature that attacks if able need not attack.")
def attack_requirements_ignored() -> Mend:
    return patch(combat, "_most_obeyed", lambda game, able, targets: 0)


@fault("attack-restrictions-ignored", "508.1c", "A limit on how many creatures may attack is not looked at.")
def attack_restrictions_ignored() -> Mend:
    return patch(combat, "_restrictions_hold", lambda game, declared: True)


@fault("blocking-requirements-ignored", "509.1c", "A creature that blocks if able need not block.")
def blocking_requirements_ignored() -> Mend:
    return patch(blocking, "_best", lambda game, ready, attacked: 0)


@fault(
    "blocking-requirements-one-by-one",
    "509.1c",
    "Whether a creature is able to block as it must is judged for each creature by itself.",
)
def requirements_one_by_one() -> Mend:
    def wrong(right: Any, game: Any, ready: Any, attacked: Any) -> int:
        return max((right(game, [one], attacked) for one in ready), default=0)

    return wrap(blocking, "_best", wrong)


def _keywords_gone(*keywords: str) -> Mend:
    def wrong(right: Any, game: Any, blocker: Any, own: Any, attacker: Any, other: Any) -> Any:
        rule = right(game, blocker, own, attacker, other)
        return None if rule in keywords else rule

    return wrap(blocking, "_evasion", wrong)


@fault("flying-ignored", "702.9b", "Creatures without flying or reach block creatures with flying.")
def flying_ignored() -> Mend:
    return _keywords_gone("702.9b")


@fault("shadow-ignored", "702.28b", "Creatures without shadow block creatures with shadow.")
def shadow_ignored() -> Mend:
    return _keywords_gone("702.28b")


@fault("landwalk-ignored", "702.14c", "Creatures with landwalk can be blocked whatever lands the defending player has.")
def landwalk_ignored() -> Mend:
    return _keywords_gone("702.14c")


@fault("landwalks-cancel-out", "702.14d", "A creature with the same landwalk may block a creature with landwalk.")
def cancel_out() -> Mend:
    def walks(ch: Any) -> set[Any]:
        return {
            part.keyword or part.value
            for held in ch.abilities
            for part in held.ability.all_parts
            if part.keyword and part.keyword.endswith("walk")
        }

    def wrong(right: Any, game: Any, blocker: Any, own: Any, attacker: Any, other: Any) -> Any:
        rule = right(game, blocker, own, attacker, other)
        return None if rule in ("702.14c", "702.14d") and walks(own) & walks(other) else rule

    return wrap(blocking, "_evasion", wrong)


@fault(
    "landwalk-by-any-opponents-land",
    "802.2a",
    "Landwalk looks at the lands of every opponent, not only of the player attacked.",
)
def any_opponents_land() -> Mend:
    def wrong(right: Any, game: Any, filter: Any, player: Any, attacker: Any) -> bool:
        return any(right(game, filter, other, attacker) for other in game.opponents(attacker.controller))

    return wrap(blocking, "_walks", wrong)


@fault(
    "one-evasion-beaten-is-enough",
    "509.1b",
    "A creature with two evasion abilities may be blocked by what beats one of them.",
)
def one_is_enough() -> Mend:
    def wrong(right: Any, game: Any, blocker: Any, own: Any, attacker: Any, other: Any) -> Any:
        reached = other.has("flying") and (own.has("flying") or own.has("reach"))
        dark = other.has("shadow") and own.has("shadow")
        if other.has("flying") and other.has("shadow") and (reached or dark):
            return None
        return right(game, blocker, own, attacker, other)

    return wrap(blocking, "_evasion", wrong)


@fault("menace-ignored", "702.111b", "One creature may block a creature with menace.")
def menace_ignored() -> Mend:
    def wrong(right: Any, game: Any, declared: Any, attacked: Any) -> Any:
        rule = right(game, declared, attacked)
        return None if rule == "702.111b" else rule

    return wrap(blocking, "restrictions_hold", wrong)


@fault("cannot-block-ignored", "509.1b", "A creature that can't block may block.")
def cannot_block_ignored() -> Mend:
    def wrong(right: Any, game: Any, blocker: Any, attacker: Any) -> Any:
        own, other = layers.of(game, blocker), layers.of(game, attacker)
        return blocking._evasion(game, blocker, own, attacker, other)

    return wrap(blocking, "can_block", wrong)


@fault(
    "damage-in-an-order-of-blockers", "510.1c", "Each blocker must be dealt lethal damage before the next is dealt any."
)
def in_an_order() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, amount: int, among: Any) -> Any:
        shares = right(game, obj, amount, among)
        given = {id(thing): n for thing, n in shares}
        short = False
        for thing in among:
            n = given.get(id(thing), 0)
            if n and short:
                raise Refused("lethal damage first", "510.1c")
            short = short or (not hasattr(thing, "life") and n < damage.lethal(game, thing, obj))
        return shares

    return wrap(combat, "_divided", wrong)


@fault(
    "trample-counts-alone",
    "702.19b",
    "What a trampling attacker must assign to blockers takes no account of other attackers.",
)
def counts_alone() -> Mend:
    def wrong(right: Any, game: Any, assigned: Any) -> None:
        for one in assigned:
            right(game, [one])

    return wrap(combat, "_check_assignment", wrong)


@fault(
    "trample-counts-prevention",
    "702.19b",
    "Blockers whose damage will be prevented need be assigned none by a trampler.",
)
def counts_prevention() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, source: Any, already: int = 0) -> int:
        need = int(right(game, obj, source, already))
        for attacker in combat.attackers(game):
            if need and any(other is attacker for other in obj.blocking):
                with game.trial():
                    dealt = replacement.settle(game, damage.event(game, attacker, obj, need, combat=True))
                    if not any(event.kind == "damage" for event in dealt):
                        return 0
        return need

    return wrap(damage, "lethal", wrong)


@fault("first-strike-at-the-same-time", "510.4", "Creatures with first strike deal damage together with all others.")
def at_the_same_time() -> Mend:
    return patch(combat, "_first", lambda game, obj: False)


@fault(
    "negative-power-heals",
    "107.1b",
    "A creature with negative power gives life to the player whom it attacks unblocked.",
)
def negative_power_heals() -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        ch = layers.of(game, obj)
        goal = combat._goal(game, obj) if obj.attacking is not None else None
        if ch.power is not None and ch.power < 0 and isinstance(goal, Player) and not obj.blocked:
            game.write(goal, "life", goal.life - ch.power)
        return right(game, obj)

    return wrap(combat, "_assign", wrong)


@fault(
    "becomes-blocked-for-each-blocker", "509.3c", "An attacker becomes blocked once for each creature that blocks it."
)
def for_each_blocker() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, filter: Any, by: Any) -> Any:
        found = right(ctx, event, filter=filter, by=by)
        return [found] * event.amount if found is not None and event.kind == "blocked" else found

    return wrap_word("trigger", "becomes blocked", wrong)


@fault(
    "becomes-blocked-by-one-creature-only",
    "509.3d",
    "An ability about becoming blocked by a creature triggers once for all blockers.",
)
def by_one_only() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, filter: Any, by: Any) -> Any:
        if by is not None and event.kind == "block":
            first = next(o for o in ctx.game.battlefield if any(a is event.source for a in o.blocking))
            if first is not event.obj:
                return None
        return right(ctx, event, filter=filter, by=by)

    return wrap_word("trigger", "becomes blocked", wrong)


@fault(
    "control-change-stays-in-combat",
    "506.4",
    "A creature that another player gains control of goes on attacking or blocking.",
)
def stays_in_combat() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        undo = patch(combat, "remove", lambda game, obj: None)
        try:
            right(game)
        finally:
            undo()

    return wrap(events, "align", wrong)


@fault("removed-blocker-unblocks", "509.1h", "An attacker whose blockers are gone counts as unblocked.")
def removed_unblocks() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, amount: int) -> Any:
        if obj.blocked and not combat._blockers(game, obj):
            goal = combat._goal(game, obj)
            return [(goal, amount)] if goal is not None else []
        return right(game, obj, amount)

    return wrap(combat, "_attacker_shares", wrong)


@fault("tapping-to-attack-triggers-nothing", "508.1f", "A creature that is tapped to attack does not become tapped.")
def tapping_to_attack() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        return [] if event.cause == "attack" else right(ctx, event, **given)

    return wrap_word("trigger", "becomes tapped", wrong)


@fault("every-blocker-gets-damage", "510.1c", "An attacker must assign some of its damage to each of its blockers.")
def every_blocker() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, amount: int, among: Any) -> Any:
        shares = right(game, obj, amount, among)
        if amount >= len(among) and sum(n > 0 for _, n in shares) < len(among):
            raise Refused("each blocker is dealt damage", "510.1c")
        return shares

    return wrap(combat, "_split", wrong)


@fault("blockers-share-evenly", "510.1c", "An attacker's damage is split evenly among its blockers, whatever is said.")
def share_evenly() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, amount: int, among: Any) -> Any:
        right(game, obj, amount, among)
        each, rest = divmod(amount, len(among))
        return [(blocker, each + (place < rest)) for place, blocker in enumerate(among)]

    return wrap(combat, "_split", wrong)


@fault(
    "blocked-tramplers-without-blockers-deal-nothing",
    "702.19e",
    "A blocked creature with trample deals no damage if its blockers are gone.",
)
def without_blockers() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, amount: int) -> Any:
        return [] if obj.blocked and not combat._blockers(game, obj) else right(game, obj, amount)

    return wrap(combat, "_attacker_shares", wrong)


@fault(
    "trample-over-planeswalkers-only-unblocked",
    "702.19c",
    "Trample over planeswalkers does not reach the planeswalker's controller if the creature is blocked.",
)
def over_planeswalkers_unblocked() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> Any:
        found = right(game, obj, ch)
        return found[:1] if obj.blocked else found

    return wrap(combat, "_beyond", wrong)


@fault("no-creature-goes-on-fighting", "506.4", "What stops being a creature goes on attacking or blocking.")
def goes_on_fighting() -> Mend:
    return patch(combat, "keep", lambda game, obj, ch: None)


@fault("attacked-stays-in-combat", "506.4", "An attacked planeswalker stays attacked, whatever becomes of it.")
def attacked_stays() -> Mend:
    return patch(combat, "abandon", lambda game, attacked: None)


@fault(
    "attackers-leave-with-the-attacked",
    "506.4c",
    "What attacks a planeswalker or battle that is removed from combat is removed along with it.",
)
def leave_with_the_attacked() -> Mend:
    def wrong(right: Any, game: Any, attacked: Any) -> None:
        for obj in game.battlefield:
            if obj.attacking is attacked:
                combat._stop(game, obj)

    return wrap(combat, "abandon", wrong)


@fault(
    "first-strike-lost-strikes-again",
    "702.7c",
    "A creature that has dealt first-strike damage and has lost the ability since deals damage again with the others.",
)
def strikes_again() -> Mend:
    return wrap(
        combat, "_second", lambda right, game, obj, earlier: right(game, obj, earlier) or not combat._first(game, obj)
    )


@fault("goaded-against-planeswalkers", "701.15b", "Attacking another player's planeswalker is enough for the goaded.")
def goaded_against_planeswalkers() -> Mend:
    def wrong(right: Any, game: Any, declared: Any, able: Any) -> int:
        return int(right(game, {obj: combat.defending_player(game, what) for obj, what in declared.items()}, able))

    return wrap(combat, "_obeyed", wrong)


@fault("goaded-again-for-more", "701.15d", "Each time that a player goads a creature counts as a requirement.")
def goaded_again_for_more() -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        found = list(right(game, obj))
        rules = [ctx.you for name, _, ctx in layers.of(game, obj).rules if name == "goaded"]
        return [*found, *([None] * (len(rules) - len(set(rules))))]

    return wrap(combat, "_requirements", wrong)
