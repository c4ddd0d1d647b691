# Copied from metrics/_common/common.py: edit there, then run make vendor.
"""What all metrics share: the way from `compute` to a score, checks of options and examples, errors."""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from math import isfinite
from numbers import Integral, Real
from os import PathLike, fspath
from threading import RLock
from typing import Any, Literal, cast

import numpy as np

VERSION = "0.5.0.dev0"
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no tokenizer and no file takes
_metric = ContextVar("metric", default="")  # the metric at work, for errors and warnings


# ---- Errors and warnings ----


class Term(str):
    """A word of a message that is a Python caller's; the shell has its own for it, such as an option or a line.

    Attributes:
        name: of an option or a side of the input, or "pair" or "example".
        number: of an example, from 0.
        value: what an option may be set to; "" for whatever suits.
    """

    name: str
    number: int | None
    value: str | None

    def __new__(cls, text: str, name: str = "", number: int | None = None, value: str | None = None):
        term = super().__new__(cls, text)
        term.name, term.number, term.value = name, number, value
        return term


def argument(name: str, number: int | None = None) -> Term:
    """What errors call an argument, or one of its items: "predictions", "predictions[3]"."""
    return Term(name if number is None else f"{name}[{number}]", name, number)


def setting(name: str, value: str = "") -> Term:
    """What messages call an option with a value, words="aligned", or with whatever suits, words=."""
    return Term(f'{name}="{value}"' if value else f"{name}=", name, value=value)


def example(unit: str, number: int) -> Term:
    """What errors call an example as a whole, "pair 3"."""
    return Term(f"{unit} {number}", unit, number)


class Message(str):
    """A text that knows its parts, some of which may be `Term` or `Message`."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str):
        message = super().__new__(cls, "".join(parts))
        message.parts = parts
        return message


class InputError(ValueError):
    """Input that is wrong, as a text and in fields. (Copies of this file have others: ask for fields, not for a class.)

    Attributes:
        where: what names the place, from outside to inside: metric, file and line, system, option, example.
        found, expected: as they stand in the text; "" for an error of a library.
    """

    def __init__(self, text: str, where: tuple[str, ...] = (), found: str = "", expected: str = ""):
        super().__init__(text)
        self.where, self.found, self.expected = where, found, expected


def input_error(where: str | PathLike, found: str, expected: str, but: str = ", ") -> InputError:
    """The error "where: found ..., expected ..."; without a place if where is ""."""
    where = where if isinstance(where, str) else fspath(where)
    place = (where, ": ") if where else ()
    return InputError(Message(*place, "found ", found, but, "expected ", expected), place[:1], found, expected)


def text_of(error: BaseException) -> str:
    """What an error says, with its parts if it knows them."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, str) and hasattr(said, "parts") else str(error)


@contextmanager
def prefix_errors(prefix: str) -> Iterator[None]:
    """A ValueError raised inside begins with the prefix, once, and keeps its fields."""
    try:
        yield
    except ValueError as error:
        where, found, expected = (getattr(error, name, "") for name in ("where", "found", "expected"))
        if where[:1] == (prefix,):  # another copy of this file has said it
            raise
        raise InputError(Message(prefix, ": ", text_of(error)), (prefix, *where), found, expected) from error


@contextmanager
def metric_errors(metric: str) -> Iterator[None]:
    """Errors and warnings from inside name the metric, once, however its methods call each other; also a decorator."""
    if _metric.get() == metric:
        yield
        return
    token = _metric.set(metric)
    try:
        with prefix_errors(metric):
            yield
    finally:
        _metric.reset(token)


@contextmanager
def closed_on_failure(opened: Any) -> Iterator[None]:
    """After an error inside, what is being opened is closed: the error keeps it, and it would hold its locks."""
    try:
        yield
    except BaseException:
        opened.close()
        raise


def warn(*parts: str) -> None:
    """Warn in the name of the metric at work; the parts are those of a `Message`."""
    metric = _metric.get()
    warnings.warn(Message(*([f"{metric}: "] if metric else []), *parts), stacklevel=2)


def progress(items: Iterable | None = None, **settings) -> Any:
    """The items, with a progress bar; or the bar alone. The settings are those of tqdm."""
    # That of `datasets` has a switch; but `datasets` is not imported for a bar.
    return import_module("datasets.utils" if "datasets" in sys.modules else "tqdm").tqdm(items, **settings)


# ---- Values ----


def short_repr(value, longest: int = 200) -> str:
    """A value for an error message: as Python writes it, truncated to `longest` characters; never fails."""
    try:
        text = " ".join(repr(value).splitlines())  # a table's has several
    except Exception:  # nested too deeply, an integer of too many digits, whatever an object's own repr raises
        return f"<{type(value).__name__} that cannot be written>"
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."


