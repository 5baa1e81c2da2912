import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.MageObjectReference;
import mage.ObjectColor;
import mage.abilities.Ability;
import mage.abilities.common.SimpleStaticAbility;
import mage.abilities.costs.mana.ManaCosts;
import mage.abilities.costs.mana.ManaCostsImpl;
import mage.abilities.effects.ContinuousEffect;
import mage.abilities.effects.common.ChooseACardNameEffect;
import mage.abilities.effects.common.InfoEffect;
import mage.abilities.effects.common.continuous.BecomesFaceDownCreatureEffect;
import mage.abilities.effects.common.continuous.BecomesFaceDownCreatureEffect.FaceDownType;
import mage.cards.Card;
import mage.cards.DoubleFacedCard;
import mage.constants.CardType;
import mage.constants.Duration;
import mage.constants.SubType;
import mage.constants.Zone;
import mage.counters.Counter;
import mage.counters.CounterType;
import mage.game.GameCommanderImpl;
import mage.game.GameImpl;
import mage.game.permanent.Permanent;
import mage.game.permanent.PermanentCard;
import mage.game.permanent.PermanentImpl;
import mage.game.permanent.PermanentToken;
import mage.game.permanent.token.Token;
import mage.players.Player;
import mage.util.CardUtil;
import mage.util.functions.CopyTokenFunction;
import mage.util.functions.EmptyCopyApplier;

/** Puts a starting state into a game that stands at the step wanted. Nothing triggers and nothing is replaced. */
final class Setup {
    private static final List<String> ZONES =
            List.of("hand", "battlefield", "graveyard", "library", "exile", "command");

    private record Placed(Map<String, Object> object, String zone, BridgePlayer owner, int place) {
        long order() {
            return object.get("order") instanceof Number number ? number.longValue() : Long.MAX_VALUE;
        }
    }

    private final GameImpl game;
    private final Refs.Handles handles;
    private final Map<String, UUID> permanents = new HashMap<>();

    private Setup(GameImpl game, Refs.Handles handles) {
        this.game = game;
        this.handles = handles;
    }

    /** Throws Unsupported where a state has something that cannot be built, before anything is built. */
    static void check(Map<String, Object> state) {
        for (Map<String, Object> player : Wire.maps(state.get("players"))) {
            for (String zone : ZONES) {
                for (Map<String, Object> object : Wire.maps(player.get(zone))) {
                    check(object, zone, state);
                }
            }
        }
    }

    private static void check(Map<String, Object> object, String zone, Map<String, Object> state) {
        String card = (String) object.get("card");
        String token = (String) object.get("token_name");
        if (token != null && CardNames.token(token) == null) {
            throw new Wire.Unsupported("token", token);
        }
        if (token == null && !CardNames.knows(card)) {
            throw new Wire.Unsupported("card", card);
        }
        String copy = (String) object.get("copy_of");
        if (copy != null && !CardNames.knows(copy)) {
            throw new Wire.Unsupported("card", copy);
        }
        Object faceDown = object.get("face_down");
        if (faceDown != null && (faceDown.equals("effect") || !zone.equals("battlefield"))) {
            throw new Wire.Unsupported("state", "face_down " + faceDown);
        }
        boolean commander = "commander".equals(state.get("format"));
        if (Boolean.TRUE.equals(object.get("commander")) && !commander) {
            throw new Wire.Unsupported("state", "commander");
        }
        if (zone.equals("command") && !commander) {
            throw new Wire.Unsupported("state", "command");
        }
        if (object.get("chosen") instanceof Map<?, ?> chosen) {
            for (Object kind : chosen.keySet()) {
                if (!List.of("color", "type", "name").contains(kind)) {
                    throw new Wire.Unsupported("state", "chosen " + kind);
                }
            }
        }
        if (!zone.equals("battlefield") && object.get("counters") instanceof Map<?, ?> counters && !counters.isEmpty()) {
            throw new Wire.Unsupported("state", "counters in " + zone);
        }
    }

    /** Builds the state. Runs in the game's thread, while the active player has priority. */
    static void build(GameImpl game, Map<String, Object> state, Refs.Handles handles) {
        new Setup(game, handles).build(state);
    }

