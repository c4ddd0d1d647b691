"""A lexicon made of dictionaries: Apertium's, compiled or not, Natura's, Morph-it!; and where it is looked for."""

import os
import re
from pathlib import Path

import huggingface_hub
import pytest

from metrics.__main__ import main
from metrics.morpheval import lexicon, lexicon_dictionaries
from metrics.morpheval.lexicon import Reading, read_mlex
from metrics.morpheval.lexicon_apertium import read_compiled, read_source
from metrics.morpheval.lexicon_dictionaries import Dictionaries, find_lexicon, read_dictionary, write_lexicon
from metrics.morpheval.lexicon_natura import read_natura

FILES, MORE = ("apertium/apertium-xxx/xxx.automorf.bin",), ("more/**/words.json",)
WANTED = Dictionaries("apertium-xxx", FILES, "xxx.dix", "MORPHEVAL_XXX", "xxx.mlex.gz", MORE)
FEW = Path(__file__).parent
# The second is what lt-comp (lttoolbox 3.6) makes of the first, with a second transducer for its pattern.
SOURCE, COMPILED = FEW / "few.dix", (FEW / "few.automorf.bin").read_bytes()
ANALYSES = [
    *(("amar", "amare<vblex><inf>"), ("amare", "amare<vblex><inf>"), ("amata", "amare<vblex><pp><f><sg>")),
    *(("gatti", "gatto<n><m><pl>"), ("gatto", "gatto<n><m><sg>")),
]
DEBIAN = Path("/usr/share/apertium/apertium-spa-cat/spa-cat.automorf.bin")
NATURA = Path("/usr/share/hunspell/pt_PT.dic")


@pytest.fixture
def compiled(tmp_path):
    path = tmp_path / "few.automorf.bin"
    path.write_bytes(COMPILED)
    return path


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """No dictionary is installed, the cache is empty, and nothing is named."""
    monkeypatch.setattr(lexicon_dictionaries, "FOLDER", tmp_path / "share")
    monkeypatch.setattr(lexicon_dictionaries, "cache_folder", lambda: tmp_path)
    monkeypatch.delenv(WANTED.variable, raising=False)
    lexicon_dictionaries._find.cache_clear()
    yield tmp_path
    lexicon_dictionaries._find.cache_clear()


def test_a_compiled_dictionary_and_its_source_say_the_same(compiled):
    """Without what is only generated, ignored, of several words, joined ("amarlo") or a pattern."""
    assert sorted(read_compiled(compiled)) == sorted(read_source(SOURCE)) == ANALYSES


