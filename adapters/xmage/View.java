import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.MageObject;
import mage.Mana;
import mage.abilities.Ability;
import mage.abilities.Mode;
import mage.cards.Card;
import mage.cards.DoubleFacedCard;
import mage.cards.DoubleFacedCardHalf;
import mage.constants.CardType;
import mage.constants.SubType;
import mage.constants.Zone;
import mage.counters.Counters;
import mage.filter.FilterMana;
import mage.game.Game;
import mage.game.combat.CombatGroup;
import mage.game.command.Commander;
import mage.game.command.CommandObject;
import mage.game.permanent.Permanent;
import mage.game.permanent.PermanentCard;
import mage.game.permanent.PermanentToken;
import mage.game.stack.Spell;
import mage.game.stack.StackAbility;
import mage.game.stack.StackObject;
import mage.players.Player;
import mage.util.CardUtil;
import mage.watchers.common.CardsDrawnThisTurnWatcher;

/** The whole game as judgecall wants to see it. What XMage does not know is left out. */
final class View {
    private final Game game;
    private final Refs.Handles handles;
    private final List<Map<String, Object>> objects = new ArrayList<>();
    private final Map<String, Map<String, List<String>>> zones = new LinkedHashMap<>();

    private View(Game game, Refs.Handles handles) {
        this.game = game;
        this.handles = handles;
    }

    /** Where the game stands. */
    static Map<String, Object> glance(Game game) {
        List<String> stack = new ArrayList<>();
        for (StackObject object : game.getStack()) {
            stack.add(object.getId().toString());
        }
        boolean over = game.hasEnded();
        return Wire.fields(
                "active", name(game.getActivePlayerId(), game),
                "step", Words.step(game.getTurnStepType()),
                "turn", game.getTurnNum(),
                "priority", over ? null : name(game.getPriorityPlayerId(), game),
                "stack", stack,
                "over", over);
    }

    static Map<String, Object> of(Game game, Refs.Handles handles) {
        return new View(game, handles).all();
    }

    private static String name(UUID id, Game game) {
        Player player = id == null ? null : game.getPlayer(id);
        return player == null ? null : player.getName();
    }

    private Map<String, Object> all() {
        for (Player player : game.getPlayers().values()) {
            Map<String, List<String>> lists = new LinkedHashMap<>();
            for (String zone : List.of("hand", "battlefield", "graveyard", "library", "exile", "command")) {
                lists.put(zone, new ArrayList<>());
            }
            zones.put(player.getName(), lists);
        }
        for (Player player : game.getPlayers().values()) {
            cards(player.getHand().getCards(game), "hand");
            List<Card> graveyard = new ArrayList<>(player.getGraveyard().getCards(game));
            Collections.reverse(graveyard);
            cards(graveyard, "graveyard");
            cards(player.getLibrary().getCards(game), "library");
        }
        cards(game.getExile().getAllCards(game), "exile");
        command();
        for (Permanent permanent : game.getBattlefield().getAllPermanents()) {
            permanent(permanent);
        }
        List<String> stack = new ArrayList<>();
        for (StackObject object : game.getStack()) {
            stack.add(object.getId().toString());
            if (object instanceof Spell spell) {
                spell(spell);
            } else if (object instanceof StackAbility ability) {
                ability(ability);
            }
        }
        gone();
        List<Map<String, Object>> players = new ArrayList<>();
        String winner = null;
        for (Player player : game.getPlayers().values()) {
            players.add(player(player));
            winner = player.hasWon() ? player.getName() : winner;
        }
        Map<String, Object> standing = glance(game);
        standing.remove("stack");
        standing.put("day_night", game.hasDayNight() ? game.checkDayNight(true) ? "day" : "night" : null);
        standing.put("winner", winner);
        return Wire.fields("objects", objects, "players", players, "stack", stack, "game", standing);
    }

    /** What has left the game with its owner is nowhere, and is still shown. */
    private void gone() {
        handles.all().forEach((id, listed) -> {
            Player owner = listed.card() == null ? null : game.getPlayer(listed.card().getOwnerId());
            boolean shown = objects.stream().anyMatch(each -> listed.handle().equals(each.get("card")));
            if (owner != null && owner.hasLeft() && !shown) {
                Card card = listed.card();
                objects.add(described(id, "nowhere", owner.getName(), front(card), "card", card, Wire.fields()));
            }
        });
    }

    private Map<String, Object> player(Player player) {
        CardsDrawnThisTurnWatcher drawn = game.getState().getWatcher(CardsDrawnThisTurnWatcher.class);
        Map<String, Object> facts = Wire.fields(
                "life", player.getLife(),
                "counters", counters(player.getCountersAsCopy()),
                "mana", Words.mana(floating(player)),
                "lost", player.hasLost(),
                "won", player.hasWon(),
                "drawn", drawn == null ? 0 : drawn.getCardsDrawnThisTurn(player.getId()));
        return Wire.fields("name", player.getName(), "zones", zones.get(player.getName()), "facts", facts);
    }

