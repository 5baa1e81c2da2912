//! JSON without dependencies. With serde_json in your engine, use that.

use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    /// Reads one value.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text.trim() };
        let value = reader.value(0)?;
        reader.space();
        if reader.rest.is_empty() {
            Ok(value)
        } else {
            Err(reader.problem())
        }
    }

    /// The value of a key; null where there is none.
    pub fn get(&self, key: &str) -> &Json {
        match self {
            Json::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map_or(&Json::Null, |(_, value)| value),
            _ => &Json::Null,
        }
    }

    /// The text that this is; "" where it is none.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    /// The items of a list; none where it is no list.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// A map of these entries.
    #[allow(dead_code)] // A first adapter has none to make.
    pub fn map<const N: usize>(entries: [(&str, Json); N]) -> Json {
        Json::Map(
            entries
                .into_iter()
                .map(|(key, value)| (key.to_string(), value))
                .collect(),
        )
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => write!(out, "null"),
            Json::Bool(value) => write!(out, "{value}"),
            Json::Int(value) => write!(out, "{value}"),
            Json::Float(value) => write!(out, "{value}"),
            Json::Text(text) => quote(text, out),
            Json::List(items) => {
                write!(out, "[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if index > 0 { "," } else { "" })?;
                }
                write!(out, "]")
            }
            Json::Map(entries) => {
                write!(out, "{{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(out, "{}", if index > 0 { "," } else { "" })?;
                    quote(key, out)?;
                    write!(out, ":{value}")?;
                }
                write!(out, "}}")
            }
        }
    }
}

fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(out, "\"")?;
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => write!(out, "\\\"")?,
            Ok(b'\\') => write!(out, "\\\\")?,
            Ok(byte) if (0x20..0x7f).contains(&byte) => write!(out, "{}", byte as char)?,
            _ => write!(out, "\\u{unit:04x}")?,
        }
    }
    write!(out, "\"")
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn problem(&self) -> String {
        format!(
            "no JSON at {:?}",
            self.rest.chars().take(20).collect::<String>()
        )
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, expected: char) -> Result<(), String> {
        if self.take(expected) {
            Ok(())
        } else {
            Err(self.problem())
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        self.space();
        if depth > 200 {
            return Err("too deep".to_string());
        }
        match self.rest.chars().next() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('"') => Ok(Json::Text(self.string()?)),
            Some(_) => self.word(),
            None => Err(self.problem()),
        }
    }

    fn word(&mut self) -> Result<Json, String> {
        let end = self
            .rest
            .find([',', ']', '}', ' ', '\t', '\r', '\n'])
            .unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        let value = match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => match (word.parse(), word.parse()) {
                (Ok(number), _) => Json::Int(number),
                (_, Ok(number)) => Json::Float(number),
                _ => return Err(self.problem()),
            },
        };
        self.rest = &self.rest[end..];
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        self.expect('{')?;
        self.space();
        let mut entries = Vec::new();
        while !self.take('}') {
            if !entries.is_empty() {
                self.expect(',')?;
                self.space();
            }
            let key = self.string()?;
            self.space();
            self.expect(':')?;
            entries.push((key, self.value(depth + 1)?));
            self.space();
        }
        Ok(Json::Map(entries))
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        self.expect('[')?;
        self.space();
        let mut items = Vec::new();
        while !self.take(']') {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(self.value(depth + 1)?);
            self.space();
        }
        Ok(Json::List(items))
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect('"')?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let Some(character) = self.rest.chars().next() else {
                return Err(self.problem());
            };
            self.rest = &self.rest[character.len_utf8()..];
            match character {
                '"' => break,
                '\\' => units.push(self.escape()?),
                other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        Ok(String::from_utf16_lossy(&units))
    }

    fn escape(&mut self) -> Result<u16, String> {
        let Some(character) = self.rest.chars().next() else {
            return Err(self.problem());
        };
        self.rest = &self.rest[character.len_utf8()..];
        Ok(match character {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let digits = self.rest.get(..4).ok_or_else(|| self.problem())?;
                let unit = u16::from_str_radix(digits, 16).map_err(|_| self.problem())?;
                self.rest = &self.rest[4..];
                unit
            }
            other if other.is_ascii() => other as u16,
            _ => return Err(self.problem()),
        })
    }
}
