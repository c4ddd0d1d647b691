"""The demo of parapluie: is B a paraphrase of A, how reliable the judge is, many pairs on a map."""

import csv
import os
import re
from importlib.util import find_spec
from urllib.parse import urlsplit

import gradio as gr

from demo import (
    CACHE, as_utf8, checked_text, downloads, examples, first_view, header, launch, limits, messages, metric,
    module, run, shaded, snippet,
)  # fmt: skip
from drawing import STYLE, chip, health, pair_map, pair_table, probability, warning
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
TEMPLATES = ["fs_direct", "direct", "indirect", "exact"]
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
MEANT = {tuple(pair): meant for *pair, meant in EXAMPLES.values()}
PAIRS = [list(pair) for pair in MEANT]
HEADINGS = ["sentence", "candidate"]
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
    sources, hypotheses = map(list, zip(*pairs))
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
        return [(decode(judge.tokenizer(*pair, split_special_tokens=True)["input_ids"]), 0.6, "both texts at once")]
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


def judged(pairs, options):
    """Ask the judge; returns what the page shows, the files and the code."""
    sources, hypotheses = zip(*pairs)
    result = metric(NAME).compute(predictions=hypotheses, references=sources, details=True, **options)
    scores, distances = result["scores"], result["edit_distances"]
    drawn = pair_map(pairs, scores, distances) if len(pairs) > 1 else ""
    columns, rows = [*HEADINGS, "score", "edit distance"], [(*p, s, d) for p, s, d in zip(pairs, scores, distances)]
    summary = summary_of_one(result) if len(pairs) == 1 else summary_of_many(pairs, scores)
    return (
        f'{summary}{warning(result)}<div class="beside">{pair_table(pairs, scores, MEANT, MOST_SHOWN)}{drawn}</div>',
        health(result, MOST_SHOWN) + shaded("What the model reads for the first pair:", prompt_of(pairs[0], options)),
        downloads(NAME, result, pairs=(columns, rows)),
        code_of(pairs, options),
    )


def summary_of_one(result):
    """The verdict on one pair, in large letters."""
    score = result["score"]
    return f'<p class="figure">{chip(score)} <small>p(yes) {probability(score):.0%}, {score:+.2f} nats</small></p>'


def summary_of_many(pairs, scores):
    """The judge's verdicts on several pairs, in a sentence."""
    n = sum(score > 0 for score in scores)
    known = [(score > 0) == MEANT[pair] for pair, score in zip(pairs, scores) if pair in MEANT]
    right = f" It is right about {sum(known)} of the {len(known)} whose answer is known." if known else ""
    return f'<p class="figure">{n} of {len(pairs)} <small>taken for paraphrases.{right}</small></p>'


# ---- Pairs ----


def checked_pairs(rows, numbers=None):
    """Rows as pairs: each must have two texts, and there must not be too many."""
    for i, row in enumerate(rows):
        number = numbers[i] if numbers else i + 1
        if len(row) < 2 or not str(row[0]).strip() or not str(row[1]).strip():
            raise ValueError(f"row {number}: found {row!r:.60}, expected a sentence and a candidate paraphrase")
        for cell in row[:2]:
            checked_text(f"row {number}", str(cell), LONGEST_SIDE)
    if not 0 < len(rows) <= MOST_PAIRS:
        count = f"more than {MOST_PAIRS}" if rows else "no"
        raise ValueError(f"found {count} pairs, expected 1 to {MOST_PAIRS}; use the metric in a script for more")
    return [(str(a), str(b)) for a, b, *_ in rows]


def headed(row):
    """The indices of the pair's columns in a row of headings; [] for any other row."""
    indices = [i for i, cell in enumerate(row) if re.sub(r"[\W\d_]", "", cell.lower()) in KNOWN_HEADINGS]
    return indices[:2] if len(indices) > 1 else []


def pairs_in(path):
    """Pairs from a CSV file with commas, semicolons or tabs, with or without a row of headings."""
    rows, numbers, columns = [], [], [0, 1]
    with open(as_utf8(path), encoding="utf-8-sig", newline="") as file:
        first = file.readline()
        file.seek(0)
        for i, row in enumerate(reader := csv.reader(file, delimiter=max(",;\t", key=first.count))):
            if i == 0 and headed(row):
                columns = headed(row)
            elif any(cell.strip() for cell in row):
                rows.append([row[column] for column in columns if column < len(row)])
                numbers.append(reader.line_num)
            if len(rows) > MOST_PAIRS:
                break
    return checked_pairs(rows, numbers)


