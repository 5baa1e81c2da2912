// The adapter: the small engine of game.mjs, offered in the protocol.

import { CARDS, colors } from "./cards.mjs";
import { Game, ZONES } from "./game.mjs";
import { Illegal, Unsupported, serve } from "./wire.mjs";

const ACTIONS = ["cast", "play", "pass", "concede", "using flashback"];

const STATES = ["damage", "lands_played", "life", "mana", "step", "summoning_sick", "tapped", "turn"];

/** What the engine cannot build: these fields of an object must have these values. */
const DEFAULTS = {
  token_name: null,
  token: false,
  face_down: null,
  face: "front",
  attached_to: null,
  commander: false,
  copy_of: null,
  protector: null,
};

class Engine {
  hello = { name: "small-javascript", version: "1", language: "JavaScript", capabilities: [] };

  game = null;

  supports(kind, names) {
    const known = { card: Object.keys(CARDS), action: ACTIONS, state: STATES }[kind];
    if (known === undefined) throw new Unsupported("command", `supports ${kind}`);
    return names.filter((name) => known.includes(name));
  }

  async setup(state) {
    if (state.players.length > 2) throw new Unsupported("state", "players");
    for (const key of ["format", "day_night"]) if (state[key] !== null) throw new Unsupported("state", key);
    const game = new Game(state.active, state.step, state.turn, state.players.map((player) => player.name));
    for (const player of state.players) {
      if (Object.keys(player.counters).length > 0) throw new Unsupported("state", "player counters");
      const { life, lands_played: landsPlayed } = player;
      const mana = [...player.mana.matchAll(/\{(.*?)\}/g)].map((match) => match[1]);
      Object.assign(game.state.players[player.name], { life, landsPlayed, mana });
    }
    const all = state.players.flatMap((player) =>
      ZONES.flatMap((zone) => player[zone].map((object) => ({ object, zone, owner: player.name }))),
    );
    all.sort((one, other) => (one.object.order ?? Infinity) - (other.object.order ?? Infinity) || 0);
    for (const { object, zone, owner } of all) this.build(game, object, zone, owner);
    this.game = game;
    await game.givePriority(state.active);
  }

  build(game, object, zone, owner) {
    if (!(object.card in CARDS)) throw new Unsupported(object.token_name ? "token" : "card", object.token_name ?? object.card);
    for (const [key, value] of Object.entries(DEFAULTS)) if (object[key] !== value) throw new Unsupported("state", key);
    if (object.controller !== owner) throw new Unsupported("state", "controller");
    for (const key of ["counters", "chosen"]) {
      if (Object.keys(object[key] ?? {}).length > 0) throw new Unsupported("state", key);
    }
    const { card: name, handle, tapped, damage, summoning_sick: sick } = object;
    game.put({ name, owner, controller: owner, handle, tapped, damage, sick }, zone);
  }

  async act(action, ask) {
    const verbs = { cast: "cast", play: "play", pass: "pass", concede: "concede" };
    const verb = verbs[action.verb];
    if (verb === undefined) throw new Unsupported("action", action.verb);
    const before = structuredClone(this.game.state);
    this.game.ask = ask;
    try {
      await this.game[verb](action);
    } catch (error) {
      if (error instanceof Illegal) this.game.state = before; // nothing of it has happened
      throw error;
    }
  }

  glance() {
    const { active, step, turn, priority, stack } = this.game.state;
    return { active, step, turn, priority, stack, over: this.game.over() };
  }

  observe() {
    const { state } = this.game;
    const over = this.game.over();
    const [winner] = over ? this.game.alive() : [];
    return {
      objects: Object.values(state.objects).map((object) => this.show(object)),
      players: state.order.map((name) => {
        const { life, mana, drawn, lost } = state.players[name];
        const floating = mana.map((symbol) => `{${symbol}}`).join("");
        return {
          name,
          zones: state.zones[name],
          facts: { life, drawn, lost, won: name === winner, counters: {}, mana: floating },
        };
      }),
      stack: state.stack,
      game: {
        active: state.active,
        step: state.step,
        turn: state.turn,
        priority: state.priority,
        day_night: null,
        over,
        winner: winner ?? null,
      },
    };
  }

  show(object) {
    const card = CARDS[object.name];
    const { id, zone, owner, name, handle, controller, tapped, damage, targets, sick } = object;
    return {
      id,
      zone,
      owner,
      name,
      kind: "card",
      card: handle,
      card_name: name,
      facts: {
        controller,
        tapped,
        damage,
        targets,
        mana_cost: card.cost ?? null,
        mana_value: this.game.manaValueOf(object),
        colors: colors(card),
        types: card.types,
        supertypes: card.supertypes ?? [],
        subtypes: card.subtypes ?? [],
        power: card.power ?? null,
        toughness: card.toughness ?? null,
        keywords: card.flashback ? ["flashback"] : [],
        counters: {},
        face_down: false,
        face_down_by: null,
        face: "front",
        attached_to: null,
        attachments: [],
        attacking: null,
        blocking: [],
        summoning_sick: zone === "battlefield" && sick,
        token: false,
        copy: false,
        x: null,
      },
    };
  }
}

await serve(new Engine());
