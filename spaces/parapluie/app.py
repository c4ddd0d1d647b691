"""The demo of parapluie: one pair on a gauge from no to yes, how reliable the judge is, many pairs on a map."""

import csv
import os
import re
import sys
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import gradio as gr

# A Space has demo.py beside this file, a checkout has it there.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "_common"))
from demo import (
    CACHE,
    UNSEEN,
    as_utf8,
    checked_text,
    downloads,
    examples,
    first_view,
    header,
    launch,
    limits,
    messages,
    metric,
    module,
    permalink,
    run,
    shaded,
    snippet,
)  # fmt: skip
from drawing import (
    CLOSE,
    STYLE,
    grade_in_words,
    health,
    health_in_words,
    one_pair,
    one_word_apart,
    pair_map,
    pair_table,
    verdict,
)
from providers import MODELS, ROUTER, Providers

NAME = "parapluie"
SMALL_JUDGE, SMALL = "the small judge", "small"  # a classifier of pairs beside the metric; fast on a CPU
SMALL_CHAT = "HuggingFaceTB/SmolLM2-135M-Instruct"  # too small to judge well; shows prompts
# Set by the demo's runner, never by visitors: requests carry the runner's key.
ENDPOINT, SERVED = os.environ.get("DEMO_ENDPOINT", ""), os.environ.get("DEMO_MODEL", "")
CHOICES = [SMALL_JUDGE, SMALL_CHAT, *([SERVED] if ENDPOINT and SERVED else [])]
# In a Space with hf_oauth (and Gradio's packages for it) visitors log in; elsewhere it would be the
# runner's own login.
LOGIN = {"SPACE_ID", "OAUTH_CLIENT_ID"} <= set(os.environ) and all(map(find_spec, ("authlib", "itsdangerous")))
ENGLISH = ["fs_direct", "direct", "indirect", "exact"]
TEMPLATES = [*ENGLISH, *(f"{name}_fr" for name in ENGLISH)]
# label: A, B, and whether they are meant as paraphrases; from easy ones to those that depend on a
# word or on the order.
EXAMPLES = {
    "kids": ("The children are playing in the garden.", "Kids play in the garden.", True),
    "ferry, bakery": ("The ferry leaves at noon.", "The bakery sells bread.", False),
    "twelve o'clock": ("The ferry leaves at noon.", "At twelve o'clock the ferry sets off.", True),
    "leaves, arrives": ("The ferry leaves at noon.", "The ferry arrives at noon.", False),
    "nobody": ("Nobody missed the old storm.", "The old storm was missed by no one.", True),
    "who lent": ("She lent her brother the boat.", "Her brother lent her the boat.", False),
}
GRADES = (1, 2, 3, 4, 5)
RUBRIC = """Rate from 1 to 5 how much of the meaning of A is kept in B: 1 for nothing, 5 for all of it.
A: {source}
B: {hypothesis}
Answer with one number."""
MEANT = {tuple(pair): meant for *pair, meant in EXAMPLES.values()}
PAIRS = [list(pair) for pair in MEANT]
HEADINGS = ["sentence", "candidate"]
DELIMITERS = {"commas": ",", "semicolons": ";", "tabs": "\t"}
# Names of columns, without digits and punctuation; the first two columns so named are the pair.
KNOWN_HEADINGS = frozenset(
    "a b s h text sentence source target candidate hypothesis paraphrase original reference prediction premise "
    "question input output".split()
)
MOST_PAIRS = 200  # scored at once; more belong in a script
LONGEST_SIDE = 2_000  # characters of one sentence
MOST_SHOWN = 50  # pairs in a table on the screen; the files have all


# ---- Asking ----


def options_of(choice, template):
    """The options of compute that the visitor chose."""
    if choice == SMALL_JUDGE:
        return {"model_id": SMALL}  # it has no prompt, so no template
    if choice not in CHOICES:
        raise ValueError(f"model: found {choice!r}, expected one of {', '.join(CHOICES)}")
    return {"model_id": choice, "template": template} | ({"endpoint": ENDPOINT} if choice == SERVED else {})


