"""Each demo, run alone from its published Space: called over its API, and used in a browser."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest
from gradio_client import Client, handle_file

from ..browser import browser_in, needs_browser
from ..conftest import ROOT

# What the runner of parapluie's demo sets, and visitors must not see.
SECRET = {"DEMO_ENDPOINT": "http://user:s3cret@127.0.0.1:9/v1", "DEMO_MODEL": "served", "ENDPOINT_API_KEY": "s3cret"}
THUMBNAIL_PAGE = (660, 900)
# Shows one element alone; returns its place.
ALONE = """
const shown = [...document.querySelectorAll(arguments[0])].find(e => e.offsetParent);
const style = document.head.appendChild(document.createElement("style"));
shown.classList.add("alone");
style.textContent = "* { visibility: hidden !important } .alone, .alone * { visibility: visible !important }";
const box = shown.getBoundingClientRect();
return [box.left + scrollX, box.top + scrollY];
"""


class Story(NamedTuple):
    """What a visitor sees and does; steps are methods of `Page` with their arguments."""

    first: str  # shown before anything is done
    example: str  # the second
    then: str  # shown once it is chosen
    right: list  # steps that end with the keyboard
    result: str  # shown then
    wrong: list  # steps that end with a mistake
    message: str  # its error message
    detail: str  # the strongest part of the page, for the thumbnail: a CSS selector


STORIES = {
    "parapluie": Story(
        "Kids play in the garden",
        "ferry, bakery",
        "NOT A PARAPHRASE",
        [("fill", "B: does it", "The children are not playing in the garden.", "ENTER")],
        "are not playing",
        [("fill", "B: does it", " ", "ENTER")],
        "One of the two sentences is empty",
        ".result",
    ),
    "melasss": Story(
        "3 OF 3 IN DOUBT",
        "faithful",
        "faithful: estimated relevance",
        [("fill", "Summary", "Boats came.", "ENTER")],
        "this summary: estimated relevance",
        [("fill", "Text", " ", "ENTER")],
        "The text is empty",
        ".linked > div",
    ),
    "muc_b3_ceaf_entropy": Story(
        "points better than the other response",
        "every mention alone",
        "CoNLL F1 24.09 %",
        [
            ("fill", "Key", "[Ann]1 saw [Bea]2. [She]1", "TAB"),
            ("fill", "Other", " ", "TAB"),
            ("fill", "Response", "[Ann]5 saw Bea . [she]5", "SHIFT", "ENTER"),
        ],
        "2 of the key's 3 mentions are found",
        [("fill", "Key", "[a", "SHIFT", "ENTER")],
        "Key, text 1: a bracket is not closed",
        ".report article",
    ),
    "morpheval": Story(
        "careful loses 0 of 10; hasty loses 5 of 10",
        "Spanish",
        "translation into Spanish",
        [("choose", "Spanish")],
        "translation into Spanish",
        [("click", "Upload files"), ("click", "Judge the files")],
        "There are no translations",
        ".cards input:checked + .card",
    ),
}
# The controls, as a screen reader gets them.
ROLES = {"button", "textbox", "combobox", "slider", "radio", "checkbox", "tab", "spinbutton"}
HEADINGS = "return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => Number(h.tagName[1]))"
# The lowest contrast between the letters of our own HTML and their background, shades blended.
CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const over = (top, below) => [0, 1, 2].map(i => top[i] * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));
const light = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
  const v = c[i] / 255; return sum + w * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); }, 0);
const under = e => e ? over(parse(getComputedStyle(e).backgroundColor), under(e.parentElement)) : [255, 255, 255];
const OURS = ".result *, .grid *, .sentences *, .report *, button, label span, [data-testid='block-info']";
let worst = [99, ""];
for (const e of document.querySelectorAll(OURS)) {
  if (![...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) continue;
  const back = under(e), front = over(parse(getComputedStyle(e).color), back);
  const [low, high] = [light(back), light(front)].sort((a, b) => a - b);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 200)];
}
return worst;
"""


