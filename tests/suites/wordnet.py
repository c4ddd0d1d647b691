"""A few lines of WordNet's file format, written for the tests: nouns of some kinds, and adjectives."""

# part of speech: synset name -> (words, [(symbol, other synset, source word, target word)], lexicographer file)
PERSONS = "captain pilot sailor nurse teacher farmer baker painter singer driver child man woman guard brother".split()
ARTIFACTS = "harbour boat ship deck house street station kitchen engine film".split()
SYNSETS = {
    "n": {
        **{name: ([name], [], "18") for name in PERSONS},
        **{name: ([name], [], "06") for name in ARTIFACTS},
        **{name: ([name], [], "15") for name in ("village", "garden", "market", "forest")},
        "coast": (["coast"], [("@", "harbour", 0, 0)], "17"),
        "person": (["person"], [("~", "captain", 0, 0)], "03"),
        "peace": (["peace"], [], "26"),
    },
    "a": {
        "small": (["small", "little"], [("!", "big", 1, 1), ("&", "tiny", 0, 0)], "00"),
        "tiny": (["tiny"], [("&", "small", 0, 0)], "00"),
        "big": (["big", "large"], [("!", "small", 1, 1)], "00"),
        "careful": (["careful"], [("!", "careless", 1, 1)], "00"),
        "careless": (["careless"], [("!", "careful", 1, 1)], "00"),
        "national": (["national"], [("\\", "national", 1, 1), ("!", "big", 1, 1)], "01"),
    },
}
NAMES = {"n": "noun", "a": "adj"}


def write(folder):
    """Write index.* and data.* like WordNet's own."""
    licence = "  1 This is a test.  \n"
    for pos, synsets in SYNSETS.items():
        offsets, size = {}, len(licence)
        for name in synsets:
            offsets[name] = size
            size += len(_line(pos, name, dict.fromkeys(synsets, 0))) + 1
        lines = [_line(pos, name, offsets) for name in synsets]
        (folder / f"data.{NAMES[pos]}").write_text(licence + "".join(f"{line}\n" for line in lines))
        senses = {}
        for name, (words, _, _) in synsets.items():
            for word in words:
                senses.setdefault(word, []).append(offsets[name])
        index = [
            f"{word} {pos} {len(found)} 1 @ {len(found)} 1 " + "".join(f"{offset:08} " for offset in found)
            for word, found in sorted(senses.items())
        ]
        (folder / f"index.{NAMES[pos]}").write_text(licence + "".join(f"{line} \n" for line in index))


def _line(pos, name, offsets):
    words, pointers, file = SYNSETS[pos][name]
    parts = [f"{offsets[name]:08}", file, pos, f"{len(words):02x}", *(f"{word} 0" for word in words)]
    parts.append(f"{len(pointers):03}")
    parts += [f"{symbol} {offsets[to]:08} {pos} {source:02x}{target:02x}" for symbol, to, source, target in pointers]
    return " ".join(parts) + " | a gloss | with a bar  "
