"""Each demo started on its own from its published Space: asked over its API, and used in a real browser."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pytest
from gradio_client import handle_file

from ..conftest import ROOT

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# name: (button, what stands on the page when it is done, what to do wrong: box, text, button, and what is then said)
PAGES = {
    "melasss": (
        "Score",
        "estimated relevance, 0 to 1",
        ("Text", " ", "Score", "expected a text with at least one word"),
    ),
    "muc_b3_ceaf_entropy": ("Score", "mentions in common", ("Key", "a a", "Score", "muc_b3_ceaf_entropy: ")),
    "parapluie": (
        "Score",
        "what the model would say",
        ("Model", "lab/nothing", "Score", "neither here nor in the cache"),
    ),
    "morpheval": (
        "careful and hasty, side by side",
        "accuracy (entropy for test C)",
        (None, "", "Judge", "found no translations, expected a file"),
    ),
}
# What people use, as a screen reader is told of it.
ROLES = {"button", "textbox", "combobox", "slider", "radio", "checkbox", "tab", "spinbutton"}
# The least contrast between the letters of our own HTML and what is behind them, shades blended.
CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const over = (top, below) => [0, 1, 2].map(i => top[i] * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));
const light = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
  const v = c[i] / 255; return sum + w * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); }, 0);
const behind = e => e ? over(parse(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [255, 255, 255];
let worst = [99, ""];
for (const e of document.querySelectorAll(".grid *, .sentences *, .running *, .figure")) {
  if (![...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) continue;
  const back = behind(e), front = over(parse(getComputedStyle(e).color), back);
  const [low, high] = [light(back), light(front)].sort((a, b) => a - b);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 200)];
}
return worst;
"""


@pytest.fixture(scope="module")
def demos(published, tmp_path_factory):
    """A function that starts a demo from its published Space, outside the checkout, offline, and gives its address."""
    server, _ = published
    running = {}

    def start(name):
        folder = tmp_path_factory.mktemp(name) / "space"
        for path, content in server.repos["spaces", f"lab/{name}"].items():  # the Hub's client may be switched off
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {
            **os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        with (folder.parent / "log").open("w") as log:
            command = [sys.executable, str(ROOT / ".github" / "hub" / "alone.py"), "app.py"]  # with what it requires
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        running[name] = process, f"http://127.0.0.1:{port}"
        for _ in range(240):
            assert process.poll() is None, (folder.parent / "log").read_text()
            try:
                return urllib.request.urlopen(running[name][1], timeout=1).close()
            except OSError:
                time.sleep(0.5)

    def address(name):
        if name not in running:
            start(name)
        return running[name][1]

    yield address
    for process, _ in running.values():
        process.terminate()
        process.wait()


@pytest.fixture(params=PAGES)
def demo(request, demos):
    """(name, address) of a demo."""
    return request.param, demos(request.param)


JUDGE, SMALL = "HuggingFaceTB/SmolLM2-135M-Instruct", "the small judge"
EXAMPLES = {name: ROOT / "spaces" / name / "examples" for name in ("morpheval", "muc_b3_ceaf_entropy")}
CONLL = [EXAMPLES["muc_b3_ceaf_entropy"] / f"harbour.{side}.conll" for side in ("key", "response", "other")]
HARBOUR = list(map(handle_file, CONLL))
CAREFUL, HASTY = (handle_file(EXAMPLES["morpheval"] / f"harbour.{system}.fr") for system in ("careful", "hasty"))
PAIRS_FILE = handle_file(Path(__file__).parent / "pairs.csv")  # a heading, semicolons, an empty row
PAIRS = {"headers": ["sentence", "candidate"], "data": [["A boat.", "One boat."], ["A boat.", "No boat."]]}
# name: calls (address, arguments, what stands in the answer)
CALLS = {
    "melasss": [
        ("/score", ("Boats came. Fish was sold. It rained.", "Boats came.", "regression", 0.5, ""), "not covered"),
        ("/score", ("Boats came. Fish was sold.", "Boats came.", "rouge", 0.5, ""), ", weight 0."),
    ],
    "muc_b3_ceaf_entropy": [
        ("/score", ("a b\nc d", "a b c\nd"), "class 1 misplaced"),
        ("/score", ("a", "a"), "all measures"),  # some of which are not defined
        ("/score_files", tuple(HARBOUR), "p (paired by document)"),
        ("/score_files", (*HARBOUR[:2], None), "master<sub"),
    ],
    "parapluie": [
        ("/score", ("A boat came.", "There came a boat.", JUDGE, "direct", False), "above 0 a paraphrase"),
        ("/score", ("A boat came.", "There came a boat.", SMALL, "direct", False), "[SEP] there came a boat"),
        ("/score_table", (PAIRS, None, JUDGE, "direct", False), "of 2 pairs above 0"),
        ("/score_table", (PAIRS, PAIRS_FILE, JUDGE, "direct", False), "of 1 pairs above 0"),
    ],
    "morpheval": [
        ("/judge", (None, None, CAREFUL, None, CAREFUL), "word seen in training"),
        (
            "/judge",
            (None, None, HASTY, CAREFUL, None),
            "le capitaine <mark>a</mark> <mark>attendu</mark> sur le quai .",
        ),
    ],
}
# name: a call with a mistake, what is said about it
WRONG = {
    "melasss": ("/score", ("", "", "regression", 0.5, ""), "expected a text with at least one word"),
    "muc_b3_ceaf_entropy": (
        "/score_files",
        (HARBOUR[0], CAREFUL, None),
        "found the file 'harbour.careful.fr', expected",
    ),
    "parapluie": (
        "/score",
        ("A boat.", "One boat.", "/etc", "direct", False),
        "found '/etc', expected a name on the Hub",
    ),
    "morpheval": ("/judge", (None, None, HARBOUR[0], None, None), "harbour.key.conll"),
}


def check_files_and_code(answer, folder, monkeypatch):
    """The JSON file is JSON and has what the code gives."""
    [path] = [path for part in answer if isinstance(part, list) for path in part if path.endswith(".json")]
    saved = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=pytest.fail)
    [code] = [part for part in answer if isinstance(part, str) and part.startswith("import evaluate")]
    monkeypatch.chdir(folder)
    found = {}
    exec(code, found)
    for value in (saved, *(part for part in saved.values() if isinstance(part, dict))):  # of one system, or of several
        if result := {k: v for k, v in value.items() if isinstance(v, float) and k in found["result"]}:
            assert result == pytest.approx({k: found["result"][k] for k in result}, abs=1e-6)
            return
    pytest.fail(f"nothing of {list(saved)} is in {list(found['result'])}")


