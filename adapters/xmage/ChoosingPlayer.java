import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.abilities.Ability;
import mage.abilities.TriggeredAbility;
import mage.cards.Card;
import mage.cards.Cards;
import mage.constants.MultiAmountType;
import mage.constants.Outcome;
import mage.constants.RangeOfInfluence;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.players.PlayerImpl;
import mage.players.net.UserData;
import mage.target.Target;
import mage.target.TargetAmount;
import mage.target.TargetCard;
import mage.util.MultiAmountMessage;

/** The part of a player that chooses objects and players, and what all questions share. */
abstract class ChoosingPlayer extends PlayerImpl {
    private static final long serialVersionUID = 1L;

    final transient Bridge bridge;
    /** The action that is being announced (CR 601.2, 602.2); null while none is. */
    transient Plan plan;
    /** The source of what the player has last said yes to. */
    transient UUID agreed;
    /** Answers to a question that XMage asks in several parts, by what asks. */
    final transient Map<Object, Deque<Object>> prepared = new HashMap<>();

    private transient Target answered;
    private transient int answeredSize;

    ChoosingPlayer(String name, Bridge bridge) {
        super(name, RangeOfInfluence.ALL);
        this.bridge = bridge;
        this.human = true;
        this.userData = settings();
        setTestMode(true);
    }

    ChoosingPlayer(ChoosingPlayer player) {
        super(player);
        this.bridge = player.bridge;
    }

    /** Nothing is chosen for a player, and floating mana is used without a word. */
    private static UserData settings() {
        UserData settings = UserData.getDefaultUserDataView();
        settings.setAutoTargetLevel(0);
        settings.setAutoOrderTrigger(false);
        settings.setAskMoveToGraveOrder(false);
        settings.setManaPoolAutomatic(true);
        settings.setManaPoolAutomaticRestricted(false);
        return settings;
    }

    // Questions.

    static boolean silent(Game game) {
        return game.isSimulation() || game.inCheckPlayableState();
    }

    Object ask(Game game, Map<String, Object> question) {
        return bridge.table().ask(question);
    }

    Map<String, Object> question(String kind, String prompt, Ability source, Game game) {
        // CR 723.5: whoever controls a player makes that player's decisions.
        String player = game.getPlayer(getTurnControlledBy()).getName();
        Map<String, Object> question = Wire.fields("player", player, "kind", kind, "prompt", plain(prompt));
        if (source != null && source.getSourceId() != null) {
            question.put("source", Refs.of(source.getSourceId(), game));
        }
        return question;
    }

    static String plain(String text) {
        return text == null ? "" : text.replaceAll("<[^>]*>", "");
    }

    static Wire.Unsupported unknown(String kind, String message) {
        return new Wire.Unsupported("question", kind + ": " + plain(message));
    }

    // Objects and players.

    @Override
    public boolean choose(Outcome outcome, Target target, Ability source, Game game) {
        return select(target, null, source, game, false);
    }

    @Override
    public boolean choose(
            Outcome outcome, Target target, Ability source, Game game, Map<String, Serializable> options) {
        return select(target, null, source, game, false);
    }

    @Override
    public boolean choose(Outcome outcome, Cards cards, TargetCard target, Ability source, Game game) {
        return cards != null && !cards.isEmpty() && select(target, cards, source, game, false);
    }

    @Override
    public boolean chooseTarget(Outcome outcome, Target target, Ability source, Game game) {
        return select(target, null, source, game, true);
    }

    @Override
    public boolean chooseTarget(Outcome outcome, Cards cards, TargetCard target, Ability source, Game game) {
        return cards != null && !cards.isEmpty() && select(target, cards, source, game, true);
    }

    private boolean select(Target target, Cards cards, Ability source, Game game, boolean asTarget) {
        UUID controller = target.getAffectedAbilityControllerId(getId());
        if (silent(game) || target.isChoiceCompleted(controller, source, game, cards)) {
            return false;
        }
        if (target == answered && target.getSize() == answeredSize && answeredSize > 0) {
            // XMage asks for one more as long as there could be one: no more were wanted.
            return target.isChosen(game);
        }
        Set<UUID> possible = cards == null
                ? target.possibleTargets(controller, source, game)
                : target.possibleTargets(controller, source, game, cards);
        Set<UUID> offered = withoutOld(target, possible, source);
        int least = declinable(target, source) ? 0 : Math.max(0, target.getMinNumberOfTargets() - target.getSize());
        int minimum = Math.min(least, offered.size());
        int maximum = Math.min(target.getMaxNumberOfTargets() - target.getSize(), offered.size());
        if (maximum > 0) {
            List<UUID> chosen = decide(target, offered, minimum, maximum, source, game);
            if (chosen == null) {
                return false;
            }
            for (UUID id : chosen) {
                if (asTarget) {
                    target.addTarget(id, source, game);
                } else {
                    target.add(id, game);
                }
            }
        }
        answered = target;
        answeredSize = target.getSize();
        return target.isChosen(game) && !target.getTargets().isEmpty();
    }