def is_number(value) -> bool:
    """Whether a value is a number that a float can hold: not a bool, not NaN, not infinite."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def is_integer(value, minimum: int = -(2**63)) -> bool:
    """Whether a value is an integer (not a bool) that 64 bits can hold, no smaller than the minimum."""
    return isinstance(value, Integral) and not isinstance(value, bool) and minimum <= int(value) < 2**63


def is_listing(value) -> bool:
    """Whether a value gives its items in an order: a list, an array, an iterator, but not text, a set or a table."""
    without_order = isinstance(value, (str, bytes, Mapping, set, frozenset)) or hasattr(value, "columns")
    return isinstance(value, Iterable) and not without_order and getattr(value, "ndim", 1) > 0


def as_python(column) -> Any:
    """A column of pyarrow, polars or pandas as a list of Python's own objects; a table and anything else as it is."""
    convert = getattr(column, "to_pylist", None) or getattr(column, "to_list", None)
    return convert() if convert and not hasattr(column, "columns") else column


def check_text(text, where: str) -> str:
    """A string that can be encoded; `where` says in errors what it is."""
    if not isinstance(text, str):
        raise input_error(where, f"{type(text).__name__} {short_repr(text)}", "a string")
    if SURROGATE.search(text):
        raise input_error(where, f"a lone surrogate in {text!a:.60}", "text that can be encoded as UTF-8")
    return text


# ---- Options: dataclasses whose fields say name, type, default and check ----


def expecting(expected: str, holds: Callable, convert: Callable = lambda value: value) -> Callable:
    """A check of an option: gives the value, converted, where holds(value), and says what was expected elsewhere."""

    def check(value):
        if not holds(value):
            raise input_error("", short_repr(value), expected)
        return convert(value)

    return check


def at_least(minimum: int) -> Callable:
    """Check of an option: an integer no smaller than the minimum."""
    return expecting(f"an integer of at least {minimum}, below 2**63", lambda value: is_integer(value, minimum), int)


def one_of(choices: Iterable) -> Callable:
    """Check of an option: one of some strings and None; arrays and the like are not compared.

    Its attribute `type` is their Literal, which signatures show.
    """
    expected = f"one of {', '.join(map(str, choices))}"
    check = cast(Any, expecting(expected, lambda value: (value is None or isinstance(value, str)) and value in choices))
    check.type = cast(Any, Literal)[tuple(choices)]
    return check


a_boolean = expecting("True or False", lambda value: isinstance(value, (bool, np.bool_)), bool)
a_number = expecting("a number", is_number)


def option(default, check: Callable = lambda value: value, affects_score: bool = True) -> Any:
    """A field of Options: check(value) gives the value to use, or raises ValueError; affects_score: in signatures."""
    return field(default=default, metadata={"check": check, "affects_score": affects_score})


@dataclass(frozen=True, kw_only=True)
class CheckedOptions:
    """Keyword options, checked one by one and then together."""

    def __post_init__(self):
        for each in fields(self):
            with prefix_errors(argument(each.name)):
                object.__setattr__(self, each.name, each.metadata["check"](getattr(self, each.name)))
        self.check_together()

    def check_together(self) -> None:
        """Raise ValueError for options that exclude each other."""

    @classmethod
    def of(cls, given: dict, caller: str):
        """The options from keyword arguments; TypeError that names the caller for an unknown one."""
        known = [each.name for each in fields(cls)]
        for name in given.keys() - known:
            raise TypeError(f"{caller}() found the unknown option {name!r}, expected some of {', '.join(known)}")
        return cls(**given)

    @classmethod
    def parameters(cls) -> list[Parameter]:
        """The options as keyword-only parameters of a function; the type of a closed choice lists what it may be."""
        types = [getattr(f.metadata["check"], "type", f.type) for f in fields(cls)]
        return [
            Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=annotation)
            for f, annotation in zip(fields(cls), types, strict=True)
        ]

    def signature(self) -> str:
        """The settings that can change a score: "name:value|name:value"."""
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.metadata["affects_score"]}
        return "|".join(f"{name}:{v if isinstance(v, str) else short_repr(v)}" for name, v in settings.items())


def keyword_options(function: Callable) -> Callable:
    """Decorator: the last parameter, of a class of CheckedOptions, is given as keyword options."""
    *own, last = signature(function).parameters.values()
    names, Options = {parameter.name for parameter in own}, last.annotation

    @wraps(function)
    def call(*args, **given):
        options = Options.of({name: given.pop(name) for name in set(given) - names}, function.__name__)
        return function(*args, **given, options=options)

    cast(Any, call).__signature__ = Signature([*own, *Options.parameters()])
    return call


def full_signature(metric: str, scorer) -> str:
    """The metric's name, its version, and what of the scorer can change a score."""
    return f"{metric}|version:{VERSION}|{scorer.signature()}"


