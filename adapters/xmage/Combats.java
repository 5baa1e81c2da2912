import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import mage.constants.PhaseStep;
import mage.game.Game;
import mage.game.combat.CombatGroup;
import mage.game.permanent.Permanent;

/** Declaring attackers and blockers (CR 508.1, 509.1). XMage asks again where it does not accept a declaration. */
final class Combats {
    private Combats() {}

    /** Asks for attackers and declares them. `before` is the step that was last declared in; gives that of now. */
    static int attackers(BridgePlayer player, Game game, int before, Map<String, Object> question) {
        int step = once(game, before, "508.1");
        List<UUID> able = new ArrayList<>();
        for (Permanent permanent : player.getAvailableAttackers(game)) {
            able.add(permanent.getId());
        }
        Set<UUID> defenders = new LinkedHashSet<>(game.getCombat().getDefenders());
        question.put("options", Refs.options(able, game));
        question.put("against", Refs.options(defenders, game));
        Map<?, ?> answer = player.answer(question) instanceof Map<?, ?> map ? map : Map.of();
        answer.forEach((who, whom) -> {
            Permanent attacker = Refs.permanent(who, game);
            UUID defender = Refs.among(whom, defenders, game);
            if (attacker != null && defender != null) {
                player.declareAttacker(attacker.getId(), defender, game, false);
            }
            CombatGroup group = attacker == null ? null : game.getCombat().findGroup(attacker.getId());
            if (defender == null || group == null || !defender.equals(group.getDefenderId())) {
                throw refused("508.1");
            }
        });
        // XMage declares creatures that must attack by itself, before it asks.
        if (game.getCombat().getAttackers().size() != answer.size()) {
            throw refused("508.1d");
        }
        Set<UUID> forced = game.getCombat().getCreaturesForcedToAttack().keySet();
        if (game.getCombat().getAttackers().size() < Math.min(game.getCombat().getMaxAttackers(), forced.size())
                || (game.getCombat().getMaxAttackers() >= able.size()
                        && !game.getCombat().getAttackers().containsAll(forced))) {
            throw refused("508.1d");
        }
        return step;
    }

    /** Asks a defending player for blockers and declares them. */
    static int blockers(BridgePlayer player, UUID defender, Game game, int before, Map<String, Object> question) {
        List<UUID> able = new ArrayList<>();
        for (Permanent permanent : game.getBattlefield().getAllActivePermanents(defender)) {
            if (permanent.isCreature(game) && !permanent.isTapped()) {
                able.add(permanent.getId());
            }
        }
        if (able.isEmpty()) {
            return before;
        }
        int step = once(game, before, "509.1");
        question.put("options", Refs.options(able, game));
        question.put("against", Refs.options(game.getCombat().getAttackers(), game));
        Map<?, ?> answer = player.answer(question) instanceof Map<?, ?> map ? map : Map.of();
        answer.forEach((who, whom) -> {
            for (Object each : whom instanceof List<?> several ? several : List.of(whom)) {
                Permanent blocker = Refs.permanent(who, game);
                Permanent attacker = Refs.permanent(each, game);
                CombatGroup group = attacker == null ? null : game.getCombat().findGroup(attacker.getId());
                if (blocker != null && group != null) {
                    player.declareBlocker(defender, blocker.getId(), attacker.getId(), game, false);
                }
                if (blocker == null || group == null || !group.getBlockers().contains(blocker.getId())) {
                    throw refused("509.1");
                }
            }
        });
        return step;
    }

    /**
     * Looks at a declaration once it is made. Creatures that must attack XMage declares by itself, and asks nobody
     * where no other could; so it is asked here, and whoever says otherwise is refused.
     */
    static int afterwards(BridgePlayer player, Game game, int before, Supplier<Map<String, Object>> asking) {
        int step = game.getState().getStepNum();
        Set<UUID> attackers = game.getCombat().getAttackers();
        boolean active = player.getId().equals(game.getActivePlayerId());
        if (game.getTurnStepType() != PhaseStep.DECLARE_ATTACKERS || !active || step == before || attackers.isEmpty()) {
            return before;
        }
        Map<String, Object> question = asking.get();
        question.put("options", Refs.options(attackers, game));
        question.put("against", Refs.options(game.getCombat().getDefenders(), game));
        Map<?, ?> answer = player.answer(question) instanceof Map<?, ?> map ? map : Map.of();
        boolean same = answer.size() == attackers.size();
        for (UUID attacker : attackers) {
            UUID defender = game.getCombat().findGroup(attacker).getDefenderId();
            same &= Refs.of(defender, game).equals(answer.get(Refs.of(attacker, game)));
        }
        if (!same) {
            throw refused("508.1d");
        }
        return step;
    }

    private static int once(Game game, int before, String rule) {
        int step = game.getState().getStepNum();
        if (step == before) {
            throw refused(rule);
        }
        return step;
    }

    private static Table.Halt refused(String rule) {
        return new Table.Halt(new Wire.Illegal("XMage does not accept this declaration", rule, null));
    }
}