    private void build(Map<String, Object> state) {
        List<Placed> all = new ArrayList<>();
        for (Map<String, Object> listed : Wire.maps(state.get("players"))) {
            BridgePlayer player = (BridgePlayer) Refs.player(listed.get("name"), game);
            player.begin(listed, game);
            for (String zone : ZONES) {
                int place = 0;
                for (Map<String, Object> object : Wire.maps(listed.get(zone))) {
                    all.add(new Placed(object, zone, player, place++));
                }
            }
        }
        // Timestamps run in the order listed; within a zone it is the other way round, since each goes on top.
        List<Placed> ordered = new ArrayList<>(all);
        ordered.sort(Comparator.comparingLong(Placed::order));
        Map<Placed, Card> cards = new HashMap<>();
        for (Placed placed : ordered) {
            if (!Boolean.TRUE.equals(placed.object.get("token"))) {
                Card card = CardNames.create((String) placed.object.get("card"), placed.owner.getId());
                game.loadCards(Set.of(card), placed.owner.getId());
                cards.put(placed, card);
                handles.put(card.getId().toString(), (String) placed.object.get("handle"), card);
            }
            if (placed.zone.equals("battlefield")) {
                permanent(placed, cards.get(placed));
            }
        }
        CardNames.list(cards.values());
        ordered.sort(Comparator.comparingInt(Placed::place).reversed());
        for (Placed placed : ordered) {
            if (!placed.zone.equals("battlefield")) {
                put(cards.get(placed), placed.zone, placed.owner);
            }
        }
        game.applyEffects();
        for (Placed placed : all) {
            attach(placed);
        }
        if (state.get("day_night") != null) {
            game.setDaytime(state.get("day_night").equals("day"));
        }
        game.getState().setTurnNum(((Number) state.get("turn")).intValue());
        game.applyEffects();
        game.getState().clearTriggeredAbilities();
        game.getState().resetWatchers();
    }

    private void put(Card card, String zone, BridgePlayer owner) {
        switch (zone) {
            case "hand" -> {
                card.setZone(Zone.HAND, game);
                owner.getHand().add(card);
            }
            case "graveyard" -> {
                card.setZone(Zone.GRAVEYARD, game);
                owner.getGraveyard().add(card);
            }
            case "library" -> owner.getLibrary().putOnTop(card, game);
            case "exile" -> {
                card.setZone(Zone.EXILED, game);
                game.getExile().add(card);
            }
            default -> commander(card, owner);
        }
    }

    private void commander(Card card, Player owner) {
        GameCommanderImpl commanders = (GameCommanderImpl) game;
        commanders.addCommander(card, owner);
        commanders.initCommander(card, owner);
    }

    private void permanent(Placed placed, Card card) {
        Map<String, Object> object = placed.object;
        Player controller = Refs.player(object.get("controller"), game);
        if (Boolean.TRUE.equals(object.get("commander"))) {
            commander(card, placed.owner);
            game.getState().getCommand().removeIf(each -> each.getSourceId().equals(card.getId()));
        }
        Permanent permanent;
        if (card == null) {
            permanent = token(placed);
        } else {
            Card side = side(object, card);
            if (object.get("face_down") != null) {
                side.setFaceDown(true, game);
            }
            side.setZone(Zone.BATTLEFIELD, game);
            permanent = new PermanentCard(side, controller.getId(), game);
            game.addPermanent(permanent, 0);
            if (object.get("face_down") != null) {
                turnDown(permanent, card, side, (String) object.get("face_down"));
            }
            if (!controller.getId().equals(placed.owner.getId())) {
                permanent.getAbilities(game).setControllerId(controller.getId());
                game.getContinuousEffects().setController(permanent.getId(), controller.getId());
            }
        }
        permanents.put((String) object.get("handle"), permanent.getId());
        permanent.setTapped(Boolean.TRUE.equals(object.get("tapped")));
        if (!Boolean.TRUE.equals(object.get("summoning_sick"))) {
            ((PermanentImpl) permanent).removeSummoningSickness();
        }
        counters(permanent, object.get("counters"));
        damage(permanent, ((Number) object.get("damage")).intValue());
        if (object.get("protector") != null) {
            permanent.setProtectorId(Refs.player(object.get("protector"), game).getId());
        }
        if (object.get("chosen") instanceof Map<?, ?> chosen) {
            chosen.forEach((kind, value) -> choose(permanent.getId(), (String) kind, String.valueOf(value)));
        }
        if (object.get("copy_of") != null) {
            Card original = CardNames.create((String) object.get("copy_of"), controller.getId());
            Card side = CardUtil.getDefaultCardSideForBattlefield(game, original);
            Permanent copied = new PermanentCard(side, controller.getId(), game);
            game.copyPermanent(copied, permanent.getId(), source(permanent), new EmptyCopyApplier());
        }
        for (ContinuousEffect effect : game.getState().getContinuousEffects().getLayeredEffects(game)) {
            for (Ability ability : game.getState().getContinuousEffects().getLayeredEffectAbilities(effect)) {
                if (permanent.getId().equals(ability.getSourceId())) {
                    effect.init(ability, game, controller.getId());
                    break;
                }
            }
        }
    }

    private Card side(Map<String, Object> object, Card card) {
        if ("back".equals(object.get("face"))) {
            if (card instanceof DoubleFacedCard faces) {
                return faces.getRightHalfCard();
            }
            throw new Wire.Unsupported("state", "face");
        }
        return object.get("face_down") != null
                ? BecomesFaceDownCreatureEffect.findDefaultCardSideForFaceDown(game, card)
                : CardUtil.getDefaultCardSideForBattlefield(game, card);
    }

