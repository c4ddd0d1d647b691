"""A lexicon from Apertium's dictionaries, compiled or not, and where it is looked for."""

import base64
import os
from pathlib import Path

import pytest

from metrics.morpheval import lexicon_apertium as apertium, lexicon_lefff as lexicon
from metrics.morpheval.lexicon_apertium import Dictionaries, find_lexicon, main, read_dictionary, write_lexicon
from metrics.morpheval.lexicon_dictionaries import read_compiled, read_source
from metrics.morpheval.lexicon_lefff import Reading, read_mlex

WANTED = Dictionaries(("apertium-xxx/xxx.automorf.bin",), "xxx.dix", "MORPHEVAL_XXX", "xxx.mlex.gz")
SOURCE = Path(__file__).with_name("few.dix")
# What lt-comp (lttoolbox 3.6) makes of few.dix, with a second transducer for its pattern.
COMPILED = base64.b64decode(
    "TFRUQgAAAAAAAAAAG0BhQGJAY0BkQGVAZkBnQGhAaUBsQG1AbkBvQHBAcUByQHNAdEB1QHZAekDgQOhA6UDsQPJA+QoBQG4BQG0BQGYCQHNAZw"
    "JAcEBsBUB2QGJAbEBlQHgDQGlAbkBmA0BwQHJAbgNAYUBkQHYCQHBAcCYKCkB5QHkKCQoICgZAc0B5CgVAdjVAeUB2CkB5CgJAa0BrQHxAfApA"
    "bwoECgNAb0BvQH5AfEBrQG8KAAoHQHFAcUB+QH5Ad0B3KipAgECAQHZAdgoBOjo7Ozw8PT0+Pj8/QEBAQEBBQEFAQkBCQENAQwINQG1AYUBpQG"
    "5AQEBzQHRAYUBuQGRAYUByQGRMVFREAAAAAAAAAAAAAhkBIgILAQoCAhcCAQMBCwMBCwMBGQMBFgMCDAMFBAEBBAEWBAINBAMFARIFARoFAgEF"
    "BAYBDgYBDgYBDgYBFgYBAgYBAgYBDwYBDwYBEwYBEAYBAwYBAwYBBwYAARQCARsgAQQfAQYeAQgBAQkBAQobFUBuQHVAbUBiQGVAckBzQEBAaU"
    "BuQGNAb0BuQGRAaUB0QGlAb0BuQGFAbExUVEQAAAAAAAAAAAABAgMKHAEBAQEBAQEBAQEBAQEBAQEBAQELAgEaAAEAAQABAAEAAQABAAEAAQAB"
    "AAA="
)
ANALYSES = [
    *(("amar", "amare<vblex><inf>"), ("amare", "amare<vblex><inf>"), ("amata", "amare<vblex><pp><f><sg>")),
    *(("gatti", "gatto<n><m><pl>"), ("gatto", "gatto<n><m><sg>")),
]
DEBIAN = Path("/usr/share/apertium/apertium-spa-cat/spa-cat.automorf.bin")


@pytest.fixture
def compiled(tmp_path):
    path = tmp_path / "few.automorf.bin"
    path.write_bytes(COMPILED)
    return path


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """No dictionary is installed, the cache is empty, and nothing is named."""
    monkeypatch.setattr(apertium, "FOLDER", tmp_path / "share")
    monkeypatch.setattr(apertium, "cache_folder", lambda: tmp_path)
    monkeypatch.delenv(WANTED.variable, raising=False)
    find_lexicon.cache_clear()
    yield tmp_path
    find_lexicon.cache_clear()


def test_a_compiled_dictionary_and_its_source_say_the_same(compiled):
    """Without what is only generated, ignored, of several words, joined ("amarlo") or a pattern."""
    assert sorted(read_compiled(compiled)) == sorted(read_source(SOURCE)) == ANALYSES


def test_a_dictionary_of_generation(compiled):
    """Its analyses come first, which here are forms."""
    path = compiled.rename(compiled.with_name("few.autogen.bin"))
    assert set(read_compiled(path)) >= {(analysis, form) for form, analysis in ANALYSES}


def test_a_form_keeps_its_readings(tmp_path):
    """A later dictionary has readings of forms that are new, or were but names, and adjectives that were but nouns."""
    entries = {
        "a": ("cane<n><m><sg>", "rosa<np>", "vecchio<n><m><sg>"),
        "b": ("cane<vblex><inf>", "rosa<n><f><sg>", "VI<num>", "vecchio<adj><m><sg>"),
    }
    for name, analyses in entries.items():
        items = "".join(
            f"<e><p><l>{form}</l><r>{form}{''.join(f'<s n={tag!r}/>' for tag in tags)}</r></p></e>"
            for form, *tags in (analysis.replace(">", "").split("<") for analysis in analyses)
        )
        (tmp_path / f"{name}.dix").write_text(f"<dictionary><section>{items}</section></dictionary>")
    assert write_lexicon([tmp_path / "a.dix", tmp_path / "b.dix"], tmp_path / "x.mlex") == 5
    assert [(form, *reading) for form, reading in read_mlex(tmp_path / "x.mlex")] == [
        ("cane", "nc", "cane", "ms"),
        ("rosa", "nc", "rosa", "fs"),
        ("rosa", "np", "rosa", ""),
        ("vecchio", "adj", "vecchio", "ms"),
        ("vecchio", "nc", "vecchio", "ms"),
    ]


def test_readings(compiled):
    assert sorted(read_dictionary(compiled)) == [
        *(("amar", Reading("v", "amare", "W")), ("amare", Reading("v", "amare", "W"))),
        *(("amata", Reading("adj", "amare", "Kfs")), ("amata", Reading("v", "amare", "Kfs"))),
        *(("gatti", Reading("nc", "gatto", "mp")), ("gatto", Reading("nc", "gatto", "ms"))),
    ]


