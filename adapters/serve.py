"""An engine in Python, offered to others in the protocol: ``python -m judgecall.adapters.serve module:Class``.

Arguments of the constructor may follow as one JSON object. Requests come on standard input and answers go to
standard output; whatever else the engine prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

from judgecall.adapters.engine import Cast, Engine, Illegal, Json, Question, Unsupported
from judgecall.adapters.protocol import INTERIM, PROTOCOL
from judgecall.adapters.protocol.actions import read_action, read_answer
from judgecall.adapters.protocol.reading import Malformed, line_of, mapping, message_of, text, texts
from judgecall.adapters.protocol.reports import (
    description_data,
    glance_data,
    legality_data,
    question_data,
    trace_data,
    view_data,
)
from judgecall.adapters.protocol.state import read_state

__all__ = ["Server", "main", "serve"]


class _Reset(BaseException):
    """The answer to a question will not come: what asked for it is given up. No engine should catch this."""


class _Bye(BaseException):
    """There is nobody to answer any more."""


class Server:
    """Answers requests with what an engine does."""

    def __init__(self, engine: Engine, source: BinaryIO, sink: BinaryIO) -> None:
        self._engine = engine
        self._source = source
        self._sink = sink
        self._open: Any = None
        """The number of the request that is being carried out, for questions."""

    def run(self) -> None:
        """Answer requests until ``bye``, or the end of input."""
        try:
            while True:
                self._step(self._next())
        except _Bye:
            return
        finally:
            self._engine.close()

    def _next(self) -> Mapping[str, Any]:
        """The next request.

        Raises:
            _Bye: there is none.
        """
        while True:
            line = self._source.readline()
            if not line:
                raise _Bye
            try:
                return message_of(line)
            except Malformed as problem:
                self._reply(None, "failed", message=str(problem))

    def _reply(self, number: Any, word: str, **fields: Any) -> None:
        self._sink.write(line_of({"id": number, "reply": word, **fields}))
        self._sink.flush()

    def _step(self, request: Mapping[str, Any]) -> None:
        number, command = request.get("id"), request.get("command")
        while True:
            self._open = number
            try:
                fields = self._carry_out(str(command), request)
            except _Reset as reset:
                # What was open gets no answer any more; the reset does.
                number, command, request = reset.args[0], "reset", {}
                continue
            except Unsupported as lacking:
                self._reply(number, "unsupported", kind=lacking.kind, name=lacking.name)
            except Illegal as refusal:
                self._reply(
                    number,
                    "illegal",
                    message=str(refusal),
                    rule=refusal.rule,
                    stage=refusal.stage,
                    also=list(refusal.also),
                )
            except Exception as error:
                self._reply(number, "failed", message=f"{type(error).__name__}: {error}")
            else:
                self._reply(number, "done", **fields)
            if command == "bye":
                raise _Bye
            return

    def _carry_out(self, command: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a request asks for, and give the fields of the answer."""
        engine = self._engine
        if command in ("ping", "bye", "reset"):
            return {}
        if command == "hello":
            data = description_data(engine.describe())
            data["capabilities"] = sorted({*data["capabilities"], INTERIM})
            return {"protocol": PROTOCOL, **data}
        if command == "setup":
            engine.start(read_state(request.get("state")), self._ask)
            return self._glance()
        if command == "act":
            engine.act(read_action(request.get("action")))
            return self._glance()
        if command == "observe":
            return {"view": view_data(engine.view())}
        if command == "probe":
            declare = request.get("declare")
            judged = engine.legality(
                read_action(request.get("action")),
                None if declare is None else mapping(declare, "declare"),
            )
            if judged is None:
                raise Unsupported("command", "probe")
            return legality_data(judged)
        if command == "supports":
            kind, names = text(request.get("kind"), "kind"), texts(request.get("names"), "names")
            known = engine.supports(kind, names)
            if known is None:
                raise Unsupported("command", f"supports {kind}")
            return {"names": [name for name in names if name in known]}
        if command == "trace":
            return {"trace": trace_data(engine.trace())}
        if command == "fault":
            engine.use_fault(text(request.get("name"), "name"))
            return {}
        raise Unsupported("command", command)

    def _glance(self) -> dict[str, Any]:
        """Where the game stands, unless the engine would make a whole view of it to tell."""
        if type(self._engine).glance is Engine.glance:
            return {}
        return {"glance": glance_data(self._engine.glance())}

    def _ask(self, question: Question) -> Json | Cast:
        """Put a question, and wait for its answer; meanwhile only a look at the game is allowed."""
        number = self._open
        self._reply(number, "question", question=question_data(question))
        while True:
            request = self._next()
            command = request.get("command")
            if command == "answer":
                return read_answer(question.kind, request.get("answer"))
            if command == "reset":
                raise _Reset(request.get("id"))
            if command == "bye":
                self._reply(request.get("id"), "done")
                raise _Bye
            if command in ("observe", "ping"):
                self._step(request)
                self._open = number
            else:
                name = f"{command} while a question is open"
                self._reply(request.get("id"), "unsupported", kind="command", name=name)


def serve(make: Callable[[], Engine]) -> None:
    """Make an engine and offer it on standard input and output until ``bye``."""
    source = sys.stdin.buffer
    # What an engine prints must not get among the messages.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    with sink:
        Server(make(), source, sink).run()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the class that an argument names, as ``module:Class``; give the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if not 1 <= len(given) <= 2 or ":" not in given[0]:
        print("usage: python -m judgecall.adapters.serve module:Class [ARGUMENTS AS JSON]", file=sys.stderr)
        return 4
    options: dict[str, Any] = json.loads(given[1]) if len(given) == 2 else {}
    serve(lambda: _make(given[0], options))
    return 0


def _make(path: str, options: dict[str, Any]) -> Engine:
    module, _, attribute = path.partition(":")
    made: Any = importlib.import_module(module)
    for part in attribute.split("."):
        made = getattr(made, part)
    engine: Engine = made(**options)
    return engine


if __name__ == "__main__":
    sys.exit(main())
