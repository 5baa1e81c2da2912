import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.ApprovingObject;
import mage.MageObject;
import mage.abilities.Ability;
import mage.abilities.Mode;
import mage.abilities.Modes;
import mage.abilities.SpellAbility;
import mage.abilities.TriggeredAbility;
import mage.abilities.costs.common.TapSourceCost;
import mage.abilities.costs.mana.ManaCost;
import mage.abilities.mana.ActivatedManaAbilityImpl;
import mage.cards.Card;
import mage.cards.decks.Deck;
import mage.choices.Choice;
import mage.constants.AsThoughEffectType;
import mage.constants.Outcome;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.draft.Draft;
import mage.game.match.Match;
import mage.game.permanent.Permanent;
import mage.game.tournament.Tournament;
import mage.target.Target;

/** A player whose every decision is asked over the protocol, or is in the action that is being carried out. */
final class BridgePlayer extends ChoosingPlayer {
    private static final long serialVersionUID = 1L;

    /** How a spell is to be cast that is cast while something resolves. */
    private transient Plan next;
    private transient ManaCost paying;
    private transient int declared = -1;

    BridgePlayer(String name, Bridge bridge) {
        super(name, bridge);
    }

    private BridgePlayer(BridgePlayer player) {
        super(player);
    }

    @Override
    public BridgePlayer copy() {
        return new BridgePlayer(this);
    }

    /** Takes over what a starting state says of a player, in a game that has not gone on for anybody to notice. */
    void begin(Map<String, Object> listed, Game game) {
        hand.clear();
        library.clear();
        initLife(((Number) listed.get("life")).intValue());
        landsPlayed = ((Number) listed.get("lands_played")).intValue();
        if (listed.get("counters") instanceof Map<?, ?> kinds) {
            kinds.forEach((kind, count) ->
                    counters.addCounter(Setup.counter((String) kind, ((Number) count).intValue())));
        }
        String mana = (String) listed.get("mana");
        for (String symbol : mana.isEmpty() ? new String[0] : mana.split("(?<=})")) {
            Ability nobody = bridge.nobody(this);
            getManaPool().addMana(Words.mana(symbol), game, nobody);
        }
    }

    // Priority.

    @Override
    public boolean priority(Game game) {
        if (bridge.building(this, game)) {
            return true;
        }
        if (!bridge.built()) {
            pass(game);
            return false;
        }
        declared = Combats.afterwards(this, game, declared, () -> question("attackers", "attackers", null, game));
        while (true) {
            prepared.clear();
            agreed = null;
            Map<String, Object> action = bridge.table().priority();
            try {
                if (!getName().equals(action.get("player")) && !"concede".equals(action.get("verb"))) {
                    throw new Wire.Illegal("another player has priority", "117.1", "permission");
                }
                if ("pass".equals(action.get("verb"))) {
                    pass(game);
                    return false;
                }
                new Acting(this, game).carryOut(action);
                return true;
            } catch (Wire.Illegal | Wire.Unsupported no) {
                bridge.table().refuse(no);
            } finally {
                plan = null;
            }
        }
    }

    void announce(Plan announced) {
        plan = announced;
    }

    @Override
    public boolean cast(SpellAbility ability, Game game, boolean noMana, ApprovingObject approving) {
        if (plan != null && approving != null) {
            plan.using.remove(Refs.of(approving.getApprovingAbility().getSourceId(), game));
        }
        if (plan != null || next == null || silent(game)) {
            return super.cast(ability, game, noMana, approving);
        }
        plan = next;
        next = null;
        try {
            boolean done = super.cast(ability, game, noMana, approving);
            if (!done) {
                throw new Table.Halt(new Wire.Illegal("XMage does not let it be cast so", null, plan.stage));
            }
            return true;
        } finally {
            plan = null;
        }
    }

    // Yes and no.

    @Override
    public boolean chooseUse(Outcome outcome, String message, Ability source, Game game) {
        return chooseUse(outcome, message, null, "Yes", "No", source, game);
    }