    private static Mana floating(Player player) {
        Mana mana = player.getManaPool().getMana().copy();
        player.getManaPool().getConditionalMana().forEach(mana::add);
        return mana;
    }

    private static Map<String, Object> counters(Counters counters) {
        Map<String, Object> all = new LinkedHashMap<>();
        counters.forEach((kind, counter) -> {
            if (counter.getCount() > 0) {
                all.put(kind, counter.getCount());
            }
        });
        return all;
    }

    // Zones.

    private void cards(Collection<Card> cards, String zone) {
        for (Card card : cards) {
            card(card, zone);
        }
    }

    private void card(Card card, String zone) {
        Card main = card.getMainCard();
        String id = main.getId().toString();
        String owner = name(main.getOwnerId(), game);
        List<String> list = zones.get(owner).get(zone);
        if (list.contains(id)) {
            return;
        }
        list.add(id);
        MageObject face = main instanceof DoubleFacedCard faces ? faces.getLeftHalfCard() : main;
        Map<String, Object> facts = characteristics(face);
        facts.put("face_down", main.isFaceDown(game));
        facts.put("color_identity", colors(main.getColorIdentity()));
        facts.put("counters", counters(main.getCounters(game)));
        facts.put("token", false);
        objects.add(described(id, zone, owner, face.getName(), "card", main, facts));
    }

    private Map<String, Object> described(
            String id, String zone, String owner, String name, String kind, Card card, Map<String, Object> facts) {
        String front = card == null ? null : front(card);
        return Wire.fields(
                "id", id,
                "zone", zone,
                "owner", owner,
                "name", name,
                "kind", kind,
                "card", handles.of(card == null ? id : card.getId().toString()),
                "card_name", front,
                "facts", facts);
    }

    private static String front(Card card) {
        return card instanceof DoubleFacedCard faces ? faces.getLeftHalfCard().getName() : card.getName();
    }

    private void command() {
        for (CommandObject object : game.getState().getCommand()) {
            if (object instanceof Commander) {
                Card card = game.getCard(object.getSourceId() == null ? object.getId() : object.getSourceId());
                if (card != null && game.getState().getZone(card.getId()) == Zone.COMMAND) {
                    card(card, "command");
                }
            }
        }
    }

    private void permanent(Permanent permanent) {
        String id = Refs.of(permanent);
        String controller = name(permanent.getControllerId(), game);
        if (controller != null && permanent.isPhasedIn()) {
            zones.get(controller).get("battlefield").add(id);
        }
        Map<String, Object> facts = characteristics(permanent);
        facts.put("controller", controller);
        facts.put("counters", counters(permanent.getCounters(game)));
        facts.put("damage", permanent.getDamage());
        facts.put("tapped", permanent.isTapped());
        facts.put("face_down", permanent.isFaceDown(game));
        if (permanent instanceof PermanentCard || permanent.isTransformable()) {
            facts.put("face", isBack(permanent) ? "back" : "front");
        }
        if (!permanent.isFaceDown(game) || permanent.isCloaked()) {
            // But for cloak XMage marks what is face down by the ability that its card has, whatever turned it down.
            facts.put("face_down_by", permanent.isCloaked() ? "cloak" : null);
        }
        facts.put("attached_to", Refs.of(permanent.getAttachedTo(), game));
        facts.put("attachments", refs(permanent.getAttachments()));
        facts.put("summoning_sick", !permanent.wasControlledFromStartOfControllerTurn());
        facts.put("token", permanent instanceof PermanentToken);
        facts.put("copy", permanent.isCopy());
        CombatGroup group = game.getCombat().findGroup(permanent.getId());
        facts.put("attacking", group == null ? null : Refs.of(group.getDefenderId(), game));
        facts.put("blocking", blocked(permanent));
        if (permanent.isPlaneswalker(game)) {
            facts.put("loyalty", permanent.getCounters(game).getCount("loyalty"));
        }
        if (permanent.isBattle(game)) {
            facts.put("defense", permanent.getCounters(game).getCount("defense"));
        }
        boolean isCard = permanent instanceof PermanentCard;
        Card card = isCard ? permanent.getMainCard() : null;
        if (card != null) {
            facts.put("color_identity", colors(card.getColorIdentity()));
        }
        String owner = name(permanent.getOwnerId(), game);
        // In the middle of a move XMage may have it in two places.
        if (objects.removeIf(each -> id.equals(each.get("id")))) {
            zones.values().forEach(lists -> lists.forEach((zone, ids) -> {
                if (!zone.equals("battlefield")) {
                    ids.remove(id);
                }
            }));
        }
        objects.add(described(id, "battlefield", owner, permanent.getName(), isCard ? "card" : "token", card, facts));
    }

