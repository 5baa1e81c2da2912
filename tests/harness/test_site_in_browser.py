"""The site in a real browser, without a network: search, filters, theme, a phone's width, a hostile engine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judgecall.harness.report.text import clean
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.harness.site_of import HOSTILE, make_site
from tests.harness.small_suite import install
from tests.harness.test_certificate import contrast

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="no Chromium with its driver here (.ci/chromium installs them)"
)

PAGES = ("index.html", "rulings.html", "rules.html", "changes.html", "faults.html", "rulings/flash/exiled.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("site")
        install(folder, patch)
        return make_site(folder / "site")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    profile = tmp_path_factory.mktemp("profile")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome, site: Path) -> Iterator[Browser]:
    browser = Browser(chromium, site)
    browser.screen(1200, 900)
    browser.system_theme("light")
    chromium.get(site.joinpath("index.html").as_uri())
    chromium.execute_script("localStorage.clear()")
    yield browser
    wrong = [line for line in log_of(chromium, "browser") if line["level"] == "SEVERE"]
    assert wrong == []


def log_of(driver: webdriver.Chrome, kind: str) -> list[dict[str, Any]]:
    """What the browser has logged since it was asked last."""
    entries: list[dict[str, Any]] = driver.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


class Browser:
    """The site in a browser."""

    def __init__(self, driver: webdriver.Chrome, site: Path) -> None:
        self.driver = driver
        self.site = site

    def open(self, page: str) -> None:
        path, mark, rest = page.partition("?")
        self.driver.get(self.site.joinpath(path).as_uri() + mark + rest)

    def script(self, code: str, *arguments: object) -> Any:
        return self.driver.execute_script(code, *arguments)

    def screen(self, width: int, height: int) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def system_theme(self, theme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def rows(self) -> list[str]:
        """The ids of the rulings that are shown, with a star where they are not of the suite."""
        return [
            row.find_element(By.TAG_NAME, "code").text + ("*" if "not of this suite" in row.text else "")
            for row in self.driver.find_elements(By.CSS_SELECTOR, "#rows > tr")
            if row.is_displayed()
        ]

    def field(self, name: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, f"form.filters [name={name}]")

    def status(self) -> str:
        return str(self.driver.find_element(By.ID, "found").text)


def in_suite(rows: list[str]) -> list[str]:
    return [row for row in rows if row in ("flash/exiled", "other/life")]


def test_a_word_a_card_a_rule_and_an_accent_are_found(browser: Browser) -> None:
    browser.open("rulings.html")
    assert len(browser.rows()) == 5
    for words, found in (
        ("flashback exiled", ["flash/exiled"]),
        ("DIVINATION", ["other/life"]),
        ("702.34a", ["flash/exiled"]),
        ("exile flashback", ["flash/exiled"]),
        ("exilé", ["flash/exiled"]),
        ("three where", ["other/life"]),
        ("no such thing", []),
        ("<script>", []),
    ):
        field = browser.field("q")
        field.clear()
        field.send_keys(words)
        assert in_suite(browser.rows()) == found, words
        assert browser.status() == f"{len(browser.rows())} of 5 rulings"
    browser.driver.find_element(By.CSS_SELECTOR, "form.filters button[type=reset]").click()
    WebDriverWait(browser.driver, 5).until(lambda _: len(browser.rows()) == 5)
    assert browser.status() == "5 rulings"


def test_every_page_searches(browser: Browser) -> None:
    for page in PAGES:
        browser.open(page)
        field = browser.driver.find_element(By.ID, "find")
        field.clear()
        field.send_keys("divination", Keys.ENTER)
        WebDriverWait(browser.driver, 5).until(lambda _: "q=divination" in browser.driver.current_url)
        assert in_suite(browser.rows()) == ["other/life"]
        assert browser.field("q").get_attribute("value") == "divination"


def test_filters_by_verdict_and_engine_go_together(browser: Browser) -> None:
    browser.open("rulings.html")
    engine, verdict = Select(browser.field("engine")), Select(browser.field("verdict"))
    for who, what, found in (
        ("any", "fail", ["flash/exiled", "other/life"]),
        ("forgetful 1", "fail", ["flash/exiled"]),
        ("forgetful 1", "pass", ["flash/exiled", "other/life"]),
        ("toy 1", "fail", []),
        ("mute 1", "unsupported", ["flash/exiled", "other/life"]),
        ("mute 1", "pass", []),
        (clean(HOSTILE).replace("\n", " ")[:20], "fail", ["flash/exiled", "other/life"]),
    ):
        name = next(option.text for option in engine.options if option.text.startswith(who))
        engine.select_by_visible_text(name)
        verdict.select_by_visible_text(what)
        assert in_suite(browser.rows()) == found, (who, what)
    assert "engine=e3" in browser.driver.current_url
    assert "verdict=fail" in browser.driver.current_url
    browser.driver.refresh()
    assert Select(browser.field("verdict")).first_selected_option.text == "fail"
    assert in_suite(browser.rows()) == ["flash/exiled", "other/life"]


def test_counts_on_the_overview_lead_to_the_rulings_behind_them(browser: Browser) -> None:
    browser.open("index.html")
    browser.driver.find_elements(By.CSS_SELECTOR, ".engine")[1].find_element(By.PARTIAL_LINK_TEXT, "fail").click()
    WebDriverWait(browser.driver, 5).until(lambda _: "rulings.html" in browser.driver.current_url)
    assert in_suite(browser.rows()) == ["flash/exiled"]


def paper(browser: Browser) -> str:
    return str(browser.script("return getComputedStyle(document.body).backgroundColor"))


def test_the_theme_follows_the_system_until_it_is_switched_and_is_remembered(browser: Browser) -> None:
    browser.open("index.html")
    light = paper(browser)
    browser.system_theme("dark")
    dark = paper(browser)
    assert dark != light
    button = browser.driver.find_element(By.CSS_SELECTOR, "button.theme")
    button.click()
    assert paper(browser) == light
    browser.open("rulings/flash/exiled.html")
    assert paper(browser) == light
    browser.driver.find_element(By.CSS_SELECTOR, "button.theme").send_keys(Keys.ENTER)
    assert paper(browser) == dark
    browser.system_theme("light")
    assert paper(browser) == dark


COLORS = """
const canvas = document.createElement('canvas').getContext('2d');
const hex = (color) => { canvas.fillStyle = color; return canvas.fillStyle; };
const opaque = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!color.endsWith(', 0)')) return hex(color);
  }
  return '#ffffff';
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
  if (element.closest('svg, .unseen, .skip, option')) continue;
  found.push([hex(getComputedStyle(element).color), opaque(element), walker.currentNode.data.trim().slice(0, 40)]);
}
for (const text of document.querySelectorAll('svg.board text')) {
  const box = [...text.parentElement.querySelectorAll('rect')].filter((rect) => {
    const a = rect.getBoundingClientRect(), b = text.getBoundingClientRect();
    return a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top + 1 && a.bottom >= b.bottom - 1;
  }).pop();
  if (box) found.push([hex(getComputedStyle(text).fill), hex(getComputedStyle(box).fill), text.textContent]);
}
return found;
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read(browser: Browser, theme: str) -> None:
    browser.system_theme(theme)
    seen = set()
    for page in PAGES:
        browser.open(page)
        browser.script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        for ink, ground, text in browser.script(COLORS):
            if (ink, ground) not in seen:
                seen.add((ink, ground))
                assert contrast(ink, ground) >= 4.5, (page, text, ink, ground)
    assert len(seen) > 8


