import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mage.MageObject;
import mage.abilities.Ability;
import mage.cards.Card;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.game.permanent.PermanentCard;
import mage.game.stack.StackObject;
import mage.players.Player;

/** What judgecall calls the things of a game: players by name, cards by the id of the whole card, others by theirs. */
final class Refs {
    private Refs() {}

    /** The id of a thing in the view. A permanent that is a card, or half of one, has the id of the card. */
    static String of(UUID id, Game game) {
        if (id == null) {
            return null;
        }
        Player player = game.getPlayer(id);
        if (player != null) {
            return player.getName();
        }
        Permanent permanent = game.getPermanent(id);
        if (permanent != null) {
            return of(permanent);
        }
        for (StackObject object : game.getStack()) {
            if (object.getId().equals(id)) {
                return id.toString();
            }
        }
        Card card = game.getCard(id);
        return (card != null ? card.getMainCard().getId() : id).toString();
    }

    static String of(Permanent permanent) {
        UUID id = permanent instanceof PermanentCard ? permanent.getMainCard().getId() : permanent.getId();
        return id.toString();
    }

    /** The one of some ids that a reference means, or null. */
    static UUID among(Object reference, Collection<UUID> ids, Game game) {
        for (UUID id : ids) {
            if (of(id, game).equals(reference)) {
                return id;
            }
        }
        return null;
    }

    /** A player by name, or null. */
    static Player player(Object name, Game game) {
        for (Player player : game.getPlayers().values()) {
            if (player.getName().equals(name)) {
                return player;
            }
        }
        return null;
    }

    /** A permanent by its id in the view, or null. */
    static Permanent permanent(Object reference, Game game) {
        for (Permanent permanent : game.getBattlefield().getAllPermanents()) {
            if (of(permanent).equals(reference)) {
                return permanent;
            }
        }
        return null;
    }

    /** Things as options of a question. */
    static List<Map<String, Object>> options(Collection<UUID> ids, Game game) {
        Map<String, Map<String, Object>> options = new LinkedHashMap<>();
        for (UUID id : ids) {
            String value = of(id, game);
            options.putIfAbsent(value, Wire.fields("value", value, "name", name(id, game)));
        }
        return List.copyOf(options.values());
    }

    static String name(UUID id, Game game) {
        Player player = game.getPlayer(id);
        if (player != null) {
            return player.getName();
        }
        MageObject object = game.getObject(id);
        return object == null ? "" : object.getName();
    }

    /** What a reference is called, for a person: an object by its name, a player as the reference says. */
    static String called(Object reference, Game game) {
        try {
            return name(UUID.fromString(String.valueOf(reference)), game);
        } catch (IllegalArgumentException player) {
            return String.valueOf(reference);
        }
    }

    /** An ability as an option: it may not be on the stack yet. */
    static Map<String, Object> option(Ability ability, Game game) {
        MageObject source = ability.getSourceObject(game);
        return Wire.fields(
                "value", ability.getId().toString(),
                "name", "ability of " + (source == null ? "" : source.getName()),
                "source", of(ability.getSourceId(), game));
    }

    /** The cards and tokens of the starting state by their ids in the view. */
    static final class Handles {
        /** A card of the starting state; no card for a token. */
        record Listed(String handle, Card card) {}

        private final Map<String, Listed> byId = new LinkedHashMap<>();

        void put(String id, String handle, Card card) {
            byId.put(id, new Listed(handle, card));
        }

        String of(String id) {
            Listed listed = byId.get(id);
            return listed == null ? null : listed.handle();
        }

        Map<String, Listed> all() {
            return byId;
        }
    }
}
