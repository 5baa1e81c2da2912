// The cards that this engine knows: facts, and what the spells do.

const land = (subtypes, mana, supertypes = []) => ({ types: ["Land"], supertypes, subtypes, mana });
const basic = (subtype, symbol) => land([subtype], [symbol], ["Basic"]);
const creature = (cost, subtypes, power, toughness) => ({ types: ["Creature"], subtypes, cost, power, toughness });

export const CARDS = {
  Plains: basic("Plains", "W"),
  Island: basic("Island", "U"),
  Swamp: basic("Swamp", "B"),
  Mountain: basic("Mountain", "R"),
  Forest: basic("Forest", "G"),
  "Volcanic Island": land(["Island", "Mountain"], ["U", "R"]),

  "Grizzly Bears": creature("{1}{G}", ["Bear"], 2, 2),
  "Hill Giant": creature("{3}{R}", ["Giant"], 3, 3),

  "Think Twice": {
    types: ["Instant"],
    cost: "{1}{U}",
    flashback: { cost: "{2}{U}" },
    resolve: (game, spell) => game.draw(spell.controller, 1),
  },
  Divination: {
    types: ["Sorcery"],
    cost: "{2}{U}",
    resolve: (game, spell) => game.draw(spell.controller, 2),
  },
  "Deep Analysis": {
    types: ["Sorcery"],
    cost: "{3}{U}",
    flashback: { cost: "{1}{U}", life: 3 },
    target: "player",
    resolve: (game, spell) => game.draw(spell.targets[0], 2),
  },
  "Faithless Looting": {
    types: ["Sorcery"],
    cost: "{R}",
    flashback: { cost: "{2}{R}" },
    resolve: async (game, spell) => {
      game.draw(spell.controller, 2);
      await game.discard(spell.controller, 2);
    },
  },
  "Mind Rot": {
    types: ["Sorcery"],
    cost: "{2}{B}",
    target: "player",
    resolve: (game, spell) => game.discard(spell.targets[0], 2),
  },
  Firebolt: {
    types: ["Sorcery"],
    cost: "{R}",
    flashback: { cost: "{4}{R}" },
    target: "any",
    resolve: (game, spell) => game.damage(spell.targets[0], 2),
  },
  Shock: {
    types: ["Instant"],
    cost: "{R}",
    target: "any",
    resolve: (game, spell) => game.damage(spell.targets[0], 2),
  },
  Unsummon: {
    types: ["Instant"],
    cost: "{U}",
    target: "creature",
    resolve: (game, spell) => game.move(spell.targets[0], "hand"),
  },
  Counterspell: {
    types: ["Instant"],
    cost: "{U}{U}",
    target: "spell",
    resolve: (game, spell) => game.leaveStack(spell.targets[0], "graveyard"),
  },
  "Memory Lapse": {
    types: ["Instant"],
    cost: "{1}{U}",
    target: "spell",
    resolve: (game, spell) => game.leaveStack(spell.targets[0], "library"),
  },
};

/** The symbols of a cost: "{2}{U}" as ["2", "U"]. */
export const symbols = (cost) => [...(cost ?? "").matchAll(/\{(.*?)\}/g)].map((match) => match[1]);

const WORDS = { W: "white", U: "blue", B: "black", R: "red", G: "green" };

export const colors = (card) => [...new Set(symbols(card.cost).map((symbol) => WORDS[symbol]).filter(Boolean))];

export const manaValue = (card) =>
  symbols(card.cost).reduce((sum, symbol) => sum + (/^\d+$/.test(symbol) ? Number(symbol) : 1), 0);

export const isPermanent = (card) => card.types.some((type) => type === "Creature" || type === "Land");
