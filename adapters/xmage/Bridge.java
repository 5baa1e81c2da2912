import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mage.abilities.Ability;
import mage.abilities.common.SimpleStaticAbility;
import mage.abilities.effects.common.InfoEffect;
import mage.cards.Card;
import mage.cards.basiclands.Plains;
import mage.cards.CardSetInfo;
import mage.cards.decks.Deck;
import mage.constants.Rarity;
import mage.constants.Zone;
import mage.game.Game;
import mage.game.GameImpl;
import mage.game.GameOptions;

/** XMage as an engine that judgecall can play on: `java Bridge`, with XMage on the class path. */
public final class Bridge implements Wire.Engine {
    private static final String VERSION = "0.1";

    private final Trouble trouble = Trouble.listen();
    private Table table;
    private Refs.Handles handles;
    private Map<String, Object> state;
    private boolean built;

    @Override
    public Map<String, Object> hello() {
        Package xmage = GameImpl.class.getPackage();
        String version = System.getProperty("judgecall.xmage.version", xmage.getImplementationVersion());
        return Wire.fields(
                "name", "xmage",
                "version", version == null ? "unknown" : version,
                "adapter", "judgecall bridge to XMage",
                "adapter_version", VERSION,
                "language", "Java",
                "capabilities", List.of("interim"));
    }

    @Override
    public List<String> supports(String kind, List<String> names) {
        return switch (kind) {
            case "card" -> names.stream().filter(CardNames::knows).toList();
            case "token" -> names.stream().filter(name -> CardNames.token(name) != null).toList();
            default -> throw new Wire.Unsupported("command", "supports " + kind);
        };
    }

    @Override
    public void setup(Map<String, Object> given, Wire.Ask ask) {
        if (table != null) {
            table.stop();
        }
        Setup.check(given);
        handles = new Refs.Handles();
        state = given;
        built = false;
        GameImpl game = Games.create("commander".equals(given.get("format")));
        List<Map<String, Object>> seats = new ArrayList<>(Wire.maps(given.get("players")));
        // XMage seats each player who comes before those who came second and later.
        Collections.reverse(seats.subList(1, seats.size()));
        for (Map<String, Object> listed : seats) {
            BridgePlayer player = new BridgePlayer((String) listed.get("name"), this);
            game.addPlayer(player, new Deck());
            if (player.getName().equals(given.get("active"))) {
                game.setStartingPlayerId(player.getId());
                // Something to draw, until the starting state takes its place.
                Card card = new Plains(player.getId(), new CardSetInfo("Plains", "", "1", Rarity.COMMON));
                game.loadCards(Set.of(card), player.getId());
                player.getLibrary().putOnTop(card, game);
            }
        }
        GameOptions options = new GameOptions();
        options.testMode = true;
        options.skipInitShuffling = true;
        game.setGameOptions(options);
        table = new Table(game);
        trouble.take();
        table.start(ask);
        lookForTrouble();
    }

    /** Whether the starting state is there. */
    boolean built() {
        return built;
    }

    /** Puts the starting state into the game, if this is the moment for it. In the game's thread. */
    boolean building(BridgePlayer player, Game game) {
        boolean now = !built
                && player.getId().equals(game.getActivePlayerId())
                && state.get("step").equals(Words.step(game.getTurnStepType()));
        if (!built && game.getTurnNum() > 1) {
            throw new Table.Halt(new Wire.Unsupported("state", "step " + state.get("step")));
        }
        if (now) {
            Setup.build((GameImpl) game, state, handles);
            built = true;
        }
        return now;
    }

    Table table() {
        return table;
    }

    /** An ability of nobody's and of nothing, for mana that nothing made. */
    Ability nobody(BridgePlayer player) {
        Ability ability = new SimpleStaticAbility(Zone.OUTSIDE, new InfoEffect(""));
        ability.setControllerId(player.getId());
        ability.setSourceId(UUID.randomUUID());
        return ability;
    }

    @Override
    public void act(Map<String, Object> action, Wire.Ask ask) {
        table.act(action, ask);
        lookForTrouble();
    }

    /** An exception within XMage has undone who knows what: the case is an error, and no verdict. */
    private void lookForTrouble() {
        Throwable thrown = trouble.take();
        if (thrown != null) {
            throw new IllegalStateException("within XMage: " + thrown, thrown);
        }
    }

    @Override
    public Map<String, Object> observe() {
        return View.of(table.game, handles);
    }

    @Override
    public Map<String, Object> glance() {
        return View.glance(table.game);
    }

    public static void main(String[] arguments) throws IOException {
        Wire.serve(new Bridge());
    }
}
