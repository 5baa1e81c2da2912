import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.game.Game;

/** What an action says of how it is to be carried out, and how much of that XMage has asked for so far. */
final class Plan {
    private static final List<String> OBJECT_COSTS = List.of("sacrifice", "discard", "exile", "tap", "return");

    final Map<String, Object> action;
    /** Words of `using` that nothing has taken up yet; an object is there as its id. */
    final List<String> using = new ArrayList<>();
    /** The cost that a word of `using` names, as `{"flashback": "{3}{G}"}` does. */
    String price;

    private final Deque<Object> targets = new ArrayDeque<>();
    private final boolean targetsSaid;
    private boolean grouped;
    private final Deque<Integer> modes = new ArrayDeque<>();
    private final boolean modesSaid;
    private final Set<String> spent = new HashSet<>();
    private int kicks;
    /** How often each of several kicker costs is paid, by its text. */
    private final Map<String, Integer> kickers = new HashMap<>();
    /** Of two costs that XMage puts before a player, which is tried: first the one, and then the other. */
    private boolean second;

    private boolean either;
    private int life;
    /** Why the action cannot be carried out as it says; null as long as it can. */
    String refusal;

    String stage;

    Plan(Map<String, Object> action) {
        this.action = action;
        for (Object word : list(action.get("using"))) {
            if (word instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    if (key.equals("object")) {
                        using.add(String.valueOf(value));
                    } else {
                        using.add(String.valueOf(key));
                        price = String.valueOf(value);
                    }
                });
            } else {
                using.add(String.valueOf(word));
            }
        }
        targetsSaid = action.get("targets") != null;
        for (Object target : list(action.get("targets"))) {
            grouped |= target instanceof List<?>;
            targets.add(target);
        }
        modesSaid = action.get("modes") != null;
        for (Object mode : list(action.get("modes"))) {
            modes.add(((Number) mode).intValue());
        }
        if (action.get("kicked") instanceof Number number) {
            kicks = number.intValue();
        } else if (action.get("kicked") instanceof Map<?, ?> map) {
            map.forEach((cost, times) -> kickers.put(String.valueOf(cost), ((Number) times).intValue()));
        }
        if (costs().get("life") instanceof Number number) {
            life = number.intValue();
        }
    }

    /** Whether it has optional costs to be announced; lands and turning face up have none (CR 305.1, 116.2b). */
    boolean announces() {
        return "cast".equals(action.get("verb")) || "activate".equals(action.get("verb"));
    }

    static List<?> list(Object value) {
        return value instanceof List<?> several ? several : List.of();
    }

    Map<?, ?> costs() {
        return action.get("costs") instanceof Map<?, ?> map ? map : Map.of();
    }

    Integer x() {
        return action.get("x") instanceof Number number ? number.intValue() : null;
    }

    boolean saysTargets() {
        return targetsSaid;
    }

    boolean saysModes() {
        return modesSaid;
    }

    Integer nextMode() {
        return modes.poll();
    }

    /** Takes the targets of one group: the next ones that fit, at most so many, leaving enough for later groups. */
    List<UUID> takeTargets(Collection<UUID> possible, int minimum, int maximum, int later, Game game) {
        List<UUID> taken = new ArrayList<>();
        if (grouped) {
            Object group = targets.poll();
            for (Object target : group instanceof List<?> several ? several : Collections.singletonList(group)) {
                UUID id = Refs.among(target, possible, game);
                if (id == null) {
                    return refuse(target, possible, game);
                }
                taken.add(id);
            }
            return taken.size() < minimum ? refuse(null, possible, game) : taken;
        }
        while (!targets.isEmpty() && taken.size() < maximum && (targets.size() > later || taken.size() < minimum)) {
            Object fitting = null;
            for (Object target : targets) {
                UUID id = Refs.among(target, possible, game);
                if (fitting == null && id != null && !taken.contains(id)) {
                    // XMage may ask for groups in another order than the text does.
                    fitting = target;
                    taken.add(id);
                }
            }
            if (fitting == null) {
                break;
            }
            targets.remove(fitting);
        }
        if (taken.size() < minimum) {
            return refuse(targets.peek(), possible, game);
        }
        return taken;
    }

    private List<UUID> refuse(Object target, Collection<UUID> possible, Game game) {
        List<String> names = possible.stream().map(id -> Refs.name(id, game)).toList();
        String what = target == null ? "so few targets" : "this target: " + Refs.called(target, game);
        refusal = "XMage does not take " + what + Words.instead(names);
        stage = "targets";
        return null;
    }

    /** What the action pays a cost with: of the objects that it lists, those that will do. Null where it lists none. */
    List<UUID> takeCost(Collection<UUID> possible, int maximum, Game game) {
        for (String kind : OBJECT_COSTS) {
            List<UUID> taken = new ArrayList<>();
            for (Object reference : list(costs().get(kind))) {
                UUID id = Refs.among(reference, possible, game);
                if (id != null && taken.size() < maximum && spent.add(kind + reference)) {
                    taken.add(id);
                }
            }
            if (!taken.isEmpty()) {
                return taken;
            }
        }
        return null;
    }

    /** Whether the action lists objects to pay with that have not been taken. */
    boolean hasCostLeft() {
        return OBJECT_COSTS.stream()
                .anyMatch(kind -> list(costs().get(kind)).stream().anyMatch(each -> !spent.contains(kind + each)));
    }

    /** Whether the action pays an optional cost that XMage describes so. */
    boolean pays(String message) {
        String text = message.toLowerCase();
        if (text.contains("life instead of")) {
            life -= 2;
            return life >= 0;
        }
        if (text.contains("kicker") || text.contains("kicked")) {
            for (Map.Entry<String, Integer> kicker : kickers.entrySet()) {
                if (message.contains(kicker.getKey())) {
                    kicker.setValue(kicker.getValue() - 1);
                    return kicker.getValue() >= 0;
                }
            }
            return kicks-- > 0;
        }
        for (String word : List.copyOf(using)) {
            if (text.contains(word.replace("-", " ")) || text.contains(word)) {
                using.remove(word);
                return true;
            }
        }
        return false;
    }

    /** Whether the first of two costs is paid, where the action does not say: another try will take the other. */
    boolean firstOfTwoCosts() {
        either = true;
        return !second;
    }

    /** The same action, to be tried with the other of two costs; null where there was no such choice. */
    Plan other() {
        if (!either || second) {
            return null;
        }
        Plan plan = new Plan(action);
        plan.second = true;
        return plan;
    }

    /** What of the action nothing has asked for; null where all of it was. */
    String leftOver() {
        if (!targets.isEmpty()) {
            return "targets";
        }
        if (!using.isEmpty()) {
            return "using " + using.get(0);
        }
        if (kicks > 0 || kickers.values().stream().anyMatch(times -> times > 0)) {
            return "kicked";
        }
        for (Object tapped : list(costs().get("tap"))) {
            if (!spent.contains("tap" + tapped)) {
                return "tapping " + tapped;
            }
        }
        return modes.isEmpty() ? null : "modes";
    }
}
