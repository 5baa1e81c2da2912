"""The pytest plugin, loaded on installation: cases are collected and run like tests.

``--engine=NAME`` adds the installed suite to the tests of any project, ``--pyargs judgecall.cases`` runs it
alone. Files that are no part of the suite, or of the folder named with ``--cases``, are left to others.
Importing this module must stay cheap, since every run of pytest does it: what plays cases is imported when
there are some to play.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from judgecall.harness.engines import Opened
    from judgecall.harness.recording import Recording
    from judgecall.harness.verdicts import CaseResult
    from judgecall.schema.errors import CaseFileError
    from judgecall.schema.model import Case

_DEFAULT_ENGINE = "oracle"
_SUFFIXES = (".yaml", ".yml")
_KEEPING = (
    "--judgecall-results",
    "--engine-file",
    "--shard",
    "--known-failures",
    "--require",
    "--min-passing",
    "--allow-unsupported",
)
"""Options that say what is kept of the cases, or how many are enough."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("judgecall", "cases for engines that play Magic")
    group.addoption(
        "--engine", metavar="NAME", help="the engine to judge: py:module:Class, or a name (default: oracle)"
    )
    group.addoption("--case", action="append", metavar="ID", help="run this case, or this ruling, alone (repeatable)")
    group.addoption("--cases", metavar="DIR", help="a folder of cases, in place of the installed suite")
    group.addoption("--fault", metavar="NAME", help="break one rule of the engine on purpose")
    group.addoption("--judgecall-results", metavar="FILE", help="write a line of JSON for each case")
    group.addoption(
        "--engine-file", action="append", metavar="FILE", help="state this file's digest in the results (repeatable)"
    )
    group.addoption("--shard", metavar="I/N", help="play one part of the cases: 3/8")
    group.addoption("--known-failures", metavar="FILE", help="a list of cases that are known not to pass")
    group.addoption(
        "--require", action="append", metavar="PROFILE", help="all cases of a profile must pass (repeatable)"
    )
    group.addoption("--min-passing", type=int, metavar="N", help="so many cases must pass")
    group.addoption("--allow-unsupported", action="store_true", help="what is unsupported is no shortfall")


def pytest_configure(config: pytest.Config) -> None:
    """Check the options and find out where the cases come from."""
    plugin = _Plugin(config)
    config.pluginmanager.register(plugin, "judgecall-session")
    plugin.configure()


