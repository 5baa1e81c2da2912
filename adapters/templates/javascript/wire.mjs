// The protocol over standard input and output (adapters/PROTOCOL.md). There is no need to change this file.

import { createInterface } from "node:readline";

const PROTOCOL = 1;

/** Thrown for what the engine does not know. `kind`: card, token, action, property, question, state, command. */
export class Unsupported extends Error {
  constructor(kind, name) {
    super(`${kind}: ${name}`);
    Object.assign(this, { kind, name });
  }
}

/** Thrown for what the rules forbid; the game must then be as it was before the request. */
export class Illegal extends Error {
  constructor(message, rule = null, stage = null) {
    super(message);
    Object.assign(this, { rule, stage });
  }
}

/** Thrown where another request comes in place of an answer. */
class GivenUp extends Error {
  constructor(request) {
    super("no answer will come");
    this.request = request;
  }
}

/**
 * Answer requests until `bye`, or the end of input.
 *
 * `engine.hello` says who it is. Its methods have the names of commands; one that it lacks is unsupported:
 * `setup(state, ask)`, `act(action, ask)`, `observe()`, `probe(action, declare, ask)`, `supports(kind, names)`,
 * `trace()`, `fault(name)`. `await ask(question)` gives the answer to a question. `glance()` is optional.
 */
export async function serve(engine) {
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const lines = input[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return null;
      if (value.trim()) return JSON.parse(value);
    }
  };
  const reply = (id, word, fields) => process.stdout.write(`${JSON.stringify({ id, reply: word, ...fields })}\n`);

  let request = await next();
  while (request !== null) {
    const { id, command } = request;
    let following;
    const ask = async (question) => {
      reply(id, "question", { question });
      const message = await next();
      if (message?.command !== "answer") throw new GivenUp(message);
      return message.answer;
    };
    try {
      reply(id, "done", await carryOut(engine, request, ask));
    } catch (error) {
      if (error instanceof GivenUp) following = error.request;
      else if (error instanceof Unsupported) reply(id, "unsupported", { kind: error.kind, name: error.name });
      else if (error instanceof Illegal) reply(id, "illegal", { message: error.message, rule: error.rule, stage: error.stage });
      else reply(id, "failed", { message: String(error?.stack ?? error) });
    }
    if (command === "bye") break;
    request = following === undefined ? await next() : following;
  }
  input.close();
  process.stdin.destroy();
}

async function carryOut(engine, request, ask) {
  const { command } = request;
  if (command === "hello") return { protocol: PROTOCOL, ...engine.hello };
  if (["ping", "reset", "bye"].includes(command)) return {};
  if (typeof engine[command] !== "function") throw new Unsupported("command", String(command));
  switch (command) {
    case "setup":
      await engine.setup(request.state, ask);
      return engine.glance ? { glance: engine.glance() } : {};
    case "act":
      await engine.act(request.action, ask);
      return engine.glance ? { glance: engine.glance() } : {};
    case "observe":
      return { view: await engine.observe() };
    case "probe":
      return await engine.probe(request.action, request.declare ?? null, ask);
    case "supports":
      return { names: await engine.supports(request.kind, request.names) };
    case "trace":
      return { trace: await engine.trace() };
    case "fault":
      await engine.fault(request.name);
      return {};
    default:
      throw new Unsupported("command", String(command));
  }
}
