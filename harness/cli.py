"""The command ``judgecall``: list, run, explain and lint cases, attach an engine, and publish what an engine comes to.

Exit codes are pytest's: 0 all passed, 1 failures or incomplete, 2 interrupted, 3 an error of the command
itself, 4 wrong usage, 5 nothing to do.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence

from judgecall.harness.coverage_commands import add_coverage, coverage
from judgecall.harness.engine_commands import ENGINE_COMMANDS, add_engine_commands
from judgecall.harness.engines import DEFAULT_ENGINE, EngineProblem, open_engine
from judgecall.harness.explain import explain
from judgecall.harness.ids import write_new_ids
from judgecall.harness.known import KnownProblem
from judgecall.harness.lint import lint
from judgecall.harness.lint_play import lint_by_playing
from judgecall.harness.phrase import many
from judgecall.harness.proving import add_prove, prove_all
from judgecall.harness.publishing import add_publishing, publish
from judgecall.harness.release import file_digest
from judgecall.harness.results import ResultsError
from judgecall.harness.rules_commands import add_rules, rules
from judgecall.harness.running import Usage, add_run, play_all
from judgecall.harness.shards import ShardProblem
from judgecall.harness.side_by_side import RunEnded
from judgecall.harness.suite import NotFound, load, select
from judgecall.schema.comprehensive_rules import EditionError
from judgecall.schema.rulings_dump import DumpError

__all__ = ["main"]

OK, FAILED, INTERRUPTED, INTERNAL, USAGE, NOTHING = range(6)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: error: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="judgecall", description="Conformance cases for engines that play Magic.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    what = "an id of the suite (ruling, folder, or RULING::CASE), or a file or folder of cases"

    listing = commands.add_parser("list", help="list cases with their titles")
    listing.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    listing.add_argument("--json", action="store_true", help="as JSON")

    running = commands.add_parser("run", help="play cases against an engine")
    running.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    add_run(running)

    explaining = commands.add_parser("explain", help="an engine's play of a case, step by step")
    explaining.add_argument("case", metavar="ID|PATH::CASE", help="a case, or a ruling for all of its cases")
    explaining.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="default: %(default)s")
    explaining.add_argument("--fault", metavar="NAME", help="break one rule of the engine on purpose")

    linting = commands.add_parser("lint", help="check case files")
    linting.add_argument("paths", nargs="*", metavar="ID|PATH", help=what)
    linting.add_argument("--play", action="store_true", help="also what only playing the cases on the oracle tells")
    linting.add_argument("--write-ids", action="store_true", help="first add new ids to those that the suite keeps")

    add_engine_commands(commands, what)

    breaking = commands.add_parser("faults", help="list the rules that an engine can break on purpose")
    breaking.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="default: %(default)s")
    breaking.add_argument("--json", action="store_true", help="as JSON")
    add_rules(commands)
    add_coverage(commands, what)
    add_prove(commands, what)
    add_publishing(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show must not end the run.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else USAGE
    try:
        with _ended_well():
            return _run(options)
    except (NotFound, EngineProblem, KnownProblem, ShardProblem, Usage, EditionError, DumpError) as problem:
        print(f"judgecall: error: {problem}", file=sys.stderr)
        return USAGE
    except ResultsError as problem:
        print(f"judgecall: error: {problem}", file=sys.stderr)
        return USAGE if options.command == "run" else FAILED
    except RunEnded as end:
        print(f"judgecall: the run ends before its last case: {end}", file=sys.stderr)
        return INTERRUPTED
    except KeyboardInterrupt:
        print("judgecall: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; Python must not complain about it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        import traceback

        traceback.print_exc()
        print(f"judgecall: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return INTERNAL


@contextlib.contextmanager
def _ended_well() -> Iterator[None]:
    """Let a request to terminate, as a CI sends it, end the engines' processes too."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return

    def leave(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(options: argparse.Namespace) -> int:
    if options.command in ENGINE_COMMANDS:
        return ENGINE_COMMANDS[options.command](options)
    if options.command == "list":
        return _list(options.cases, as_json=options.json)
    if options.command == "run":
        return play_all(options)
    if options.command == "explain":
        return _explain(options)
    if options.command == "lint":
        return _lint(options.paths, playing=options.play, write_ids=options.write_ids)
    if options.command == "faults":
        return _faults(options.engine, as_json=options.json)
    if options.command == "coverage":
        return coverage(options)
    if options.command == "rules":
        return rules(options)
    if options.command == "prove":
        return prove_all(options)
    return publish(options)


def _list(arguments: Sequence[str], *, as_json: bool) -> int:
    rows = []
    broken = 0
    for loaded in load(select(arguments)):
        if loaded.problem is not None:
            broken += 1
            print(loaded.problem, file=sys.stderr)
        for case in loaded.cases:
            rows.append(case)
    if as_json:
        data = [
            {
                "case": case.id,
                "title": case.title,
                "ruling": case.ruling,
                "rules": list(case.rules),
                "status": case.status,
                "digest": file_digest(case.path),
                "path": case.path,
                "line": case.position.line if case.position else None,
            }
            for case in rows
        ]
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        for case in rows:
            status = f" ({case.status})" if case.status else ""
            print(f"{case.id}  {case.title}{status}")
    return FAILED if broken else OK if rows else NOTHING


def _explain(options: argparse.Namespace) -> int:
    selected = select([options.case])
    opened = open_engine(options.engine, options.fault)
    try:
        return explain(selected, opened, sys.stdout)
    finally:
        opened.close()


def _faults(name: str, *, as_json: bool) -> int:
    """List an engine's faults: the name, the rule that it breaks, what the engine then does."""
    opened = open_engine(name)
    try:
        faults = dict(sorted(opened.description.faults.items()))
    finally:
        opened.close()
    if as_json:
        print(json.dumps(faults, ensure_ascii=False, indent=1))
    else:
        for fault, told in faults.items():
            print(f"{fault}  {told}")
    return OK if faults else NOTHING


def _lint(arguments: Sequence[str], *, playing: bool, write_ids: bool) -> int:
    if write_ids:
        write_new_ids()
    selected = select(arguments)
    files, problems = lint(selected)
    if playing:
        problems += lint_by_playing(case for loaded in load(selected) for case in loaded.cases)
    for problem in problems:
        print(problem)
    print(f"{many(files, 'file')}, {many(len(problems), 'problem')}")
    return FAILED if problems else OK if files else NOTHING


if __name__ == "__main__":
    sys.exit(main())