def code_of(pairs, options):
    """The snippet, without addresses and tokens."""
    sources, hypotheses = map(list, zip(*pairs, strict=True))
    public = {"endpoint": urlsplit(ENDPOINT).hostname}
    if "judge" in options:
        public["endpoint"] = ROUTER
        options = {"endpoint": ROUTER} | {name: value for name, value in options.items() if name != "judge"}
    shown = {name: public.get(name, value) for name, value in options.items()}
    return snippet(NAME, predictions=hypotheses, references=sources, **shown, details=True)


def prompt_of(pair, options):
    """The prompt as the model sees it, with the part that all pairs share; [] for remote models."""
    if "endpoint" in options or "judge" in options:
        return []
    judge, templates = metric(NAME).judge(model_id=options["model_id"]), module(NAME, "templates")
    decode = judge.tokenizer.decode
    if options["model_id"] == SMALL:
        [ids] = judge.tokenizer(*([text] for text in pair), split_special_tokens=True)["input_ids"]
        return [(decode(ids), 0.6, "both texts at once")]
    messages = templates.resolve(options["template"]).messages
    # Two pairs that begin differently show where the shared part ends.
    fields = [{"source": s, "hypothesis": h, "explanation": h} for s, h in (pair, ("A", "B"), ("1", "2"))]
    asked = [templates.conversation(messages, values) for values in fields]
    ids, *others = judge.prompts.ids(asked)
    shared = len(os.path.commonprefix([ids, *others]))
    return [
        (decode(ids[:shared]), 0.0, f"{shared} tokens, the same for all pairs, computed once"),
        (decode(ids[shared:]), 0.6, f"{len(ids) - shared} tokens of this pair"),
    ]


def judged(pairs, options, draw):
    """Ask the judge; returns what the page shows, the files and the code."""
    sources, hypotheses = zip(*pairs, strict=True)
    result = metric(NAME).compute(predictions=hypotheses, references=sources, details=True, **options)
    scores, distances = result["scores"], result["edit_distances"]
    columns, rows = (
        [*HEADINGS, "score", "edit distance"],
        [(*p, s, d) for p, s, d in zip(pairs, scores, distances, strict=True)],
    )
    name = "The small judge" if options["model_id"] == SMALL else options["model_id"]
    return (
        draw(pairs, result, band_of(options), name),
        health(result, MOST_SHOWN) + shaded("What the model reads for the first pair:", prompt_of(pairs[0], options)),
        downloads(NAME, result, pairs=(columns, rows)),
        code_of(pairs, options),
    )


def judged_alone(pair, options):
    """One pair: what `judged` gives, with the grade of a chat model below the verdict; the small judge gives none."""
    figure, *others = judged(checked_pairs([pair]), options, draw_one)
    if options["model_id"] != SMALL:
        asked = {**options, "template": [{"role": "user", "content": RUBRIC}], "grades": GRADES}
        grade = metric(NAME).compute(predictions=[pair[1]], references=[pair[0]], **asked)
        figure += grade_in_words(grade, GRADES)
    return figure, *others


def band_of(options):
    """How near to 0 a score is too close to call: what the small judge says, or the demo's own choice."""
    own = getattr(metric(NAME).judge(model_id=SMALL), "too_close", None) if options["model_id"] == SMALL else None
    return own or CLOSE


def draw_one(pairs, result, band, name):
    seen = pairs[0], result["score"], band
    return one_pair(*seen) + one_word_apart(*seen) + health_in_words(result, name)


def draw_many(pairs, result, band, name):
    """The verdicts in a sentence, the map, and every pair."""
    scores = result["scores"]
    found = [verdict(score, band) for score in scores]
    known = [value == MEANT[pair] for pair, value in zip(pairs, found, strict=True) if pair in MEANT]
    right = f" It is right about {sum(known)} of the {len(known)} whose answer is known." if known else ""
    n_open = found.count(None)
    still = f", {n_open} too close to call" if n_open else ""
    return (
        f'<p class="figure">{found.count(True)} of {len(pairs)} <small>are paraphrases{still}.{right}</small></p>'
        f'{health_in_words(result, name)}<div class="beside">'
        f"{pair_map(pairs, scores, result['edit_distances'], band)}"
        f"{pair_table(pairs, scores, band, MEANT, MOST_SHOWN)}</div>"
    )


# ---- Pairs ----


