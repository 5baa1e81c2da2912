"""A small engine as a program, and many others, each of which is it with exactly one thing broken.

``python standin.py FAULT [ARGUMENT]``. It needs nothing of judgecall, so that it starts fast. The fault shows where a
state has the card *Trigger*, so that the cases before and after it can be told to be unharmed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

ZONES = ("hand", "battlefield", "graveyard", "library", "exile", "command")
OUT = sys.stdout.buffer


def write(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


class StandIn:
    """Follows the protocol. It knows any card, and two things to do: to pass, and to ask for a color."""

    version: ClassVar[str] = "1"

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.priority = "alice"
        self.life = 20
        self.number: Any = None

    def run(self) -> None:
        for line in sys.stdin.buffer:
            self.take(json.loads(line))

    def next(self) -> dict[str, Any]:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit()
        message: dict[str, Any] = json.loads(line)
        return message

    def take(self, request: dict[str, Any]) -> None:
        self.number = request["id"]
        command = request["command"]
        handler: Callable[[dict[str, Any]], None] | None = getattr(self, f"do_{command}", None)
        if handler is None:
            self.reply("unsupported", kind="command", name=command)
        else:
            handler(request)

    def reply(self, word: str, **fields: Any) -> None:
        self.send({"id": self.number, "reply": word, **fields})

    def send(self, message: dict[str, Any]) -> None:
        write(json.dumps(message).encode() + b"\n")

    # --- commands

    def do_hello(self, request: dict[str, Any]) -> None:
        self.reply("done", **self.hello())

    def hello(self) -> dict[str, Any]:
        return {"protocol": 1, "name": "stand-in", "version": self.version, "language": "Python", "pid": os.getpid()}

    def do_ping(self, request: dict[str, Any]) -> None:
        self.reply("done")

    def do_reset(self, request: dict[str, Any]) -> None:
        self.reply("done")

    def do_bye(self, request: dict[str, Any]) -> None:
        self.reply("done")
        sys.exit()

    def do_setup(self, request: dict[str, Any]) -> None:
        self.state = request["state"]
        self.priority = self.state["active"]
        self.life = 20
        if self.has("Trigger"):
            self.trigger()
        else:
            self.set_up()

    def set_up(self) -> None:
        self.reply("done")

    def trigger(self) -> None:
        self.set_up()

    def do_act(self, request: dict[str, Any]) -> None:
        action = request["action"]
        if action["verb"] == "pass":
            self.priority = "bob" if self.priority == "alice" else "alice"
            self.reply("done")
        elif action["verb"] == "concede":
            self.ask()
        else:
            self.reply("illegal", message="only passing is allowed", rule="117.3d", stage="permission")

    def ask(self) -> None:
        """Put a question; the answer to it is a color, for which somebody gains life."""
        question = {"player": "alice", "kind": "color", "options": [{"value": "red"}, {"value": "blue"}]}
        self.reply("question", question=question)
        number = self.number
        request = self.next()
        if request["command"] == "answer":
            assert request["id"] == number
            self.life += 1 if request["answer"] == "red" else 2
            self.reply("done")
        else:
            self.take(request)

    def do_observe(self, request: dict[str, Any]) -> None:
        self.reply("done", view=self.view())

    def view(self) -> dict[str, Any]:
        objects, players = [], []
        for player in self.state["players"]:
            zones: dict[str, list[str]] = {}
            for zone in ZONES:
                zones[zone] = []
                for each in player[zone]:
                    id_ = each["handle"]
                    zones[zone].append(id_)
                    objects.append(
                        {
                            "id": id_,
                            "zone": zone,
                            "owner": player["name"],
                            "name": each["card"],
                            "card": id_,
                            "card_name": each["card"],
                            "facts": {"tapped": each["tapped"]},
                        }
                    )
            life = self.life if player["name"] == "alice" else player["life"]
            players.append({"name": player["name"], "zones": zones, "facts": {"life": life}})
        game = {
            "active": self.state["active"],
            "step": self.state["step"],
            "turn": self.state["turn"],
            "priority": self.priority,
            "over": False,
        }
        return {"objects": objects, "players": players, "stack": [], "game": game}

    def has(self, card: str) -> bool:
        return any(each["card"] == card for player in self.state["players"] for each in player["battlefield"])


# --- what ends


class Crash(StandIn):
    def trigger(self) -> None:
        print("Traceback: boom\n  at the end", file=sys.stderr)
        os._exit(3)


class Signal(StandIn):
    def trigger(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class HalfAndGone(StandIn):
    def trigger(self) -> None:
        write(b'{"id": 1, "reply": "do')
        os._exit(0)


class GoneBetween(StandIn):
    """Answers, and is gone before it is asked the next time."""

    def trigger(self) -> None:
        self.set_up()
        os._exit(0)


class ClosesOutput(StandIn):
    def trigger(self) -> None:
        os.close(1)
        time.sleep(1000)


class LeavesChild(StandIn):
    """Ends, and leaves a child behind that holds its output; the child's number goes to a file."""

    def trigger(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        Path(sys.argv[2]).write_text(str(child.pid))
        os._exit(1)


class LeavesChildWhenAsked(StandIn):
    """Ends when it is asked to, and leaves a child behind."""

    def do_bye(self, request: dict[str, Any]) -> None:
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(1000)"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        Path(sys.argv[2]).write_text(str(child.pid))
        super().do_bye(request)


class ChildAnswersLate(StandIn):
    """A child in a session of its own, which nobody ends, holds the output and answers requests to come."""

    def trigger(self) -> None:
        number = self.number
        if os.fork() == 0:
            os.setsid()
            time.sleep(2.6)
            for later in range(number, number + 100):
                self.number = later
                self.reply("illegal", message="an answer of the one before")
            os._exit(0)
        os._exit(1)


# --- what does not answer


class Hang(StandIn):
    def trigger(self) -> None:
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(1000)


class HangDeaf(StandIn):
    """Hangs, and will not be asked to end."""

    def trigger(self) -> None:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        time.sleep(1000)


class Silence(StandIn):
    def trigger(self) -> None:
        for _ in sys.stdin.buffer:
            pass


class HalfLine(StandIn):
    def trigger(self) -> None:
        write(b'{"id": 1, "reply": "do')
        time.sleep(1000)


class Late(StandIn):
    """Answers, but not in time."""

    def trigger(self) -> None:
        time.sleep(float(sys.argv[2]))
        self.set_up()


class Deaf(StandIn):
    """Says hello, and reads nothing any more."""

    def do_hello(self, request: dict[str, Any]) -> None:
        super().do_hello(request)
        time.sleep(1000)


class Slow(StandIn):
    """Takes its time for each answer, and too long for all of them together."""

    def do_act(self, request: dict[str, Any]) -> None:
        if self.has("Trigger"):
            time.sleep(float(sys.argv[2]))
        super().do_act(request)


# --- what says the wrong thing


class Garbage(StandIn):
    def trigger(self) -> None:
        write(b"INFO: game set up\n")
        self.set_up()


class NoObject(StandIn):
    def trigger(self) -> None:
        write(b"[1, 2, 3]\n")


class NoUnicode(StandIn):
    def trigger(self) -> None:
        write(b'{"id": 1, "reply": "\xff\xfe"}\n')


class HalfCharacter(StandIn):
    def trigger(self) -> None:
        write(b'{"id": %d, "reply": "illegal", "message": "\\ud800"}\n' % self.number)


class Deep(StandIn):
    def trigger(self) -> None:
        write(b'{"id": 1, "reply": ' + b"[" * 100_000 + b"\n")


class HugeLine(StandIn):
    def trigger(self) -> None:
        while True:
            write(b"x" * (1 << 20))


class HugeLineAtOnce(StandIn):
    """A line that is too long, and whole."""

    def trigger(self) -> None:
        self.reply("done", filling="x" * 3_000_000)


class ManyLines(StandIn):
    def trigger(self) -> None:
        while True:
            write(b'{"id": 0, "reply": "done", "filling": "' + b"x" * 1000 + b'"}\n')


class BlankLines(StandIn):
    """Blank lines are harmless."""

    def set_up(self) -> None:
        write(b"\n  \r\n")
        super().set_up()


class WrongId(StandIn):
    def trigger(self) -> None:
        self.number -= 1
        self.set_up()


class NoId(StandIn):
    def trigger(self) -> None:
        self.send({"reply": "done"})


class Twice(StandIn):
    def trigger(self) -> None:
        self.set_up()
        self.set_up()


class NoWord(StandIn):
    def trigger(self) -> None:
        self.send({"id": self.number, "result": "done"})


class WordOfItsOwn(StandIn):
    def trigger(self) -> None:
        self.reply("maybe")


class BadUnsupported(StandIn):
    def trigger(self) -> None:
        self.reply("unsupported", kind=7)


class BadView(StandIn):
    def view(self) -> dict[str, Any]:
        view = super().view()
        return {**view, "objects": {"1": {}}} if self.has("Trigger") else view


class SameIdTwice(StandIn):
    def view(self) -> dict[str, Any]:
        view = super().view()
        return {**view, "objects": [*view["objects"], view["objects"][0]]} if self.has("Trigger") else view


class BadGlance(StandIn):
    def trigger(self) -> None:
        self.reply("done", glance={"turn": "one", "stack": []})


class BadQuestion(StandIn):
    def trigger(self) -> None:
        self.reply("question", question={"player": "alice"})


class AsksWhereItMustNot(StandIn):
    def do_observe(self, request: dict[str, Any]) -> None:
        if self.has("Trigger"):
            self.reply("question", question={"player": "alice", "kind": "may"})
        else:
            super().do_observe(request)


class Fails(StandIn):
    """Says that it failed, as it may, and goes on."""

    def trigger(self) -> None:
        self.reply("failed", message="null pointer")


class Illegal(StandIn):
    """Refuses a starting state."""

    def trigger(self) -> None:
        self.reply("illegal", message="I do not like it")


class Lacks(StandIn):
    def trigger(self) -> None:
        self.reply("unsupported", kind="card", name="Trigger")


class KnowsAnyCommand(StandIn):
    def do_juggle(self, request: dict[str, Any]) -> None:
        self.reply("done")


class NoSuchCommandCrash(StandIn):
    def do_juggle(self, request: dict[str, Any]) -> None:
        os._exit(3)


class PowerInWords(StandIn):
    """Reports a property as no schema says, which no case would notice that does not ask for it."""

    def view(self) -> dict[str, Any]:
        view = super().view()
        view["objects"][0]["facts"]["power"] = "three"
        return view


class NoReset(StandIn):
    """Cannot give up a question."""

    do_reset = None  # type: ignore[assignment]


# --- standard error


class Talkative(StandIn):
    """Floods standard error, and answers all the same."""

    def set_up(self) -> None:
        for _ in range(200):
            sys.stderr.write("x" * 20_000 + "\n")
        sys.stderr.write("y" * 5_000_000)
        super().set_up()


class TalkativeAndGone(StandIn):
    def trigger(self) -> None:
        sys.stderr.write("noise\n" * 200_000 + "the last word\n")
        sys.stderr.flush()
        os._exit(1)


class Escapes(StandIn):
    """Standard error with control characters, and no text in any encoding."""

    def trigger(self) -> None:
        sys.stderr.buffer.write(b"\x1b[31mred\xff\x00\n")
        sys.stderr.buffer.flush()
        os._exit(1)


# --- beginning and end


class EndsAtOnce(StandIn):
    def do_hello(self, request: dict[str, Any]) -> None:
        print("no license found", file=sys.stderr)
        sys.exit(9)


class OtherProtocol(StandIn):
    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "protocol": 2}


class Nameless(StandIn):
    def hello(self) -> dict[str, Any]:
        return {"protocol": 1}


class NoHello(StandIn):
    do_hello = None  # type: ignore[assignment]


class SlowStart(StandIn):
    def do_hello(self, request: dict[str, Any]) -> None:
        time.sleep(1000)


class Another(Crash):
    """Is another one each time it starts."""

    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "version": str(os.getpid())}


class StartsOnce(Crash):
    """Starts once, and not again: the file says that it has started."""

    def do_hello(self, request: dict[str, Any]) -> None:
        marker = Path(sys.argv[2])
        if marker.exists():
            sys.exit(9)
        marker.write_text("")
        super().do_hello(request)


class TalksAfterBye(StandIn):
    def do_bye(self, request: dict[str, Any]) -> None:
        self.reply("done")
        self.reply("done")
        sys.exit()


class StaysAfterBye(StandIn):
    def do_bye(self, request: dict[str, Any]) -> None:
        self.reply("done")
        time.sleep(1000)


class NoBye(StandIn):
    """Does not know ``bye``, and ends with its input."""

    do_bye = None  # type: ignore[assignment]


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
