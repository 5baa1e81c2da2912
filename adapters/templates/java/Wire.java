import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The protocol over standard input and output (adapters/PROTOCOL.md). There is no need to change this file. */
final class Wire {
    static final int PROTOCOL = 1;

    /** Thrown for what the engine does not know: card, token, action, property, question, state, command. */
    static final class Unsupported extends RuntimeException {
        final String kind;
        final String name;

        Unsupported(String kind, String name) {
            super(kind + ": " + name);
            this.kind = kind;
            this.name = name;
        }
    }

    /** Thrown for what the rules forbid; the game must then be as it was before the request. */
    static final class Illegal extends RuntimeException {
        final String rule;
        final String stage;

        Illegal(String message, String rule, String stage) {
            super(message);
            this.rule = rule;
            this.stage = stage;
        }
    }

    /** Thrown where another request, or none, comes in place of an answer. */
    private static final class GivenUp extends RuntimeException {
        final transient Map<String, Object> request;

        GivenUp(Map<String, Object> request) {
            this.request = request;
        }
    }

    /** Puts a question to a player and gives the answer. */
    interface Ask {
        Object ask(Map<String, Object> question);
    }

    /** What an engine offers. What it leaves out is unsupported. */
    interface Engine {
        /** Name, version and so on. */
        Map<String, Object> hello();

        default void setup(Map<String, Object> state, Ask ask) {
            throw new Unsupported("command", "setup");
        }

        default void act(Map<String, Object> action, Ask ask) {
            throw new Unsupported("command", "act");
        }

        default Map<String, Object> observe() {
            throw new Unsupported("command", "observe");
        }

        default Map<String, Object> probe(Map<String, Object> action, Map<String, Object> declare, Ask ask) {
            throw new Unsupported("command", "probe");
        }

        default List<String> supports(String kind, List<String> names) {
            throw new Unsupported("command", "supports");
        }

        /** Where the game stands; null: it is not told, and a whole view is asked for. */
        default Map<String, Object> glance() {
            return null;
        }
    }

    private final Engine engine;
    private final BufferedReader in;
    private final PrintStream out;

    private Wire(Engine engine) {
        this.engine = engine;
        this.in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        this.out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        // What a library prints must not get among the messages.
        System.setOut(System.err);
    }

    /** Answers requests until `bye`, or the end of input. */
    static void serve(Engine engine) throws IOException {
        new Wire(engine).run();
    }

    private void run() throws IOException {
        Map<String, Object> request = next();
        while (request != null) {
            Object id = request.get("id");
            Map<String, Object> following = null;
            boolean givenUp = false;
            try {
                reply(id, "done", carryOut(request));
            } catch (GivenUp given) {
                givenUp = true;
                following = given.request;
            } catch (Unsupported lacking) {
                reply(id, "unsupported", fields("kind", lacking.kind, "name", lacking.name));
            } catch (Illegal no) {
                reply(id, "illegal", fields("message", no.getMessage(), "rule", no.rule, "stage", no.stage));
            } catch (RuntimeException | StackOverflowError error) {
                error.printStackTrace();
                reply(id, "failed", fields("message", error.toString()));
            }
            if ("bye".equals(request.get("command"))) {
                return;
            }
            request = givenUp ? following : next();
        }
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> carryOut(Map<String, Object> request) {
        Ask ask = question -> ask(request.get("id"), question);
        switch (String.valueOf(request.get("command"))) {
            case "hello":
                Map<String, Object> told = fields("protocol", PROTOCOL);
                told.putAll(engine.hello());
                return told;
            case "ping":
            case "reset":
            case "bye":
                return fields();
            case "setup":
                engine.setup((Map<String, Object>) request.get("state"), ask);
                return fields("glance", engine.glance());
            case "act":
                engine.act((Map<String, Object>) request.get("action"), ask);
                return fields("glance", engine.glance());
            case "observe":
                return fields("view", engine.observe());
            case "probe":
                return engine.probe(
                        (Map<String, Object>) request.get("action"), (Map<String, Object>) request.get("declare"), ask);
            case "supports":
                return fields(
                        "names", engine.supports((String) request.get("kind"), (List<String>) request.get("names")));
            default:
                throw new Unsupported("command", String.valueOf(request.get("command")));
        }
    }

    private Object ask(Object id, Map<String, Object> question) {
        reply(id, "question", fields("question", question));
        try {
            Map<String, Object> message = next();
            // With the capability `interim`, the game may be looked at before the answer comes.
            while (message != null && interim(message)) {
                message = next();
            }
            if (message == null || !"answer".equals(message.get("command"))) {
                throw new GivenUp(message);
            }
            return message.get("answer");
        } catch (IOException gone) {
            throw new GivenUp(null);
        }
    }

    private boolean interim(Map<String, Object> message) {
        switch (String.valueOf(message.get("command"))) {
            case "observe":
                reply(message.get("id"), "done", fields("view", engine.observe()));
                return true;
            case "ping":
                reply(message.get("id"), "done", fields());
                return true;
            default:
                return false;
        }
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> next() throws IOException {
        String line = in.readLine();
        while (line != null && line.isBlank()) {
            line = in.readLine();
        }
        return line == null ? null : (Map<String, Object>) Json.parse(line);
    }

    private void reply(Object id, String word, Map<String, Object> fields) {
        Map<String, Object> message = fields("id", id, "reply", word);
        message.putAll(fields);
        out.print(Json.write(message) + "\n");
        out.flush();
    }

    /** The items of a list of objects; none where it is no list. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> maps(Object list) {
        return list instanceof List<?> ? (List<Map<String, Object>>) list : List.of();
    }

    /** A map of names and values, one after the other; the order is kept. */
    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