def checked_pairs(rows, numbers=None):
    """Rows as pairs: each must have two texts, and there must not be too many."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in rows]
    for i, row in enumerate(rows):
        place = f"Row {numbers[i] if numbers else i + 1}: one" if len(rows) > 1 or numbers else "One"
        if len(row) < 2 or not row[0].strip() or not row[1].strip():
            raise ValueError(f"{place} of the two sentences is empty; a pair has a sentence A and a sentence B.")
        for name, cell in zip("AB", row, strict=False):
            checked_text(f"Sentence {name}", cell, LONGEST_SIDE)
    if not 0 < len(rows) <= MOST_PAIRS:
        count = f"more than {MOST_PAIRS}" if rows else "no"
        raise ValueError(f"There are {count} pairs; the demo takes 1 to {MOST_PAIRS}, the metric in Python any number.")
    return [(a, b) for a, b, *_ in rows]


def headed(row):
    """The indices of the pair's columns in a row of headings; [] for any other row."""
    indices = [i for i, cell in enumerate(row) if re.sub(r"[\W\d_]", "", cell.lower()) in KNOWN_HEADINGS]
    return indices[:2] if len(indices) > 1 else []


def rows_in(path):
    """(number of its line, cells) of the first rows of a CSV file, cut where that makes the best table.

    A better table has as many cells in every row; then, headings that are known.
    """
    with open(as_utf8(path), encoding="utf-8-sig", newline="") as file:
        lines = file.readlines()
    tables = {name: rows_cut(lines, delimiter) for name, delimiter in DELIMITERS.items()}
    several = {name: rows for name, rows in tables.items() if rows and len(rows[0][1]) > 1}
    for is_better in (is_even, lambda rows: headed(rows[0][1])):
        several = {name: rows for name, rows in several.items() if is_better(rows)} or several
    if len(several) > 1:
        raise ValueError(
            f"The file can be cut at its {' and at its '.join(several)} alike: put each text in double quotes, or give "
            "the columns headings, such as sentence and candidate."
        )
    return next(iter(several.values()), tables["commas"])


def rows_cut(lines, delimiter):
    reader = csv.reader(lines, delimiter=delimiter)
    return list(islice(((reader.line_num, row) for row in reader if any(map(str.strip, row))), MOST_PAIRS + 2))


def is_even(rows):
    """Whether all rows have as many cells."""
    return len({len(row) for _, row in rows}) == 1


@messages
def columns_in(path):
    """What to ask about a file: which columns are the pair, and whether the first row is a heading."""
    rows = rows_in(path) if path else []
    if not rows:
        return [gr.Dropdown([], value=None, visible=False)] * 2 + [gr.Checkbox(False, visible=False)]
    first = rows[0][1]
    found, labels = headed(first), [f"{i}: {cell:.40}" for i, cell in enumerate(first, 1)]
    chosen = found or ([0, 1] if len(first) == 2 else [])
    values = [labels[i] for i in chosen] or [None, None]
    return [gr.Dropdown(labels, value=value, visible=True) for value in values] + [
        gr.Checkbox(bool(found), visible=True)
    ]


def pairs_in(path, columns, skip_first):
    """The pairs of a CSV file: in the columns that the visitor chose, or in those with headings that are known."""
    rows = rows_in(path)
    if not rows:
        raise ValueError("The file is empty: it needs a column of sentences A and one of sentences B.")
    first = rows[0][1]
    if len(first) < 2:
        raise ValueError("The file has one column: divide A and B by a comma, a semicolon or a tab.")
    known = headed(first)
    if all(columns):
        indices = [int(column.partition(":")[0]) - 1 for column in columns]
    elif known or len(first) == 2:
        indices, skip_first = known or [0, 1], bool(known)
    else:
        raise ValueError("The file has several columns: choose the column of A and that of B.")
    rows = rows[1:] if skip_first else rows
    return checked_pairs([[row[i] if i < len(row) else "" for i in indices] for _, row in rows], [n for n, _ in rows])


# ---- What visitors do ----


@messages
def score_pair(source, hypothesis, choice, template, _progress=gr.Progress(track_tqdm=True)):
    """Score one pair."""
    return judged_alone([source, hypothesis], options_of(choice, template))


@messages
def score_table(table, file, choice, template, a=None, b=None, skip=False, _progress=gr.Progress(track_tqdm=True)):
    """Score many pairs, from an uploaded CSV file or from the table."""
    rows = [row for row in table if any(cell is not None and str(cell).strip() for cell in row)]
    pairs = pairs_in(file, (a, b), skip) if file else checked_pairs(rows)
    return judged(pairs, options_of(choice, template), draw_many)


