import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mage.Mana;
import mage.abilities.costs.mana.GenericManaCost;
import mage.abilities.costs.mana.ManaCost;
import mage.abilities.costs.mana.ManaCosts;
import mage.abilities.costs.mana.ManaCostsImpl;
import mage.abilities.mana.ActivatedManaAbilityImpl;
import mage.abilities.mana.ManaOptions;
import mage.game.Game;
import mage.game.permanent.Permanent;
import mage.players.Player;

/** Which mana ability to activate next, so that a cost can be paid in full: a matching of symbols and sources. */
final class Payment {
    /** A mana ability with what it can make; `wanted` is the symbol that it is to pay. */
    record Choice(ActivatedManaAbilityImpl ability, ManaCost wanted) {}

    private record Source(Permanent permanent, List<ActivatedManaAbilityImpl> abilities) {}

    private static final Pattern SYMBOLS = Pattern.compile("(\\{[^{}]+})(?: or (\\{[WUBRG]}))?");

    private final Game game;
    /** Whether some effect lets mana be spent as though it were other mana. */
    private final boolean anyMana;

    private final List<Source> sources = new ArrayList<>();
    private final Map<ManaCost, Integer> sourceOf = new LinkedHashMap<>();

    private Payment(boolean anyMana, Game game) {
        this.anyMana = anyMana;
        this.game = game;
    }

    /** The next mana ability for an unpaid cost, or null where none will do. */
    static Choice next(
            ManaCost unpaid,
            Map<Permanent, ? extends Collection<ActivatedManaAbilityImpl>> usable,
            boolean anyMana,
            Game game) {
        Payment payment = new Payment(anyMana, game);
        usable.forEach((permanent, abilities) -> payment.sources.add(new Source(permanent, List.copyOf(abilities))));
        List<ManaCost> exact = new ArrayList<>();
        List<ManaCost> generic = new ArrayList<>();
        sort(unpaid, exact, generic);
        for (ManaCost symbol : exact) {
            payment.assign(symbol, new HashSet<>());
        }
        for (ManaCost symbol : exact) {
            Integer index = payment.sourceOf.get(symbol);
            if (index != null) {
                return payment.choice(payment.sources.get(index), symbol);
            }
        }
        // Generic mana: of what is left, the source that can make the fewest kinds.
        Choice best = null;
        int least = Integer.MAX_VALUE;
        for (int index = 0; index < payment.sources.size(); index++) {
            Source source = payment.sources.get(index);
            for (ManaCost symbol : generic) {
                Choice choice = payment.choice(source, symbol);
                int kinds = payment.kinds(source);
                if (choice != null && kinds < least && !payment.sourceOf.containsValue(index)) {
                    best = choice;
                    least = kinds;
                }
            }
        }
        return best;
    }

    private static void sort(ManaCost cost, List<ManaCost> exact, List<ManaCost> generic) {
        if (cost instanceof ManaCosts<?> several) {
            for (ManaCost each : several) {
                sort(each, exact, generic);
            }
        } else if (!cost.isPaid()) {
            (cost instanceof GenericManaCost ? generic : exact).add(cost);
        }
    }

    /** One step of the usual augmenting search for a matching. */
    private boolean assign(ManaCost symbol, Set<Integer> seen) {
        for (int index = 0; index < sources.size(); index++) {
            if (!seen.contains(index) && choice(sources.get(index), symbol) != null) {
                seen.add(index);
                ManaCost holder = null;
                for (Map.Entry<ManaCost, Integer> entry : sourceOf.entrySet()) {
                    if (entry.getValue() == index) {
                        holder = entry.getKey();
                    }
                }
                if (holder == null || assign(holder, seen)) {
                    sourceOf.put(symbol, index);
                    return true;
                }
            }
        }
        return false;
    }

    private Choice choice(Source source, ManaCost symbol) {
        for (ActivatedManaAbilityImpl ability : source.abilities) {
            for (Mana mana : made(ability)) {
                if (symbol.testPay(mana)) {
                    return new Choice(ability, symbol);
                }
            }
        }
        if (anyMana && !source.abilities.isEmpty()) {
            return new Choice(source.abilities.get(0), symbol);
        }
        return null;
    }

    private List<Mana> made(ActivatedManaAbilityImpl ability) {
        List<Mana> made = new ArrayList<>();
        for (Mana mana : ability.getNetMana(game)) {
            if (mana.getAny() > 0) {
                made.addAll(List.of(
                        Mana.WhiteMana(1), Mana.BlueMana(1), Mana.BlackMana(1), Mana.RedMana(1), Mana.GreenMana(1)));
            } else {
                made.add(mana);
            }
        }
        return made;
    }

    private int kinds(Source source) {
        Set<String> kinds = new HashSet<>();
        for (ActivatedManaAbilityImpl ability : source.abilities) {
            made(ability).forEach(mana -> kinds.add(mana.toString()));
        }
        return kinds.size();
    }

    /** Sources that a case names, by id: none where it names floating mana; null where it names nothing. */
    static Set<Object> named(Object paying) {
        if (paying == null) {
            return null;
        }
        return paying instanceof List<?> several ? new HashSet<>(several) : Set.of();
    }

    /** Whether the mana that a text of XMage's speaks of could be paid; true where it speaks of none. */
    static boolean affordable(String text, Player player, Game game) {
        StringBuilder symbols = new StringBuilder();
        Matcher matcher = SYMBOLS.matcher(text);
        while (matcher.find()) {
            symbols.append(matcher.group(2) == null ? matcher.group(1) : "{" + matcher.group(1).charAt(1) + "/"
                    + matcher.group(2).charAt(1) + "}");
        }
        if (symbols.isEmpty()) {
            return true;
        }
        ManaOptions available = player.getManaAvailable(game);
        for (Mana needed : new ManaCostsImpl<>(symbols.toString()).getOptions()) {
            for (Mana had : available) {
                if (needed.enough(had)) {
                    return true;
                }
            }
        }
        return false;
    }
}
