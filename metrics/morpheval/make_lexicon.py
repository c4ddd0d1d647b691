"""A language's lexicon in the Lefff's format, made of dictionaries that are named, and published on the Hub:

    python -m metrics.morpheval.make_lexicon \
        here/usr/share/apertium/apertium-cat-ita/{ita-cat.automorf,cat-ita.autogen}.bin \
        here/node_modules/italian-{words,adjectives,verbs}-dict/dist/*.json italian.mlex.xz \
        --publish ORG/NAME --license gpl-3.0

The dictionaries are free software, most of them under the GPL (/usr/share/doc/<package>/copyright): whoever passes on
a lexicon made of them must do so under their licences.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from huggingface_hub import HfApi

from .lexicon_dictionaries import KINDS, write_lexicon


def publish(path: Path, dataset: str, license: str, sources: list[str]) -> None:
    """Put a lexicon into a dataset on the Hub, with a card that says what it is made of, by whom, and its licence."""
    credits = "".join(f"- {credit}\n" for credit in _credits(sources))
    card = (
        f"---\nlicense: {license}\n---\n\n{path.name}: forms, categories, lemmas and features for morpheval, in the "
        f"format of the Lefff, made of dictionaries of\n\n{credits}"
    )
    api = HfApi()
    api.create_repo(dataset, repo_type="dataset", exist_ok=True)
    for file, name in ((card.encode(), "README.md"), (path, path.name)):
        api.upload_file(path_or_fileobj=file, path_in_repo=name, repo_id=dataset, repo_type="dataset")


def _credits(sources: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(KINDS[Path(source).suffix].credit for source in sources))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make a lexicon for morpheval of dictionaries.")
    parser.add_argument(
        "dictionaries", nargs="+", help="*.automorf.bin, *.autogen.bin, *.dix, pt_PT.dic, Morph-it! in JSON"
    )
    parser.add_argument("lexicon", help="the file to write: .mlex, plain or .gz, .xz, .bz2")
    parser.add_argument("--publish", metavar="DATASET", help="put it into this dataset on the Hub, too")
    parser.add_argument("--license", help="of the dataset, such as gpl-3.0")
    given = parser.parse_args(arguments)
    if given.publish and not given.license:
        parser.error(f"--publish: expected --license, too: that of {'; '.join(_credits(given.dictionaries))}")
    try:
        rows = write_lexicon(given.dictionaries, given.lexicon)
    except ValueError as error:
        parser.error(str(error))
    print(f"{given.lexicon}: {rows:,} rows, made of dictionaries of {'; '.join(_credits(given.dictionaries))}")
    if given.publish:
        try:
            publish(Path(given.lexicon), given.publish, given.license, given.dictionaries)
        except Exception as error:  # the Hub's errors and the network's have no common kind
            parser.error(f"--publish {given.publish}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
