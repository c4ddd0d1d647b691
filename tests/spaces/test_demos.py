"""Each demo started on its own from a folder like its Space: asked over its API, and clicked in a real browser."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from ..conftest import ROOT

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
# name: (button, what stands on the page when it is done, what to do wrong: box, text, button, and what is then said)
PAGES = {
    "melasss": ("Score", "estimated relevance, 0 to 1", (1, " ", "Score", "expected a text with at least one word")),
    "muc_b3_ceaf_entropy": ("Score", "mentions in common", (0, "a a", "Score", "muc_b3_ceaf_entropy: ")),
    "parapluie": ("Score", "share of the two", None),
    "morpheval": (
        "careful and hasty, side by side",
        "accuracy (entropy for test C)",
        (None, "", "Judge", "found no translations, expected a file"),
    ),
}
publish_spec = importlib.util.spec_from_file_location("publish", ROOT / ".github" / "hub" / "publish.py")
publish = importlib.util.module_from_spec(publish_spec)
publish_spec.loader.exec_module(publish)


@pytest.fixture(scope="module", params=PAGES)
def demo(request, tmp_path_factory):
    """(name, address) of a demo that runs from an assembled Space, outside the checkout, offline."""
    folder = tmp_path_factory.mktemp(request.param) / "space"
    publish.assemble(request.param, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    with (folder.parent / "log").open("w") as log:
        process = subprocess.Popen([sys.executable, "app.py"], cwd=folder, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    for _ in range(240):
        assert process.poll() is None, (folder.parent / "log").read_text()
        try:
            urllib.request.urlopen(address, timeout=1).close()
            break
        except OSError:
            time.sleep(0.5)
    yield request.param, address
    process.terminate()
    process.wait()


CALLS = {
    "melasss": (
        ("Boats came. Fish was sold. It rained.", "Boats came.", "regression", 0.5, ""),
        "/score",
        "estimated relevance",
    ),
    "muc_b3_ceaf_entropy": (("a b\nc d", "a b c\nd"), "/score", "conll_f1"),
    "parapluie": (
        (
            "A boat came.",
            "There came a boat.",
            "demo judge (random weights: shows how, judges nothing)",
            "direct",
            False,
        ),
        "/score",
        "above 0 a paraphrase",
    ),
}
WRONG = {
    "melasss": (("", "", "regression", 0.5, ""), "expected a text with at least one word"),
    "muc_b3_ceaf_entropy": (("a a\nb", "a b"), "found"),
    "parapluie": (
        ("A boat.", "A boat.", "demo judge (random weights: shows how, judges nothing)", "sarcastic", False),
        ".",
    ),
}


def test_api(demo):
    """What a program gets; bad input is refused with the metric's words."""
    from gradio_client import Client
    from gradio_client.exceptions import AppError

    name, address = demo
    if name not in CALLS:
        pytest.skip("its inputs are files; the browser test clicks its example")
    client = Client(address, verbose=False)
    arguments, call, expected = CALLS[name]
    assert expected in str(client.predict(*arguments, api_name=call))
    arguments, message = WRONG[name]
    with pytest.raises(AppError, match=message):
        client.predict(*arguments, api_name=call)


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs a browser: apt install chromium chromium-driver")
def test_browser(demo, tmp_path):
    """A person's way: the page loads, the example runs, the result stands there, and nothing is wider than a phone."""
    from selenium import webdriver
    from selenium.webdriver.common.by import By

    name, address = demo
    button, expected, wrong = PAGES[name]
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"--user-data-dir={tmp_path}"]:
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    pictures = Path(os.environ.get("SCREENSHOTS", tmp_path))

    def wait(condition):
        for _ in range(120):
            if found := condition():
                return found
            time.sleep(0.5)
        browser.save_screenshot(str(pictures / f"{name}-failed.png"))
        pytest.fail(f"waited in vain; the page says: {page()[:2000]}")

    def page():
        return browser.find_element(By.TAG_NAME, "body").text

    def clickable(label):
        return [b for b in browser.find_elements(By.TAG_NAME, "button") if b.text.strip() == label]

    try:
        browser.set_window_size(390, 844)  # a phone's
        browser.get(address)
        wait(lambda: clickable(button))[0].click()
        wait(lambda: expected in page())
        wide = browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 1, f"{wide} pixels wider than the screen"
        browser.set_window_size(1100, 1500)
        browser.save_screenshot(str(pictures / f"{name}.png"))
        if wrong:
            box, text, button, message = wrong
            browser.get(address)
            wait(lambda: clickable(button))
            if box is not None:
                area = browser.find_elements(By.TAG_NAME, "textarea")[box]
                area.clear()
                area.send_keys(text)
            clickable(button)[0].click()
            wait(lambda: message in page())
    finally:
        browser.quit()
