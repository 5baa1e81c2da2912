import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.MageObject;
import mage.abilities.Ability;
import mage.abilities.ActivatedAbility;
import mage.abilities.PlayLandAbility;
import mage.abilities.SpecialAction;
import mage.abilities.SpecialActions;
import mage.abilities.SpellAbility;
import mage.abilities.common.TurnFaceUpAbility;
import mage.abilities.costs.mana.ManaCost;
import mage.abilities.keyword.DisguiseAbility;
import mage.abilities.keyword.MorphAbility;
import mage.abilities.mana.ActivatedManaAbilityImpl;
import mage.cards.Card;
import mage.cards.DoubleFacedCardHalf;
import mage.choices.Choice;
import mage.constants.SpellAbilityCastMode;
import mage.constants.SpellAbilityType;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.GameImpl;
import mage.game.permanent.Permanent;

/**
 * One action of a player who has priority. What XMage would not let a person do there is illegal; what it would do in
 * another way than the action says is taken back, and unsupported.
 */
final class Acting {
    /** Ways to cast that are no keyword ability. */
    private static final List<String> WITHOUT_KEYWORD = List.of("alternative cost", "without paying");

    private final BridgePlayer player;
    private final Game game;

    Acting(BridgePlayer player, Game game) {
        this.player = player;
        this.game = game;
    }

    /** Carries an action out. Throws Illegal or Unsupported, the game being as before. */
    void carryOut(Map<String, Object> action) {
        String verb = String.valueOf(action.get("verb"));
        switch (verb) {
            case "cast" -> cast(action);
            case "activate" -> activate(action);
            case "play" -> play(action);
            case "turn face up" -> turnFaceUp(action);
            case "concede" -> {
                GameImpl all = (GameImpl) game;
                all.setConcedingPlayer(Refs.player(action.get("player"), game).getId());
                all.checkConcede();
            }
            default -> throw new Wire.Unsupported("action", verb);
        }
    }

    // Casting.

    private void cast(Map<String, Object> action) {
        Plan plan = new Plan(action);
        List<SpellAbility> fitting = new ArrayList<>();
        for (ActivatedAbility ability : playable(action)) {
            if (ability instanceof SpellAbility spell && faceFits(spell, action.get("face")) && costFits(spell, plan)) {
                fitting.add(spell);
            }
        }
        if (fitting.isEmpty()) {
            throw notOffered("to cast it", action);
        }
        SpellAbility chosen = fitting.stream()
                .filter(each -> way(each, plan) != null)
                .findFirst()
                .orElse(fitting.get(0));
        String keyword = way(chosen, plan);
        if (keyword != null) {
            plan.using.remove(keyword);
        }
        run(plan, chosen);
    }

    private static boolean faceFits(SpellAbility spell, Object face) {
        SpellAbilityType type = spell.getSpellAbilityType();
        if (face == null || face.equals("front")) {
            return type != SpellAbilityType.SPLIT_FUSED
                    && type != SpellAbilityType.ADVENTURE_SPELL
                    && type != SpellAbilityType.OMEN_SPELL
                    && type != SpellAbilityType.MODAL_RIGHT;
        }
        return switch (String.valueOf(face)) {
            case "left" -> type == SpellAbilityType.SPLIT_LEFT;
            case "right" -> type == SpellAbilityType.SPLIT_RIGHT || type == SpellAbilityType.SPLIT_AFTERMATH;
            case "fused" -> type == SpellAbilityType.SPLIT_FUSED;
            case "adventure" -> type == SpellAbilityType.ADVENTURE_SPELL || type == SpellAbilityType.OMEN_SPELL;
            case "back" -> type == SpellAbilityType.MODAL_RIGHT || spell.getSpellAbilityCastMode().isTransformed();
            default -> false;
        };
    }

    /** Whether an ability is the way to cast that the action says: XMage has an ability for each alternative cost. */
    private static boolean costFits(SpellAbility spell, Plan plan) {
        boolean usual = spell.getSpellAbilityCastMode() == SpellAbilityCastMode.NORMAL
                && spell.getSpellAbilityType() != SpellAbilityType.BASE_ALTERNATE;
        if (plan.using.isEmpty()) {
            return usual;
        }
        String keyword = way(spell, plan);
        if (keyword == null) {
            return usual;
        }
        return plan.price == null || spell.getManaCosts().getText().equals(plan.price);
    }

    /** The word of `using` that an ability stands for, or null. */
    private static String way(SpellAbility spell, Plan plan) {
        boolean mega = spell instanceof MorphAbility && spell.getRule().startsWith("Megamorph");
        String name = mega ? "megamorph" : Words.words(spell.getClass().getSimpleName());
        String mode = spell.getSpellAbilityCastMode().toString().toLowerCase();
        for (String word : plan.using) {
            if (word.equals(name) || (word.equals(mode) && !mega)) {
                return word;
            }
        }
        return null;
    }

