"""The shell command: meaning-metrics NAME ... (or: python -m meaning_metrics NAME ...)."""

import sys
from argparse import SUPPRESS, RawDescriptionHelpFormatter
from importlib import import_module

from ._commands.shared import Parser, run_command

# What each command is for, and where it is.
COMMANDS = {
    "coref": ("score a coreference response against a key", "._commands.coref"),
    "morpheval": ("judge whether translations carry tense, number, gender", "._commands.morpheval"),
    "parapluie": ("judge whether sentences are paraphrases", "._commands.parapluie"),
    "melasss": ("score summaries against their texts", "._commands.melasss"),
    "suite": ("make a test suite for morpheval from a text", "._commands.suite"),
    "lexicon": ("make a lexicon for morpheval of dictionaries", "._commands.lexicon"),
}


def parser() -> Parser:
    """The commands' names; what comes after one is for its own parser."""
    parser = Parser(
        "meaning-metrics",
        usage="meaning-metrics [-h] [--version] NAME ...",
        description="Metrics of meaning, and what they work with. NAME is one of\n\n"
        + "\n".join(f"  {name:10} {what}" for name, (what, _) in COMMANDS.items()),
        epilog="meaning-metrics NAME --help says what it takes.",
        formatter_class=RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("command", metavar="NAME", nargs="?", choices=COMMANDS, help=SUPPRESS)
    parser.add_argument("-h", "--help", action="help", help=SUPPRESS)
    parser.add_argument("--version", action="store_true", help=SUPPRESS)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives its exit status: 2 for wrong input, with one line on what is wrong."""
    first, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    args = parser().parse_args([first])
    if args.version:
        from . import __version__

        print(f"meaning-metrics {__version__}")
        return 0
    command = import_module(COMMANDS[args.command][1], __package__)
    return run_command(command.parser(), command.output, rest)


if __name__ == "__main__":
    sys.exit(main())
