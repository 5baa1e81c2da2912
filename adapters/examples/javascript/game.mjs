// A small engine: two players, lands, instants and sorceries, creatures that stay at home. Rules are cited by number.

import { CARDS, isPermanent, manaValue, symbols } from "./cards.mjs";
import { Illegal, Unsupported } from "./wire.mjs";

export const ZONES = ["hand", "battlefield", "graveyard", "library", "exile", "command"];

const STEPS = [
  "upkeep",
  "draw",
  "precombat main",
  "beginning of combat",
  "declare attackers",
  "end of combat",
  "postcombat main",
  "end",
];

export class Game {
  /** All that an action may change, and nothing else: plain data, so that it can be copied and put back. */
  state;

  /** Puts a question to a player; set for each action. */
  ask;

  constructor(active, step, turn, players) {
    this.state = { objects: {}, zones: {}, stack: [], players: {}, order: players, active, step, turn };
    Object.assign(this.state, { priority: active, passes: 0, lastId: 0 });
    for (const player of players) {
      this.state.zones[player] = Object.fromEntries(ZONES.map((zone) => [zone, []]));
      this.state.players[player] = { life: 20, mana: [], landsPlayed: 0, drawn: 0, lost: false, drewFromNothing: false };
    }
  }

  // --- objects and zones

  card(object) {
    return CARDS[object.name];
  }

  object(id) {
    const object = this.state.objects[id];
    if (!object) throw new Illegal(`there is no object ${id}`, "109.1");
    return object;
  }

  /** A new object in a zone, at its end or at its top. */
  put(object, zone, { top = false } = {}) {
    const id = String(++this.state.lastId);
    this.state.objects[id] = { tapped: false, damage: 0, targets: [], sick: false, flashback: false, ...object, id, zone };
    const list = zone === "stack" ? this.state.stack : this.state.zones[object.owner][zone];
    if (top || zone === "stack") list.unshift(id);
    else list.push(id);
    return this.state.objects[id];
  }

  /** Move an object, which becomes a new one (CR 400.7). */
  move(id, zone, options) {
    const { name, owner, handle, zone: from } = this.object(id);
    const list = from === "stack" ? this.state.stack : this.state.zones[owner][from];
    list.splice(list.indexOf(id), 1);
    delete this.state.objects[id];
    const sick = zone === "battlefield";
    return this.put({ name, owner, controller: owner, handle, sick }, zone, options);
  }

  /** A spell leaves the stack; cast with flashback it is exiled wherever it would go (CR 702.34a). */
  leaveStack(id, zone) {
    this.move(id, this.object(id).flashback ? "exile" : zone, { top: zone === "library" });
  }

  // --- what spells do

  draw(player, count) {
    for (let drawn = 0; drawn < count; drawn++) {
      const [top] = this.state.zones[player].library;
      if (top === undefined) {
        this.state.players[player].drewFromNothing = true; // CR 704.5b
        return;
      }
      this.move(top, "hand");
      this.state.players[player].drawn++;
    }
  }

  async discard(player, count) {
    const hand = this.state.zones[player].hand;
    const number = Math.min(count, hand.length);
    const chosen = await this.choose(player, "pick", `discard ${number}`, [...hand], number);
    for (const id of chosen) this.move(id, "graveyard");
  }

  damage(target, amount) {
    if (this.state.players[target]) this.state.players[target].life -= amount;
    else this.object(target).damage += amount;
  }

  /** So many of the options, chosen by a player where there is a choice. */
  async choose(player, kind, prompt, values, count) {
    if (values.length <= count) return values;
    const options = values.map((value) => ({ value, name: this.state.objects[value]?.name ?? value }));
    const chosen = await this.ask({ player, kind, prompt, options, minimum: count, maximum: count });
    const legal = Array.isArray(chosen) && chosen.length === count && new Set(chosen).size === count;
    if (!legal || !chosen.every((value) => values.includes(value))) throw new Illegal(`that is no choice for: ${prompt}`);
    return chosen;
  }

  // --- actions

  needsPriority(player) {
    if (this.over()) throw new Illegal("the game is over", "104.1", "permission");
    if (this.state.priority !== player) throw new Illegal(`${player} does not have priority`, "117.1", "permission");
  }

  /** When sorceries can be cast and lands played (CR 307.1, 305.1). */
  isMainTime(player) {
    const { step, active, stack } = this.state;
    return step.endsWith("main") && active === player && stack.length === 0;
  }