    /** Face down, as the ability or action that turned it down would have done it. */
    private void turnDown(Permanent permanent, Card card, Card side, String how) {
        permanent.setFaceDown(true, game);
        switch (how) {
            case "morph", "megamorph" -> permanent.setMorphed(true);
            case "disguise" -> permanent.setDisguised(true);
            default -> {
                boolean cloaked = how.equals("cloak");
                if (cloaked) {
                    permanent.setCloaked(true);
                } else {
                    permanent.setManifested(true);
                }
                ManaCosts<?> costs = null;
                if (side.isCreature(game)) {
                    costs = side.getSpellAbility() == null
                            ? new ManaCostsImpl<>("{0}")
                            : side.getSpellAbility().getManaCosts();
                }
                Ability source = source(permanent);
                source.setWorksFaceDown(true);
                MageObjectReference reference =
                        new MageObjectReference(permanent.getId(), permanent.getZoneChangeCounter(game), game);
                FaceDownType type = cloaked ? FaceDownType.CLOAKED : FaceDownType.MANIFESTED;
                game.addEffect(
                        new BecomesFaceDownCreatureEffect(costs, reference, Duration.Custom, type), source);
            }
        }
    }

    private Permanent token(Placed placed) {
        Map<String, Object> object = placed.object;
        String name = (String) object.get("token_name");
        if (!object.get("controller").equals(placed.owner.getName())) {
            throw new Wire.Unsupported("state", "controller of a token");
        }
        Token token;
        if (name == null) {
            Card original = CardNames.create((String) object.get("card"), placed.owner.getId());
            token = CopyTokenFunction.createTokenCopy(original, game);
        } else {
            try {
                token = (Token) CardNames.token(name).getConstructor().newInstance();
            } catch (ReflectiveOperationException error) {
                throw new Wire.Unsupported("token", name);
            }
        }
        PermanentToken permanent = new PermanentToken(token, placed.owner.getId(), game);
        game.getState().addCard(permanent);
        permanent.setZone(Zone.BATTLEFIELD, game);
        game.addPermanent(permanent, 0);
        handles.put(permanent.getId().toString(), (String) object.get("handle"), null);
        return permanent;
    }

    private void counters(Permanent permanent, Object listed) {
        if (listed instanceof Map<?, ?> counters) {
            counters.forEach((kind, count) -> add(permanent, (String) kind, ((Number) count).intValue()));
        } else if (permanent.getCardType(game).contains(CardType.PLANESWALKER)) {
            add(permanent, "loyalty", permanent.getStartingLoyalty());
        } else if (permanent.getCardType(game).contains(CardType.BATTLE)) {
            add(permanent, "defense", permanent.getStartingDefense());
        } else if (permanent.hasSubtype(SubType.SAGA, game)) {
            add(permanent, "lore", 1);
        }
    }

    private void add(Permanent permanent, String kind, int count) {
        if (count > 0) {
            permanent.getCounters(game).addCounter(counter(kind, count));
        }
    }

    static Counter counter(String kind, int count) {
        CounterType type = CounterType.findByName(kind);
        return type == null ? new Counter(kind, count) : type.createInstance(count);
    }

    /** Damage marked is set as it is: dealing it would be prevented, replaced and seen by triggers. */
    private static void damage(Permanent permanent, int amount) {
        if (amount > 0) {
            try {
                Field field = PermanentImpl.class.getDeclaredField("damage");
                field.setAccessible(true);
                field.setInt(permanent, amount);
            } catch (ReflectiveOperationException error) {
                throw new Wire.Unsupported("state", "damage");
            }
        }
    }

    private void choose(UUID id, String kind, String value) {
        if (kind.equals("color")) {
            game.getState().setValue(id + "_color", new ObjectColor(Words.symbol(value)));
        } else if (kind.equals("name")) {
            game.getState().setValue(id + ChooseACardNameEffect.INFO_KEY, value);
        } else {
            game.getState().setValue(id + "_type", SubType.byDescription(value));
        }
    }

    private void attach(Placed placed) {
        Object to = placed.object.get("attached_to");
        if (to == null) {
            return;
        }
        UUID id = permanents.get(placed.object.get("handle"));
        Ability source = source(game.getPermanent(id));
        Player player = Refs.player(to, game);
        if (player != null) {
            player.addAttachment(id, source, game);
        } else if (permanents.containsKey(to)) {
            game.getPermanent(permanents.get(to)).addAttachment(id, source, game);
        } else {
            throw new Wire.Unsupported("state", "attached_to a card");
        }
    }

    /** An ability without text, where XMage wants to know whose doing something is. */
    private Ability source(Permanent permanent) {
        Ability ability = new SimpleStaticAbility(Zone.OUTSIDE, new InfoEffect(""));
        ability.setControllerId(permanent.getControllerId());
        ability.setSourceId(permanent.getId());
        return ability;
    }
}
