"""The shell command: meaning-metrics NAME ... (or: python -m meaning_metrics NAME ...)."""

import sys
from argparse import SUPPRESS, RawDescriptionHelpFormatter
from importlib import import_module

from ._commands.shared import Parser, run_command

# What each command is for, and where it is; of some the metric's own name, by which they are called, too.
COMMANDS = {
    "coreference": ("score a coreference response against a key", "._commands.coref"),
    "morphology": ("judge whether translations get tense, number and gender right", "._commands.morpheval"),
    "paraphrases": ("judge whether sentences are paraphrases", "._commands.parapluie"),
    "summaries": ("score summaries against their texts", "._commands.melasss"),
    "suite": ("make a test suite for morphology from a text", "._commands.suite"),
    "lexicon": ("make a lexicon for morphology from dictionaries", "._commands.lexicon"),
}
ALSO = {"coref": "coreference", "morpheval": "morphology", "parapluie": "paraphrases", "melasss": "summaries"}


def parser() -> Parser:
    """The commands' names; what comes after one is for its own parser."""
    also = {name: f"{name}, {short}" for short, name in ALSO.items()}
    parser = Parser(
        "meaning-metrics",
        usage="meaning-metrics [-h] [--version] NAME ...",
        description="Metrics that compare what texts mean, and two tools for them. NAME is one of\n\n"
        + "\n".join(f"  {also.get(name, name):23} {what}" for name, (what, _) in COMMANDS.items()),
        epilog="meaning-metrics NAME --help shows the options of a command.",
        formatter_class=RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("command", metavar="NAME", nargs="?", choices=[*COMMANDS, *ALSO], help=SUPPRESS)
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
    command = import_module(COMMANDS[ALSO.get(args.command, args.command)][1], __package__)
    own = command.parser()
    own.prog = f"meaning-metrics {args.command}"
    return run_command(own, command.output, rest)


if __name__ == "__main__":
    sys.exit(main())
