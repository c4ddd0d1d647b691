"""A griffe extension: each function's keyword options on its page, with type, default and words.

In the code they are the fields of one parameter, `options`, and are described once: in the function, or where it says
"as for" another, there.
"""

import ast
import re

import griffe

ENTRY = re.compile(r"^    (?! )([\w, ]+): (.*(?:\n(?:     .*|))*)", re.M)
SECTION = re.compile(r"^(?=(?:Returns|Raises|Yields):$)", re.M)
TAG = re.compile(r"(`[^`]*`)|<(?=\w+>)")  # <key>_low would be taken for HTML
LONGEST = 60  # characters of a default


class Options(griffe.Extension):
    def on_package(self, *, pkg, loader, **_):
        """When a metric's modules are all read."""
        modules = (pkg, *pkg.modules.values())
        functions = [each for module in modules for each in module.members.values() if type(each) is griffe.Function]
        kinds = {each: kind for each in functions if (kind := kind_of_options(each, loader))}
        described = {each: entries(each.docstring.value) for each in functions if each.docstring}
        of_compute = entries(of_script(pkg.modules[pkg.name])) if pkg.name in pkg.modules else {}
        for function, known in described.items():
            if kind := kinds.get(function):
                replace(function, fields(kind), loader)
                alike = [other for other in kinds if kinds[other] is kind]
                of_others = (described[other] for other in (*kinds, *alike))
                known = dict(item for each in (of_compute, *of_others, known) for item in each.items())
            if known:
                names = [each.name for each in function.parameters]
                function.docstring.value = with_args(function.docstring.value, names, known)
            function.docstring.value = TAG.sub(lambda match: match[1] or "&lt;", function.docstring.value)


def kind_of_options(function, loader):
    """The class of a function's options, if it has some."""
    if any(str(decorator.value) == "keyword_options" for decorator in function.decorators):
        return loader.modules_collection[function.parameters["options"].annotation.canonical_path]


def entries(text: str) -> dict:
    """{name: words} of a docstring's section of arguments, grouped names apart."""
    _, _, rest = text.partition("Args:\n")
    args = re.split(r"^\w", rest, maxsplit=1, flags=re.M)[0]
    return {name: what.strip() for names, what in ENTRY.findall(args) for name in names.split(", ")}


def of_script(module) -> str:
    """What a metric's main script says of compute."""
    return ast.literal_eval(str(module.members["_KWARGS_DESCRIPTION"].value))


def fields(kind) -> dict:
    """{name: attribute} of a class of options and of those it is made from."""
    return {
        name: attribute
        for each in (*reversed(kind.mro()), kind)
        for name, attribute in each.attributes.items()
        if str(attribute.value).startswith("option(")
    }


def replace(function, options, loader):
    """The parameter `options` by one for each, to be given by name."""
    del function.parameters["options"]
    for name, attribute in options.items():
        given = {"annotation": attribute.annotation, "default": default(attribute, loader)}
        function.parameters.add(griffe.Parameter(name, kind=griffe.ParameterKind.keyword_only, **given))


def default(attribute, loader) -> str:
    """The default of an option as it is written; a short constant's value instead of its name."""
    first = attribute.value.arguments[0]
    if isinstance(first, griffe.ExprName):
        value = str(loader.modules_collection[first.canonical_path].value)
        return value if len(value) <= LONGEST else str(first)
    return str(first)


def with_args(text: str, names: list, known: dict) -> str:
    """A docstring with these arguments."""
    lines = "".join(f"    {name}: {known[name]}\n" for name in names if name in known)
    before, _, rest = text.partition("Args:\n")
    head = before if rest else SECTION.split(text, maxsplit=1)[0]
    after = SECTION.split(rest or text, maxsplit=1)[1:]
    return f"{head.rstrip()}\n\nArgs:\n{lines}\n{''.join(after)}"