@contextmanager
def served(folder):
    """The address of a demo in a folder, which runs outside the checkout, offline."""
    environment = {
        **os.environ, "PYTHONUNBUFFERED": "1", "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1", "HF_MODULES_CACHE": str(folder.parent / "modules"), **SECRET,
    }  # fmt: skip
    log = folder.parent / "log"
    with log.open("w") as file:
        command = [sys.executable, str(ROOT / ".github" / "hub" / "alone.py"), "app.py"]  # with what it requires
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=file, stderr=file)
    try:
        yield address_in(log, process)
    finally:
        process.terminate()
        process.wait()


def address_in(log, process):
    """Where Gradio says that it runs: at the first port that is free."""
    for _ in range(1200):  # ten minutes: others may be at work on this machine
        assert process.poll() is None, log.read_text()
        if found := re.search(r"Running on local URL: +(\S+)", log.read_text()):
            return found[1]
        time.sleep(0.5)
    pytest.fail(f"no answer: {log.read_text()}")


@pytest.fixture(scope="module", params=STORIES)
def demo(request, published, tmp_path_factory):
    """(name, address) of a demo, started from its published Space; one runs at a time, for all tests of it."""
    folder = tmp_path_factory.mktemp(request.param) / "space"
    for path, content in published[0].repos["spaces", f"lab/{request.param}"].items():  # the client may be switched off
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    with served(folder) as address:
        yield request.param, address


of_parapluie = pytest.mark.parametrize("demo", ["parapluie"], indirect=True)
pytestmark = pytest.mark.random_order(disabled=True)  # or each test would start a demo anew


SMALL = "the small judge"
EXAMPLES = {name: ROOT / "spaces" / name / "examples" for name in ("morpheval", "muc_b3_ceaf_entropy")}
CONLL = [EXAMPLES["muc_b3_ceaf_entropy"] / f"harbour.{side}.conll" for side in ("key", "response", "other")]
HARBOUR = list(map(handle_file, CONLL))
SENTS, INFO, CAREFUL, HASTY = (
    handle_file(EXAMPLES["morpheval"] / f"harbour.{end}") for end in ("en.sents", "en.info", "careful.fr", "hasty.fr")
)
PAIRS = {"headers": ["sentence", "candidate"], "data": [["A boat.", "One boat."], ["A boat.", "No boat."]]}
ROWS = [
    ["past", "I sing.", "je chante", "je chante"],
    ["past", "I sang.", "j'ai chanté", "je chante"],
    ["future", "I sing.", "je chante", "je chante"],
    ["future", "I will sing.", "je chanterai", "je chanterai"],
]
HOSTILE = "<image src=x onerror=alert(1)>"  # a browser takes it for img; melasss takes only the tags of HTML off
USUAL = "CoNLL: the same words, singletons count"
CRAC = "CRAC, official (CorefUD): the same heads, zeros by dependency, no singletons"


def judged(data):
    """A call with rows of a test suite."""
    return "/judge_rows", ({"headers": ["test", "English", "careful", "hasty"], "data": data}, "French")


def scored(text, summary, similarity="regression", encoder=""):
    """A call with a text and its summary."""
    return "/score", (text, summary, "relevance", similarity, 0.5, encoder, "attention", "")


