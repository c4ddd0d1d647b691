"""A lexicon from compiled dictionaries, and where it is looked for."""

import os
import shutil

import pytest

from metrics.morpheval import lexicon_apertium as apertium, lexicon_lefff as lexicon
from metrics.morpheval.lexicon_apertium import (
    Dictionaries,
    find_lexicon,
    main,
    read_dictionary,
    read_transducer,
    write_lexicon,
)
from metrics.morpheval.lexicon_lefff import Reading, read_mlex

WANTED = Dictionaries(("apertium-xxx/xxx.automorf.bin",), "MORPHEVAL_XXX", "xxx.mlex.gz")

# Words, as lt-print gives them: ver, verlo, vista, "de vez", casa; then a section of numbers without end.
ARCS = """
0 1 v v|1 2 e e|2 3 r r|3 4 ε <vblex>|4 5 ε <inf>|5 6 l +|6 7 o l|7 8 ε o|8 9 ε <prn>
1 10 i e|10 11 s r|11 12 t <vblex>|12 13 a <pp>|13 14 ε <f>|14 15 ε <sg>
0 20 d d|20 21 e e|21 22 ε <pr>|21 23 _ _|23 24 v v|24 25 e e|25 26 z z|26 22 ε <adv>
0 30 c c|30 31 a a|31 32 s s|32 33 a a|33 34 ε <n>|34 35 ε <f>|35 36 ε <sg>
"""
FINALS = "5 9 15 22 36"
NUMBERS = ["0\t0\t1\t1\t0.0", "0\t0\t2\t2\t0.0", "0\t1\tε\t<num>\t0.0", "1\t0.0"]


@pytest.fixture
def lines():
    arcs = [arc.replace(" ", "\t") + "\t0.0\t" for line in ARCS.strip().splitlines() for arc in line.split("|")]
    return [*arcs, *(f"{state}\t0.0" for state in FINALS.split()), "--", *NUMBERS]


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """No dictionary is installed, the cache is empty, and nothing is named."""
    monkeypatch.setattr(apertium, "FOLDER", tmp_path / "share")
    monkeypatch.setattr(apertium, "cache_folder", lambda: tmp_path)
    monkeypatch.delenv(WANTED.variable, raising=False)
    find_lexicon.cache_clear()
    yield tmp_path
    find_lexicon.cache_clear()


def test_words_of_a_transducer(lines):
    assert sorted(read_transducer(lines)) == [
        ("casa", Reading("nc", "casa", "fs")),
        ("de", Reading("prep", "de", "")),
        ("ver", Reading("v", "ver", "W")),
        ("vista", Reading("adj", "ver", "Kfs")),
        ("vista", Reading("v", "ver", "Kfs")),
    ]


def test_a_dictionary_is_read_once(lines, elsewhere, monkeypatch):
    made = []
    monkeypatch.setattr(apertium, "read_dictionary", lambda path: made.append(path) or read_transducer(lines))
    monkeypatch.setattr(shutil, "which", lambda name: name)
    WANTED.paths[0].parent.mkdir(parents=True)
    WANTED.paths[0].touch()
    path = find_lexicon(WANTED)
    find_lexicon.cache_clear()
    assert find_lexicon(WANTED) == path == elsewhere / "xxx.mlex.gz" and made == WANTED.paths
    assert dict(read_mlex(path))["casa"] == Reading("nc", "casa", "fs")
    assert [file for file in os.listdir(elsewhere) if "xxx" in file] == ["xxx.mlex.gz"]


def test_the_command(lines, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(apertium, "read_dictionary", lambda path: read_transducer(lines))
    main(["a.bin", "b.bin", str(tmp_path / "x.mlex")])
    assert "5 rows, under the licence of a.bin b.bin" in capsys.readouterr().out
    assert lexicon.load(tmp_path / "x.mlex").readings(["ver"]) == {"ver": (Reading("v", "ver", "W"),)}


def test_no_lexicon_says_what_to_do(elsewhere):
    with pytest.raises(ValueError, match="found none: install .*apt-get install lttoolbox-dev apertium-xxx") as error:
        find_lexicon(WANTED)
    assert f"python -m metrics.morpheval.lexicon_apertium {WANTED.paths[0]} xxx.mlex.gz" in str(error.value)
    assert "MORPHEVAL_XXX" in str(error.value)


def test_a_named_file_and_a_dataset(elsewhere, monkeypatch):
    own = elsewhere / "own.mlex"
    own.touch()
    monkeypatch.setenv(WANTED.variable, str(own))
    assert find_lexicon(WANTED) == own
    find_lexicon.cache_clear()
    monkeypatch.setenv(WANTED.variable, "someone/words")
    monkeypatch.setattr(apertium, "hf_hub_download", lambda repo, file, repo_type: f"/{repo}/{repo_type}/{file}")
    assert str(find_lexicon(WANTED)) == "/someone/words/dataset/xxx.mlex.gz"
    find_lexicon.cache_clear()

    def unreachable(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(apertium, "hf_hub_download", unreachable)
    with pytest.raises(ValueError, match="MORPHEVAL_XXX: found 'someone/words', expected a file, or a dataset"):
        find_lexicon(WANTED)


def test_wrong_files(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="found no file .*expected a compiled dictionary"):
        write_lexicon([tmp_path / "none.bin"], tmp_path / "x.mlex")
    (tmp_path / "x.bin").write_bytes(b"no dictionary")
    monkeypatch.setattr(apertium, "PRINTER", "no-such-program")
    with pytest.raises(ValueError, match="found no no-such-program, expected it installed"):
        list(read_dictionary(tmp_path / "x.bin"))
    assert not (tmp_path / "x.mlex").exists()


@pytest.mark.skipif(not shutil.which(apertium.PRINTER), reason="needs lt-print: apt-get install lttoolbox-dev")
def test_what_lt_print_cannot_read(tmp_path, capsys):
    (tmp_path / "x.bin").write_bytes(b"no dictionary")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "x.bin"), str(tmp_path / "x.mlex")])
    assert "x.bin" in capsys.readouterr().err
