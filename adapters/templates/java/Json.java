import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, longs, doubles, booleans and null. A library of yours does as well. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value. Throws IllegalArgumentException where the text is none. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.problem();
        }
        return value;
    }

    /** A value as one line of text. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                before = ",";
                write(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            String before = "[";
            for (Object each : list) {
                out.append(before);
                before = ",";
                write(each, out);
            }
            out.append(before.equals("[") ? "[]" : "]");
        } else if (value instanceof CharSequence characters) {
            out.append('"');
            characters.chars().forEach(c -> {
                if (c == '"' || c == '\\') {
                    out.append('\\').append((char) c);
                } else if (c < 0x20 || c > 0x7e) {
                    out.append(String.format("\\u%04x", c));
                } else {
                    out.append((char) c);
                }
            });
            out.append('"');
        } else {
            out.append(value);
        }
    }

    private Object value() {
        space();
        char c = peek();
        if (c == '{') {
            return object();
        }
        if (c == '[') {
            return list();
        }
        if (c == '"') {
            return string();
        }
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
            default:
                try {
                    if (word.matches("-?\\d+")) {
                        return Long.valueOf(word);
                    }
                    return Double.valueOf(word);
                } catch (NumberFormatException error) {
                    throw problem();
                }
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return map;
        }
        do {
            space();
            String key = string();
            space();
            expect(':');
            map.put(key, value());
            space();
        } while (comma('}'));
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return list;
        }
        do {
            list.add(value());
            space();
        } while (comma(']'));
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = peek();
            at++;
            switch (escaped) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    if (at + 4 > text.length()) {
                        throw problem();
                    }
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> out.append(escaped);
            }
        }
        at++;
        return out.toString();
    }

    private boolean comma(char end) {
        if (peek() == ',') {
            at++;
            return true;
        }
        expect(end);
        return false;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw problem();
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw problem();
        }
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private IllegalArgumentException problem() {
        return new IllegalArgumentException("no JSON at character " + at);
    }
}