# name: calls (address, arguments, what the answer contains)
CALLS = {
    "melasss": [
        (*scored("Boats came. Fish was sold. It rained.", "Boats came."), "not covered"),
        (*scored("Boats came. Fish was sold.", "Boats came.", "rouge"), "weighted mean of best"),
    ],
    "muc_b3_ceaf_entropy": [
        ("/score", ("[Ann]1 saw [Bea]2 . [She]1 left .", "[Ann]1 saw [Bea]2 . [She]2 left .", ""), "merged: is 1"),
        ("/score", ("a", "a", ""), "no errors"),  # some measures are not defined
        ("/score_files", (*HARBOUR, USUAL), "Comparison with another response"),
        ("/score_files", (*HARBOUR[:2], None, USUAL), "master<sub"),
    ],
    "parapluie": [
        ("/score", ("A boat came.", "There came a boat.", SMALL, "direct"), "[SEP] there came a boat"),
        ("/score_table", (PAIRS, None, SMALL, "direct"), "of 2 <small>are paraphrases"),
    ],
    "morpheval": [
        ("/judge", (SENTS, INFO, CAREFUL, None, CAREFUL, "French"), "word seen in training"),
        (
            "/judge",
            (SENTS, INFO, HASTY, CAREFUL, None, "French"),
            "le capitaine <mark>a</mark> <mark>attendu</mark> sur",
        ),
        (*judged(ROWS), "careful loses 0 of 2; hasty loses 1 of 2"),
    ],
}
# name: a call with HTML in its input
UNFRIENDLY = {
    "melasss": scored(f"Boats {HOSTILE} came. It rained.", f"Boats {HOSTILE}."),
    "muc_b3_ceaf_entropy": ("/score", (f"[{HOSTILE}]1 [b]1", f"[{HOSTILE}]1 [b]2", "")),
    "parapluie": (
        "/score_table",
        ({**PAIRS, "data": [[HOSTILE, "No boat."], ["A boat.", HOSTILE]]}, None, SMALL, "direct"),
    ),
    "morpheval": judged([["past", f"I {HOSTILE}", f"je {HOSTILE}", ""], ["past", "I sang", f"il {HOSTILE}", ""]]),
}
# name: mistakes: a call and its message
WRONG = {
    "melasss": [
        (scored("", ""), "The text is empty"),
        (scored("a", "b", encoder="/etc"), "'/etc' is no name on the Hub"),
        (scored("a" * 12_001, "b"), "12,001 characters are too many"),
    ],
    "muc_b3_ceaf_entropy": [
        (("/score_files", (HARBOUR[0], CAREFUL, None, USUAL)), "harbour.careful.fr: found"),
        (("/score_files", (*HARBOUR[:2], None, CRAC)), "but mentions without heads in"),
        (("/score", ("[a]1 [b", "[a]1 b", "")), "a bracket is not closed"),
    ],
    "parapluie": [
        (("/score", ("A boat.", "One boat.", "/etc", "direct")), "/etc"),
        (("/score", ("A boat.", "One boat.", "served", "direct")), "HF_HUB_OFFLINE"),
    ],
    "morpheval": [
        (("/judge", (None, None, HARBOUR[0], None, None, "French")), "harbour.key.conll"),
        (judged(ROWS[:3]), "the test future needs 2 rows below each other"),
    ],
}
# name: a call by a visitor whose own word comes back
VISITS = {
    "melasss": lambda word: scored(f"{word} came.", f"A {word}."),
    "muc_b3_ceaf_entropy": lambda word: ("/score", (f"[{word}]1 saw [it]1", f"[{word}]1 saw [it]2", "")),
    "parapluie": lambda word: ("/score", (f"A {word} came.", "There came a boat.", SMALL, "direct")),
    "morpheval": lambda word: judged(
        [["past", "I sing.", f"je chante {word}", ""], ["past", "I sang.", f"j'ai chanté {word}", ""]]
    ),
}


def check_files_and_code(answer, folder, monkeypatch):
    """The JSON file is valid and has what the code returns."""
    [path] = [path for part in answer if isinstance(part, list) for path in part if path.endswith(".json")]
    saved = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=pytest.fail)
    [code] = [part for part in answer if isinstance(part, str) and part.startswith("import meaning_metrics")]
    monkeypatch.chdir(folder)
    found = {}
    exec(code, found)
    for value in (saved, *(part for part in saved.values() if isinstance(part, dict))):  # of one system, or of several
        if result := {k: v for k, v in value.items() if isinstance(v, float) and k in found["result"]}:
            assert result == pytest.approx({k: found["result"][k] for k in result}, abs=1e-6)
            return
    pytest.fail(f"nothing of {list(saved)} is in {list(found['result'])}")


def html_of(answer):
    """The parts of an answer that the page shows as HTML."""
    return "".join(part for part in answer if isinstance(part, str) and not part.startswith("import meaning_metrics"))


def client_of(address, **settings):
    """A program that calls a demo; on a machine with other work to do, an answer may take longer than usual."""
    return Client(address, verbose=False, httpx_kwargs={"timeout": 120}, **settings)


def test_visitors_at_once(demo):
    """Twenty visitors at once: each gets the results of their own input, nothing of the others'."""
    name, address = demo
    client, words = client_of(address, download_files=False), [f"boat{i:02}x" for i in range(20)]
    calls = [VISITS[name](word) for word in words]
    jobs = [client.submit(*arguments, api_name=call) for call, arguments in calls]
    for word, job in zip(words, jobs):
        assert set(re.findall(r"boat\d\dx", html_of(job.result(timeout=120)))) == {word}