    @Override
    public boolean chooseUse(
            Outcome outcome, String message, String second, String yes, String no, Ability source, Game game) {
        if (silent(game)) {
            return false;
        }
        Asking asking = Asking.now(message);
        if (asking == Asking.WHICH_COST) {
            return whichCost(message, game);
        }
        if (plan != null && (plan.announces() || Asking.isPhyrexian(message))) {
            return plan.pays(message);
        }
        if (asking == Asking.FIRST_YES) {
            return true;
        }
        if (asking == Asking.NEW_TARGETS) {
            return newTargets(message, source, game);
        }
        if (asking == Asking.COIN) {
            return true; // The coin is asked as won or lost: heads is called, and heads is won.
        }
        if (asking == Asking.CAST) {
            return castWhileResolving(message, source, game);
        }
        if (asking == Asking.PAY && !Payment.affordable(message, this, game)) {
            return false; // CR 118.3: nobody is asked for what cannot be paid.
        }
        Map<String, Object> question = question(asking.kind, message, source, game);
        boolean agrees = Boolean.TRUE.equals(ask(game, question));
        agreed = agrees && source != null ? source.getSourceId() : null;
        return agrees;
    }

    /** One cost or another: how a payment is made nobody is asked. The first, if it can be paid or is to be tried. */
    private boolean whichCost(String message, Game game) {
        if (plan != null && !message.startsWith("Pay ")) {
            return plan.firstOfTwoCosts();
        }
        return Payment.affordable(message.substring(0, message.indexOf(" or ")), this, game);
    }

    /** New targets are asked at once; XMage asks for each target whether it is to be changed, and then to what. */
    private boolean newTargets(String message, Ability source, Game game) {
        List<UUID> old = new ArrayList<>();
        source.getAllSelectedTargets().forEach(target -> old.addAll(target.getTargets()));
        Deque<Object> answers = prepared.get("change");
        if (answers == null || answers.isEmpty()) {
            Set<UUID> possible = new LinkedHashSet<>();
            for (Target target : source.getAllSelectedTargets()) {
                Target fresh = target.copy();
                fresh.clearChosen();
                possible.addAll(fresh.possibleTargets(getId(), source, game));
            }
            Map<String, Object> question = question("targets", message, source, game);
            question.put("options", Refs.options(possible, game));
            question.put("minimum", old.size());
            question.put("maximum", old.size());
            Object answer = ask(game, question);
            List<Object> said = new ArrayList<>(Plan.list(answer));
            for (UUID id : "same".equals(answer) ? old : List.<UUID>of()) {
                said.add(Refs.of(id, game));
            }
            if (said.size() != old.size()) {
                throw new Table.Halt(new Wire.Illegal("as many new targets as there are", "115.7d", "targets"));
            }
            answers = new ArrayDeque<>(said);
            prepared.put("change", answers);
        }
        UUID changed = old.get(old.size() - answers.size());
        Object wanted = answers.poll();
        if (Refs.of(changed, game).equals(wanted)) {
            return false;
        }
        prepared.put("new targets", new ArrayDeque<>(List.of(wanted)));
        return true;
    }

    private boolean castWhileResolving(String message, Ability source, Game game) {
        Map<String, Object> question = question("cast", message, source, game);
        question.put("options", Refs.options(castable(message, source, game), game));
        Object answer = ask(game, question);
        if (answer instanceof Map<?, ?> action) {
            Map<String, Object> copy = new LinkedHashMap<>();
            action.forEach((key, value) -> copy.put(String.valueOf(key), value));
            next = new Plan(copy);
            return true;
        }
        return false;
    }

    /** What a question whether to cast something is about: the card that it names, or its source. */
    private static List<UUID> castable(String message, Ability source, Game game) {
        List<UUID> named = new ArrayList<>();
        for (Card card : game.getCards()) {
            if (message.contains("[" + card.getId().toString().substring(0, 3) + "]")) {
                named.add(card.getId());
            }
        }
        return named.isEmpty() && source != null ? List.of(source.getSourceId()) : named;
    }