class CheckedMetric:
    """A mixin, to stand before evaluate.Metric: options -> Scorer -> score, and nothing added is lost on the way.

    A metric has METRIC, its name, and UNIT, what its examples are called; Options, a class of `CheckedOptions`;
    check_examples(predictions, references, start), which gives both sides as lists (`start` is the number of the first
    example); and Scorer: Scorer(options) opens what its .options ask for, .score(predictions, references) gives the
    result, .signature() all that can change it, .close() ends it. (A mixin that were a Metric would be the one loaded.)
    """

    METRIC: str
    UNIT: str
    Options: Any
    Scorer: Any
    CONFIGS: Mapping[str, dict] = {}  # {a configuration's name, as evaluate.load takes it: the options it stands for}

    _added = 0  # examples added since the last result

    def __init_subclass__(cls, **kwargs):
        """Errors of all public methods name the metric."""
        super().__init_subclass__(**kwargs)
        for name, member in list(vars(cls).items()) if hasattr(cls, "METRIC") else ():  # a mixin has no name
            function = getattr(member, "__func__", member)
            if callable(function) and not isinstance(function, type) and not name.startswith("_"):
                named = metric_errors(cls.METRIC)(function)
                setattr(cls, name, staticmethod(named) if isinstance(member, staticmethod) else named)

    def __init__(self, config_name=None, *args, **kwargs):
        known = signature(super().__init__).parameters
        for name in kwargs.keys() - known:
            raise TypeError(
                f"{self.METRIC}: load() found the unknown argument {name!r}, expected options in compute() or "
                "with_options()"
            )
        if config_name not in (None, "default", *self.CONFIGS):
            expected = " or ".join(map(repr, self.CONFIGS)) or "no configuration"
            raise input_error(self.METRIC, f"the configuration {short_repr(config_name)}", expected)
        super().__init__(config_name, *args, **kwargs)
        self._bound = self.CONFIGS.get(config_name or "", {})  # options that a call may change
        self._like_this = partial(type(self), config_name, *args, **kwargs)
        self._lock = RLock()  # evaluate collects the examples of one call at a time
        *own, _ = signature(CheckedMetric.compute).parameters.values()
        # evaluate has made a copy of compute for this object; it is to show the options by name.
        self.compute.__func__.__signature__ = Signature([*own, *self.Options.parameters()])

    def with_options(self, **options):
        """Another like it, without examples, which takes these options of `compute` where a call does not give others.

        So do `compare`, `compare_many`, `combine` and `signature`. It serves where `compute` is called without options:
        `evaluate.combine`, evaluators, a Trainer.

        Raises:
            TypeError, ValueError: as `compute` refuses options.
        """
        other = self._like_this()
        other._bound = {**self._bound, **options}
        with metric_errors(self.METRIC):
            self.Options.of(other._bound, "with_options")
        return other

    def _with_bound(self, options: dict) -> dict:
        """The options of a call, and those that are bound."""
        return {**self._bound, **options}

    def __reduce__(self):
        """For pickle and datasets' fingerprints: another like it, with nothing added."""
        return self._like_this, (), {"_bound": self._bound}

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add examples, in the form that `compute` takes."""
        with metric_errors(self.METRIC), self._lock:
            start = self._number_added()
            predictions, references = self.check_examples(predictions, references, start)
            super().add_batch(predictions=predictions, references=references, **kwargs)
            self._added = start + len(predictions)

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one example."""
        self.add_batch(predictions=[prediction], references=[reference], **kwargs)

    def compute(self, *, predictions=None, references=None, **options):
        """Score the given examples, or those added before; the latter are still there if anything fails."""
        with metric_errors(self.METRIC):
            options = self.Options.of(self._with_bound(options), "compute")
            self._check_any(predictions, references)
            with closing(self.Scorer(options)) as scorer:
                with self._lock:
                    self._check_any(predictions, references)  # another thread may have taken them
                    added = self._number_added()
                    examples = super().compute(predictions=predictions, references=references)
                if examples is None:  # with num_process, one process has them all
                    return None
                try:
                    result = scorer.score(**examples)
                except BaseException:
                    if added:
                        self.add_batch(**{name: values[:added] for name, values in examples.items()})
                    raise
                return result | ({"signature": full_signature(self.METRIC, scorer)} if options.details else {})

    def signature(self, **options) -> str:
        """One string with the metric's version and all that can change a score under these options of `compute`."""
        with metric_errors(self.METRIC):
            options = self.Options.of(self._with_bound(options), "signature")
            with closing(self.Scorer(options)) as scorer:
                return full_signature(self.METRIC, scorer)

    def _check_any(self, predictions, references):
        if predictions is None and references is None and not self._number_added():
            raise input_error("", f"no {self.UNIT}", f"{self.UNIT} here or added before")

    def _number_added(self) -> int:
        return self._added if getattr(self, "writer", None) is not None else 0

    def _compute(self, predictions, references):
        """What evaluate calls with the collected examples: hands them over, so that they outlive its files."""
        return {"predictions": list(predictions), "references": list(references)}
