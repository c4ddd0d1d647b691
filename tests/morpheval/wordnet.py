"""A few lines of WordNet's file format, written for the tests: nine verbs, nouns and adjectives."""

# part of speech: synset name -> (words, [(symbol, other synset, source word, target word)], verb frames)
SYNSETS = {
    "v": {
        "move": (["move"], [("~", "walk", 0, 0), ("~", "run", 0, 0), ("~", "creep", 0, 0), ("~", "limp", 0, 0)], [2]),
        "walk": (["walk", "stroll"], [("@", "move", 0, 0)], [2]),
        "run": (["run"], [("@", "move", 0, 0)], [2]),
        "creep": (["creep", "rare_verb"], [("@", "move", 0, 0)], [2]),
        "limp": (["limp"], [("@", "move", 0, 0)], [2]),
        "clean": (["clean"], [("~", "wash", 0, 0), ("~", "scrub", 0, 0), ("!", "soil", 1, 1)], [8]),
        "wash": (["wash", "rinse"], [("@", "clean", 0, 0)], [8]),
        "scrub": (["scrub"], [("@", "clean", 0, 0)], [8]),
        "soil": (["soil"], [("!", "clean", 1, 1)], [8]),
    },
    "n": {
        "vessel": (["vessel"], [("~", "boat", 0, 0), ("~", "ship", 0, 0)], []),
        "boat": (["boat"], [("@", "vessel", 0, 0)], []),
        "ship": (["ship"], [("@", "vessel", 0, 0)], []),
    },
    "a": {
        "small": (
            ["small", "little"],
            [("!", "big", 1, 1), ("&", "tiny", 0, 0), ("&", "modest", 0, 0), ("&", "narrow", 0, 0)],
            [],
        ),
        "tiny": (["tiny"], [("&", "small", 0, 0)], []),
        "modest": (["modest"], [("&", "small", 0, 0)], []),
        "narrow": (["narrow"], [("&", "small", 0, 0)], []),
        "big": (["big", "large"], [("!", "small", 1, 1)], []),
        "careful": (["careful"], [("!", "careless", 1, 1)], []),
        "careless": (["careless"], [("!", "careful", 1, 1)], []),
        "national": (["national"], [("\\", "national", 1, 1), ("!", "big", 1, 1)], []),
    },
}
NAMES = {"n": "noun", "v": "verb", "a": "adj"}
UNUSED = ("rare_verb", "rinse")  # never seen in a text


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
            f"{word} {pos} {len(found)} 1 @ {len(found)} {int(word not in UNUSED)} "
            + "".join(f"{offset:08} " for offset in found)
            for word, found in sorted(senses.items())
        ]
        (folder / f"index.{NAMES[pos]}").write_text(licence + "".join(f"{line} \n" for line in index))


def _line(pos, name, offsets):
    words, pointers, frames = SYNSETS[pos][name]
    parts = [f"{offsets[name]:08}", "00", pos, f"{len(words):02x}", *(f"{word} 0" for word in words)]
    parts.append(f"{len(pointers):03}")
    parts += [f"{symbol} {offsets[to]:08} {pos} {source:02x}{target:02x}" for symbol, to, source, target in pointers]
    if frames:
        parts += [f"{len(frames):02}", *(f"+ {frame:02} 00" for frame in frames)]
    return " ".join(parts) + " | a gloss | with a bar  "