def test_api(demo, monkeypatch):
    """What a program gets; bad input is refused with a message, and no text becomes HTML."""
    from gradio_client.exceptions import AppError

    name, address = demo
    client = client_of(address)
    for call, arguments, expected in CALLS[name]:
        answer = client.predict(*arguments, api_name=call)
        assert expected in str(answer)
        check_files_and_code(answer, EXAMPLES.get(name, ROOT), monkeypatch)
    for (call, arguments), message in WRONG[name]:
        with pytest.raises(AppError, match=re.escape(message)) as refused:
            client.predict(*arguments, api_name=call)
        assert "s3cret" not in str(refused.value)
    call, arguments = UNFRIENDLY[name]
    shown = html_of(client.predict(*arguments, api_name=call))
    assert "onerror" in shown and not re.search(r"<img|<[^>]*\sonerror", re.sub(r'"[^"]*"', '""', shown))


def test_nothing_secret_is_public(demo):
    _, address = demo
    for page in ("", "/config", "/gradio_api/info"):
        assert b"s3cret" not in urllib.request.urlopen(address + page).read()


@of_parapluie
@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-16"])
def test_files_of_spreadsheets(encoding, demo, tmp_path):
    """CSV as programs write it: other encodings, semicolons, other column names, an empty row."""
    path = tmp_path / "pairs.csv"
    text = "id;Sentence1;Sentence_2\n1;Le café ouvre.;Le café est fermé.\n;;\n2;The boat, at last.;At last the boat.\n"
    path.write_text(text, encoding=encoding)
    arguments = (PAIRS, handle_file(path), SMALL, "direct")
    answer = client_of(demo[1]).predict(*arguments, api_name="/score_table")
    assert "of 2 <small>are paraphrases" in answer[0]
    assert 'Le café <mark>ouvre</mark>.</div><div dir="auto">Le café <mark>est fermé</mark>.' in answer[0]