# ---- What visitors do ----


@messages
def score_pair(source, hypothesis, choice, template, progress=gr.Progress(track_tqdm=True)):
    """Score one pair."""
    return judged(checked_pairs([[source, hypothesis]]), options_of(choice, template))


@messages
def score_table(table, file, choice, template, progress=gr.Progress(track_tqdm=True)):
    """Score many pairs, from an uploaded CSV file or from the table."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in table]
    pairs = pairs_in(file) if file else checked_pairs([row for row in rows if any(map(str.strip, row))])
    return judged(pairs, options_of(choice, template))


@messages
def score_by_login(source, hypothesis, model, template, token: gr.OAuthToken | None = None):
    """Score one pair with a larger model, through the visitor's own token."""
    if token is None:
        raise ValueError("found no login, expected one: the larger models run on your account")
    judge = Providers(model, token.token)
    return judged(checked_pairs([[source, hypothesis]]), {"model_id": model, "template": template, "judge": judge})


ALL = {"all of these": [PAIRS, None, SMALL_JUDGE, "fs_direct"]}
SINGLE = {label: [*pair, SMALL_JUDGE, "fs_direct"] for label, pair in zip(EXAMPLES, PAIRS)}
FIRST = first_view(score_table, ALL["all of these"], outputs=4)

with gr.Blocks(title="ParaPLUIE", delete_cache=CACHE) as demo:
    header(
        "Is B a paraphrase of A?",
        "A judge is asked; the score is log p(yes) − log p(no), above 0 for a paraphrase. The small judge, chosen at "
        "first, is fast and calibrated, but sometimes misses a word that matters.",
    )
    choices = gr.Row()
    figure = gr.HTML(FIRST[0])
    with gr.Row():
        choice = gr.Dropdown(CHOICES, value=SMALL_JUDGE, label="Judge", min_width=260)
        template = gr.Dropdown(TEMPLATES, value="fs_direct", label="Template, for chat models", min_width=160)
    with gr.Tab("One pair"):
        with gr.Row():
            source = gr.Textbox(PAIRS[0][0], label="A: sentence", min_width=260)
            hypothesis = gr.Textbox(PAIRS[0][1], label="B: candidate paraphrase (Enter scores)", min_width=260)
        pair_button = gr.Button("Score", variant="primary")
        if LOGIN:
            with gr.Accordion("A larger model, with your own login", open=False):
                gr.LoginButton()
                model = gr.Dropdown(MODELS, label="Model at the Inference Providers", allow_custom_value=True)
                login_button = gr.Button("Score with it, on your account")
    with gr.Tab("Many pairs"):
        table = gr.Dataframe(
            PAIRS, headers=HEADINGS, type="array", column_count=(2, "fixed"), label="Pairs: type or paste",
            interactive=True, wrap=True, max_height=300,
        )  # fmt: skip
        file = gr.File(label="or a CSV file with two columns", file_types=[".csv", ".tsv", ".txt"])
        table_button = gr.Button("Score all", variant="primary")
    with gr.Accordion("Is the judge reliable? Its answers, and what it reads", open=False):
        sound = gr.HTML(FIRST[1])
    with gr.Accordion("Take it with you", open=False):
        files = gr.File(FIRST[2], label="Result as JSON and CSV", file_count="multiple")
        code = gr.Code(FIRST[3], language="python", label="The same in Python")
    limits(NAME)
    outputs, one, many = [figure, sound, files, code], [source, hypothesis], [table, file]
    settings = [choice, template]
    run(score_pair, [*one, *settings], outputs, pair_button.click, source.submit, hypothesis.submit, api_name="score")
    run(score_table, [*many, *settings], outputs, table_button.click, api_name="score_table")
    if LOGIN:
        run(score_by_login, [*one, model, template], outputs, login_button.click)
    with choices:
        examples(ALL, [*many, *settings], score_table, outputs)
        examples(SINGLE, [*one, *settings], score_pair, outputs)

if __name__ == "__main__":
    launch(demo, STYLE)
