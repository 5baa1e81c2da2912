import java.util.Optional;
import java.util.regex.Pattern;
import mage.abilities.Ability;
import mage.choices.Choice;
import mage.choices.ChoiceBasicLandType;
import mage.choices.ChoiceColor;
import mage.choices.ChoiceCreatureType;
import mage.game.Game;
import mage.game.permanent.Permanent;

/** What kind of question XMage is asking: it has one call for all that is answered with yes or no. */
enum Asking {
    MAY("may"),
    PAY("pay"),
    CAST("cast"),
    COIN("coin"),
    NEW_TARGETS("targets"),
    WHICH_COST("pay"),
    /** Whether to choose any, before they are chosen. */
    FIRST_YES("may");

    private static final Pattern PAYERS = Pattern.compile(
            "DoIf.*Paid.*|DoUnless.*|.*UnlessPays.*|.*UnlessPay.*|.*UnlessSacrifice.*|CumulativeUpkeep.*|Echo.*");

    private static final Pattern CASTS = Pattern.compile("^(Cast|Play) |you may cast (it|that|this)\\b");

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    final String kind;

    Asking(String kind) {
        this.kind = kind;
    }

    /** Of the call that is going on, by what it says and by what in XMage makes it. */
    static Asking now(String message) {
        if (message.startsWith("Change this ")) {
            return NEW_TARGETS;
        }
        if (message.startsWith("Heads or tails")) {
            return COIN;
        }
        if (message.equals("Devour creatures?")) {
            return FIRST_YES;
        }
        if (CASTS.matcher(message).find()) {
            return CAST;
        }
        if (caller().equals("OrCost")) {
            return WHICH_COST;
        }
        if (message.toLowerCase().startsWith("pay ") || PAYERS.matcher(caller()).matches()) {
            return PAY;
        }
        return MAY;
    }

    /** Whether objects are being chosen to pay a cost with. */
    static boolean forCost() {
        return WALKER.walk(frames -> frames
                .map(frame -> frame.getDeclaringClass().getName())
                .dropWhile(name -> !name.startsWith("mage.")
                        || name.startsWith("mage.players.")
                        || name.startsWith("mage.target."))
                .limit(1)
                .anyMatch(name -> name.startsWith("mage.abilities.costs.")));
    }

    /** How often a cost asks for the same again, where all of it is one choice (CR 702.24a). */
    static int repetitions(Ability source, Game game) {
        Permanent permanent = source == null ? null : game.getPermanent(source.getSourceId());
        boolean cumulative = permanent != null
                && WALKER.walk(frames ->
                        frames.anyMatch(frame -> frame.getClassName().contains("CumulativeUpkeep")));
        return cumulative ? permanent.getCounters(game).getCount("age") : 1;
    }

    /** Whether something is chosen as a permanent is turned face up. */
    static boolean asTurnedFaceUp() {
        return WALKER.walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(".AsTurnedFaceUpEffect")));
    }

    static boolean isPhyrexian(String message) {
        return message.contains("life instead of");
    }

    /** Whether targets of a spell or ability on the stack are being changed. */
    static boolean changesTargets() {
        return WALKER.walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("chooseNewTarget")));
    }

    private static String caller() {
        Optional<String> name = WALKER.walk(frames -> frames
                .map(frame -> frame.getDeclaringClass())
                .filter(type -> type.getName().startsWith("mage.") && !type.getName().startsWith("mage.players."))
                .map(Class::getSimpleName)
                .findFirst());
        return name.orElse("");
    }

    /** The kind of a choice among words; null where the case format has none for it. */
    static String word(Choice choice, String message) {
        String text = message.toLowerCase();
        if (choice instanceof ChoiceColor || text.contains("color")) {
            return "color";
        }
        if (choice instanceof ChoiceCreatureType || choice instanceof ChoiceBasicLandType || text.contains("type")) {
            return "type";
        }
        if (text.contains("name")) {
            return "name";
        }
        boolean numbers = choice.getChoices().stream().allMatch(word -> word.matches("\\d+"));
        return numbers && !choice.getChoices().isEmpty() ? "number" : null;
    }
}