@pytest.mark.skipif(not DEBIAN.is_file(), reason="needs a dictionary: apt-get install apertium-spa-cat")
def test_a_dictionary_of_debian():
    """Its numbers take up to three bytes; how many readings lt-print shows, without Roman numerals."""
    found = set(read_dictionary(DEBIAN))
    assert len(found) == 421_534
    assert {("vio", Reading("v", "ver", "J3s")), ("casa", Reading("nc", "casa", "fs"))} <= found


def test_a_dictionary_is_read_once(compiled, elsewhere, monkeypatch):
    path = apertium.FOLDER / WANTED.files[0]
    path.parent.mkdir(parents=True)
    compiled.rename(path)
    made = find_lexicon(WANTED)
    assert made == elsewhere / "xxx.mlex.gz" and dict(read_mlex(made))["gatto"] == Reading("nc", "gatto", "ms")
    find_lexicon.cache_clear()
    monkeypatch.setattr(apertium, "write_lexicon", None)
    assert find_lexicon(WANTED) == made
    assert [file for file in os.listdir(elsewhere) if "xxx" in file] == ["xxx.mlex.gz"]


@pytest.mark.parametrize("name", ["apertium-xxx/xxx.automorf.bin", "xxx.automorf.bin", "xxx.dix"])
def test_a_folder(compiled, elsewhere, monkeypatch, name):
    """As packages are unpacked, with the compiled files alone, with the source; another folder is another lexicon."""
    folder = elsewhere / "unpacked"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_bytes(SOURCE.read_bytes() if name.endswith("dix") else COMPILED)
    monkeypatch.setenv(WANTED.variable, str(folder))
    made = find_lexicon(WANTED)
    assert made.parent == elsewhere and made.name.endswith("-xxx.mlex.gz") and len(list(read_mlex(made))) == 6
    find_lexicon.cache_clear()
    monkeypatch.setenv(WANTED.variable, str(elsewhere / "none"))
    (elsewhere / "none").mkdir()
    with pytest.raises(ValueError, match="found none in .*none: install its dictionaries"):
        find_lexicon(WANTED)


def test_the_command(compiled, tmp_path, monkeypatch, capsys):
    main([str(compiled), str(SOURCE), str(tmp_path / "x.mlex")])
    assert f"6 rows, under the licence of {compiled} {SOURCE}" in capsys.readouterr().out
    assert lexicon.load(tmp_path / "x.mlex").readings(["amar"]) == {"amar": (Reading("v", "amare", "W"),)}
    calls = []

    class Hub:
        def create_repo(self, name, **options):
            calls.append((name, options))

        def upload_file(self, path_or_fileobj, path_in_repo, **options):
            calls.append((path_in_repo, path_or_fileobj, options))

    monkeypatch.setattr(apertium, "HfApi", Hub)
    main([str(compiled), str(tmp_path / "x.mlex"), "--publish", "someone/words", "--license", "gpl-2.0"])
    where = {"repo_id": "someone/words", "repo_type": "dataset"}
    assert calls[0] == ("someone/words", {"repo_type": "dataset", "exist_ok": True})
    assert calls[1][0] == "README.md" and b"license: gpl-2.0" in calls[1][1] and b"few.automorf.bin" in calls[1][1]
    assert calls[2] == ("x.mlex", tmp_path / "x.mlex", where)


def test_no_lexicon_says_what_to_do(elsewhere):
    with pytest.raises(ValueError, match="found none in .*share: install .*apt-get install apertium-xxx") as error:
        find_lexicon(WANTED)
    assert "MORPHEVAL_XXX a folder" in str(error.value) and "xxx.dix" in str(error.value)


def test_a_named_file_and_a_dataset(elsewhere, monkeypatch):
    own = elsewhere / "own.mlex"
    own.touch()
    monkeypatch.setenv(WANTED.variable, str(own))
    assert find_lexicon(WANTED) == own
    find_lexicon.cache_clear()
    monkeypatch.setenv(WANTED.variable, "someone/words")
    monkeypatch.setattr(apertium, "hf_hub_download", lambda repo, file, repo_type: f"/{repo}/{repo_type}/{file}")
    assert find_lexicon(WANTED) == Path("/someone/words/dataset/xxx.mlex.gz")
    find_lexicon.cache_clear()

    def unreachable(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(apertium, "hf_hub_download", unreachable)
    with pytest.raises(ValueError, match="MORPHEVAL_XXX: found 'someone/words', expected a file, a folder, or a data"):
        find_lexicon(WANTED)


def test_wrong_files(tmp_path, capsys):
    for name in ("none.bin", "none.txt"):
        with pytest.raises(ValueError, match="found no file .*expected a dictionary"):
            write_lexicon([tmp_path / name], tmp_path / "x.mlex")
    for name in ("x.bin", "x.dix"):
        (tmp_path / name).write_bytes(b"no dictionary")
        with pytest.raises(SystemExit):
            main([str(tmp_path / name), str(tmp_path / "x.mlex")])
        assert f"{name}: found what cannot be read, expected a" in capsys.readouterr().err
    (tmp_path / "x.dix").write_text("<html/>")
    with pytest.raises(ValueError, match="found the element 'html', expected a dictionary"):
        list(read_source(tmp_path / "x.dix"))
    (tmp_path / "x.bin").write_bytes(COMPILED[:200])
    with pytest.raises(ValueError, match="found what cannot be read"):
        list(read_compiled(tmp_path / "x.bin"))
    assert not (tmp_path / "x.mlex").exists()
