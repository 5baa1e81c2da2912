import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mage.Mana;
import mage.ObjectColor;
import mage.abilities.Ability;
import mage.constants.PhaseStep;

/** The words of the case format, and what XMage calls them. */
final class Words {
    private static final Map<String, String> SYMBOLS =
            Map.of("white", "W", "blue", "U", "black", "B", "red", "R", "green", "G", "colorless", "C");

    private static final Map<PhaseStep, String> STEPS = Map.ofEntries(
            Map.entry(PhaseStep.UNTAP, "untap"),
            Map.entry(PhaseStep.UPKEEP, "upkeep"),
            Map.entry(PhaseStep.DRAW, "draw"),
            Map.entry(PhaseStep.PRECOMBAT_MAIN, "precombat main"),
            Map.entry(PhaseStep.BEGIN_COMBAT, "beginning of combat"),
            Map.entry(PhaseStep.DECLARE_ATTACKERS, "declare attackers"),
            Map.entry(PhaseStep.DECLARE_BLOCKERS, "declare blockers"),
            Map.entry(PhaseStep.FIRST_COMBAT_DAMAGE, "combat damage"),
            Map.entry(PhaseStep.COMBAT_DAMAGE, "combat damage"),
            Map.entry(PhaseStep.END_COMBAT, "end of combat"),
            Map.entry(PhaseStep.POSTCOMBAT_MAIN, "postcombat main"),
            Map.entry(PhaseStep.END_TURN, "end"),
            Map.entry(PhaseStep.CLEANUP, "cleanup"));

    /** How many of the things that are offered a refusal names. */
    private static final int SHOWN = 5;

    private Words() {}

    /** What is added to a refusal where something else is offered: the first few things, each once. */
    static String instead(List<String> offered) {
        List<String> names = offered.stream().distinct().toList();
        if (names.isEmpty()) {
            return "";
        }
        String more = names.size() > SHOWN ? ", …" : "";
        return "; it offers: " + String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))) + more;
    }

    static String step(PhaseStep step) {
        return step == null ? null : STEPS.get(step);
    }

    /** "red" as "R". */
    static String symbol(String color) {
        return SYMBOLS.getOrDefault(color.toLowerCase(), color);
    }

    static List<String> colors(ObjectColor color) {
        List<String> words = new ArrayList<>();
        if (color.isWhite()) {
            words.add("white");
        }
        if (color.isBlue()) {
            words.add("blue");
        }
        if (color.isBlack()) {
            words.add("black");
        }
        if (color.isRed()) {
            words.add("red");
        }
        if (color.isGreen()) {
            words.add("green");
        }
        return words;
    }

    /** The class of a keyword ability as a keyword, "FirstStrikeAbility" as "first strike"; null for any other. */
    static String keyword(Ability ability) {
        Class<?> type = ability.getClass();
        while (type != null && !type.getName().startsWith("mage.abilities.keyword.")) {
            type = type.getSuperclass();
        }
        return type == null ? null : words(type.getSimpleName());
    }

    /** A class's name in small letters and words, without "Ability"; one keyword has a hyphen. */
    static String words(String name) {
        String words = name.replaceAll("Ability$", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase();
        return words.equals("jump start") ? "jump-start" : words;
    }

    /** A mana cost with its generic parts added up (CR 709.4b): XMage lists those of both halves. */
    static String cost(String symbols) {
        int generic = 0;
        int parts = 0;
        StringBuilder others = new StringBuilder();
        for (String symbol : symbols.split("(?<=})")) {
            if (symbol.matches("\\{\\d+}")) {
                generic += Integer.parseInt(symbol.substring(1, symbol.length() - 1));
                parts++;
            } else {
                others.append(symbol);
            }
        }
        return parts > 1 ? "{" + generic + "}" + others : symbols;
    }

    static String mana(Mana mana) {
        return "{W}".repeat(mana.getWhite())
                + "{U}".repeat(mana.getBlue())
                + "{B}".repeat(mana.getBlack())
                + "{R}".repeat(mana.getRed())
                + "{G}".repeat(mana.getGreen())
                + "{C}".repeat(mana.getColorless() + mana.getGeneric());
    }

    static Mana mana(String symbols) {
        Mana mana = new Mana();
        for (String symbol : symbols.replace("{", "").split("}")) {
            switch (symbol) {
                case "W" -> mana.increaseWhite();
                case "U" -> mana.increaseBlue();
                case "B" -> mana.increaseBlack();
                case "R" -> mana.increaseRed();
                case "G" -> mana.increaseGreen();
                case "C" -> mana.increaseColorless();
                case "" -> { }
                default -> throw new Wire.Unsupported("state", "mana " + symbol);
            }
        }
        return mana;
    }
}
