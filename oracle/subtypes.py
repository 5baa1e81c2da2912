"""The subtypes of each card type (CR 205.3g–q), each list from the last letter of the alphabet to the first."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["CREATURE_TYPES", "SUBTYPES", "fitting_subtypes", "replaced_subtypes", "subtypes_of_type"]

_ARTIFACT = (
    "Vibranium|Vehicle|Treasure|Stone|Spacecraft|Powerstone|Mutagen|Map|Lander|Junk|Infinity|Incubator|"
    "Gold|Fortification|Food|Equipment|Contraption|Clue|Book|Bobblehead|Blood|Attraction"
)
_ENCHANTMENT = "Shrine|Shard|Saga|Rune|Room|Role|Plan|Curse|Class|Case|Cartouche|Background|Aura"
_LAND = (
    "Urza's|Town|Tower|Swamp|Sphere|Power-Plant|Planet|Plains|Mountain|Mine|Locus|Lair|Island|Gate|Forest|Desert|Cave"
)
_PLANESWALKER = (
    "Zariel|Yanling|Yanggu|Xenagos|Wrenn|Windgrace|Will|Vronos|Vraska|Vivien|Venser|Urza|Ugin|Tyvar|"
    "Tibalt|Tezzeret|Teyo|Teferi|Tasha|Tamiyo|Szat|Sorin|Sivitri|Serra|Sarkhan|Samut|Saheeli|Rowan|Ral|"
    "Quintorius|Oko|Nixilis|Nissa|Niko|Narset|Nahiri|Mordenkainen|Minsc|Lukka|Lolth|Liliana|Koth|Kiora|"
    "Kaya|Kasmina|Karn|Kaito|Jeska|Jaya|Jared|Jace|Huatli|Guff|Grist|Gideon|Garruk|Freyalise|Estrid|"
    "Elspeth|Elminster|Ellywick|Dovin|Domri|Dihada|Dellian|Davriel|Daretti|Dakkon|Dack|Comet|Chandra|"
    "Calix|Bolas|Basri|Bahamut|Ashiok|Arlinn|Angrath|Aminatou|Ajani"
)
_INSTANT = "Trap|Omen|Lesson|Arcane|Adventure"
_CREATURE = (
    "Zubera|Zombie|Yeti|Wurm|Wraith|Worm|Wombat|Wolverine|Wolf|Wizard|Whale|Werewolf|Weird|Weasel|"
    "Warrior|Warlock|Walrus|Wall|Volver|Villain|Vedalken|Varmint|Vampire|Utrom|Unicorn|Tyranid|Turtle|"
    "Troll|Triskelavite|Trilobite|Treefolk|Toy|Time Lord|Tiefling|Thrull|Thopter|Thalakos|Tetravite|"
    "Tentacle|Synth|Symbiote|Survivor|Surrakar|Starfish|Squirrel|Squid|Spy|Sponge|Splinter|Spirit|Spike|"
    "Spider|Sphinx|Spellshaper|Specter|Spawn|Sorcerer|Soltari|Soldier|Snake|Snail|Slug|Sloth|Sliver|"
    "Slith|Skunk|Skrull|Skeleton|Siren|Shi’ar|Sheep|Shark|Shapeshifter|Shaman|Shade|Servo|Serpent|Serf|"
    "Seal|Sculpture|Scout|Scorpion|Scion|Scientist|Scarecrow|Satyr|Saproling|Sand|Samurai|Salamander|"
    "Sable|Rogue|Robot|Rigger|Rhino|Reflection|Rebel|Rat|Ranger|Raccoon|Rabbit|Qu|Processor|Prism|"
    "Primarch|Praetor|Possum|Porcupine|Platypus|Plant|Pirate|Pincher|Pilot|Phyrexian|Phoenix|Phelddagrif|"
    "Pest|Performer|Pentavite|Pegasus|Peasant|Pangolin|Oyster|Ox|Ouphe|Otter|Orgg|Orc|Orb|Ooze|Ogre|"
    "Octopus|Nymph|Nomad|Noggle|Noble|Ninja|Nightstalker|Nightmare|Nephilim|Necron|Nautilus|Mystic|Myr|"
    "Mutant|Mouse|Mount|Moonfolk|Moogle|Monkey|Monk|Mongoose|Monger|Mole|Mite|Minotaur|Minion|Metathran|"
    "Merfolk|Mercenary|Masticore|Manticore|Lobster|Llama|Lizard|Licid|Lhurgoyf|Leviathan|Lemur|Leech|"
    "Lammasu|Lamia|Kree|Kraken|Kor|Kobold|Knight|Kithkin|Kirin|Kavu|Kangaroo|Juggernaut|Jellyfish|Jackal|"
    "Insect|Inquisitor|Inkling|Inhuman|Incarnation|Imp|Illusion|Hyena|Hydra|Human|Horse|Horror|"
    "Homunculus|Homarid|Hippogriff|Hippo|Hero|Hellion|Hedgehog|Harpy|Hamster|Halfling|Hag|Guest|Griffin|"
    "Gremlin|Graveborn|Gorgon|Golem|God|Goblin|Goat|Gnome|Gnoll|Glimmer|Gith|Giraffe|Giant|Germ|Gargoyle|"
    "Gamma|Gamer|Fungus|Frog|Fractal|Fox|Flagbearer|Fish|Ferret|Faerie|Eye|Eternal|Employee|Elk|Elf|"
    "Elephant|Elemental|Eldrazi|Elder|Egg|Efreet|Echidna|Dwarf|Dryad|Druid|Drone|Drix|Dreadnought|Drake|"
    "Dragon|Dog|Doctor|Djinn|Dinosaur|Devil|Detective|Deserter|Demon|Demigod|Dauthi|Dalek|C’tan|Cyclops|"
    "Cyberman|Custodes|Crocodile|Crab|Coyote|Coward|Construct|Cockatrice|Clown|Cleric|Citizen|Chimera|"
    "Child|Centaur|Cat|Carrier|Caribou|Capybara|Camel|Camarid|Brushwagg|Bringer|Boar|Blinkmoth|Bison|"
    "Bird|Berserker|Beholder|Beeble|Beaver|Beast|Bear|Bat|Basilisk|Bard|Barbarian|Balloon|Badger|Azra|"
    "Avatar|Aurochs|Atog|Astartes|Assembly-Worker|Assassin|Artificer|Army|Armadillo|Archon|Archer|Ape|"
    "Antelope|Angel|Ally|Alien|Aetherborn|Advisor"
)

SUBTYPES: dict[str, frozenset[str]] = {
    "Artifact": frozenset(_ARTIFACT.split("|")),
    "Enchantment": frozenset(_ENCHANTMENT.split("|")),
    "Land": frozenset(_LAND.split("|")),
    "Planeswalker": frozenset(_PLANESWALKER.split("|")),
    "Instant": frozenset(_INSTANT.split("|")),
    "Sorcery": frozenset(_INSTANT.split("|")),
    "Creature": frozenset(_CREATURE.split("|")),
    "Kindred": frozenset(_CREATURE.split("|")),
    "Battle": frozenset({"Siege"}),
}
CREATURE_TYPES = SUBTYPES["Creature"]


def subtypes_of_type(card_type: str) -> frozenset[str]:
    """The subtypes that go with a card type (CR 205.3b)."""
    return SUBTYPES.get(card_type, frozenset())


def replaced_subtypes(own: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """New subtypes instead of those of the same card types; what goes with others stays (CR 205.1a).

    >>> replaced_subtypes(("Forest", "Dryad"), ("Insect",))
    ('Forest', 'Insect')
    """
    sets = [kinds for kinds in SUBTYPES.values() if not kinds.isdisjoint(new)]
    return (*(kind for kind in own if not any(kind in kinds for kinds in sets)), *new)


def fitting_subtypes(subtypes: Sequence[str], types: Sequence[str]) -> tuple[str, ...]:
    """Those that go with one of the card types: an object can gain no others (CR 205.3d).

    >>> fitting_subtypes(("Rogue", "Vehicle"), ("Artifact",))
    ('Vehicle',)
    """
    return tuple(kind for kind in subtypes if any(kind in subtypes_of_type(name) for name in types))
