"""The shell commands as a user calls them: files that are packed, piped, in JSON lines, or not what they should be."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from metrics.__main__ import main
from metrics._commands import columns

from .conftest import ROOT, needs_lefff
from .test_commands import CAREFUL, HASTY, INFO, MODEL, SENTS

EXAMPLES = ROOT / "spaces" / "muc_b3_ceaf_entropy" / "examples"
KEY, RESPONSE = (str(EXAMPLES / f"harbour.{side}.conll") for side in ("key", "response"))
TEXTS = ["The harbour opened again on Monday. A storm had closed it.", "It rained in Brest. Nobody minded."]
SHORTER = ["The harbour opened on Monday.", "It rained."]
HEADER, SECOND = b"\xff\xfe", "caf\u00e9\n".encode("latin-1")


def process(*arguments, text=None):
    """What a command does as a process of its own; `text` is its standard input."""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "metrics", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, env=environment)


@pytest.fixture
def run(capsys, monkeypatch):
    """The same in this process, which has the libraries loaded."""

    def run(*arguments, text=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        status = main([*map(str, arguments)])
        return subprocess.CompletedProcess(arguments, status, *capsys.readouterr())

    return run


@pytest.fixture
def scores(run):
    """The scores that a command prints."""

    def scores(*arguments, **settings):
        done = run(*arguments, "--json", **settings)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return scores


@pytest.fixture
def piped(tmp_path):
    """The path of a pipe that gives the lines of a file once, as those of bash's <( )."""
    started = []

    def piped(name, source):
        os.mkfifo(tmp_path / name)
        command = ["sh", "-c", 'cat "$0" > "$1"', source, str(tmp_path / name)]
        started.append(subprocess.Popen(command))
        return str(tmp_path / name)

    yield piped
    for process in started:
        process.kill()
        process.wait()


# ---- Ways to read ----


def test_coref_reads_what_is_packed_or_piped(put, piped, scores):
    expected, (key, response) = scores("coref", KEY, RESPONSE), (Path(path).read_text() for path in (KEY, RESPONSE))
    packed = put("key.conll.gz", key.encode())
    assert scores("coref", packed, RESPONSE) == expected
    assert scores("coref", KEY, "-", text=response) == expected
    assert json.loads(process("coref", KEY, "-", "--json", text=response).stdout) == expected
    assert scores("coref", piped("pipe", KEY), RESPONSE) == expected


def test_brat_reads_what_is_packed(put, scores):
    files = {"a.txt": b"Ann ran. She fell.", "a.ann": b"T1\tP 0 3\tAnn\nT2\tP 9 12\tShe\nR1\tCoref Arg1:T1 Arg2:T2\n"}
    plain = [put(name, content) for name, content in files.items()]
    packed = [put(f"{name}.gz", content) for name, content in files.items()]
    assert scores("coref", packed[1], plain[1])["muc_f1"] == 1


@needs_lefff
def test_morpheval_reads_what_is_packed_piped_or_json(put, piped, scores):
    expected = scores("morpheval", SENTS, INFO, CAREFUL)
    sents, info, lines = (Path(path).read_text("utf-8") for path in (SENTS, INFO, CAREFUL))
    packed = [put("s.gz", sents.encode()), put("i.gz", info.encode())]
    assert scores("morpheval", *packed, "-", text=lines) == expected
    objects = put("t.jsonl.gz", [json.dumps({"translation": line}) for line in lines.splitlines()])
    strings = put("s.jsonl", [json.dumps(line) for line in sents.splitlines()])
    assert scores("morpheval", strings, piped("pipe", INFO), objects) == expected


def test_melasss_reads_what_is_packed_piped_or_json(put, piped, scores):
    texts, shorter = put("t.gz", TEXTS), put("s.txt", SHORTER)
    expected = scores("melasss", texts, shorter)
    lines = "".join(f"{text}\n" for text in TEXTS)
    # This process may know some of the sentences; in a batch of others, a float32 differs in its last digits.
    assert scores("melasss", "-", piped("pipe", shorter), text=lines) == pytest.approx(expected)
    objects = put("o.jsonl", [json.dumps({"text": t, "summary": s}) for t, s in zip(TEXTS, SHORTER)])
    assert scores("melasss", objects, objects) == expected
    for text, summary in (("article", "decoded"), ("document", "prediction"), ("source", "text")):
        rows = [[json.dumps({name: item}) for item in side] for name, side in ((text, TEXTS), (summary, SHORTER))]
        assert scores("melasss", put("a.jsonl", rows[0]), put("d.jsonl", rows[1])) == expected


def parquet_of(columns):
    written = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), written)
    return written.getvalue()