@pytest.mark.parametrize("name", ["muc_b3_ceaf_entropy", "parapluie"])
def test_two_at_once(name, demos):
    """Two visitors, each at another button: both get their own result every time."""
    from gradio_client import Client

    calls = {call: (arguments, expected) for call, arguments, expected in CALLS[name]}
    address = demos(name)

    def visit(call):
        client = Client(address, verbose=False)
        arguments, expected = calls[call]
        return [expected in str(client.predict(*arguments, api_name=call)) for _ in range(8)]

    with ThreadPoolExecutor() as pool:
        assert all(map(all, pool.map(visit, calls)))


def test_api(demo, monkeypatch):
    """What a program gets; bad input is refused with the metric's words."""
    from gradio_client import Client
    from gradio_client.exceptions import AppError

    name, address = demo
    client = Client(address, verbose=False)
    for call, arguments, expected in CALLS[name]:
        answer = client.predict(*arguments, api_name=call)
        assert expected in str(answer)
        check_files_and_code(answer, EXAMPLES.get(name, ROOT), monkeypatch)
    call, arguments, message = WRONG[name]
    with pytest.raises(AppError, match=re.escape(message)):
        client.predict(*arguments, api_name=call)


class Page:
    """A page of a demo in a browser."""

    def __init__(self, browser, name, pictures):
        self.browser = browser
        self.pictures = pictures
        self.name = name

    def open(self, address, button):
        self.browser.get(address)
        self.wait(lambda: self.buttons(button))

    def wait(self, condition):
        """Until the condition holds; what is drawn anew while it is looked at is looked at again."""
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

    def press(self, label):
        """Press a button as who has no mouse: the tabulator up to it, then enter."""
        from selenium.webdriver import ActionChains, Keys

        focus = "return document.activeElement.innerText || ''"
        for _ in range(80):
            if self.browser.execute_script(focus).strip() == label:
                return ActionChains(self.browser).send_keys(Keys.ENTER).perform()
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
        pytest.fail(f"the tabulator does not come to {label!r}")

    def fill(self, label, text):
        """Put a text into the box of that name."""
        from selenium.webdriver import Keys

        boxes = self.browser.find_elements("css selector", "textarea, input")
        box = next(box for box in boxes if box.accessible_name == label)
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(text, Keys.TAB)

    def check_contrast(self):
        """Letters can be read: WCAG's 4.5 to 1."""
        ratio, element = self.browser.execute_script(CONTRAST)
        assert ratio >= 4.5, f"{ratio:.1f}: {element}"

    def nameless(self):
        """The HTML of what can be used and has no name that a screen reader could say."""
        ask = self.browser.execute_cdp_cmd
        ask("DOM.getDocument", {})
        nodes = ask("Accessibility.getFullAXTree", {})["nodes"]
        used = [n for n in nodes if not n["ignored"] and n.get("role", {}).get("value") in ROLES]
        assert len(used) > 3
        found = [n["backendDOMNodeId"] for n in used if not n.get("name", {}).get("value", "").strip()]
        return [ask("DOM.getOuterHTML", {"backendNodeId": node})["outerHTML"][:300] for node in found]


@pytest.fixture
def page(demo, tmp_path):
    from selenium import webdriver

    name, _ = demo
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"--user-data-dir={tmp_path}"]:
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield Page(browser, name, Path(os.environ.get("SCREENSHOTS", tmp_path)))
    browser.quit()


needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs a browser: apt install chromium chromium-driver"
)


@needs_browser
def test_on_a_phone(demo, page):
    """The page loads, the example runs, the result stands there, and nothing is wider than the screen."""
    name, address = demo
    button, expected, wrong = PAGES[name]
    page.browser.set_window_size(390, 844)
    page.open(address, button)
    page.click(button)
    page.wait(lambda: expected in page.text())
    wide = page.browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 1, f"{wide} pixels wider than the screen"
    page.check_contrast()
    page.browser.set_window_size(1100, 1500)
    page.browser.save_screenshot(str(page.pictures / f"{name}.png"))

    box, text, button, message = wrong
    page.open(address, button)
    if box:
        page.fill(box, text)
    page.click(button)
    page.wait(lambda: message in page.text())


@needs_browser
def test_without_a_mouse_in_the_dark(demo, page):
    """The keyboard is enough, everything that can be used has a name, and letters can be read on black, too."""
    name, address = demo
    button, expected, _ = PAGES[name]
    page.browser.set_window_size(1100, 1500)
    page.open(f"{address}/?__theme=dark", button)
    page.press(button)
    page.wait(lambda: expected in page.text())
    page.browser.save_screenshot(str(page.pictures / f"{name}-dark.png"))
    if "sdk_version: " + version("gradio") in (ROOT / "metrics" / name / "README.md").read_text(encoding="utf-8"):
        assert page.nameless() == []  # older Gradios have nameless buttons of their own
    page.check_contrast()
