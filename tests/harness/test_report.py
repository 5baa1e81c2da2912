"""The site of results: what its pages say, that they hold together, and that nothing in them becomes markup."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from judgecall.harness.cli import main
from judgecall.harness.compare import compare, comparison_text
from judgecall.harness.report import build, parts
from judgecall.harness.report.board import board_svg, given_text
from judgecall.harness.report.text import clean, folded, page_path
from judgecall.harness.report.views import cell_of, rule_key
from judgecall.harness.results import ResultsError, read_results
from judgecall.harness.suite import suite_root
from judgecall.schema.loader import find_files, load_file, load_text

from tests.harness.site_of import HOSTILE, Page, make_site
from tests.harness.small_suite import CASES, GOOD, WRONG, install, run

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("site")
        install(folder, patch)
        return make_site(folder / "site")


def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def test_the_overview_sets_engines_beside_each_other(site: Path) -> None:
    text = " ".join(Page(site / "index.html").text.split())
    assert "5 rulings of Magic: The Gathering as 8 cases, played by 4 engines." in text
    assert "1 case is disputed or withdrawn and counts for nothing." in text
    for engine, said in (("toy 1", "4 of 7"), ("forgetful 1", "3 of 7"), ("mute 1", "0 of 7")):
        assert f"{engine} {said} cases pass" in text
    # The toy in all three profiles, the wrong one in what has nothing to do with flashback; then the legend.
    assert text.count("every case passes") == 4
    assert text.count("every expectation holds") == 1
    assert "These results are of other case files" in text


def test_what_is_counted_agrees_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = install(tmp_path, monkeypatch)
    shutil.rmtree(root / "flash")
    life = root / "other" / "life.yaml"
    life.write_text(life.read_text().partition("  - case: three")[0])
    run(GOOD, "r.jsonl")
    assert main(["lint", "suite/other"]) == 1
    assert main(["merge", "r.jsonl", "-o", "all.jsonl"]) == 0
    assert main(["export", "--json", "out"]) == 0
    assert main(["report", "r.jsonl", "-o", "site", "--no-trace"]) == 0
    said = capsys.readouterr().out
    for told in ("1 case: 1 passed\n", "1 file, ", "all.jsonl: 1 case of", "1 ruling with 1 case in out\n"):
        assert told in said
    overview = " ".join(Page(Path("site/index.html")).text.split())
    assert "1 ruling of Magic: The Gathering as 1 case, played by 1 engine." in overview
    assert "1 of 1 case passes" in overview
    assert "1 ruling " in " ".join(Page(Path("site/rulings.html")).text.split())


def test_a_ruling_has_a_page_with_all_there_is(site: Path) -> None:
    page = Page(site / "rulings" / "flash" / "exiled.html")
    text = " ".join(page.text.split())
    for said in (
        "A spell with flashback is exiled.",
        "Un sort à flashback est exilé.",
        "CR 702.34a CR 601.2",
        "1 source",
        "Think Twice wotc 2025-06-06 en sha256:000",
        "What is done cast Think Twice, using flashback check stack: Think Twice resolve all",
        "What must hold Think Twice: zone exile",
        "forgetful 1 ✗ fail What Expected Actual Think Twice: zone exile graveyard",
        "mute 1 ○ unsupported card: Think Twice",
        "How toy 1 plays it, rule by rule Step 1: cast Think Twice alice casts Think Twice Step 3: resolve all",
        "alice passes CR 117.3d",
        "judgecall run flash/exiled::exiled --engine=NAME",
    ):
        assert said in text, said
    assert ("p", "lang", "fr") in page.attributes
    boards = [value for tag, name, value in page.attributes if tag == "svg" and name == "class" and value == "board"]
    assert len(boards) == 2


def test_disputed_cases_are_shown_and_not_counted(site: Path) -> None:
    text = " ".join(Page(site / "rulings" / "other" / "life.html").text.split())
    assert "disputed: nobody knows. It counts for no verdict." in text
    assert "Two readings ✗ fail not counted" in text


def test_rules_are_listed_by_number_with_engines(site: Path) -> None:
    page = Page(site / "rules.html")
    assert [id_ for id_ in page.ids if id_.startswith("cr-")] == ["cr-103.4", "cr-601.2", "cr-702.34a"]
    assert "CR 702.34a ✓ 2/2 ✗ 1/2 ○ 0/2" in " ".join(page.text.split())


def test_faults_are_told_by_rule_and_by_case(site: Path) -> None:
    page = Page(site / "faults.html")
    text = " ".join(page.text.split())
    assert "3 rules of" in text
    assert "1 of the faults is caught by no case, 2 of the cases catch no fault." in text
    assert "This was found with other case files" in text
    assert "CR 601.2 It does nothing. never-caught none CR 702.34a It forgets flashback. forgets-flashback " in text
    assert "rulings/flash/exiled.html#case-2" in page.links
    assert "flash/exiled::cast: It only casts." in text
    ruling = Page(site / "rulings" / "flash" / "exiled.html")
    text = " ".join(ruling.text.split())
    assert "Catches no fault: It only casts." in text
    assert "Catches 2 faults It forgets flashback. forgets-flashback CR 702.34a" in text
    assert "../../faults.html#fault-2" in ruling.links


def test_changes_are_told(site: Path) -> None:
    text = " ".join(Page(site / "changes.html").text.split())
    assert "1 better, 1 worse, 0 otherwise, 1 new, 0 gone, 1 unchanged" in text
    assert "Worse: 1 flash/exiled::exiled: ✓ pass → ✗ fail" in text
    assert "Better: 1 other/life::twenty: ! error → ✓ pass" in text
    assert "New: 1 other/life::three: ✓ pass" in text


def test_all_links_lead_somewhere_on_the_site(site: Path) -> None:
    found = pages(site)
    checked = 0
    for name, page in found.items():
        for link in page.links:
            if link == "data:,":
                continue
            target, fragment = urldefrag(link)
            parts_ = urlsplit(target)
            assert not parts_.scheme, f"{name} links to {link}"
            assert not parts_.netloc, f"{name} links to {link}"
            path = os.path.normpath(os.path.join(os.path.dirname(name), unquote(parts_.path))) if parts_.path else name
            assert (site / path).is_file(), f"{name} links to {link}"
            if fragment:
                assert unquote(fragment) in found[path].ids, f"{name} links to {link}"
            checked += 1
    assert checked > 100


def test_ids_are_there_once_and_what_refers_to_them_finds_them(site: Path) -> None:
    for name, page in pages(site).items():
        assert len(page.ids) == len(set(page.ids)), name
        for _, attribute, value in page.attributes:
            if attribute in ("aria-labelledby", "for"):
                assert value in page.ids, (name, value)


def test_nothing_that_engines_say_becomes_markup(site: Path) -> None:
    assert not list(site.parent.rglob("owned*"))
    for name, page in pages(site).items():
        scripts = [value for tag, key, value in page.attributes if tag == "script"]
        assert len(scripts) == page.tags.count("script") == (2 if name == "rulings.html" else 1), name
        assert "img" not in page.tags
        assert not any(key.startswith("on") for _, key, _ in page.attributes)
        assert "49" not in page.text.replace("149", "")
        for character in page.text:
            assert character in "\t\n" or character.isprintable() or character == "\N{NO-BREAK SPACE}", ascii(character)
    shown = clean(HOSTILE)
    assert shown.startswith('<script>document.title="owned"</script>\N{REPLACEMENT CHARACTER}"&')
    assert shown in Page(site / "index.html").text
    page = Page(site / "rulings" / "flash" / "exiled.html")
    assert page.text.count(shown) > 10
    search = (site / "search.js").read_text(encoding="utf-8")
    assert search.isascii()
    assert "\u2028" not in search


def test_cases_that_only_results_have_are_shown_and_stay_on_the_site(site: Path) -> None:
    assert {path.name for path in site.parent.iterdir()} == {
        "site", "suite", "good.jsonl", "wrong.jsonl", "mute.jsonl", "older.jsonl",
    }  # fmt: skip
    others = [Page(path) for path in (site / "rulings" / "_other").iterdir()]
    assert len(others) == 3
    assert all("This ruling is not of the suite" in page.text for page in others)
    assert page_path("a/b") == "rulings/a/b.html"
    paths = {page_path(bad) for bad in ("../x", "/etc/x", "a//b", "A/b", "a/..b", "a/b/", "", "con\x00", "x" * 999)}
    assert all(path.startswith("rulings/_other/") and len(path) < 60 for path in paths)
    assert len(paths) == 9


def test_reading_needs_no_script(site: Path) -> None:
    """Whatever only a script can do is hidden until there is one."""
    for page in pages(site).values():
        controls = [tag for tag in page.tags if tag in ("form", "button", "select", "input")]
        hidden = [tag for tag, key, _ in page.attributes if key == "hidden"]
        assert ("form" in controls) <= ("form" in hidden)
        assert "noscript" not in page.tags


def test_the_site_is_the_same_each_time_and_in_one_process_or_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    site = make_site(tmp_path / "one")
    monkeypatch.setattr(parts, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    results = [read_results(f"{name}.jsonl") for name in ("good", "wrong", "mute")]
    build(results, tmp_path / "two", trace=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    build(results, tmp_path / "three", trace=False)
    files = {path.relative_to(tmp_path / "two") for path in (tmp_path / "two").rglob("*") if path.is_file()}
    assert len(files) == 8
    for name in files:
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "three" / name).read_bytes()
        assert (site / name).is_file()


def test_what_goes_wrong_in_another_process_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    run(GOOD, "r.jsonl")
    monkeypatch.setattr(parts, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    (tmp_path / "site" / "rulings").mkdir(parents=True)
    (tmp_path / "site" / "rulings" / "flash").write_text("in the way")
    assert main(["report", "r.jsonl", "-o", "site", "--no-trace"]) == 1


def test_the_command_builds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, monkeypatch)
    run(WRONG, "r.jsonl")
    run(GOOD, "g.jsonl")
    capsys.readouterr()
    assert main(["report", "r.jsonl", "g.jsonl", "r.jsonl", "-o", "site"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"site: 5 pages; open {Path('site') / 'index.html'}\n"
    assert shown.err == "judgecall: playing the cases on the oracle for its trace\n"
    assert "forgetful 1 (2)" in Page(Path("site/index.html")).text
    page = Page(Path("site/rulings/flash/exiled.html"))
    assert "How oracle" in page.text
    assert "CR 601.2a" in page.text.partition("How oracle")[2]
    assert main(["report", "r.jsonl", "--since", "g.jsonl", "-o", "site"]) == 1
    assert "there are no newer ones to compare with" in capsys.readouterr().err
    run(GOOD, "s.jsonl", "--shard=1/2")
    assert main(["report", "s.jsonl", "-o", "site"]) == 1
    assert "merge the shards first" in capsys.readouterr().err
    Path("file").write_text("")
    assert main(["report", "r.jsonl", "-o", "file", "--no-trace"]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_broken_file_of_the_suite_is_no_end_of_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = install(tmp_path, monkeypatch)
    (root / "other" / "life.yaml").write_text("ruling: other/life\ncases:\n  - case: twenty\n    given: [")
    assert run(GOOD, "r.jsonl") == 1
    build([read_results("r.jsonl")], tmp_path / "site", trace=False)
    others = [Page(path).text for path in (tmp_path / "site" / "rulings" / "_other").iterdir()]
    assert len(others) == 1
    assert "? invalid" in others[0]


# --- parts of pages


def test_every_board_of_the_suite_is_a_picture() -> None:
    import xml.etree.ElementTree as ET

    drawn = 0
    for path in find_files([suite_root()]):
        for case in load_file(path, root=suite_root()).cases:
            root = ET.fromstring(str(board_svg(case.given)))
            _, _, width, height = map(float, root.get("viewBox", "").split())
            for each in root.iter("rect"):
                x, y, w, h = (float(each.get(key, "0")) for key in ("x", "y", "width", "height"))
                assert x >= 0 <= y, case.id
                assert x + w <= width + 3, case.id
                assert y + h <= height, case.id
            drawn += 1
    assert drawn > 500


def test_a_board_shows_what_a_case_sets_up() -> None:
    text = """\