    /** Which of the alternative costs that XMage lists the action uses; the last of the list is none of them. */
    static boolean alternative(Plan plan, Choice choice, Game game) {
        Map<String, String> items = choice.getKeyChoices();
        String usual = null;
        for (Map.Entry<String, String> item : items.entrySet()) {
            String text = item.getValue().toLowerCase();
            if (text.startsWith("cast with no alternative cost")) {
                usual = item.getKey();
                continue;
            }
            for (String word : List.copyOf(plan.using)) {
                MageObject object = object(word, game);
                boolean named = object != null && text.contains(object.getName().toLowerCase());
                if (named || text.contains(word) || WITHOUT_KEYWORD.contains(word)) {
                    plan.using.remove(word);
                    choice.setChoiceByKey(item.getKey());
                    return true;
                }
            }
        }
        choice.setChoiceByKey(usual != null ? usual : items.keySet().iterator().next());
        return true;
    }

    private static MageObject object(String reference, Game game) {
        try {
            return game.getObject(UUID.fromString(reference));
        } catch (IllegalArgumentException word) {
            return null;
        }
    }

    // Abilities, lands, turning face up.

    private void activate(Map<String, Object> action) {
        Plan plan = new Plan(action);
        List<ActivatedAbility> printed = new ArrayList<>();
        for (Ability ability : abilities(action)) {
            if (ability instanceof ActivatedAbility activated
                    && !(ability instanceof SpellAbility)
                    && !(ability instanceof PlayLandAbility)
                    && !(ability instanceof TurnFaceUpAbility)) {
                printed.add(activated);
            }
        }
        ActivatedAbility chosen = pick(printed, action.get("ability"));
        if (!(chosen instanceof ActivatedManaAbilityImpl)) {
            UUID id = chosen.getId();
            if (playable(action).stream().noneMatch(each -> each.getId().equals(id))) {
                throw notOffered("this ability", action);
            }
        }
        run(plan, chosen);
    }

    private static ActivatedAbility pick(List<ActivatedAbility> printed, Object which) {
        if (printed.isEmpty()) {
            throw new Wire.Illegal("it has no activated ability", "602.1", "permission");
        }
        if (which instanceof Number number) {
            if (number.intValue() > printed.size()) {
                throw new Wire.Unsupported("action", "activate ability " + number);
            }
            return printed.get(number.intValue() - 1);
        }
        if (which instanceof String word) {
            for (ActivatedAbility ability : printed) {
                String keyword = Words.words(ability.getClass().getSimpleName());
                if (keyword.equals(word) || keyword.startsWith(word + " ") || word.equals(Words.keyword(ability))) {
                    return ability;
                }
            }
            throw new Wire.Illegal("it has no ability " + word, null, null);
        }
        if (printed.size() > 1) {
            throw new Wire.Unsupported("action", "activate one of several abilities");
        }
        return printed.get(0);
    }

    private void play(Map<String, Object> action) {
        boolean back = "back".equals(action.get("face"));
        for (ActivatedAbility ability : playable(action)) {
            if (ability instanceof PlayLandAbility) {
                Card card = game.getCard(ability.getSourceId());
                boolean second = card != null && card != card.getMainCard() && isBack(card);
                if (second == back) {
                    run(new Plan(action), ability);
                    return;
                }
            }
        }
        throw notOffered("to play it", action);
    }

    private static boolean isBack(Card card) {
        return card instanceof DoubleFacedCardHalf half && half.isBackSide();
    }

    private void turnFaceUp(Map<String, Object> action) {
        Permanent permanent = Refs.permanent(action.get("object"), game);
        if (permanent == null) {
            throw new Wire.Illegal("it is not on the battlefield", "116.2b", "permission");
        }
        String using = (String) action.get("using");
        for (ActivatedAbility ability : playable(action)) {
            String asked = ability.getCosts().getText() + ability.getManaCosts().getText();
            boolean fits = using == null || asked.equals(price(permanent, using)) || otherwise(permanent, using, asked);
            if (ability instanceof TurnFaceUpAbility && fits) {
                run(new Plan(action), ability);
                return;
            }
        }
        throw notOffered("to turn it face up", action);
    }

    /** XMage's card does not know what a copy has, nor has each card a mana cost: then what is not the other way. */
    private static boolean otherwise(Permanent permanent, String using, String asked) {
        boolean manaCost = using.equals("mana cost");
        return price(permanent, using) == null
                && (manaCost ? List.of("morph", "megamorph", "disguise") : List.of("mana cost"))
                        .stream().noneMatch(way -> asked.equals(price(permanent, way)));
    }

