//! The protocol over standard input and output (adapters/PROTOCOL.md). There is no need to change this file.

use std::io::{self, BufRead, Write};

use crate::json::Json;

const PROTOCOL: i64 = 1;

/// Why something has not been done. `?` hands it on to `serve`, which says so.
#[allow(dead_code)] // A first adapter does not need all of them.
#[derive(Debug)]
pub enum Stop {
    /// The engine does not know something: a card, token, action, property, question, state or command.
    Unsupported(&'static str, String),
    /// The rules forbid it: why, which rule, at which stage. The game must then be as it was before the request.
    Illegal(String, Option<String>, Option<String>),
    /// Something went wrong in the engine.
    Failed(String),
    /// No answer will come: another request, or none, took its place.
    GivenUp(Option<Json>),
}

/// Puts a question to a player and gives the answer.
pub type Ask<'a> = &'a mut dyn FnMut(Json) -> Result<Json, Stop>;

/// What an engine offers. What it leaves out is unsupported.
pub trait Engine {
    /// Name, version and so on.
    fn hello(&self) -> Vec<(&'static str, Json)>;

    fn setup(&mut self, _state: &Json, _ask: Ask) -> Result<(), Stop> {
        Err(Stop::Unsupported("command", "setup".into()))
    }

    fn act(&mut self, _action: &Json, _ask: Ask) -> Result<(), Stop> {
        Err(Stop::Unsupported("command", "act".into()))
    }

    fn observe(&mut self) -> Result<Json, Stop> {
        Err(Stop::Unsupported("command", "observe".into()))
    }

    fn supports(&mut self, _kind: &str, _names: &[Json]) -> Result<Vec<Json>, Stop> {
        Err(Stop::Unsupported("command", "supports".into()))
    }

    /// Where the game stands; null: it is not told, and a whole view is asked for.
    fn glance(&self) -> Json {
        Json::Null
    }
}

/// Answers requests until `bye`, or the end of input.
pub fn serve(engine: &mut dyn Engine) -> io::Result<()> {
    let mut request = next()?;
    while let Some(message) = request {
        let id = message.get("id").clone();
        let mut following = None;
        let mut given_up = false;
        match carry_out(engine, &message) {
            Ok(fields) => reply(&id, "done", fields)?,
            Err(Stop::Unsupported(kind, name)) => {
                reply(
                    &id,
                    "unsupported",
                    vec![("kind", kind.into()), ("name", name.as_str().into())],
                )?;
            }
            Err(Stop::Illegal(why, rule, stage)) => {
                let word = |text: Option<String>| text.map_or(Json::Null, Json::Text);
                let fields = vec![
                    ("message", Json::Text(why)),
                    ("rule", word(rule)),
                    ("stage", word(stage)),
                ];
                reply(&id, "illegal", fields)?;
            }
            Err(Stop::Failed(why)) => reply(&id, "failed", vec![("message", Json::Text(why))])?,
            Err(Stop::GivenUp(instead)) => {
                given_up = true;
                following = instead;
            }
        }
        if message.get("command").text() == "bye" {
            break;
        }
        request = if given_up { following } else { next()? };
    }
    Ok(())
}

fn carry_out(engine: &mut dyn Engine, request: &Json) -> Result<Vec<(&'static str, Json)>, Stop> {
    let id = request.get("id").clone();
    let mut ask = move |question: Json| {
        let fields = vec![("question", question)];
        reply(&id, "question", fields).map_err(|error| Stop::Failed(error.to_string()))?;
        let message = next().map_err(|error| Stop::Failed(error.to_string()))?;
        match message {
            Some(message) if message.get("command").text() == "answer" => {
                Ok(message.get("answer").clone())
            }
            other => Err(Stop::GivenUp(other)),
        }
    };
    match request.get("command").text() {
        "hello" => {
            let mut fields = engine.hello();
            fields.push(("protocol", Json::Int(PROTOCOL)));
            Ok(fields)
        }
        "ping" | "reset" | "bye" => Ok(vec![]),
        "setup" => {
            engine.setup(request.get("state"), &mut ask)?;
            Ok(vec![("glance", engine.glance())])
        }
        "act" => {
            engine.act(request.get("action"), &mut ask)?;
            Ok(vec![("glance", engine.glance())])
        }
        "observe" => Ok(vec![("view", engine.observe()?)]),
        "supports" => {
            let known =
                engine.supports(request.get("kind").text(), request.get("names").items())?;
            Ok(vec![("names", Json::List(known))])
        }
        other => Err(Stop::Unsupported("command", other.to_string())),
    }
}

fn next() -> io::Result<Option<Json>> {
    loop {
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if !line.trim().is_empty() {
            return Json::parse(&line).map(Some).map_err(io::Error::other);
        }
    }
}

fn reply(id: &Json, word: &str, fields: Vec<(&'static str, Json)>) -> io::Result<()> {
    let mut entries = vec![
        ("id".to_string(), id.clone()),
        ("reply".to_string(), word.into()),
    ];
    entries.extend(
        fields
            .into_iter()
            .map(|(key, value)| (key.to_string(), value)),
    );
    let mut out = io::stdout().lock();
    writeln!(out, "{}", Json::Map(entries))?;
    out.flush()
}