CELLS = ['He said "no",\nand left.', "", "[1"]
TABLES = {
    "csv": b'\xef\xbb\xbfn,a b\r\n1,"He said ""no"",\nand left."\r\n\r\n2,\r\n3,[1\r\n',
    "semicolons.csv": b'n;a b\n1;"He said ""no"",\nand left."\n\n2;\n3;[1\n',
    "tsv": b'n\ta b\n1\t"He said ""no"",\nand left."\n\n2\t\n3\t[1\n',
    "jsonl": b"".join(json.dumps({"n": 1, "a b": cell}).encode() + b"\n" for cell in CELLS) + b"\n",
    "parquet": parquet_of({"n": [1, 2, 3], "a b": CELLS}),
    "a pipe": b'n,a b\n1,"He said ""no"",\nand left."\n\n2,\n3,[1\n',
}


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_are_told_by_their_content(put, name, ending):
    table = columns.read_table(put(f"t.{name}{ending}", TABLES[name]))
    assert table.columns == ["n", "a b"] and table.texts("a b") == CELLS
    line = 2 if name in ("jsonl", "parquet") else 5  # the first row has two, a blank one follows
    assert table.texts("a b").place(1) == f"{table.path}:{line}, column 'a b'"


def test_quotes_without_an_end_are_of_the_texts_of_tsv(put):
    table = columns.read_table(put("t.tsv", ["a\tb", '"Rain", they said.\tIt rained "much.', '"\t"']))
    assert table.texts("a") == ['"Rain", they said.', '"'] and table.texts("b") == ['It rained "much.', '"']


@pytest.mark.parametrize(
    "content, message",
    [
        (["a,b", "1"], ":2: found 1 cells, expected 2 cells: 'a', 'b'"),
        (["a,b", "1,2", '"3,4'], ":3: found a broken row of a table (unexpected end of data)"),
        (['{"a": 1}', "[1]"], ":2: found list, expected a JSON object, as on the first line"),
        (['{"a": 1}', "{"], ":2: found '{"),
        (["", ""], ": found an empty file, expected a table"),
        (["source,b", "1,2"], ": found none of hypothesis, sentence2, prediction, paraphrase, mt, question2 among the"),
        (
            ["source,text,mt", "1,2,3"],
            ": found 'source' and 'text' among the columns 'source', 'text', 'mt', expected --refere",
        ),
        (["src,mt", "1,2", ",2"], ":3, column 'src': found '', expected a source sentence"),
        (b"PAR1x", "': "),
    ],
)
def test_what_is_wrong_with_a_table(put, run, content, message):
    path = put("t.csv", content)
    done = run("parapluie", "--input", path, "--model-id", MODEL)
    assert done.returncode == 2 and f"{path}{message}" in done.stderr.splitlines()[-1]


def test_errors_of_files_know_their_fields(put):
    path = put("t.csv", ["a,b", "1"])
    with pytest.raises(ValueError) as error:
        columns.read_table(path)
    assert (error.value.where, error.value.found) == ((f"{path}:2",), "1 cells")
    assert error.value.expected == "2 cells: 'a', 'b'"


def test_pairs_of_one_table_or_of_the_command_line(put, scores, run, tmp_path):
    options = "--model-id", MODEL
    expected = scores("parapluie", put("s.txt", TEXTS), put("h.txt", SHORTER), *options)
    lines = ["sentence1\tsentence2", *map("\t".join, zip(TEXTS, SHORTER))]
    assert scores("parapluie", "--input", put("t", lines), *options) == expected
    found = run("parapluie", "--input", "-", *options, text="".join(f"{line}\n" for line in lines))
    assert "standard input: 'sentence1' has the sources, 'sentence2' the hypotheses" in found.stderr
    named = put("t.jsonl", [json.dumps({"x": text, "y": other, "z": text}) for text, other in zip(TEXTS, SHORTER)])
    fields = "--reference-field", "x", "--prediction-field", "y"
    assert scores("parapluie", "--input", named, *fields, *options) == expected
    assert scores("parapluie", named, named, *fields, *options) == expected
    three = scores("parapluie", "--input", named, *fields, "z", "--compare", put("o", SHORTER), *options)["comparison"]
    assert list(three["systems"]) == ["y", "z", "o"] and three["pairs"][1]["score_difference"] == 0
    wrong = run("parapluie", "--input", named, "--reference-field", "x", "--prediction-field", "u", *options)
    assert f"--prediction-field: found 'u', expected a column of {named}: 'x', 'y', 'z'" in wrong.stderr
    one = run("parapluie", "-s", "A boat.", "-t", "A ship.", "--pairs", tmp_path / "pairs", *options)
    assert one.returncode == 0 and (tmp_path / "pairs").read_text().endswith("\tA boat.\tA ship.\n")
    assert "--source: found '', expected a source sentence" in run("parapluie", "-s", "", "-t", "a", *options).stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-t", "a"], "the following arguments are required: --summary; see"),
        (["a", "--input", "b"], "found TEXTS beside --input, expected files, a table, or two texts"),
        ([], "required: TEXTS, SUMMARIES (or --input FILE, or --text TEXT --summary TEXT)"),
    ],
)
def test_there_is_one_way_to_give_pairs(run, capsys, arguments, message):
    with pytest.raises(SystemExit):
        run("melasss", *arguments)
    assert message in capsys.readouterr().err