  async play({ player, object: id, face }) {
    this.needsPriority(player);
    const object = this.object(id);
    if (face) throw new Unsupported("action", `face ${face}`);
    if (!this.card(object).types.includes("Land")) throw new Illegal(`${object.name} is no land`, "305.1", "permission");
    if (object.zone !== "hand" || object.owner !== player) throw new Illegal("it is not in hand", "305.1", "permission");
    if (!this.isMainTime(player)) throw new Illegal("not at this time", "305.1", "permission");
    if (this.state.players[player].landsPlayed > 0) throw new Illegal("a land has been played", "305.2", "permission");
    this.move(id, "battlefield");
    this.state.players[player].landsPlayed++;
    await this.givePriority(player);
  }

  /** Cast a spell (CR 601.2). */
  async cast(action) {
    const { player, object: id } = action;
    this.needsPriority(player);
    const using = this.waysOf(action);
    const object = this.object(id);
    const card = this.card(object);
    const flashback = using.includes("flashback");
    if (object.owner !== player || object.zone !== (flashback ? "graveyard" : "hand")) {
      throw new Illegal(`${object.name} cannot be cast from there`, flashback ? "702.34a" : "601.3", "permission");
    }
    if (flashback && !card.flashback) throw new Illegal(`${object.name} has no flashback`, "702.34a", "permission");
    if (card.types.includes("Land")) throw new Illegal("a land is not cast", "305.9", "permission");
    if (!card.types.includes("Instant") && !this.isMainTime(player)) {
      throw new Illegal(`${object.name} is no instant`, "307.1", "permission");
    }
    const spell = this.move(id, "stack");
    spell.flashback = flashback;
    spell.targets = await this.chooseTargets(spell, action.targets);
    if (flashback && card.flashback.life) this.payLife(player, card.flashback.life);
    this.payMana(player, flashback ? card.flashback.cost : card.cost);
    await this.givePriority(player);
  }

  /** What an action says of how to cast, as far as this engine knows it. */
  waysOf({ using = [], face, x, modes, kicked, paying, costs }) {
    for (const way of using ?? []) {
      if (way !== "flashback") throw new Unsupported("action", `using ${typeof way === "string" ? way : "an object"}`);
    }
    if (face) throw new Unsupported("action", `face ${face}`);
    if (kicked) throw new Unsupported("action", "kicked");
    const said = { x, modes, paying };
    for (const word of Object.keys(said)) {
      if (said[word] !== undefined && said[word] !== null) throw new Unsupported("action", `with ${word}`);
    }
    if (Object.keys(costs ?? {}).some((word) => word !== "life")) throw new Unsupported("action", "with costs");
    return using ?? [];
  }

  isLegalTarget(kind, target, spell) {
    if (this.state.players[target]) return (kind === "player" || kind === "any") && !this.state.players[target].lost;
    const object = this.state.objects[target];
    if (!object || target === spell.id) return false;
    if (kind === "spell") return object.zone === "stack";
    const creature = object.zone === "battlefield" && this.card(object).types.includes("Creature");
    return creature && (kind === "creature" || kind === "any");
  }

  async chooseTargets(spell, said) {
    const kind = this.card(spell).target;
    const wanted = kind ? 1 : 0;
    if (said === null || said === undefined) {
      const all = [...this.state.order, ...Object.keys(this.state.objects)];
      const legal = kind ? all.filter((target) => this.isLegalTarget(kind, target, spell)) : [];
      if (legal.length < wanted) throw new Illegal(`${spell.name} has no target`, "601.2c", "targets");
      return this.choose(spell.controller, "targets", `a target for ${spell.name}`, legal, wanted);
    }
    const targets = said.flat();
    if (targets.length !== wanted || !targets.every((target) => this.isLegalTarget(kind, target, spell))) {
      throw new Illegal(`${spell.name} cannot have these targets`, "601.2c", "targets");
    }
    return targets;
  }

  payLife(player, life) {
    if (this.state.players[player].life < life) throw new Illegal("there is not that much life", "119.4", "costs");
    this.state.players[player].life -= life;
  }

