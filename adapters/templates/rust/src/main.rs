//! A first adapter: it says who it is, and `unsupported` to all else. Run it with `judgecall doctor`.

mod json;
mod wire;

use json::Json;
use wire::{Ask, Engine, Stop};

/// The cards that your engine knows, by their English Oracle names.
const CARDS: [&str; 0] = [];

const ZONES: [&str; 6] = [
    "hand",
    "battlefield",
    "graveyard",
    "library",
    "exile",
    "command",
];

struct MyEngine;

impl Engine for MyEngine {
    fn hello(&self) -> Vec<(&'static str, Json)> {
        vec![
            ("name", "my-engine".into()),
            ("version", "0.1".into()),
            ("language", "Rust".into()),
        ]
    }

    /// Which of these the engine knows: `judgecall doctor` asks.
    fn supports(&mut self, kind: &str, names: &[Json]) -> Result<Vec<Json>, Stop> {
        if kind != "card" {
            return Err(Stop::Unsupported("command", format!("supports {kind}")));
        }
        Ok(names
            .iter()
            .filter(|name| CARDS.contains(&name.text()))
            .cloned()
            .collect())
    }

    /// Build a starting state, in which the active player has priority.
    fn setup(&mut self, state: &Json, _ask: Ask) -> Result<(), Stop> {
        for player in state.get("players").items() {
            for object in ZONES.iter().flat_map(|zone| player.get(zone).items()) {
                let card = object.get("card").text();
                if !CARDS.contains(&card) {
                    return Err(Stop::Unsupported("card", card.to_string()));
                }
            }
        }
        // Next: put the objects into your engine, and drop this line.
        Err(Stop::Unsupported("command", "setup".to_string()))
    }

    // Then observe(), and act(action, ask) with the verbs `pass`, `play`, `cast`, one after another.
}

fn main() -> std::io::Result<()> {
    wire::serve(&mut MyEngine)
}