ruling: x
cases:
  - case: a
    given:
      active: bob
      step: upkeep
      day_night: night
      alice:
        life: 7
        mana: "{U}"
        counters: {poison: 3}
        hand: [3 Island, Supercalifragilisticexpialidocious, "<b>"]
        battlefield:
          - {card: Exalted Angel, as: angel, tapped: true, face_down: morph, counters: {"+1/+1": 2}, damage: 1}
          - {token: Treasure}
      bob: {graveyard: [Shock, Shock], library: [Forest, Swamp]}
    then: {alice: {life: 7}}
"""
    given = load_text(text, "x.yaml").cases[0].given
    said = given_text(given)
    assert said == (
        "Turn 1, bob's upkeep. alice: life 7; 3 poison counters; mana {U}; battlefield Exalted Angel (tapped, “angel”, "
        "face down: morph, 2 +1/+1, damage 1), Treasure Token; hand 3 Island, Supercalifragilisticexpialidocious, <b>. "
        "bob: life 20; graveyard 2 Shock; library Forest, Swamp."
    )
    drawn = str(board_svg(given))
    assert "<b>" not in drawn
    assert "&lt;b&gt;" in drawn
    assert ">tapped<" in drawn
    assert ">×3<" in drawn
    assert "library, top first" in drawn
    assert "it is night" in drawn


def test_rules_are_in_the_order_of_the_book() -> None:
    rules = ["702.34a", "702.9b", "101.2", "704.5m", "704.5", "odd", "702", "702.9"]
    assert sorted(rules, key=rule_key) == ["101.2", "702", "702.9", "702.9b", "702.34a", "704.5", "704.5m", "odd"]


def test_a_cell_has_the_worst_verdict() -> None:
    assert cell_of(["pass", "unsupported", "fail"]).worst == "fail"
    assert cell_of(["pass", "not played"]).worst == "not played"
    assert cell_of(["unsupported", "not played"]).worst == "unsupported"
    assert cell_of([]).worst == "not played"
    assert (cell_of(["pass", "pass", "error"]).passed, cell_of(["pass", "pass", "error"]).total) == (2, 3)


def test_searching_knows_no_accents() -> None:
    assert folded("Jötun ÉTÉ ﬁn Straße") == "jotun ete fin strasse"


# --- diff


def test_a_diff_tells_worse_before_better(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(site.parent / "older.jsonl"), str(site.parent / "wrong.jsonl")
    assert main(["diff", old, new]) == 1
    assert capsys.readouterr().out == (
        "forgetful 1 on suite 2026.1.0 → forgetful 1 on suite 2026.1.0\n"
        "1 better, 1 worse, 0 otherwise, 1 new, 0 gone, 1 unchanged\n"
        "\nworse\n"
        "  flash/exiled::exiled: pass → fail: Think Twice: zone: expected exile, got graveyard\n"
        "\nbetter\n"
        "  other/life::twenty: error → pass\n"
        "\nnew\n"
        "  other/life::three: pass\n"
    )
    assert main(["diff", new, new]) == 0


def test_a_diff_says_where_the_case_itself_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = install(tmp_path, monkeypatch)
    run(GOOD, "old.jsonl")
    path = root / "other" / "life.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("{life: 20}", "{life: 21}"), encoding="utf-8")
    run(GOOD, "new.jsonl")
    text = comparison_text(compare(read_results("old.jsonl"), read_results("new.jsonl")))
    assert "other/life::twenty: pass → fail (the case has changed): alice: life: expected 21, got 20" in text
    assert CASES[2] not in text


# --- the Nu Html Checker


def checker() -> list[str]:
    """The command that checks pages, or a skip with the reason."""
    jar = os.environ.get("JUDGECALL_VNU", "")
    if not jar:
        done = subprocess.run(["bash", str(ROOT / ".ci" / "vnu")], capture_output=True, text=True)
        jar = done.stdout.strip()
    if not jar or not Path(jar).is_file():
        pytest.skip("the Nu Html Checker is not here and cannot be fetched (.ci/vnu)")
    if shutil.which("java") is None:
        pytest.skip("the Nu Html Checker needs Java")
    return ["java", "-Xss4m", "-jar", jar]


def test_pages_style_and_pictures_are_valid(site: Path) -> None:
    command = checker()
    html = sorted(str(path) for path in site.rglob("*.html"))
    for check in (["--html", *html], ["--css", str(site / "site.css")]):
        done = subprocess.run([*command, *check], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    badges = site.parent / "badges"
    badges.mkdir(exist_ok=True)
    from judgecall.harness.badge import badge

    counts = {"cases": 2, "passed": 1, "unsupported": 1, "failing": 0, "errors": 0, "notPlayed": 0, "certified": False}
    (badges / "a.svg").write_text(badge("all", counts, clean(HOSTILE)).svg(), encoding="utf-8")
    done = subprocess.run([*command, "--svg", str(badges / "a.svg")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_checker_finds_what_is_wrong(tmp_path: Path) -> None:
    command = checker()
    (tmp_path / "a.html").write_text("<!DOCTYPE html><title>x</title><p id=a><p id=a><b>")
    assert subprocess.run([*command, "--html", str(tmp_path / "a.html")], capture_output=True).returncode != 0


def test_old_files_are_refused(site: Path, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("")
    with pytest.raises(ResultsError):
        read_results(tmp_path / "r.jsonl")
