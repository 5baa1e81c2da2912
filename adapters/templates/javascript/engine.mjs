// A first adapter: it says who it is, and `unsupported` to all else. Run it with `judgecall doctor`.

import { Unsupported, serve } from "./wire.mjs";

/** The cards that your engine knows, by their English Oracle names. */
const CARDS = new Set([]);

const ZONES = ["hand", "battlefield", "graveyard", "library", "exile", "command"];

class Engine {
  hello = { name: "my-engine", version: "0.1", language: "JavaScript", capabilities: [] };

  /** Which of these the engine knows: `judgecall doctor` asks. */
  supports(kind, names) {
    if (kind !== "card") throw new Unsupported("command", `supports ${kind}`);
    return names.filter((name) => CARDS.has(name));
  }

  /** Build a starting state, in which the active player has priority. */
  setup(state) {
    for (const player of state.players) {
      for (const object of ZONES.flatMap((zone) => player[zone])) {
        if (!CARDS.has(object.card)) throw new Unsupported("card", object.card);
      }
    }
    throw new Unsupported("command", "setup"); // Next: put the objects into your engine, and drop this line.
  }

  // Then observe(), and act(action, ask) with the verbs `pass`, `play`, `cast`, one after another.
}

await serve(new Engine());