  /** Pay with floating mana and lands, colored symbols first; any way that works will do (CR 601.2h). */
  payMana(player, cost) {
    const { mana } = this.state.players[player];
    const lands = this.state.zones[player].battlefield
      .map((id) => this.object(id))
      .filter((object) => this.card(object).mana && !object.tapped);
    const sources = [
      ...mana.map((symbol) => ({ symbols: [symbol], use: () => mana.splice(mana.indexOf(symbol), 1) })),
      ...lands.map((object) => ({ symbols: this.card(object).mana, use: () => (object.tapped = true) })),
    ];
    const wanted = symbols(cost).flatMap((symbol) =>
      /^\d+$/.test(symbol) ? Array(Number(symbol)).fill("any") : [symbol],
    );
    wanted.sort((one, other) => (one === "any") - (other === "any"));
    const used = [];
    const pay = (at) =>
      at === wanted.length ||
      sources.some((source) => {
        if (used.includes(source) || !(wanted[at] === "any" || source.symbols.includes(wanted[at]))) return false;
        used.push(source);
        if (pay(at + 1)) return true;
        used.pop();
        return false;
      });
    if (wanted.length > sources.length || !pay(0)) throw new Illegal("the mana is not enough", "601.2h", "costs");
    for (const source of used) source.use();
  }

  async pass({ player }) {
    this.needsPriority(player);
    const { state } = this;
    if (++state.passes < state.order.length) {
      state.priority = state.order[(state.order.indexOf(player) + 1) % state.order.length];
      return;
    }
    if (state.stack.length > 0) await this.resolve(this.object(state.stack[0]));
    else await this.nextStep();
    await this.givePriority(state.active);
  }

  async concede({ player }) {
    this.state.players[player].lost = true;
    if (this.over()) this.state.priority = null;
  }

  // --- the game goes on

  /** Resolve a spell (CR 608). One whose only target has become illegal does nothing (CR 608.2b). */
  async resolve(spell) {
    const card = this.card(spell);
    if (isPermanent(card)) {
      this.move(spell.id, "battlefield");
      return;
    }
    const fizzles = card.target && !spell.targets.some((target) => this.isLegalTarget(card.target, target, spell));
    if (!fizzles) await card.resolve(this, spell);
    this.leaveStack(spell.id, "graveyard");
  }

  async nextStep() {
    const { state } = this;
    for (const player of state.order) state.players[player].mana = []; // CR 500.5
    const next = STEPS[STEPS.indexOf(state.step) + 1];
    if (next === undefined) await this.nextTurn();
    else state.step = next;
    if (state.step === "draw") this.draw(state.active, 1);
    if (state.step === "declare attackers") await this.declareAttackers();
  }

  /** The cleanup step, and the untap step of the next turn (CR 514, 502). */
  async nextTurn() {
    const { state } = this;
    const hand = state.zones[state.active].hand;
    if (hand.length > 7) await this.discard(state.active, hand.length - 7);
    for (const object of Object.values(state.objects)) object.damage = 0;
    for (const player of state.order) state.players[player].drawn = 0;
    state.active = state.order[(state.order.indexOf(state.active) + 1) % state.order.length];
    state.turn++;
    state.step = STEPS[0];
    state.players[state.active].landsPlayed = 0;
    for (const id of state.zones[state.active].battlefield) Object.assign(this.object(id), { tapped: false, sick: false });
  }

  /** This engine knows no combat: it asks, so that nobody takes its silence for a rule, and then says so. */
  async declareAttackers() {
    const { active, order, zones } = this.state;
    const able = zones[active].battlefield
      .map((id) => this.object(id))
      .filter((object) => this.card(object).types.includes("Creature") && !object.tapped && !object.sick);
    if (able.length === 0) return;
    const options = able.map(({ id, name }) => ({ value: id, name }));
    const against = order.filter((player) => player !== active).map((value) => ({ value }));
    const attack = await this.ask({ player: active, kind: "attackers", options, against });
    if (Object.keys(attack).length > 0) throw new Unsupported("action", "attack");
  }

  async givePriority(player) {
    this.checkState();
    this.state.passes = 0;
    this.state.priority = this.over() ? null : player;
  }

  /** State-based actions, until there are none (CR 704.3, 704.5). */
  checkState() {
    for (const player of Object.values(this.state.players)) {
      if (player.life <= 0 || player.drewFromNothing) player.lost = true;
    }
    const dying = Object.values(this.state.objects).filter(
      (object) => object.zone === "battlefield" && object.damage > 0 && object.damage >= this.card(object).toughness,
    );
    for (const { id } of dying) this.move(id, "graveyard");
  }

  alive() {
    return this.state.order.filter((player) => !this.state.players[player].lost);
  }

  over() {
    return this.alive().length < 2;
  }

  manaValueOf(object) {
    return manaValue(this.card(object));
  }
}