    /**
     * Whether none may be chosen though the target has a least number. XMage says so of all that a person could take
     * back: of what is announced, of costs, and of what the player has just said yes to.
     */
    private boolean declinable(Target target, Ability source) {
        boolean optional = target.isRequiredExplicitlySet() && !target.isRequired();
        boolean consented = source != null && source.getSourceId() != null && source.getSourceId().equals(agreed);
        return optional && plan == null && !consented && !Asking.forCost() && !Asking.changesTargets();
    }

    /** Where a target must be changed, it must become another (CR 115.7a); XMage asks until it does. */
    private Set<UUID> withoutOld(Target target, Set<UUID> possible, Ability source) {
        if (source == null
                || isOwn(target, source)
                || prepared.containsKey("new targets")
                || !Asking.changesTargets()) {
            return possible;
        }
        Set<UUID> others = new LinkedHashSet<>(possible);
        source.getAllSelectedTargets().forEach(old -> others.removeAll(old.getTargets()));
        return others.isEmpty() ? possible : others;
    }

    /** Whether these are the targets of the ability itself, chosen as it is put on the stack (CR 601.2c, 603.3d). */
    private static boolean isOwn(Target target, Ability source) {
        if (source == null || target.isNotTarget()) {
            return false;
        }
        for (UUID selected : source.getModes().getSelectedModes()) {
            for (Target each : source.getModes().get(selected).getTargets()) {
                if (each == target) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<UUID> decide(
            Target target, Set<UUID> possible, int minimum, int maximum, Ability source, Game game) {
        String message = plain(target.getMessage(game));
        boolean real = isOwn(target, source) || Asking.changesTargets();
        if (message.contains("card ORDER to put on the ") || message.contains("card ORDER to put ")) {
            return List.of(nextInOrder(possible, message, source, game));
        }
        if (message.contains("(Scry)") || message.contains("(Surveil)")) {
            return look(message.contains("(Scry)") ? "scry" : "surveil", possible, source, game);
        }
        if (plan != null) {
            if (real && plan.saysTargets()) {
                return plan.takeTargets(possible, minimum, maximum, later(target, source), game);
            }
            List<UUID> paid = real ? null : plan.takeCost(possible, maximum, game);
            if (paid != null) {
                return paid;
            }
            if ((minimum == maximum && possible.size() == minimum) || message.contains("waterbending")) {
                return List.copyOf(possible).subList(0, maximum);
            }
        } else if (real && source instanceof TriggeredAbility && source.getTargets().size() > 1) {
            return ofTrigger(target, possible, minimum, maximum, source, game);
        }
        if (minimum == 0 && maximum == 1 && Asking.asTurnedFaceUp()) {
            // "You may choose" is one question in XMage, and two in a case.
            Map<String, Object> may = question("may", message, source, game);
            if (!Boolean.TRUE.equals(ask(game, may))) {
                return List.of();
            }
            return decide(target, possible, 1, 1, source, game);
        }
        Deque<Object> waiting = prepared.get("new targets");
        if (waiting != null && !waiting.isEmpty()) {
            UUID id = Refs.among(waiting.poll(), possible, game);
            if (id == null) {
                throw new Table.Halt(new Wire.Illegal("XMage does not take this new target", "115.7", "targets"));
            }
            return List.of(id);
        }
        List<UUID> before = real ? List.of() : rest(possible, maximum, source, game);
        if (!before.isEmpty()) {
            return before;
        }
        int times = real ? 1 : Asking.repetitions(source, game);
        Map<String, Object> question = question(real ? "targets" : "pick", message, source, game);
        question.put("options", Refs.options(possible, game));
        question.put("minimum", Math.min(minimum * times, possible.size()));
        question.put("maximum", Math.min(maximum * times, possible.size()));
        List<Object> answer = new ArrayList<>(Plan.list(ask(game, question)));
        List<Object> later = new ArrayList<>();
        if (!real && source != null && source.getSourceId() != null) {
            // XMage asks for one zone, or one object, after another, where the text has one choice.
            for (Object reference : answer) {
                boolean now = answer.indexOf(reference) - later.size() < maximum;
                if (!now || Refs.among(reference, possible, game) == null) {
                    later.add(reference);
                }
            }
            answer.removeAll(later);
            prepared.put("rest of " + source.getSourceId(), new ArrayDeque<>(later));
        }
        return chosen(answer, possible, game);
    }

    /** What an answer to an earlier part of the same choice has left for this part. */
    private List<UUID> rest(Set<UUID> possible, int maximum, Ability source, Game game) {
        List<UUID> taken = new ArrayList<>();
        Deque<Object> left = source == null ? null : prepared.get("rest of " + source.getSourceId());
        for (Object reference : left == null ? List.of() : List.copyOf(left)) {
            UUID id = Refs.among(reference, possible, game);
            if (id != null && taken.size() < maximum) {
                taken.add(id);
                left.remove(reference);
            }
        }
        return taken;
    }

    static List<UUID> chosen(Object answer, Collection<UUID> possible, Game game) {
        List<UUID> chosen = new ArrayList<>();
        for (Object reference : Plan.list(answer)) {
            UUID id = Refs.among(reference, possible, game);
            if (id == null || chosen.contains(id)) {
                throw new Table.Halt(new Wire.Illegal("this cannot be chosen: " + reference, null, null));
            }
            chosen.add(id);
        }
        return chosen;
    }

    /** How many targets the groups after this one need at least. */
    private static int later(Target target, Ability source) {
        int needed = 0;
        boolean after = false;
        for (Target each : source.getTargets()) {
            needed += after ? each.getMinNumberOfTargets() : 0;
            after |= each == target;
        }
        return needed;
    }

    /** All targets of a triggered ability are asked at once, XMage asks group by group. */
    private List<UUID> ofTrigger(
            Target target, Set<UUID> possible, int minimum, int maximum, Ability source, Game game) {
        Object key = "targets of " + source.getId();
        Deque<Object> answers = prepared.get(key);
        if (answers == null) {
            Map<String, Map<String, Object>> options = new LinkedHashMap<>();
            int least = 0;
            int most = 0;
            for (Target each : source.getTargets()) {
                Set<UUID> all = each.possibleTargets(getId(), source, game);
                Refs.options(all, game).forEach(option -> options.put((String) option.get("value"), option));
                least += Math.min(each.getMinNumberOfTargets(), all.size());
                most += Math.min(each.getMaxNumberOfTargets(), all.size());
            }
            Map<String, Object> question = question("targets", target.getMessage(game), source, game);
            question.putAll(Wire.fields(
                    "options", List.copyOf(options.values()), "minimum", least, "maximum", most, "ordered", true));
            answers = new ArrayDeque<>(Plan.list(ask(game, question)));
            prepared.put(key, answers);
        }
        List<UUID> taken = new ArrayList<>();
        int later = later(target, source);
        while (!answers.isEmpty() && taken.size() < maximum && (answers.size() > later || taken.size() < minimum)) {
            UUID id = Refs.among(answers.peek(), possible, game);
            if (id == null) {
                break;
            }
            answers.poll();
            taken.add(id);
        }
        return taken;
    }

    /** XMage moves cards one by one; the whole order is asked once, topmost first. */
    private UUID nextInOrder(Set<UUID> possible, String message, Ability source, Game game) {
        boolean bottom = message.contains("BOTTOM");
        Object key = bottom ? "bottom" : "top";
        Deque<Object> order = prepared.get(key);
        if (order == null || order.isEmpty()) {
            Map<String, Object> question = question("order", message, source, game);
            question.put("options", Refs.options(possible, game));
            List<Object> answer = new ArrayList<>(Plan.list(ask(game, question)));
            if (!bottom) {
                Collections.reverse(answer);
            }
            order = new ArrayDeque<>(answer);
            prepared.put(key, order);
        }
        UUID id = Refs.among(order.poll(), possible, game);
        // XMage does not ask for the last one.
        if (possible.size() == 2) {
            prepared.remove(key);
        }
        if (id == null) {
            throw new Table.Halt(unknown("order", message));
        }
        return id;
    }

    private List<UUID> look(String kind, Set<UUID> possible, Ability source, Game game) {
        List<UUID> ordered = new ArrayList<>();
        for (Card card : getLibrary().getTopCards(game, possible.size())) {
            ordered.add(card.getId());
        }
        Map<String, Object> question = question(kind, kind, source, game);
        question.put("options", Refs.options(ordered, game));
        Object answer = ask(game, question);
        Map<?, ?> piles = answer instanceof Map<?, ?> map ? map : Map.of();
        List<Object> top = new ArrayList<>(Plan.list(piles.get("top")));
        List<Object> away = new ArrayList<>(Plan.list(piles.get(kind.equals("scry") ? "bottom" : "graveyard")));
        Collections.reverse(top);
        prepared.put("top", new ArrayDeque<>(top));
        prepared.put("bottom", new ArrayDeque<>(away));
        return chosen(away, possible, game);
    }

    @Override
    public boolean chooseTargetAmount(Outcome outcome, TargetAmount target, Ability source, Game game) {
        if (silent(game) || source == null) {
            return false;
        }
        target.prepareAmount(source, game);
        int total = target.getAmountTotal(game, source);
        if (total <= 0) {
            return false;
        }
        Set<UUID> possible = target.possibleTargets(target.getAffectedAbilityControllerId(getId()), source, game);
        int maximum = Math.min(Math.min(target.getMaxNumberOfTargets(), total), possible.size());
        List<UUID> chosen =
                decide(target, possible, Math.min(target.getMinNumberOfTargets(), maximum), maximum, source, game);
        if (chosen == null || chosen.isEmpty()) {
            return false;
        }
        Map<?, ?> shares = Map.of();
        if (chosen.size() > 1 && chosen.size() < total) {
            Map<String, Object> question = question("divide", target.getMessage(game), source, game);
            question.put("options", Refs.options(chosen, game));
            question.put("minimum", total);
            question.put("maximum", total);
            shares = ask(game, question) instanceof Map<?, ?> map ? map : Map.of();
        }
        for (UUID id : chosen) {
            int even = chosen.size() == 1 ? total : 1;
            Object share = shares.get(Refs.of(id, game));
            target.addTarget(id, share instanceof Number number ? number.intValue() : even, source, game);
        }
        return target.isChosen(game);
    }

    @Override
    public List<Integer> getMultiAmountWithIndividualConstraints(
            Outcome outcome, List<MultiAmountMessage> messages, int least, int most, MultiAmountType type, Game game) {
        if (silent(game)) {
            return MultiAmountType.prepareDefaultValues(messages, least, most);
        }
        List<UUID> shared = new ArrayList<>();
        for (MultiAmountMessage message : messages) {
            Permanent permanent = named(message.message, shared, game);
            if (permanent == null) {
                throw new Table.Halt(unknown("divide", type.getHeader() + ": " + message.message));
            }
            shared.add(permanent.getId());
        }
        List<UUID> all = new ArrayList<>(shared);
        Permanent attacker = named(type.getHeader(), List.of(), game);
        if (least < most && attacker != null && game.getCombat().getDefenderId(attacker.getId()) != null) {
            // Trample: what is left over goes to what it attacks (CR 702.19b).
            all.add(game.getCombat().getDefenderId(attacker.getId()));
        }
        Map<String, Object> question = question("divide", type.getHeader(), null, game);
        question.put("options", Refs.options(all, game));
        question.put("minimum", most);
        question.put("maximum", most);
        Map<?, ?> shares = ask(game, question) instanceof Map<?, ?> map ? map : Map.of();
        List<Integer> amounts = new ArrayList<>();
        for (UUID id : shared) {
            amounts.add(shares.get(Refs.of(id, game)) instanceof Number number ? number.intValue() : 0);
        }
        if (!MultiAmountType.isGoodValues(amounts, messages, least, most)) {
            throw new Table.Halt(new Wire.Illegal("XMage does not take this division: " + amounts, null, null));
        }
        return amounts;
    }

    /** The permanent that a text of XMage's names, by its name and the first letters of its id. */
    private static Permanent named(String text, List<UUID> without, Game game) {
        for (Permanent permanent : game.getBattlefield().getAllPermanents()) {
            if (plain(text).contains(permanent.getIdName()) && !without.contains(permanent.getId())) {
                return permanent;
            }
        }
        return null;
    }
}