class Page:
    """A page of a demo in a browser."""

    def __init__(self, browser, name, pictures):
        self.browser = browser
        self.pictures = pictures
        self.name = name

    def open(self, address, text):
        """Open it, until a text is shown; with SCREENSHOTS, note how long that took."""
        start = time.monotonic()
        self.browser.get(address)
        self.wait(lambda: text in self.text())
        self.note("first picture", start)

    def note(self, what, start):
        with (self.pictures / "times.tsv").open("a", encoding="utf-8") as file:
            file.write(f"{self.name}\t{what}\t{time.monotonic() - start:.1f}\n")

    def wait(self, condition):
        """Until the condition holds; what is redrawn while being read is read again."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(240):
            with suppress(StaleElementReferenceException):
                if found := condition():
                    return found
            time.sleep(0.25)
        self.browser.save_screenshot(str(self.pictures / f"{self.name}-failed.png"))
        pytest.fail(f"waited in vain; the page says: {self.text()[:2000]}")

    def text(self):
        return self.browser.find_element("tag name", "body").text

    def buttons(self, label):
        return [b for b in self.browser.find_elements("tag name", "button") if b.text.strip() == label]

    def click(self, label):
        """Click on the first button of that name."""
        self.wait(lambda: [button.click() or button for button in self.buttons(label)[:1]])

    def choose(self, label):
        """Choose the example of that name without a mouse: tab to it, then space."""
        from selenium.webdriver import ActionChains, Keys

        among = "const e = document.activeElement; return e.closest('.examples') && e.closest('label').innerText.trim()"
        for _ in range(80):
            if self.browser.execute_script(among) == label:
                return ActionChains(self.browser).send_keys(Keys.SPACE).perform()
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
        pytest.fail(f"the keyboard does not come to {label!r}")

    def fill(self, label, text, *keys):
        """Put a text into the box whose name begins like this, and press keys together."""
        from selenium.webdriver import Keys

        boxes = self.browser.find_elements("css selector", "textarea, input")
        box = next(box for box in boxes if box.accessible_name.startswith(label))
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(text)
        box.send_keys(*(getattr(Keys, key) for key in keys))

    def do(self, steps):
        for step, *arguments in steps:
            getattr(self, step)(*arguments)

    def picture(self, kind):
        self.browser.save_screenshot(str(self.pictures / f"{self.name}{kind}.png"))

    def is_at_result(self):
        """Whether the beginning of the result is on the screen."""
        top = self.browser.execute_script(
            "return [...document.querySelectorAll('.result')].find(e => e.offsetParent).getBoundingClientRect().top"
        )
        return -1 <= top < self.browser.execute_script("return innerHeight")

    def chosen(self):
        """The names of examples that are marked."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.examples input:checked')].map(e => e.closest('label').innerText)"
        )

    def check_link(self, address, result):
        """The link to what is set restores it: the same result in a page that is opened anew."""
        self.click("Copy a link to this")
        self.wait(lambda: self.buttons("Link copied") or self.buttons("Link in the address bar"))
        link = self.browser.current_url
        self.browser.get("about:blank")
        self.browser.get(link)
        self.wait(lambda: result in self.text())

    def thumbnail(self, detail):
        """One strong detail, large enough to be read on a card: 1200 x 675 pixels."""
        import base64

        self.browser.set_window_size(*THUMBNAIL_PAGE)
        time.sleep(0.5)
        left, top = self.browser.execute_script(ALONE, detail)
        clip = {"x": left - 16, "y": top - 16, "width": 600, "height": 337.5, "scale": 2}
        shown = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
        (self.pictures / f"{self.name}-thumbnail.png").write_bytes(base64.b64decode(shown["data"]))

    def check_headings(self):
        """One title, and no level skipped below it."""
        levels = self.browser.execute_script(HEADINGS)
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(below <= above + 1 for above, below in zip(levels, levels[1:])), levels

    def check_axe(self):
        """axe-core's rules, if the variable AXE names its script: no violations of ours."""
        if "AXE" in os.environ:
            self.browser.execute_script(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
            found = self.browser.execute_async_script("axe.run('.html-container, .prose').then(arguments[0])")
            assert not found["violations"], [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]

    def check_contrast(self):
        """Letters can be read: WCAG's 4.5 to 1."""
        ratio, element = self.browser.execute_script(CONTRAST)
        assert ratio >= 4.5, f"{ratio:.1f}: {element}"

    def nameless(self):
        """The HTML of controls without a name that a screen reader could say."""
        ask = self.browser.execute_cdp_cmd
        ask("DOM.getDocument", {})
        nodes = ask("Accessibility.getFullAXTree", {})["nodes"]
        used = [n for n in nodes if not n["ignored"] and n.get("role", {}).get("value") in ROLES]
        assert len(used) > 3
        found = [n["backendDOMNodeId"] for n in used if not n.get("name", {}).get("value", "").strip()]
        return [ask("DOM.getOuterHTML", {"backendNodeId": node})["outerHTML"][:300] for node in found]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browser_in(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def page(demo, browser, tmp_path):
    """A page of its own for each test."""
    browser.switch_to.new_window("tab")
    yield Page(browser, demo[0], Path(os.environ.get("SCREENSHOTS", tmp_path)))
    browser.close()
    browser.switch_to.window(browser.window_handles[0])


@needs_browser
def test_on_a_phone(demo, page):
    """An example is scored; nothing is wider than the screen; keys score; errors clear it."""
    name, address = demo
    story = STORIES[name]
    page.browser.set_window_size(390, 844)
    page.open(address, story.first)
    wide = page.browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 1, f"{wide} pixels wider than the screen"
    page.check_contrast()
    page.check_headings()
    page.picture("-phone")
    page.browser.set_window_size(1100, 900)
    page.picture("")
    page.check_axe()
    page.do(story.right)
    page.wait(lambda: story.result in page.text() and story.first not in page.text())
    page.wait(page.is_at_result)
    assert page.chosen() == [label for step, label, *_ in story.right if step == "choose"]
    page.do(story.wrong)
    page.wait(lambda: story.message in page.text())
    page.wait(lambda: story.result not in page.text() and story.first not in page.text())
    assert page.text().count(story.message) == 1
    page.open(address, story.first)
    page.thumbnail(story.detail)


@needs_browser
def test_without_a_mouse_in_the_dark(demo, page):
    """The keyboard suffices, every control has a name, and letters are legible on black, too."""
    name, address = demo
    story = STORIES[name]
    page.browser.set_window_size(1100, 900)
    page.open(f"{address}/?__theme=dark", story.first)
    page.picture("-dark")
    page.choose(story.example)
    start = time.monotonic()
    page.wait(lambda: story.then in page.text() and story.first not in page.text())
    page.note("score of an example", start)
    page.check_link(address, story.then)
    if "sdk_version: " + version("gradio") in (ROOT / "metrics" / name / "README.md").read_text(encoding="utf-8"):
        assert page.nameless() == []  # older Gradios have nameless buttons of their own
    page.check_contrast()


def touch_a_point(page):
    """A pair opens by mouse or touch, and the next one by an arrow key."""
    from selenium.webdriver import ActionChains, Keys

    page.click("Many pairs")
    open_pair = "return [...document.querySelectorAll('.map .card')].findIndex(e => e.checkVisibility())"
    points = page.wait(
        lambda: [e for e in page.browser.find_elements("css selector", ".map input") if e.is_displayed()]
    )
    points[2].click()
    assert page.browser.execute_script(open_pair) == 2
    ActionChains(page.browser).send_keys(Keys.ARROW_RIGHT).perform()
    assert page.browser.execute_script(open_pair) == 3


def light_a_chain(page):
    """Pointing at a mention lights up all of its entity, on all sides, and nothing else."""
    from selenium.webdriver import ActionChains

    mention = page.browser.find_element("css selector", ".report mark.c3")
    ActionChains(page.browser).move_to_element(mention).perform()
    lit = page.wait(
        lambda: page.browser.execute_script(
            "const marks = [...document.querySelectorAll('.report mark')];"
            "return marks.filter(e => getComputedStyle(e).outlineStyle == 'solid')"
            ".map(e => e.className)"
        )
    )
    assert set(lit) == {"c3"} and len(lit) == 16  # four mentions, on both sides of two responses


def turn_the_cards(page):
    """Next, and a test of the chart, open their cards."""
    shown = (
        "return [...document.querySelectorAll('.cards .card')].filter(e => e.checkVisibility()).map(e => e.innerText)"
    )
    [first] = page.browser.execute_script(shown)
    page.browser.find_element("css selector", "input:checked + .card label:last-child").click()
    [second] = page.browser.execute_script(shown)
    assert "1 of" in first and "2 of" in second and first != second
    page.browser.find_element("css selector", ".dumbbells tr:nth-child(5) label").click()
    [third] = page.browser.execute_script(shown)
    assert page.browser.find_element("css selector", ".dumbbells tr:nth-child(5) label").text in third


def follow_the_lines(page):
    """Each sentence of the summary has a line to its source; where the page is narrow, there are none."""
    lines = "return [...document.querySelectorAll('.linked path')].map(e => e.getAttribute('class'))"
    assert page.wait(lambda: page.browser.execute_script(lines)) == ["doubted"] * 3
    page.browser.set_window_size(390, 844)
    page.wait(lambda: page.browser.execute_script(lines) == [])


@needs_browser
def test_pictures_answer(demo, page):
    """What is drawn answers mouse, keys and touch, whatever a visitor's text looks like."""
    name, address = demo
    page.browser.set_window_size(1100, 1000)
    page.open(address, STORIES[name].first)
    {
        "parapluie": touch_a_point, "muc_b3_ceaf_entropy": light_a_chain, "morpheval": turn_the_cards,
        "melasss": follow_the_lines,
    }[name](page)  # fmt: skip


@needs_browser
@of_parapluie
def test_text_is_data(demo, page):
    """No template, markup or script in a visitor's text is carried out."""
    hostile = "${document.title='hit'} {{value}} <img src=x onerror=\"document.title='hit'\"> </style><script>"
    page.open(demo[1], STORIES["parapluie"].first)
    page.fill("B: does it", hostile, "ENTER")
    page.wait(lambda: "document.title='hit'} {{value}} <img src=x" in page.text())
    assert page.browser.title == "ParaPLUIE"
