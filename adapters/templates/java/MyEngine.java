import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A first adapter: it says who it is, and `unsupported` to all else. Run it with `judgecall doctor`. */
public final class MyEngine implements Wire.Engine {
    /** The cards that your engine knows, by their English Oracle names. */
    private static final Set<String> CARDS = Set.of();

    private static final List<String> ZONES = List.of("hand", "battlefield", "graveyard", "library", "exile", "command");

    @Override
    public Map<String, Object> hello() {
        return Wire.fields("name", "my-engine", "version", "0.1", "language", "Java");
    }

    /** Which of these the engine knows: `judgecall doctor` asks. */
    @Override
    public List<String> supports(String kind, List<String> names) {
        if (!kind.equals("card")) {
            throw new Wire.Unsupported("command", "supports " + kind);
        }
        return names.stream().filter(CARDS::contains).toList();
    }

    /** Build a starting state, in which the active player has priority. */
    @Override
    public void setup(Map<String, Object> state, Wire.Ask ask) {
        for (Map<String, Object> player : Wire.maps(state.get("players"))) {
            for (String zone : ZONES) {
                for (Map<String, Object> object : Wire.maps(player.get(zone))) {
                    String card = (String) object.get("card");
                    if (!CARDS.contains(card)) {
                        throw new Wire.Unsupported("card", card);
                    }
                }
            }
        }
        throw new Wire.Unsupported("command", "setup"); // Next: put the objects into your engine, and drop this line.
    }

    // Then observe(), and act(action, ask) with the verbs `pass`, `play`, `cast`, one after another.

    public static void main(String[] arguments) throws IOException {
        Wire.serve(new MyEngine());
    }
}