    @Override
    public boolean flipCoinResult(Game game) {
        Map<String, Object> question = question("coin", "a coin is flipped", null, game);
        question.put(
                "options",
                List.of(Wire.fields("value", "won"), Wire.fields("value", "lost"), Wire.fields("value", "heads"),
                        Wire.fields("value", "tails")));
        Object answer = ask(game, question);
        return "won".equals(answer) || "heads".equals(answer);
    }

    @Override
    public int rollDieResult(int sides, Game game) {
        Map<String, Object> question = question("roll", "a die is rolled", null, game);
        question.put("minimum", 1);
        question.put("maximum", sides);
        return ((Number) ask(game, question)).intValue();
    }

    // Words and numbers.

    @Override
    public boolean choose(Outcome outcome, Choice choice, Game game) {
        if (silent(game)) {
            return false;
        }
        if (paying != null && choice.isManaColorChoice()) {
            return payable(choice);
        }
        String message = plain(choice.getMessage());
        if (plan != null && choice.isKeyChoice() && message.contains("alternative cost")) {
            return Acting.alternative(plan, choice, game);
        }
        Map<String, String> words = choice.isKeyChoice() ? choice.getKeyChoices() : new LinkedHashMap<>();
        if (!choice.isKeyChoice()) {
            choice.getChoices().forEach(word -> words.put(word, word));
        }
        if (message.startsWith("Reduce ")) {
            // Up to so much less: the least that can be paid.
            return take(choice, words.keySet().stream().max(Comparator.comparing(Integer::valueOf)).orElseThrow());
        }
        if (words.size() == 1) {
            return take(choice, words.keySet().iterator().next());
        }
        String kind = Asking.word(choice, message);
        if (kind == null) {
            throw new Table.Halt(unknown("choice", message));
        }
        Map<String, Object> question = question(kind, message, null, game);
        List<Map<String, Object>> options = new ArrayList<>();
        for (String word : words.values()) {
            options.add(Wire.fields("value", kind.equals("color") ? word.toLowerCase() : word));
        }
        question.put("options", options);
        String answer = String.valueOf(ask(game, question));
        for (Map.Entry<String, String> word : words.entrySet()) {
            if (word.getValue().equalsIgnoreCase(answer)) {
                return take(choice, word.getKey());
            }
        }
        if (kind.equals("name") && !CardNames.isListed(answer)) {
            // XMage's list has the cards that were seen so far, where it has no database of its own.
            choice.getChoices().add(answer);
            return take(choice, answer);
        }
        throw new Table.Halt(new Wire.Illegal("this cannot be chosen: " + answer, null, null));
    }

    private static boolean take(Choice choice, String key) {
        if (choice.isKeyChoice()) {
            choice.setChoiceByKey(key);
        } else {
            choice.setChoice(key);
        }
        return true;
    }

    /** The color that the symbol being paid needs: nobody is asked which mana a payment makes. */
    private boolean payable(Choice choice) {
        for (String color : choice.getChoices()) {
            if (paying.testPay(Words.mana("{" + Words.symbol(color) + "}"))) {
                choice.setChoice(color);
                return true;
            }
        }
        choice.setChoice(choice.getChoices().iterator().next());
        return true;
    }

    @Override
    public int announceX(int min, int max, String message, Game game, Ability source, boolean isManaPay) {
        if (silent(game)) {
            return min;
        }
        if (plan != null && plan.x() != null) {
            return plan.x();
        }
        return number(plan == null ? "number" : "x", min, max, message, source, game);
    }

    @Override
    public int getAmount(int min, int max, String message, Ability source, Game game) {
        return silent(game) ? min : number("number", min, max, message, source, game);
    }

    private int number(String kind, int min, int max, String message, Ability source, Game game) {
        if (min >= max) {
            return min;
        }
        Map<String, Object> question = question(kind, message, source, game);
        question.put("minimum", min);
        question.put("maximum", max);
        return ((Number) ask(game, question)).intValue();
    }

