"""meaning-metrics lexicon: a lexicon for morpheval made of dictionaries, and published on the Hub."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from .._loading import input_error
from .shared import Output, Parser


def parser() -> Parser:
    """What may stand on the command line."""
    parser = Parser(
        "meaning-metrics lexicon",
        description="Makes a lexicon for morpheval, in the Lefff's format, from dictionaries. If several know a word, "
        "the first one decides.",
        epilog="The dictionaries are free software, most of them under the GPL (/usr/share/doc/PACKAGE/copyright): "
        "if you pass on a lexicon made from them, their licences apply. Example: %(prog)s "
        "ita-cat.automorf.bin cat-ita.autogen.bin italian.mlex.xz --publish ORG/NAME --license gpl-3.0",
        metric="morpheval",
    )
    parser.add_argument(
        "dictionaries", nargs="+", help="*.automorf.bin, *.autogen.bin, *.dix, pt_PT.dic, Morph-it! in JSON"
    )
    parser.add_argument("lexicon", help="the file to write: .mlex, plain or .gz, .xz, .bz2")
    parser.add_argument("--publish", metavar="DATASET", help="also upload it to this dataset on the Hub")
    parser.add_argument("--license", metavar="NAME", help="licence of the dataset, such as gpl-3.0")
    return parser


def output(args: argparse.Namespace) -> Output:
    """How many rows the lexicon has, and of whose dictionaries, once it is written and published."""
    from ..morpheval.lexicon_dictionaries import credits_of, write_lexicon

    credits = credits_of(args.dictionaries)
    if args.publish and not args.license:
        raise input_error("--publish", "no --license", f"the licence of the dictionaries: {'; '.join(credits)}")
    rows = write_lexicon(args.dictionaries, args.lexicon)
    if args.publish:
        try:
            publish(Path(args.lexicon), args.publish, args.license, credits)
        except Exception as error:  # the Hub's errors and the network's have no common kind
            raise ValueError(f"--publish {args.publish}: {type(error).__name__}: {error}") from error
    return Output([f"{args.lexicon}: {rows:,} rows, made of dictionaries of {'; '.join(credits)}"])


def publish(path: Path, dataset: str, license: str, credits: Iterable[str]) -> None:
    """Put a lexicon into a dataset on the Hub, with a card that says what it is made of, by whom, and its licence."""
    from huggingface_hub import HfApi

    card = (
        f"---\nlicense: {license}\n---\n\n{path.name}: forms, categories, lemmas and features for morpheval, in the "
        f"format of the Lefff, made of dictionaries of\n\n" + "".join(f"- {credit}\n" for credit in credits)
    )
    api = HfApi()
    api.create_repo(dataset, repo_type="dataset", exist_ok=True)
    for file, name in ((card.encode(), "README.md"), (path, path.name)):
        api.upload_file(path_or_fileobj=file, path_in_repo=name, repo_id=dataset, repo_type="dataset")