def test_a_form_keeps_its_readings(tmp_path):
    """A later dictionary has readings of forms that are new, and of categories that a form had not."""
    entries = {
        "a": ("cane<n><m><sg>", "rosa<np>", "vecchio<n><m><sg>"),
        "b": ("cane<n><f><sg>", "rosa<n><f><sg>", "VI<num>", "vecchio<adj><m><sg>"),
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
    path = lexicon_dictionaries.FOLDER / WANTED.files[0]
    path.parent.mkdir(parents=True)
    compiled.rename(path)
    made = find_lexicon(WANTED)
    assert made.parent == elsewhere and dict(read_mlex(made))["gatto"] == Reading("nc", "gatto", "ms")
    lexicon_dictionaries._find.cache_clear()
    monkeypatch.setattr(lexicon_dictionaries, "write_lexicon", None)
    assert find_lexicon(WANTED) == made
    assert [file for file in os.listdir(elsewhere) if "xxx" in file] == [made.name]


@pytest.mark.parametrize("name", ["usr/share/apertium/apertium-xxx/xxx.automorf.bin", "xxx.automorf.bin", "xxx.dix"])
def test_a_folder(compiled, elsewhere, monkeypatch, name):
    """As packages are unpacked, with the compiled files alone, with the source; other files are another lexicon."""
    folder = elsewhere / "unpacked"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_bytes(SOURCE.read_bytes() if name.endswith("dix") else COMPILED)
    monkeypatch.setenv(WANTED.variable, str(folder))
    made = find_lexicon(WANTED)
    assert made.parent == elsewhere and made.name.endswith("-xxx.mlex.gz") and len(list(read_mlex(made))) == 6
    (folder / "more" / "of").mkdir(parents=True)
    (folder / "more" / "of" / "words.json").write_text('{"cane": {"G": "M", "P": "cani"}}')
    lexicon_dictionaries._find.cache_clear()
    with_more = find_lexicon(WANTED)
    assert with_more != made and dict(read_mlex(with_more))["cani"] == Reading("nc", "cane", "mp")
    monkeypatch.setenv(WANTED.variable, str(elsewhere / "none"))
    (elsewhere / "none").mkdir()
    with pytest.raises(ValueError, match="found not all dictionaries in .*none, expected .*: install them"):
        find_lexicon(WANTED)


def test_a_spelling_dictionary_that_says_what_its_words_are():
    """With endings, but neither prefixes nor pronouns after a hyphen; words of grammar are left out."""
    assert sorted((form, *reading) for form, reading in read_natura(FEW / "few.dic")) == [
        *(("legais", "adj", "legal", "p"), ("legal", "adj", "legal", "s"), ("legalmente", "adv", "legalmente", "s")),
        *(("mimados", "adj", "mimar", "Kmp"), ("mimados", "v", "mimar", "Kmp"), ("mimar", "v", "mimar", "W")),
        *(("mimava", "v", "mimar", "I1s"), ("mimava", "v", "mimar", "I3s"), ("mimo", "v", "mimar", "P1s")),
        *(("mochila", "nc", "mochila", "fs"), ("mochilas", "nc", "mochila", "fp"), ("tinha", "v", "ter", "I3s")),
        *(("velho", "adj", "velho", "ms"), ("velho", "nc", "velho", "ms")),
        *(("velhos", "adj", "velho", "mp"), ("velhos", "nc", "velho", "mp")),
    ]


@pytest.mark.skipif(not NATURA.is_file(), reason="needs a dictionary: apt-get install hunspell-pt-pt")
def test_the_spelling_dictionary_of_debian():
    found = set(read_natura(NATURA))
    assert {("boceja", Reading("v", "bocejar", "P3s")), ("móveis", Reading("nc", "móvel", "mp"))} <= found
    assert {form for form, reading in found if reading.lemma == "trazer" and reading.features == "F1s"} == {"trarei"}


def test_morphit():
    """Also words in the plural alone, and verbs that the files have with pronouns."""
    files = sorted((FEW / "morphit").glob("*.json"))
    found = [(form, *reading) for file in files for form, reading in read_dictionary(file)]
    assert sorted(found) == [
        *(("calma", "adj", "calmo", "fs"), ("calme", "adj", "calmo", "fp"), ("calmi", "adj", "calmo", "mp")),
        *(("calmo", "adj", "calmo", "ms"), ("caos", "nc", "caos", "ms")),
        *(("menù", "nc", "menu", "s"), ("nozze", "nc", "nozze", "fp"), ("pentire", "v", "pentirsi", "W")),
        *(("radunando", "v", "radunare", "G"), ("radunare", "v", "radunare", "W"), ("tritare", "v", "tritare", "W")),
        *(("tritate", "adj", "tritare", "Kfp"), ("tritate", "v", "tritare", "Kfp")),
        *(("tritato", "adj", "tritare", "Kms"), ("tritato", "v", "tritare", "Kms"), ("trito", "v", "tritare", "P1s")),
        *(("valigia", "nc", "valigia", "fs"), ("valigie", "nc", "valigia", "fp")),
    ]


def test_the_command(compiled, tmp_path, monkeypatch, capsys):
    assert main(["lexicon", str(compiled), str(SOURCE), str(tmp_path / "x.mlex")]) == 0
    assert "6 rows, made of dictionaries of Apertium (Forcada et al. 2011" in capsys.readouterr().out
    assert lexicon.load(tmp_path / "x.mlex").readings(["amar"]) == {"amar": (Reading("v", "amare", "W"),)}
    calls = []

    class Hub:
        def create_repo(self, name, **options):
            calls.append((name, options))

        def upload_file(self, path_or_fileobj, path_in_repo, **options):
            calls.append((path_in_repo, path_or_fileobj, options))

    monkeypatch.setattr(huggingface_hub, "HfApi", Hub)
    command = [str(compiled), str(tmp_path / "x.mlex"), "--publish", "someone/words"]
    assert main(["lexicon", *command, "--license", "gpl-2.0"]) == 0
    where = {"repo_id": "someone/words", "repo_type": "dataset"}
    assert calls[0] == ("someone/words", {"repo_type": "dataset", "exist_ok": True})
    assert calls[1][0] == "README.md" and b"license: gpl-2.0" in calls[1][1] and b"Apertium" in calls[1][1]
    assert calls[2] == ("x.mlex", tmp_path / "x.mlex", where)


def test_no_lexicon_says_what_to_do(elsewhere):
    with pytest.raises(
        ValueError, match="found not all dictionaries in .*share.*apt-get install apertium-xxx"
    ) as error:
        find_lexicon(WANTED)
    assert "MORPHEVAL_XXX a folder" in str(error.value) and "xxx.dix" in str(error.value)


def test_a_named_file(elsewhere, monkeypatch):
    own = elsewhere / "own.mlex"
    own.touch()
    monkeypatch.setenv(WANTED.variable, str(own))
    assert find_lexicon(WANTED) == own


@pytest.mark.parametrize("name, revision", [("someone/words", None), (f"someone/words@{'a' * 40}", "a" * 40)])
def test_a_dataset_and_its_revision(elsewhere, monkeypatch, name, revision):
    def download(repo, file, repo_type, revision):
        return f"/{repo}/{repo_type}/{revision}/{file}"

    monkeypatch.setenv(WANTED.variable, name)
    monkeypatch.setattr(lexicon_dictionaries, "hf_hub_download", download)
    assert find_lexicon(WANTED) == Path(f"/someone/words/dataset/{revision}/xxx.mlex.gz")


def test_a_dataset_out_of_reach(elsewhere, monkeypatch):
    monkeypatch.setenv(WANTED.variable, "someone/words")

    def unreachable(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(lexicon_dictionaries, "hf_hub_download", unreachable)
    with pytest.raises(ValueError, match="MORPHEVAL_XXX: found 'someone/words', expected a file, a folder, or a data"):
        find_lexicon(WANTED)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("none.bin", None, "found no file .*none.bin', expected a dictionary"),
        ("none.txt", None, "found '.*none.txt', expected a dictionary, .* or .dic"),
        ("x.bin", b"no dictionary", "x.bin: found a file that cannot be read .*, expected a compiled"),
        ("x.bin", COMPILED[:200], "x.bin: found a file that cannot be read"),
        ("x.bin", bytes(100), "x.bin: found a file that cannot be read"),
        ("x.dix", b"no dictionary", "x.dix: found a file that cannot be read .*, expected a dictionary in XML"),
        ("x.dix", b"<html/>", "found the element 'html', expected the element 'dictionary'"),
        ("x.dix", b"<dictionary><section><e><i>a</i><par n='no'/></e></section></dictionary>", "KeyError.*'no'"),
        ("x.dix", b"<dictionary><section><e><p><l>a</l></p></e></section></dictionary>", "cannot be read"),
        (
            "x.dix",
            b"<dictionary><pardef n='p'><e><par n='p'/></e></pardef>"
            b"<section><e><par n='p'/></e></section></dictionary>",
            "RecursionError",
        ),
        (
            "x.dix",
            b"<dictionary><section><e><i>a</i></e></section></dictionary>",
            "found 'a' with 'a', expected a dict",
        ),
        ("x.dix", b"<dictionary><section/></dictionary>", "found no words"),
        ("x.dic", b"", "found no x.aff beside the file"),
        ("y.dic", b"", "found words without their categories"),
        ("z.dic", b"1\na/p\t[CAT=nc]", "found a file that cannot be read .*of Projecto Natura"),
        ("words.json", b"[1]", "found a file that cannot be read .*of Morph-it!"),
        ("words.json", b'{"casa": {"G": "F", "P": 5}}', "found a file that cannot be read"),
        ("words.json", b'{"casa": {"G": "F", "P": "ca\\tse"}}', "the form 'ca.*se'"),
        ("words.json", b"{}", "found no words"),
        ("verbs.json", b'{"amare": {"ind": {"pres": {"S1": ["amo"]}}}}', "found a file that cannot be read"),
        ("other.json", b"{}", "found a file of this name, expected a file called words.json"),
    ],
)
def test_wrong_files(tmp_path, capsys, name, content, message):
    (tmp_path / "y.aff").touch()
    (tmp_path / "z.aff").write_text("SFX p Y 1\nSFX p 0 s [^ +N=p")
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert main(["lexicon", str(tmp_path / name), str(tmp_path / "x.mlex")]) == 2
    assert re.search(message, capsys.readouterr().err.replace("\n", " "))
    assert not (tmp_path / "x.mlex").exists()


def test_a_dictionary_of_generation_with_another_name(compiled, tmp_path):
    """It would be read the wrong way round."""
    reverse = compiled.rename(tmp_path / "few.autogen.bin")
    assert set(read_compiled(reverse)) >= {(analysis, form) for form, analysis in ANALYSES}
    with pytest.raises(ValueError, match="few.autogen.bin: found '.*<.*' with '.*', expected a dictionary of analysis"):
        list(read_dictionary(reverse))


def test_a_dictionary_is_not_written_over(compiled, tmp_path, capsys):
    other = tmp_path / "other.bin"
    other.write_bytes(COMPILED)
    assert main(["lexicon", str(compiled), str(other)]) == 2
    assert "expected a name that ends in .mlex, .mlex.gz" in capsys.readouterr().err and other.read_bytes() == COMPILED
    assert main(["lexicon", str(compiled), str(tmp_path / "x.mlex"), "--publish", "a/b"]) == 2
    assert "found no --license, expected the licence of the dictionaries: Apertium" in capsys.readouterr().err
    with pytest.raises(ValueError, match="where nothing can be written"):
        write_lexicon([compiled], tmp_path / "nowhere" / "x.mlex")