    @Override
    public Mode chooseMode(Modes modes, Ability source, Game game) {
        List<Mode> all = List.copyOf(modes.values());
        List<Mode> available = modes.getAvailableModes(source, game);
        if (silent(game)) {
            return available.isEmpty() ? null : available.get(0);
        }
        Integer number;
        if (plan != null && plan.saysModes()) {
            number = plan.nextMode();
        } else {
            number = nextMode(modes, all, available, source, game);
        }
        if (number == null) {
            return null;
        }
        Mode mode = number >= 1 && number <= all.size() ? all.get(number - 1) : null;
        if (mode == null || available.stream().noneMatch(each -> each.getId().equals(mode.getId()))) {
            if (plan != null) {
                plan.refusal = "mode " + number + " cannot be chosen";
                plan.stage = "announce";
                return null;
            }
            throw new Table.Halt(new Wire.Illegal("mode " + number + " cannot be chosen", null, null));
        }
        return mode;
    }

    private Integer nextMode(Modes modes, List<Mode> all, List<Mode> available, Ability source, Game game) {
        Object key = "modes of " + source.getId();
        Deque<Object> answers = prepared.get(key);
        if (answers == null) {
            Map<String, Object> question = question("modes", "choose modes", source, game);
            List<Map<String, Object>> options = new ArrayList<>();
            for (Mode mode : available) {
                options.add(Wire.fields("value", all.indexOf(mode) + 1));
            }
            question.put("options", options);
            question.put("minimum", modes.getMinModes());
            question.put("maximum", modes.getMaxModes(game, source));
            answers = new ArrayDeque<>(Plan.list(ask(game, question)));
            prepared.put(key, answers);
        }
        return answers.isEmpty() ? null : ((Number) answers.poll()).intValue();
    }

    // Order.

    @Override
    public int chooseReplacementEffect(Map<String, String> effects, Map<String, MageObject> objects, Game game) {
        if (silent(game) || effects.size() <= 1 || alike(effects.values())) {
            return 0;
        }
        List<String> keys = List.copyOf(effects.keySet());
        List<String> values = new ArrayList<>();
        List<Map<String, Object>> options = new ArrayList<>();
        for (String key : keys) {
            MageObject object = objects.get(key);
            if (object == null) {
                throw new Table.Halt(unknown("replacement", effects.get(key)));
            }
            values.add(Refs.of(object.getId(), game));
            options.add(Wire.fields("value", values.get(values.size() - 1), "name", object.getName()));
        }
        if (values.stream().distinct().count() == 1) {
            return 0; // Effects of one object have one name in a case.
        }
        Map<String, Object> question = question("replacement", "which effect applies first", null, game);
        question.put("options", options);
        return Math.max(0, values.indexOf(ask(game, question)));
    }

    /** Whether effects say the same, but for the ids in their texts: it does not matter which applies first. */
    private static boolean alike(Collection<String> texts) {
        return texts.stream().map(text -> text.replaceAll("\\[\\w+]", "")).distinct().count() == 1;
    }

    @Override
    public TriggeredAbility chooseTriggeredAbility(List<TriggeredAbility> abilities, Game game) {
        if (silent(game) || abilities.size() == 1) {
            return abilities.isEmpty() ? null : abilities.get(0);
        }
        Deque<Object> order = prepared.get("triggers");
        if (order == null || abilities.stream().noneMatch(each -> order.contains(each.getId().toString()))) {
            Map<String, Object> question = question("order", "triggered abilities", null, game);
            question.put("options", abilities.stream().map(each -> Refs.option(each, game)).toList());
            boolean alike = abilities.stream().map(each -> each.getRule()).distinct().count() == 1
                    && abilities.stream().allMatch(each -> each.getTargets().isEmpty());
            question.put("same", alike);
            prepared.put("triggers", new ArrayDeque<>(Plan.list(ask(game, question))));
        }
        Deque<Object> known = prepared.get("triggers");
        while (!known.isEmpty()) {
            Object id = known.poll();
            for (TriggeredAbility ability : abilities) {
                if (ability.getId().toString().equals(id)) {
                    return ability;
                }
            }
        }
        return abilities.get(0);
    }