def test_melasss_writes_a_summary_on_one_line(run, put, tmp_path):
    listed = put("l.jsonl", [json.dumps("- It sank.\n- Nobody died."), json.dumps("1. It was old.\n\n2. It burned.")])
    run("melasss", put("t", TEXTS[:2]), listed, "--examples", tmp_path / "table")
    rows = (tmp_path / "table").read_text("utf-8").splitlines()
    assert [row.split("\t")[-1] for row in rows] == ["summary", "It sank. Nobody died.", "It was old. It burned."]


# ---- What goes wrong ----

NOT_UTF8 = (
    ":2: found the byte 0xe9, which is not UTF-8, expected a UTF-8 file; iconv -f latin1 -t utf-8 converts the file"
)


@pytest.mark.parametrize(
    "command",
    [
        ["coref", "FILE", RESPONSE],
        ["coref", KEY, "FILE"],
        ["morpheval", "FILE", INFO, HASTY],
        ["morpheval", SENTS, "FILE", HASTY],
        ["morpheval", SENTS, INFO, "FILE"],
        ["parapluie", "FILE", HASTY],
        ["melasss", HASTY, "FILE"],
    ],
)
def test_latin_1_is_named_the_same_way_everywhere(put, command, capsys):
    path = put("latin", b"\n" + SECOND)
    assert main([path if word == "FILE" else word for word in command]) == 2
    assert capsys.readouterr().err == f"meaning-metrics {command[0]}: error: {path}{NOT_UTF8}\n"


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("a.txt", HEADER + "a\n".encode("utf-16-le"), "a.txt:1: found the byte 0xff, .* iconv -f utf-16 "),
        ("a.txt", b"", "a.txt: found an empty file, expected one text on each line"),
        ("a.csv", b"source,hypothesis\n", "found '.*a.csv', expected a file with one text on each line.*--input"),
        ("a.parquet", b"PAR1", "found '.*a.parquet', expected .*--input takes a table"),
        ("a.txt", ["one", "two", "three"], "found 3 lines in .*a.txt and 2 lines in .*s.txt, expected the same number"),
        ("a.txt", ["one", ""], "a.txt:2: found '', expected a"),
        ("a.jsonl", ['"one"', "", '"two"'], "a.jsonl:2: found '' .*, expected JSON"),
        (
            "a.jsonl",
            ['"one"', '{"x": 1}'],
            r"a.jsonl:2: found the fields \['x'\], expected a field '(source' or 'text|text' or .*source)'",
        ),
        ("a.jsonl", ['"one"', "2"], "a.jsonl:2: found int 2, expected a string"),
        ("a.jsonl", ["[" * 100_000, "[]"], r"a.jsonl:1: found '\[\[.*, expected JSON"),
        ("a.gz", None, "cannot read '.*a.gz': not a gzipped file"),
    ],
)
@pytest.mark.parametrize("command", ["parapluie", "melasss"])
def test_files_that_are_not_as_they_should_be(put, tmp_path, capsys, command, name, content, message):
    if content is None:
        (tmp_path / name).write_bytes(b"plain")
    path = put(name, content) if content is not None else str(tmp_path / name)
    model = ("--model-id", MODEL) if command == "parapluie" else ()
    assert main([command, path, put("s.txt", SHORTER), *model]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and re.match(f"meaning-metrics {command}: error: .*{message}", error), error


def test_a_pipe_can_be_read_once(put, run):
    done = run("melasss", "-", "-", text="a\n")
    assert done.stderr == "meaning-metrics melasss: error: found - twice, expected each pipe once\n"
    done = run("melasss", "-", put("s", SHORTER), text="a\n\n")
    assert done.stderr.startswith("meaning-metrics melasss: error: standard input:2: found ")


def test_a_table_is_suspected(put, run):
    done = run("melasss", put("t", [f"{text}\t3" for text in TEXTS]), put("s", SHORTER))
    assert "t: every line has a tab; what is read as one text may be" in done.stderr


def test_what_a_terminal_obeys_is_escaped(put, tmp_path, run):
    done = run("melasss", tmp_path / "\x1b[2Jnone", SENTS)
    assert "[2Jnone" in done.stderr and "\x1b" not in done.stderr
    name = put("\x1b[31m.conll", Path(KEY).read_bytes())
    done = run("coref", KEY, name, "--agreement")
    assert "\\u001b[31m.conll" in done.stdout and "\x1b" not in done.stdout


def test_a_warning_is_said_once_and_not_where_all_is_to_be_quiet(put, run, tmp_path):
    """Of several systems with the numbers of the first."""
    command = ["melasss", put("t", TEXTS * 2), put("a", ["", *SHORTER, "x"]), "--compare", put("b", ["", "", *SHORTER])]
    assert run(*command).stderr.count("warning: ") == 1
    done = run(*command, "--quiet", "-o", tmp_path / "table", "--csv")
    assert done.stderr == done.stdout == "" and (tmp_path / "table").read_text().startswith(",a,a low,")
    done = run(*command, "-o", command[1])
    assert done.returncode == 2 and "--output-file: found" in done.stderr


def test_a_table_has_no_formulas(put, tmp_path, run):
    shorter = ['=HYPERLINK("http://x", "It rained.")', "@SUM(1) It rained."]
    run("melasss", put("t", TEXTS), put("s", shorter), "--examples", tmp_path / "table")
    _, *rows = (tmp_path / "table").read_text().splitlines()
    assert all(row.split("\t")[-1].strip('"').startswith("'") for row in rows) and len(rows) == 2


def test_a_table_does_not_take_the_place_of_what_is_read(put, tmp_path, run):
    files = put("s", TEXTS), put("h", SHORTER)
    messages = put("own.json", [json.dumps([{"role": "user", "content": "{source} {hypothesis}"}])])
    for option, path in (("--template", messages), ("--resume", tmp_path / "answers")):
        done = run("parapluie", *files, option, path, "--pairs", path, "--model-id", MODEL)
        assert done.returncode == 2 and "which is one of the command's other files" in done.stderr


def test_a_user_s_own_names_stay_as_they_are(put, run):
    """Files are often called as the arguments of a metric are."""
    references, predictions = (
        put("references.txt", ["A boat.", "It rained."]),
        put("pair 3 predictions.txt", ["A boat."]),
    )
    done = run("parapluie", references, predictions, "--model-id", MODEL)
    assert f"found 2 lines in {references} and 1 lines in {predictions}, expected" in done.stderr
    done = run("melasss", references, put("summaries.txt", ["A boat.", ""]), "--compare", f"references={predictions}")
    assert f"1 lines in {predictions}," in done.stderr


# ---- What is written ----

WRITTEN = {
    "--pairs": ["parapluie", "S", "H", "--model-id", MODEL],
    "--examples": ["melasss", "S", "H"],
    "coref --html": ["coref", KEY, RESPONSE],
    "--verdicts": ["morpheval", SENTS, INFO, HASTY],
    "morpheval --html": ["morpheval", SENTS, INFO, HASTY],
}


@pytest.mark.filterwarnings("ignore:.*the two answers together")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs_lefff if WRITTEN[n][0] == "morpheval" else ()) for n in WRITTEN]
)
def test_a_full_disk_costs_no_scores_and_no_file(put, capsys, request, tmp_path, name):
    """The scores are those without the option, the old file is as it was, and one line says what is not written."""
    files = {"S": put("s", TEXTS), "H": put("h", SHORTER)}
    command = [files.get(word, word) for word in WRITTEN[name]]
    assert main(command) == 0
    expected = capsys.readouterr().out
    path, before = put("old", ["old"]), sorted(os.listdir(tmp_path))
    request.getfixturevalue("full_disk")
    assert main([*command, name.split()[-1], path]) == 2
    output = capsys.readouterr()
    assert output.out == expected or name == "coref --html"  # a page has intervals
    assert output.out.count("\n") >= expected.count("\n")
    line = f"meaning-metrics {command[0]}: error: cannot write '{path}': no space left on device\n"
    assert output.err.endswith(line) and output.err.count("error: ") == 1
    assert Path(path).read_text() == "old\n" and sorted(os.listdir(tmp_path)) == before


@needs_lefff
def test_a_file_that_cannot_be_written_does_not_keep_another_from_it(tmp_path, capsys, monkeypatch):
    (tmp_path / "folder").mkdir()
    page = tmp_path / "folder" / "page"
    monkeypatch.setattr("metrics._commands.tables.printed", lambda *_, **__: [str(page.parent.rmdir())])  # meanwhile
    files = {"--html": page, "--verdicts": tmp_path / "table"}
    assert main(["morpheval", SENTS, INFO, HASTY, *(str(word) for pair in files.items() for word in pair)]) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"meaning-metrics morpheval: error: cannot write '{page}': no such file or directory\n")
    assert (tmp_path / "table").read_text().startswith("group\ttest\t")


def test_where_nobody_can_write_is_said_first(put, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert main(["melasss", put("t", TEXTS), put("s", SHORTER), "--examples", "/dev/null"]) == 2
    output = capsys.readouterr()
    assert "--examples: found '/dev/null', which cannot be written" in output.err and not output.out
