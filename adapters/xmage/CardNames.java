import java.lang.reflect.Constructor;
import java.text.Normalizer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import mage.cards.Card;
import mage.cards.CardSetInfo;
import mage.cards.repository.CardInfo;
import mage.cards.repository.CardRepository;
import mage.constants.Rarity;

/** XMage's classes by the names of cards and tokens. No database is needed: the classes are named after the cards. */
final class CardNames {
    private static final String SET = "judgecall";
    private static final Set<String> LISTED = new HashSet<>();

    private CardNames() {}

    /**
     * Puts cards into XMage's database, where it does not have them: names are chosen out of it. It is opened only
     * where one of the cards has a name chosen.
     */
    static void list(Collection<Card> cards) {
        if (cards.stream().flatMap(card -> card.getRules().stream()).anyMatch(rule -> rule.contains("card name"))) {
            for (Card card : cards) {
                if (LISTED.add(card.getName()) && !isListed(card.getName())) {
                    CardRepository.instance.saveCards(List.of(new CardInfo(card)), 0);
                }
            }
        }
    }

    /** Whether XMage's database has a card of this name. */
    static boolean isListed(String name) {
        return CardRepository.instance.findCard(name) != null;
    }

    /** Whether there is a class for a card. */
    static boolean knows(String name) {
        return find(name) != null;
    }

    /** A new card of a player. Throws Unsupported where XMage has none of that name. */
    static Card create(String name, UUID owner) {
        Class<?> type = find(name);
        if (type == null) {
            throw new Wire.Unsupported("card", name);
        }
        try {
            Constructor<?> constructor = type.getConstructor(UUID.class, CardSetInfo.class);
            Card card = (Card) constructor.newInstance(owner, new CardSetInfo(name, SET, "1", Rarity.COMMON));
            return card;
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("XMage cannot make " + name, error);
        }
    }

    /** The class of a predefined token (CR 111.10), or null. */
    static Class<?> token(String name) {
        return load("mage.game.permanent.token." + className(name) + "Token");
    }

    private static Class<?> find(String name) {
        String word = className(name);
        if (word.isEmpty()) {
            return null;
        }
        Class<?> basic = load("mage.cards.basiclands." + word);
        return basic != null ? basic : load("mage.cards." + Character.toLowerCase(word.charAt(0)) + "." + word);
    }

    private static Class<?> load(String name) {
        try {
            Class<?> type = Class.forName(name);
            return type.getName().equals(name) ? type : null;
        } catch (ClassNotFoundException | NoClassDefFoundError none) {
            return null;
        }
    }

    /** "Lim-Dul's Vault" is LimDulsVault: letters and digits, each word capitalized. */
    private static String className(String name) {
        String plain = Normalizer.normalize(name.replace("Æ", "Ae").replace("æ", "ae"), Normalizer.Form.NFKD)
                .replaceAll("\\p{M}", "")
                .replaceAll("['’.,]", "");
        StringBuilder word = new StringBuilder();
        for (String part : plain.split("[^A-Za-z0-9]+")) {
            if (!part.isEmpty()) {
                word.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
            }
        }
        return word.toString();
    }
}