    // Mana.

    @Override
    public boolean playMana(Ability ability, ManaCost unpaid, String prompt, Game game) {
        if (silent(game)) {
            return false;
        }
        Set<Object> named = plan == null ? null : Payment.named(plan.action.get("paying"));
        Map<Permanent, Collection<ActivatedManaAbilityImpl>> usable = new LinkedHashMap<>();
        for (Permanent permanent : game.getBattlefield().getAllActivePermanents(getId())) {
            if (named == null || named.contains(Refs.of(permanent))) {
                Map<UUID, ActivatedManaAbilityImpl> abilities =
                        getUseableManaAbilities(permanent, Zone.BATTLEFIELD, game);
                if (!abilities.isEmpty()) {
                    usable.put(permanent, abilities.values());
                }
            }
        }
        if (plan != null && Acting.specialPayment(this, plan, unpaid, game)) {
            return true;
        }
        Permanent own = game.getPermanent(ability.getSourceId());
        if (own != null && ability.getCosts().stream().anyMatch(cost -> cost instanceof TapSourceCost)) {
            usable.remove(own); // It is to be tapped for the ability itself.
        }
        boolean anyMana = !game.getContinuousEffects()
                .getApplicableAsThoughEffects(AsThoughEffectType.SPEND_OTHER_MANA, game)
                .isEmpty();
        while (!usable.isEmpty()) {
            Payment.Choice choice = Payment.next(unpaid, usable, anyMana, game);
            if (choice == null) {
                return false;
            }
            ManaCost before = paying;
            paying = choice.wanted();
            payManaMode = true;
            try {
                getManaPool().setAutoPayment(true);
                if (activateAbility(choice.ability(), game)) {
                    return true;
                }
            } finally {
                paying = before;
                payManaMode = false;
            }
            usable.remove(game.getPermanent(choice.ability().getSourceId()));
        }
        return false;
    }

    // Combat.

    @Override
    public void selectAttackers(Game game, UUID attackingPlayerId) {
        if (!silent(game)) {
            declared = Combats.attackers(this, game, declared, question("attackers", "attackers", null, game));
        }
    }

    @Override
    public void selectBlockers(Ability source, Game game, UUID defendingPlayerId) {
        if (!silent(game)) {
            Map<String, Object> question = question("blockers", "blockers", null, game);
            declared = Combats.blockers(this, defendingPlayerId, game, declared, question);
        }
    }

    Object answer(Map<String, Object> question) {
        return bridge.table().ask(question);
    }

    // What no case asks for.

    @Override
    public boolean choosePile(
            Outcome outcome, String message, List<? extends Card> one, List<? extends Card> other, Game game) {
        if (silent(game)) {
            return true;
        }
        List<UUID> first = one.stream().map(Card::getId).map(UUID.class::cast).toList();
        List<UUID> all = new ArrayList<>(first);
        other.forEach(card -> all.add(card.getId()));
        Map<String, Object> question = question("pick", message, null, game);
        question.put("options", Refs.options(all, game));
        question.put("minimum", 0);
        question.put("maximum", all.size());
        List<UUID> chosen = chosen(Plan.list(ask(game, question)), all, game);
        if (chosen.size() == first.size() && first.containsAll(chosen)) {
            return true;
        }
        if (chosen.size() == other.size() && chosen.stream().noneMatch(first::contains)) {
            return false;
        }
        throw new Table.Halt(new Wire.Illegal("these cards are no pile", null, null));
    }

    @Override
    public boolean chooseMulligan(Game game) {
        return false;
    }

    @Override
    public void abort() {}

    @Override
    public void skip() {}

    @Override
    public void sideboard(Match match, Deck deck) {}

    @Override
    public void construct(Tournament tournament, Deck deck) {}

    @Override
    public void pickCard(List<Card> cards, Deck deck, Draft draft) {}
}