@pytest.mark.parametrize("width", [320, 390, 768, 1200])
def test_no_page_is_wider_than_its_screen(browser: Browser, width: int) -> None:
    browser.screen(width, 800)
    for page in PAGES:
        browser.open(page)
        browser.script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert browser.script("return document.documentElement.scrollWidth") <= width, page
        # What is wider moves within its own box, which the keyboard reaches.
        for box in browser.driver.find_elements(By.CSS_SELECTOR, ".scroll"):
            assert box.get_attribute("tabindex") == "0"


def test_a_phone_shows_boards_whole_and_large_enough(browser: Browser) -> None:
    browser.screen(360, 740)
    browser.open("rulings/flash/exiled.html")
    for board in browser.driver.find_elements(By.CSS_SELECTOR, "svg.board"):
        box = board.rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        size = browser.script(
            "const t = arguments[0].querySelector('text.name'); const m = t.getScreenCTM();"
            "return parseFloat(getComputedStyle(t).fontSize) * m.a",
            board,
        )
        assert size >= 8
    heights = browser.script(
        "return [...document.querySelectorAll('header a, header button, header input')]"
        ".map((each) => each.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24


def test_a_hostile_engine_stays_text(browser: Browser) -> None:
    for page in (*PAGES, *(f"rulings/_other/{path.name}" for path in (browser.site / "rulings" / "_other").iterdir())):
        browser.open(page)
        assert browser.driver.title.endswith("· judgecall")
        assert (
            browser.script("return document.images.length + document.querySelectorAll('b b, iframe, object').length")
            == 0
        )
        assert browser.script("return [...document.scripts].every((each) => each.src && !each.text)")
    browser.open("rulings/flash/exiled.html")
    names = [each.text for each in browser.driver.find_elements(By.CSS_SELECTOR, ".did .who")]
    assert any(name.startswith('<script>document.title="owned"</script>') for name in names)
    browser.open(
        'rulings.html?q=%22%3E%3Cimg%20src%3Dx%20onerror%3D"document.title=1"%3E&engine=%3Cb%3E&verdict=__proto__'
    )
    assert browser.driver.title == "Rulings · judgecall"
    assert browser.script("return document.images.length") == 0


def test_everything_is_there_without_scripts(browser: Browser) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for page in PAGES:
            browser.open(page)
            assert browser.driver.find_element(By.TAG_NAME, "h1").is_displayed()
            for control in browser.driver.find_elements(By.CSS_SELECTOR, "form, button"):
                assert not control.is_displayed(), page
        browser.open("rulings.html")
        assert len(browser.rows()) == 5
        browser.open("rulings/flash/exiled.html")
        trace = browser.driver.find_elements(By.CSS_SELECTOR, "details.trace")[-1]
        trace.find_element(By.TAG_NAME, "summary").click()
        assert "alice passes" in trace.text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_nothing_is_asked_of_a_network(browser: Browser) -> None:
    log_of(browser.driver, "performance")
    for page in PAGES:
        browser.open(page)
    asked = [
        line["message"] for line in log_of(browser.driver, "performance") if "requestWillBeSent" in line["message"]
    ]
    assert len(asked) > len(PAGES)
    assert not [line for line in asked if '"url":"http' in line or '"url":"ws' in line]


def test_the_keyboard_reaches_the_content_first(browser: Browser) -> None:
    browser.open("rulings/flash/exiled.html")
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    active = browser.driver.switch_to.active_element
    assert active.text == "Skip to the content"
    assert active.is_displayed()