@messages
def score_by_login(source, hypothesis, model, template, token: gr.OAuthToken | None = None):
    """Score one pair with a larger model, through the visitor's own token."""
    if token is None:
        raise ValueError("Please log in first: the larger models run on your own account.")
    judge = Providers(model, token.token)
    return judged_alone([source, hypothesis], {"model_id": model, "template": template, "judge": judge})


SINGLE = {label: [*pair, SMALL_JUDGE, "fs_direct"] for label, pair in zip(EXAMPLES, PAIRS, strict=True)}
FIRST = first_view(score_pair, next(iter(SINGLE.values())), outputs=4)
MANY = first_view(score_table, [PAIRS, None, SMALL_JUDGE, "fs_direct"], outputs=4)[0]
AGAIN = "<p>The judge has changed: press “Score all” again.</p>"

with gr.Blocks(title="ParaPLUIE", delete_cache=CACHE) as demo:
    more = header(
        "Do A and B mean the same?",
        "A language model is asked whether B paraphrases A, and how sure it is. The small judge reads English only.",
    )
    with gr.Tab("One pair"):
        above = gr.Row()
        with gr.Row():
            source = gr.Textbox(PAIRS[0][0], label="A: a sentence", min_width=260)
            hypothesis = gr.Textbox(PAIRS[0][1], label="B: does it mean the same? (Enter scores)", min_width=260)
        with gr.Row():
            pair_button = gr.Button("Score", variant="primary", elem_id="score", min_width=120)
            swap = gr.Button("Swap A and B", min_width=140, scale=0)
            below = gr.Column(scale=0, min_width=170)
        figure = gr.HTML(FIRST[0], elem_classes="result")
        if LOGIN:
            with gr.Accordion("A larger model, with your own login", open=False):
                gr.LoginButton()
                model = gr.Dropdown(MODELS, label="Model at the Inference Providers", allow_custom_value=True)
                login_button = gr.Button("Score with it, on your account")
    with gr.Tab("Many pairs"):
        with gr.Row():
            table = gr.Dataframe(
                PAIRS, headers=HEADINGS, type="array", column_count=(2, "fixed"), label="Pairs: type or paste",
                interactive=True, wrap=True, max_height=260,
            )  # fmt: skip
            with gr.Column(min_width=260):
                file = gr.File(label="or a CSV file", file_types=[".csv", ".tsv", ".txt"], height=120)
                columns = [gr.Dropdown([], label=f"Column of {side}", visible=False) for side in "AB"]
                skip = gr.Checkbox(label="The first row is a heading", visible=False)
        table_button = gr.Button("Score all", variant="primary")
        many = gr.HTML(MANY, elem_classes="result")
    with gr.Row():
        choice = gr.Dropdown(CHOICES, value=SMALL_JUDGE, label="Judge", min_width=260)
        template = gr.Dropdown(TEMPLATES, value="fs_direct", label="Template, for chat models", min_width=160)
    with gr.Accordion("What exactly the judge answers and reads", open=False):
        sound = gr.HTML(FIRST[1])
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(FIRST[2], label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(FIRST[3], language="python", label="The same in Python")
    limits(NAME, more)
    one, settings, outputs = [source, hypothesis], [choice, template], [figure, sound, files, code]
    swapped = swap.click(None, one, one, js="(a, b) => [b, a]", api_visibility="private")
    asked = [pair_button.click, source.submit, hypothesis.submit, swapped.then, choice.input, template.input]
    run(score_pair, [*one, *settings], outputs, *asked, api_name="score")
    all_inputs = [table, file, *settings, *columns, skip]
    run(score_table, all_inputs, [many, sound, files, code], table_button.click, api_name="score_table")
    file.change(columns_in, file, [*columns, skip], **UNSEEN)
    for setting in settings:
        setting.input(lambda: AGAIN, None, many, **UNSEEN)
    if LOGIN:
        run(score_by_login, [*one, model, template], outputs, login_button.click)
    with above:
        chosen = examples(SINGLE, [*one, *settings], score_pair, outputs)
    with below:
        permalink(demo, [*one, *settings, chosen])

if __name__ == "__main__":
    launch(demo, STYLE, "Do two sentences mean the same? A language model judges, and says how sure it is.")