    /** What turning it face up costs in a way, as XMage writes it; null where it has no such way. */
    private static String price(Permanent permanent, String using) {
        Card card = permanent.getBasicMageObject() instanceof Card basic ? basic : permanent.getMainCard();
        if (using.equals("mana cost")) {
            return card.getSpellAbility() == null ? null : card.getSpellAbility().getManaCosts().getText();
        }
        for (Ability ability : card.getAbilities()) {
            if (ability instanceof MorphAbility morph && morph.getRule().toLowerCase().startsWith(using)) {
                return morph.getFaceUpCosts().getText();
            }
            if (ability instanceof DisguiseAbility disguise && using.equals("disguise")) {
                return disguise.getFaceUpCosts().getText();
            }
        }
        return null;
    }

    // All of them.

    private void run(Plan plan, ActivatedAbility ability) {
        int bookmark = game.bookmarkState();
        player.announce(plan);
        if (!player.activateAbility(ability, game)) {
            player.restoreState(bookmark, "refused", game);
            if (plan.other() != null) {
                run(plan.other(), ability);
                return;
            }
            String message = plan.refusal == null ? "XMage takes it back" : plan.refusal;
            throw new Wire.Illegal(message, null, plan.stage);
        }
        String left = plan.leftOver();
        if (left != null) {
            player.restoreState(bookmark, "carried out otherwise", game);
            throw notAsked(plan, left);
        }
        game.removeBookmark(bookmark);
    }

    /** What the action says and XMage never asked for: refused, if XMage knows of it at all. */
    private RuntimeException notAsked(Plan plan, String left) {
        if (left.startsWith("using ")) {
            String word = left.substring("using ".length());
            boolean known = object(word, game) != null || WITHOUT_KEYWORD.contains(word);
            for (Ability ability : abilities(plan.action)) {
                String name = Words.words(ability.getClass().getSimpleName());
                known |= word.equals(name) || word.equals(Words.keyword(ability));
            }
            if (!known) {
                return new Wire.Unsupported("action", plan.action.get("verb") + " " + left);
            }
        }
        return new Wire.Illegal("XMage does not ask for " + left, null, null);
    }

    /** What XMage would let a person do with an object now. */
    /** The refusal of what XMage does not offer, with the first few things that it offers to do with that object. */
    private Wire.Illegal notOffered(String what, Map<String, Object> action) {
        List<String> offered = playable(action).stream().map(Acting::named).toList();
        return new Wire.Illegal("XMage does not offer " + what + Words.instead(offered), null, null);
    }

    /** What an ability is, as the case format would say it. */
    private static String named(ActivatedAbility ability) {
        String keyword = Words.keyword(ability);
        if (ability instanceof SpellAbility spell) {
            String mode = spell.getSpellAbilityCastMode().toString().toLowerCase();
            boolean usual = spell.getSpellAbilityCastMode() == SpellAbilityCastMode.NORMAL;
            return keyword != null ? "cast using " + keyword : usual ? "cast" : "cast using " + mode;
        }
        if (ability instanceof PlayLandAbility) {
            return "play";
        }
        if (ability instanceof TurnFaceUpAbility) {
            return "turn face up for " + ability.getCosts().getText() + ability.getManaCosts().getText();
        }
        return "activate " + (keyword != null ? keyword : ability.getRule());
    }

    private Collection<ActivatedAbility> playable(Map<String, Object> action) {
        MageObject object = found(action);
        Zone zone = game.getState().getZone(object.getId());
        return player.getPlayableActivatedAbilities(object, zone, game).values();
    }

    private Collection<Ability> abilities(Map<String, Object> action) {
        return found(action) instanceof Card card ? card.getAbilities(game) : found(action).getAbilities();
    }

    private MageObject found(Map<String, Object> action) {
        Permanent permanent = Refs.permanent(action.get("object"), game);
        if (permanent != null) {
            return permanent;
        }
        MageObject object = object(String.valueOf(action.get("object")), game);
        if (object == null) {
            throw new Wire.Illegal("there is no such object", null, null);
        }
        return object;
    }

    /** Pays with what is no mana (convoke, delve, improvise), where the action's costs say so. */
    static boolean specialPayment(BridgePlayer player, Plan plan, ManaCost unpaid, Game game) {
        if (plan.costs().get("tap") == null && plan.costs().get("exile") == null) {
            return false;
        }
        SpecialActions all = game.getState().getSpecialActions();
        for (SpecialAction action : all.getControlledBy(player.getId(), true).values()) {
            if (action.canActivate(player.getId(), game).canActivate() && plan.hasCostLeft()) {
                return player.activateAbility(action, game);
            }
        }
        return false;
    }
}
