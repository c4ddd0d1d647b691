#!/bin/sh
# One would guess: lm-evaluation-harness's log-likelihood of "yes" after a chat template's last line, which ends in a
# line break, is that of "yes". It is known to move a blank at the context's end to the answer, for the sake of tokens.
# Seen: it moves every white space, so the line break after "<|im_start|>assistant" is scored as part of the answer:
# "\nyes", "\nno". The absolute log-likelihood is that of two tokens, and where a tokenizer has the break and the word
# as one token, it is of another answer; a judge that is asked for "yes" after the whole template gives another number.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-deps lm-eval==0.4.13 requests==2.34.2 \
    urllib3 idna certifi charset-normalizer pyyaml==6.0.4 jinja2==3.1.6 markupsafe numpy==2.3.5 tqdm==4.70.1
"$HERE/venv/bin/python" - <<'PYTHON'
from types import SimpleNamespace

import lm_eval
from lm_eval.api.model import TemplateLM


class Letters(TemplateLM):
    """A model whose tokens are letters, and which says what it is asked to score."""

    eot_token_id = 0

    def tok_encode(self, string, **options):
        return [ord(letter) for letter in string]

    def _loglikelihood_tokens(self, requests, **options):
        return ["".join(map(chr, answer)) for _, _, answer in requests]

    def loglikelihood_rolling(self, requests, **options):
        raise NotImplementedError

    def generate_until(self, requests, **options):
        raise NotImplementedError


def scored(context):
    return Letters().loglikelihood([SimpleNamespace(args=(context, answer)) for answer in ("yes", "no")])


chat = "<|im_start|>user\nThe same?<|im_end|>\n<|im_start|>assistant\n"
print("lm-eval", lm_eval.__version__, scored(chat), scored("The same? Answer:"))
assert scored(chat) == ["\nyes", "\nno"]
assert scored("The same? Answer:") == ["yes", "no"]
PYTHON
