"""Figures in prose are those of the results pages: each row below names the sentence, the page and the cells."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from .conftest import ROOT

CARD = "metrics/{}/README.md".format
LAST_ROUNDS = "stuv"  # of morpheval's judged verdicts: the last four


class Figures(NamedTuple):
    """Numbers of a sentence, and where they come from."""

    file: str
    sentence: str  # its words, with # for each number; white space may be any
    page: str  # among benchmarks/results
    # For each number the beginning of a row, its column and, if it is not the first, its place in the cell; or a list
    # of such cells, whose mean it is. "WORDS > ROW" is the first such row below the words.
    cells: list
    change: Callable[[float], float] = float  # from the page's unit to that of the sentence


def as_fraction(percentage):
    return percentage / 100


def errors(accuracy):
    return 100 - 100 * accuracy


def right(error_rate):
    return 1 - error_rate / 100


def row(name, *columns):
    return [(name, column) for column in columns]


def with_interval(name, column):
    return [(name, column, place) for place in range(3)]


SUMMARIES, JUDGE = CARD("melasss"), "metrics/parapluie/judge/README.md"
AGREEMENT, WHICH = "docs/melasss/agreement.md", "docs/parapluie/which_judge.md"
DECISIONS = "docs/parapluie/evaluating.md"
KINDS = ("close_same", "close_different", "reworded_same", "reworded_different")
CONSISTENCY = "## Consistency > **melasss**"
LEFT_OUT = {"**default**": "**melasss**", "token matching": "token matching F", "number of words": "words"}
PAPER = {
    '`"attention"`': "sim_cos",
    '`"transformer"`, average': "sim_TRANS, avg",
    '`"transformer"`, maximum': "sim_TRANS, max",
}
TEMPLATES = "DIRECT", "INDIRECT", "FS-DIRECT"
SIDES = "muc_b3_ceaf_entropy, mentions | "
FIGURES = [
    Figures("README.md", "take # s; the scorer scorch takes # s", "side_by_side.md", row(f"{SIDES}10,000", 3, 2)),
    Figures("README.md", "Morphology: # % of the genders", "morpheval_mt_geneval.md", row("gender of marked spans", 2)),
    Figures(
        "README.md", "errs on # % of PARAPHRASUS, edit distance on # %", "paraphrasus.md",
        [("**small**", 13), ("edit distance", 13)],
    ),
    Figures(
        "README.md", "with human ratings #, token matching #", "validity.md",
        [("**melasss**, pooled", 6), ("token matching F, pooled", 6)],
    ),
    # The questions and answers
    Figures(
        "docs/faq.md", "its error rate is # % (edit distance: # %, Llama-3.3-70B: # %;", "paraphrasus.md",
        [("**small**", 13), ("edit distance", 13), ("Llama-3.3-70B", 13)],
    ),
    Figures("docs/faq.md", "10,000 mentions in # s", "side_by_side.md", row(f"{SIDES}10,000", 3)),
    Figures("docs/faq.md", "20,000 sentences in # s", "morpheval.md", row("whole run: compute()", 1)),
    Figures("docs/faq.md", "# short pairs a second", "small.md", row("pairs a second", 1)),
    Figures("docs/faq.md", "# summaries a second", "melasss.md", row("compute()", 2)),
    Figures(
        "docs/faq.md", "; # if each has a text of its own", "side_by_side.md", row("melasss, pairs | 64", 3),
        lambda seconds: 64 / seconds,
    ),
    # Coreference
    Figures(
        "docs/muc_b3_ceaf_entropy/conventions.md", "(# s for 100,000 mentions", "muc_b3_ceaf_entropy.md",
        row("100,000 mentions, Zipf-like", 1),
    ),
    Figures(
        CARD("muc_b3_ceaf_entropy"),
        "10,000 mentions take # s on one thread, five measures in scorch, another scorer, # s",
        "side_by_side.md", row(f"{SIDES}10,000", 3, 2),
    ),
    # Morphology
    Figures(
        CARD("morpheval"), "agree on # % in French, # % in Spanish, # % in Italian and # % in Portuguese",
        "morpheval_judged.md",
        [
            [(f"{language} | {round_}", 4) for round_ in LAST_ROUNDS]
            for language in ("French", "Spanish", "Italian", "Portuguese")
        ],
    ),
    Figures(
        CARD("morpheval"), "precision and recall are # and # %", "morpheval_mt_geneval.md",
        row("gender of marked spans", 2, 3),
    ),
    Figures(
        CARD("morpheval"), "# % pass in French, # % in Spanish, # % in Italian and # % in Portuguese",
        "morpheval_false_passes.md", row("all", 1, 2, 3, 4),
    ),
    Figures(CARD("morpheval"), "French `coref:gender`, # %", "morpheval_false_passes.md", row("coref:gender", 1)),
    Figures(
        CARD("morpheval"), "Apertium scores # in French;", "morpheval_suite.md", row("apertium.fr", 2), as_fraction
    ),
    Figures(CARD("morpheval"), "groups) score # ([all]", "morpheval_suite.md", row("careful.fr", 2), as_fraction),
    Figures(CARD("morpheval"), "careful translations (# groups)", "morpheval_suite.md", row("careful.fr", 1)),
    Figures(CARD("morpheval"), "20,000 sentences take # s", "morpheval.md", row("whole run: compute()", 1)),
    # Paraphrases
    Figures(
        CARD("parapluie"), "# % of PARAPHRASUS (edit distance # %, Llama-3.3-70B # %)", "paraphrasus.md",
        [("**small**", 13), ("edit distance", 13), ("Llama-3.3-70B", 13)],
    ),
    Figures(
        CARD("parapluie"), "on # and # % of 240 and 300 everyday pairs", "everyday_pairs.md",
        [("**reworded_exam**", 1), ("**blind_exam**", 1)], lambda rate: 100 - rate,
    ),
    Figures(CARD("parapluie"), "[# short pairs/s]", "small.md", row("pairs a second", 1)),
    *(
        Figures(CARD("parapluie"), f"| {template} | # | # | # | # |", "reproduction_parapluie.md", [
            (f"ParaPLUIE {template}, {corpus}", column) for corpus in ("MRPC", "PAWS") for column in (1, 3)
        ])
        for template in TEMPLATES
    ),
    *(
        Figures(DECISIONS, f"| {template} | # ± # | # ± # | # ± # | # ± # |", "reproduction_parapluie.md", [
            (f"ParaPLUIE {template}, {corpus}", column) for corpus in ("MRPC", "PAWS") for column in (1, 2, 3, 4)
        ])
        for template in TEMPLATES
    ),
    Figures(WHICH, "MRPC #, PAWS #,", "paraphrasus.md", [("MRPC, **small**", 2), ("PAWS, **small**", 2)]),
    Figures(WHICH, "PARAPHRASUS #, everyday", "paraphrasus.md", row("**small**", 13), right),
    Figures(WHICH, "Llama-3.3-70B, 8 bits: PARAPHRASUS #", "paraphrasus.md", row("Llama-3.3-70B", 13), right),
    Figures(WHICH, "everyday pairs of 15 kinds #", "everyday_pairs.md", row("**exam**", 1), as_fraction),
    Figures(WHICH, "# on 24 French pairs", "prompts.md", row("direct_fr", 4)),
    Figures(WHICH, "(`answer_mass` #, with `fs_direct_fr` #)", "prompts.md", [("direct_fr", 1), ("fs_direct_fr", 1)]),
    Figures(WHICH, "it was # and # % (everyday", "everyday_pairs.md", [
        (f"**{exam}** > not too close", 1, 1) for exam in ("reworded_exam", "blind_exam")
    ]),
    Figures(WHICH, "and # % (PARAPHRASUS", "paraphrasus.md", row("errors of the others", 13), lambda rate: 100 - rate),
    *(
        Figures(JUDGE, f"| {name} | # [#, #] |", "paraphrasus.md", [
            (on_page, 2), (on_page, 2, 2), (on_page, 2, 1),
        ], errors)
        for name, on_page in (
            ("small judge", "MRPC, **small**"), ("edit distance, fitted threshold", "MRPC, edit distance"),
        )
    ),
    Figures(JUDGE, "] | # | # | | edit distance", "paraphrasus.md", row("**small**", 1, 13)),
    Figures(JUDGE, "] | # | # | | Llama-3.3-70B", "paraphrasus.md", row("edit distance", 1, 13)),
    Figures(
        JUDGE, "| Llama-3.3-70B, published | # | # | # |", "paraphrasus.md",
        row("Llama-3.3-70B", 3, 1, 13),
    ),
    Figures(JUDGE, "PAWS-X, STS-H, MRPC | #, #, # |", "paraphrasus.md", row("**small**", 1, 2, 3)),
    Figures(JUDGE, "SNLI, ANLI, STS, SICK | #, #, #, # |", "paraphrasus.md", row("**small**", 4, 5, 6, 7)),
    Figures(JUDGE, "TRUE, SIMP | #, # |", "paraphrasus.md", row("**small**", 8, 9)),
    Figures(JUDGE, "Accuracy is # [#, #] on MRPC's test pairs", "paraphrasus.md", with_interval("MRPC, **small**", 2)),
    Figures(JUDGE, "(F1 #) and # [#, #] on all of PAWS's (F1 #)", "paraphrasus.md", [
        ("MRPC, **small**", 3), *with_interval("PAWS, **small**", 2), ("PAWS, **small**", 3),
    ]),
    *(
        Figures(JUDGE, f"| {name} | # | # | # | # | # [#, #] |", "everyday_pairs.md", [
            *((f"**{exam}** > {kind}", 1, 1) for kind in KINDS), *with_interval(f"**{exam}**", 1),
        ])
        for name, exam in {"first, 240 pairs": "reworded_exam", "second, 300 pairs": "blind_exam"}.items()
    ),
    Figures(JUDGE, "It judges # % [#, #] of 448 pairs", "everyday_pairs.md", with_interval("**exam**", 1)),
    Figures(JUDGE, "# and # % of 200 and 396 others", "everyday_pairs.md", [("**test**", 1), ("**kinds_test**", 1)]),
    *(
        Figures(JUDGE, f"| {name} | # |", "everyday_pairs.md", [(f"**exam** > {on_page}", 1, 1)])
        for name, on_page in {
            "modality": "modality", "news": "news", "comparisons": "comparison", "details": "detail", "voice": "voice",
            "quantifiers": "quantifier", "negated opposites": "negopp", "converses (lend, borrow)": "converse",
            "idioms": "idiom", "questions": "question", "numbers in other forms": "number", "chat": "chat",
            "synonyms": "synonym", "word order": "reorder", "entities": "entity",
        }.items()
    ),
    # Summaries
    *(
        Figures(file, f"| {name} | # | # | # | # | # |", "validity.md", row(f"{on_page}, pooled", *range(1, 6)))
        for file, name, on_page in [(SUMMARIES, *names) for names in LEFT_OUT.items()]
        + [(AGREEMENT, "**default**", "**melasss**"), (AGREEMENT, "number of words", "words")]
        + [(AGREEMENT, name, name) for name in ("ROUGE-1 F1", "ROUGE-2 F1", "Jensen-Shannon", "token matching F")]
    ),
    Figures(SUMMARIES, "| **#** |\n| token matching", "validity.md", row("**melasss**, pooled", 6)),
    Figures(SUMMARIES, "the mean is # (ROUGE-2 #)", "validity.md", [
        ("**melasss**, inside texts", 6), ("ROUGE-2 F1, inside texts", 6),
    ]),
    Figures(SUMMARIES, "number of words does better there (#, default #)", "validity.md", [
        ("words, inside texts", 5), ("**melasss**, inside texts", 5),
    ]),
    Figures(
        AGREEMENT, "the default has #, #, #, # and #, on average #", "validity.md",
        row("**melasss**, inside texts", *range(1, 7)),
    ),
    *(
        Figures(file, sentence, "melasss_agreement.md", cells)
        for file, sentence, cells in [
            (SUMMARIES, '| `"rouge"` | 13.2 | | # |', row("sim_ROUGE", 2)),
            (SUMMARIES, "ours, fitted on other collections | | | **#** |", row("**regression**", 2)),
            *((SUMMARIES, f"| {name} | # | # | # |", row(on_page, 1, 4, 2)) for name, on_page in PAPER.items()),
            *((AGREEMENT, f"| {name} | # | # | # | # |", row(on_page, 1, 4, 2, 3)) for name, on_page in PAPER.items()),
            (AGREEMENT, '| `"rouge"` | 13.2 | | # | # |', row("sim_ROUGE", 2, 3)),
            (AGREEMENT, "| | | **#** | **#** |", row("**regression**", 2, 3)),
            (AGREEMENT, "as well, the regression has # and #", row("regression, also", 2, 3)),
        ]
    ),
    Figures(SUMMARIES, "1,280 summaries of 80 texts take # s", "melasss.md", row("compute()", 1)),
    *(
        Figures("docs/melasss/reading.md", f"| {name} | # | # | # |", "validity.md", row(on_page, 1, 2, 3))
        for name, on_page in [("**consistency**", CONSISTENCY)]
        + [(name, name) for name in ("ROUGE-1 precision", "ROUGE-2 precision", "token precision")]
    ),
]  # fmt: skip


def value_of(page, cell):
    """A cell's number; of a list of cells the mean."""
    if isinstance(cell, list):
        return sum(value_of(page, each) for each in cell) / len(cell)
    name, column, *place = cell
    text = (ROOT / "benchmarks" / "results" / page).read_text(encoding="utf-8")
    heading, below, name = name.rpartition(" > ")
    text = text[text.index(heading) :] if below else text
    line = next(line for line in text.splitlines() if line.startswith(f"| {name}"))
    numbers = re.findall(r"-?\d[\d,]*(?:\.\d+)?", line.split("|")[1:][column].replace(", ", " "))
    return float(numbers[place[0] if place else 0].replace(",", ""))


@pytest.mark.parametrize("figures", FIGURES, ids=lambda figures: f"{figures.file}: {figures.sentence}")
def test_figures_in_prose_are_those_of_the_results(figures):
    """Rounded to the digits that the sentence has."""
    text = " ".join((ROOT / figures.file).read_text(encoding="utf-8").split())
    pattern = re.escape(" ".join(figures.sentence.split())).replace(r"\#", r"([−-]?[\d,]*\.?\d+)")
    found = [match.groups() for match in re.finditer(pattern, text)]
    assert len(found) == 1, f"{figures.file}: found {len(found)} of {figures.sentence!r}, expected one"
    for written, cell in zip(found[0], figures.cells, strict=True):
        digits = len(written.partition(".")[2])
        expected = figures.change(value_of(figures.page, cell))
        assert float(written.replace(",", "").replace("−", "-")) == pytest.approx(
            expected, abs=0.5 * 10**-digits + 1e-9
        ), f"{figures.file}: found {written}, expected {expected:.4g} of {cell} in {figures.page}"