    /** Whether its back face is up. A card whose front is no permanent has no other side there for XMage. */
    private static boolean isBack(Permanent permanent) {
        return permanent.isTransformed()
                || (permanent.getBasicMageObject() instanceof DoubleFacedCardHalf half && half.isBackSide());
    }

    private List<String> blocked(Permanent permanent) {
        List<String> attackers = new ArrayList<>();
        for (CombatGroup group : game.getCombat().getGroups()) {
            if (group.getBlockers().contains(permanent.getId())) {
                attackers.addAll(refs(group.getAttackers()));
            }
        }
        return attackers;
    }

    private void spell(Spell spell) {
        Map<String, Object> facts = characteristics(spell);
        boolean faceDown = spell.isFaceDown(game);
        if (faceDown) {
            facts.remove("keywords"); // XMage has those of the card there.
        }
        facts.put("controller", name(spell.getControllerId(), game));
        facts.put("face_down", faceDown);
        facts.put("targets", targets(spell.getSpellAbilities()));
        facts.put("copy", spell.isCopy());
        facts.put("x", CardUtil.getSourceCostsTag(game, spell.getSpellAbility(), "X", 0));
        Card card = spell.isCopy() ? null : spell.getMainCard();
        String kind = spell.isCopy() ? "copy" : "card";
        String name = faceDown ? "" : spell.getName();
        String owner = name(spell.getOwnerId(), game);
        objects.add(described(spell.getId().toString(), "stack", owner, name, kind, card, facts));
    }

    private void ability(StackAbility ability) {
        UUID id = ability.getSourceId();
        MageObject source = ability.getSourceObject(game);
        Card card = game.getCard(id);
        String sourceId = Refs.of(id, game);
        String controller = name(ability.getControllerId(), game);
        Map<String, Object> facts = Wire.fields(
                "controller", controller,
                "targets", targets(List.of(ability.getStackAbility())));
        Map<String, Object> seen =
                described(ability.getId().toString(), "stack", controller, "", "ability", null, facts);
        seen.put("source", sourceId);
        seen.put("source_name", source == null ? card == null ? "" : front(card.getMainCard()) : source.getName());
        seen.put("source_card", handles.of(sourceId));
        objects.add(seen);
    }

    private List<String> targets(Collection<? extends Ability> abilities) {
        List<String> all = new ArrayList<>();
        for (Ability ability : abilities) {
            for (UUID selected : ability.getModes().getSelectedModes()) {
                Mode mode = ability.getModes().get(selected);
                mode.getTargets().forEach(target -> {
                    if (!target.isNotTarget()) {
                        all.addAll(refs(target.getTargets()));
                    }
                });
            }
        }
        return all;
    }

    private List<String> refs(Collection<UUID> ids) {
        List<String> all = new ArrayList<>();
        ids.forEach(id -> all.add(Refs.of(id, game)));
        return all;
    }

    // Characteristics.

    private Map<String, Object> characteristics(MageObject object) {
        String cost = Words.cost(object.getManaCost().getText());
        List<String> types = new ArrayList<>();
        object.getCardType(game).forEach(type -> types.add(type.toString()));
        List<String> subtypes = new ArrayList<>();
        object.getSubtype(game).forEach(type -> subtypes.add(type.getDescription()));
        List<String> supertypes = new ArrayList<>();
        object.getSuperType(game).forEach(type -> supertypes.add(type.toString()));
        Map<String, Object> facts = Wire.fields(
                "mana_cost", cost.isEmpty() ? null : cost,
                "mana_value", object.getManaValue(),
                "colors", Words.colors(object.getColor(game)),
                "types", types,
                "subtypes", subtypes,
                "supertypes", supertypes);
        if (object.getCardType(game).contains(CardType.CREATURE) || object.hasSubtype(SubType.VEHICLE, game)) {
            facts.put("power", object.getPower().getValue());
            facts.put("toughness", object.getToughness().getValue());
        }
        LinkedHashSet<String> keywords = new LinkedHashSet<>();
        Collection<Ability> abilities = object instanceof Card card ? card.getAbilities(game) : object.getAbilities();
        for (Ability ability : abilities) {
            String keyword = Words.keyword(ability);
            if (keyword != null) {
                keywords.add(keyword);
            }
        }
        facts.put("keywords", List.copyOf(keywords));
        return facts;
    }

    private static List<String> colors(FilterMana identity) {
        List<String> words = new ArrayList<>();
        if (identity.isWhite()) {
            words.add("white");
        }
        if (identity.isBlue()) {
            words.add("blue");
        }
        if (identity.isBlack()) {
            words.add("black");
        }
        if (identity.isRed()) {
            words.add("red");
        }
        if (identity.isGreen()) {
            words.add("green");
        }
        return words;
    }
}
