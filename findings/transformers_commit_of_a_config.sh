#!/bin/sh
# One would guess: a configuration that comes from the Hub says from which commit, in config._commit_hash, as it has
# since transformers 4.20; tools that name a model in their results (ours among them) read it there.
# Seen: transformers 5.17 says it, 5.18 and later say nothing, for the same file in the same cache, without a warning. What took
# it for the version then takes all commits of a model for one. huggingface_hub still tells: the cached file's folder
# is named by the commit.
set -eu
HERE=$(mktemp -d)
trap 'rm -rf "$HERE"' EXIT
COMMIT=0123456789abcdef0123456789abcdef01234567
REPOSITORY="$HERE/hub/models--lab--tiny"
mkdir -p "$REPOSITORY/snapshots/$COMMIT" "$REPOSITORY/refs"
printf %s "$COMMIT" > "$REPOSITORY/refs/main"
echo '{"model_type": "bert", "hidden_size": 32}' > "$REPOSITORY/snapshots/$COMMIT/config.json"
cat > "$HERE/say.py" <<'PYTHON'
from pathlib import Path

import huggingface_hub
import transformers

config = transformers.AutoConfig.from_pretrained("lab/tiny")
folder = Path(huggingface_hub.hf_hub_download("lab/tiny", "config.json")).parent.name
print(transformers.__version__, getattr(config, "_commit_hash", None), folder)
PYTHON
for VERSION in 5.17.0 5.18.0; do
    python3 -m venv "$HERE/$VERSION"
    "$HERE/$VERSION/bin/pip" install -q --disable-pip-version-check "transformers==$VERSION"
    HF_HOME="$HERE" HF_HUB_CACHE="$HERE/hub" HF_HUB_OFFLINE=1 "$HERE/$VERSION/bin/python" "$HERE/say.py" 2> "$HERE/errors" \
        | tee -a "$HERE/said" || { cat "$HERE/errors"; exit 1; }
done
printf '%s\n' "5.17.0 $COMMIT $COMMIT" "5.18.0 None $COMMIT" | cmp - "$HERE/said"
