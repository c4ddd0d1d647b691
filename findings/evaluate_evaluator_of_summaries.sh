#!/bin/sh
# One would guess: evaluate.evaluator("summarization"), the documented way to run a summariser on a data set and score
# it with a metric such as melasss, works with the newest transformers, as evaluate's requirements bound it nowhere.
# Seen: transformers 5 has no such pipeline any more, nor "translation" and "text2text-generation", and the evaluator
# fails when it is made. So one generates the texts oneself, and gives them to compute().
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
python3 -m venv "$HERE/venv"
cat > "$HERE/say.py" <<'PYTHON'
import evaluate
import transformers

for task in ("summarization", "translation", "text-generation"):
    try:
        print(transformers.__version__, task, type(evaluate.evaluator(task)).__name__)
    except KeyError as error:
        print(transformers.__version__, task, "removed" if "removed" in str(error) else error)
PYTHON
"$HERE/venv/bin/pip" install -q --disable-pip-version-check --no-compile --only-binary :all: \
    evaluate==0.4.6 datasets==5.2.0 scipy==1.17.1 transformers==5.24.0
HF_HOME="$HERE" HF_HUB_OFFLINE=1 "$HERE/venv/bin/python" "$HERE/say.py" 2> "$HERE/errors" \
    | tee "$HERE/said" || { cat "$HERE/errors"; exit 1; }
printf '%s\n' "5.24.0 summarization removed" "5.24.0 translation removed" \
    "5.24.0 text-generation TextGenerationEvaluator" | cmp - "$HERE/said"