class _Plugin:
    """What one run of pytest knows of cases."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.engine_name: str = config.getoption("--engine") or _DEFAULT_ENGINE
        self.fault: str | None = config.getoption("--fault")
        self.opened: Opened | None = None
        self.markers: dict[str, pytest.MarkDecorator] = {}
        self._recording: Recording | None = None
        folder: str | None = config.getoption("--cases")
        self.own_suite = folder is None
        self.root = Path(folder).absolute() if folder is not None else _suite_root()
        self.real_root = os.path.realpath(self.root)
        self.adds_suite = False
        """Whether cases are added to what the arguments of the run come to."""

    # --- what to collect

    def configure(self) -> None:
        """Check the options.

        Raises:
            pytest.UsageError: an option names no engine, fault, folder or case.
        """
        config = self.config
        if not self.own_suite and not self.root.exists():
            raise pytest.UsageError(f"--cases: {config.getoption('--cases')} is no file or folder")
        wanted: list[str] = config.getoption("--case") or []
        asked = any(config.getoption(name) for name in ("--engine", "--fault", "--case", "--cases"))
        if wanted:
            config.args[:] = [node for id_ in wanted for node in self._nodes(id_)]
        else:
            self.adds_suite = asked and not self._comes_anyway()
        if config.getoption("--engine") or self.fault:
            self.open()
        if any(config.getoption(name) not in (None, False) for name in _KEEPING):
            self.recording()

    def recording(self) -> Recording:
        """What is kept of the cases, made when there are some.

        Raises:
            pytest.UsageError: an option makes no sense, or a file cannot be read or written.
        """
        if self._recording is None:
            from judgecall.harness.recording import Recording

            self._recording = Recording(self.config, self.root, own_suite=self.own_suite)
        return self._recording

    def _comes_anyway(self) -> bool:
        """Whether the run comes to the cases as it is, or its user wants nothing but what they named."""
        config = self.config
        if self.own_suite and config.args_source is pytest.Config.ArgsSource.ARGS:
            return True
        here = config.invocation_params.dir
        return any(self._reaches(here / argument.partition("::")[0]) for argument in config.args)

    def _reaches(self, path: Path) -> bool:
        """Whether collecting a file or folder comes to cases: it is among them, or above them."""
        real = os.path.realpath(path)
        if real == self.real_root or real.startswith(self.real_root + os.sep):
            return True
        if not self.real_root.startswith(real.rstrip(os.sep) + os.sep):
            return False
        # An environment within the project holds the installed suite, and pytest does not look into it.
        patterns: list[str] = self.config.getini("norecursedirs")
        between = [folder for folder in Path(self.real_root).parents if str(folder).startswith(real + os.sep)]
        return not any(
            (folder / "pyvenv.cfg").exists() or any(fnmatch(folder.name, pattern) for pattern in patterns)
            for folder in between
        )

    def _nodes(self, id_: str) -> list[str]:
        """The node ids of a case or ruling.

        Raises:
            pytest.UsageError: there is none of this id.
        """
        from judgecall.harness.suite import NotFound, nodes

        try:
            return nodes(id_, self.root)
        except NotFound as problem:
            raise pytest.UsageError(f"--case: {problem}") from None

    def is_case_file(self, path: Path) -> bool:
        """Whether a file belongs to the suite."""
        if path.suffix not in _SUFFIXES:
            return False
        real = os.path.realpath(path)
        if real == self.real_root:
            return True
        if not real.startswith(self.real_root + os.sep):
            return False
        parts = real[len(self.real_root) + 1 :].split(os.sep)
        return not any(part.startswith(("_", ".")) for part in parts)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect the suite as a folder: its package exists to find the files, and is not imported."""
        if self.own_suite and path.joinpath("__init__.py").is_file() and os.path.realpath(path) == self.real_root:
            directory: pytest.Collector = pytest.Dir.from_parent(parent, path=path)
            return directory
        return None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a case file of the suite, and no other YAML."""
        return self.file(file_path, parent) if self.is_case_file(file_path) else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Add the suite before anything selects among what was collected, and cut the shard out of what is left.

        As an argument of the run the suite would be lost where it lies below another one, in a folder that
        pytest passes over, as the environment of a project does.
        """
        if self.adds_suite:
            if self.root.is_dir():
                items.extend(session.genitems(Suite.of(self, session)))
            else:
                items.extend(session.genitems(self.file(self.root, session)))
        yield
        cases = [(item.nodeid, item.case) for item in items if isinstance(item, CaseItem)]
        if cases:
            elsewhere = self.recording().select(cases)
            if elsewhere:
                self.config.hook.pytest_deselected(items=[item for item in items if item.nodeid in elsewhere])
                items[:] = [item for item in items if item.nodeid not in elsewhere]

    def file(self, file_path: Path, parent: pytest.Collector) -> CaseFile:
        """A case file as a node, with the same id wherever the suite is installed."""
        nodeid = None
        if self.own_suite:
            nodeid = f"cases/{os.path.realpath(file_path)[len(self.real_root) + 1 :].replace(os.sep, '/')}"
        file: CaseFile = CaseFile.from_parent(parent, path=file_path, nodeid=nodeid)
        file.plugin = self
        return file

    def mark(self, item: pytest.Item, names: Iterable[str]) -> None:
        """Mark an item, with marks that `--strict-markers` knows."""
        for name in names:
            marker = self.markers.get(name)
            if marker is None:
                self.config.addinivalue_line("markers", f"{name}: cases of judgecall")
                marker = self.markers[name] = getattr(pytest.mark, name)
            item.add_marker(marker)

    # --- playing

    def open(self) -> Opened:
        """The engine, made when it is first needed.

        Raises:
            pytest.UsageError: there is no such engine.
        """
        if self.opened is None:
            from judgecall.harness.engines import EngineProblem, open_engine

            try:
                self.opened = open_engine(self.engine_name, self.fault, self._folder())
            except EngineProblem as problem:
                raise pytest.UsageError(str(problem)) from None
        return self.opened

    def _folder(self) -> Path:
        """Where the caller's `pyproject.toml` and engine are looked for."""
        config = self.config
        return config.inipath.parent if config.inipath is not None else config.invocation_params.dir

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Find out that there is no engine before the first case is run."""
        if not self.config.option.collectonly and any(isinstance(item, CaseItem) for item in session.items):
            self.open()

    def pytest_unconfigure(self) -> None:
        """End the engine."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    # --- reporting

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A case that counts for nothing or is known not to pass cannot fail the run, unless it is known wrongly."""
        report = yield
        if not isinstance(item, CaseItem) or report.when != "call":
            return report
        result = item.result
        if item.case.status is not None:
            if report.failed:
                report.outcome = "skipped"
            report.wasxfail = f"{item.case.status}: {item.case.why or 'no reason given'}"
        elif result is not None and result.known is not None and result.verdict != "invalid":
            if result.verdict == "pass":
                report.outcome = "failed"
                report.longrepr = f"{result.case} is listed as a known failure and passes: remove the entry"
            else:
                report.outcome = "skipped"
                report.wasxfail = " ".join(("known failure:", *filter(None, result.known)))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in verdicts, also those that another process has come to."""
        if self._recording is not None or any(name == "judgecall.case" for name, _ in report.user_properties):
            self.recording().add(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take in what a process of pytest-xdist has selected."""
        output: dict[str, Any] | None = getattr(node, "workeroutput", None)
        if output and "judgecall" in output:
            self.recording().from_worker(output)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write what is kept, and let a run that is not as required end with 1."""
        if self._recording is None or self.config.option.collectonly:
            return
        output: dict[str, Any] | None = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["judgecall"] = self._recording.to_controller()
        else:
            self._recording.finish(session, exitstatus, self.open)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what the engine came to."""
        kept = self._recording
        if kept is None or not (kept.results or kept.lacking):
            return
        first, *others = kept.summary()
        terminalreporter.section("judgecall")
        terminalreporter.write_line(f"{self.engine_name}: {first}")
        for line in others:
            terminalreporter.write_line(line)


class Suite(pytest.Directory):
    """All case files of the suite, for a run whose arguments do not come to them."""

    plugin: _Plugin

    @classmethod
    def of(cls, plugin: _Plugin, session: pytest.Session) -> Suite:
        """The suite as a node."""
        suite: Suite = cls.from_parent(session, path=plugin.root, nodeid="cases")
        suite.plugin = plugin
        return suite

    def collect(self) -> Iterator[CaseFile]:
        """Every case file, in the order of their names."""
        from judgecall.schema.loader import find_files

        for path in find_files([self.path]):
            yield self.plugin.file(path, self)


class CaseFile(pytest.File):
    """A case file: one ruling and its cases."""

    plugin: _Plugin

    def collect(self) -> Iterator[pytest.Item]:
        """Read the file; with mistakes in some of its cases the others are played.

        Raises:
            CollectError: with all that is wrong with it.
        """
        from judgecall.schema.loader import CaseFileError, load_file

        try:
            cases = load_file(self.path, root=self.plugin.root if self.plugin.own_suite else None).cases
        except CaseFileError as problem:
            if not problem.sound:
                raise self.CollectError(str(problem)) from None
            cases = problem.sound
            yield from self._mistaken(problem)
        marks = dict.fromkeys(_identifier(part) for part in cases[0].ruling.split("/")[:-1])
        marks.update(dict.fromkeys(name for rule in cases[0].rules for name in _rule_markers(rule)))
        for case in cases:
            item: CaseItem = CaseItem.from_parent(self, name=case.name)
            item.case = case
            item.plugin = self.plugin
            self.plugin.mark(item, marks)
            yield item

    def _mistaken(self, problem: CaseFileError) -> Iterator[MistakenItem]:
        from judgecall.harness.release import file_digest
        from judgecall.harness.suite import Loaded, case_results_of

        digest = file_digest(self.path)
        for result in case_results_of(Loaded(self.path, problem.sound, problem)):
            item: MistakenItem = MistakenItem.from_parent(self, name=result.case.rpartition("::")[2])
            item.result = replace(result, digest=digest)
            yield item


class MistakenItem(pytest.Item):
    """A case that cannot be played."""

    result: CaseResult

    def runtest(self) -> None:
        """Tell what is wrong with it.

        Raises:
            CaseFailed: always.
        """
        from judgecall.harness.properties import properties_of

        self.user_properties += properties_of(self.result)
        raise CaseFailed(self.result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """What is wrong, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Where the file is, and the case's id."""
        return self.path, None, self.result.case


class CaseFailed(Exception):
    """A case did not pass; the result says why."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.message)
        self.result = result


class CaseItem(pytest.Item):
    """One case."""

    case: Case
    plugin: _Plugin
    result: CaseResult | None = None

    def runtest(self) -> None:
        """Play the case.

        Raises:
            CaseFailed: it did not pass.
        """
        from judgecall.harness.play import play
        from judgecall.harness.properties import properties_of

        opened = self.plugin.open()
        kept = self.plugin.recording()
        result = play(self.case, opened.engine, opened.description, faulted=opened.fault is not None)
        if opened.engine.ended is not None:
            self.session.shouldstop = f"the run ends before its last case: {opened.engine.ended}"
        result = replace(result, digest=kept.digest(self.case))
        self.result = result = kept.known.mark(result) if kept.known is not None else result
        self.user_properties += properties_of(result)
        if result.verdict == "pass":
            return
        if result.verdict == "unsupported":
            raise pytest.skip.Exception(f"unsupported {result.message}", _use_item_location=True)
        raise CaseFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """A failed case as text, without a traceback."""
        if isinstance(excinfo.value, CaseFailed):
            from judgecall.harness.runner import report_text

            return report_text(excinfo.value.result, self._alone())
        return super().repr_failure(excinfo, style)

    def _alone(self) -> str:
        """The command that runs this case alone."""
        import shlex

        words = ["pytest", f"--engine={self.plugin.engine_name}"]
        if self.plugin.fault:
            words.append(f"--fault={self.plugin.fault}")
        if not self.plugin.own_suite:
            words.append(f"--cases={self.config.getoption('--cases')}")
        words.append(f"--case={self.case.id}")
        return shlex.join(words)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Where the case is, and its id."""
        position = self.case.position
        return self.path, position.line - 1 if position else None, self.case.id


def _suite_root() -> Path:
    """The folder of the installed suite, found without importing what it is in."""
    spec = importlib.util.find_spec("judgecall.cases")
    if spec is None or spec.origin is None:
        return Path(__file__).parent.parent / "cases"
    return Path(spec.origin).parent


def _identifier(text: str) -> str:
    """``double-faced`` as a name that ``-m`` takes: ``double_faced``; a folder ``709`` as ``cr_709``."""
    name = "".join(character if character.isalnum() else "_" for character in text)
    return name if name.isidentifier() and name[0] != "_" else f"cr_{name.lstrip('_')}"


def _rule_markers(rule: str) -> list[str]:
    """``702.34a`` and the rules above it: ``cr_702``, ``cr_702_34``, ``cr_702_34a``."""
    section, _, rest = rule.partition(".")
    above = [section, f"{section}.{rest.rstrip('abcdefghijklmnopqrstuvwxyz')}", rule] if rest else [rule]
    return [_identifier(f"cr_{each}") for each in above]
