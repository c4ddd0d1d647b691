"""The papers' prompts, as data, and the user's own.

A template is a list of chat messages whose contents have fields in braces: {source} is the sentence S, {hypothesis} the
candidate paraphrase H, {explanation} what the model itself answered to the messages before. The wording is the
papers' (it is the method): ACL paper, section 4.1 and appendix A.3; TALN 2024 paper, section 4, whose "Explique" is
"indirect" here. The few-shot examples answer "No" and "Yes" while the question asks for "yes" or "no", as published.
The papers ask in English; the prompts in French (`direct_fr` and so on) are this project's, with examples of its own.
`GENERATORS` are the prompts that wrote the candidate paraphrases of the ACL paper's third data set (appendix A.1).
"""

import hashlib
import json
import re
from typing import NamedTuple

from .common import check_text, input_error, short_repr
from .common_judge import YES_OR_NO
from .common_templates import FIELD, ROLES, fields_of, filled

FIELDS = ("source", "hypothesis", "explanation")
AFTER_TEXT = tuple(tuple(f" {word}" for word in variants) for variants in YES_OR_NO)


def _turns(*contents) -> list:
    """Messages by turns, the user's first."""
    return [{"role": ROLES[1 + i % 2], "content": content} for i, content in enumerate(contents)]


ONE_WORD = 'Answer with only one word "yes" or "no".'
# Of each example the source, the hypothesis, the answer.
SHOTS = """\
Amrozi accused his brother, whom he called "the witness", of deliberately distorting his evidence .
Amrozi accused his brother, whom he disparagingly referred to as 'the liar witness', of intentionally twisting his \
testimony.
No
Pennmakkal is an Indian Malayalam film from 1966, produced by J. Sasikumar and directed by KP Kottarakkara.
The Indian Malayalam film 'Pennmakkal', released in 1966, was produced by J. Sasikumar and directed by KP Kottarakkara.
Yes
Sorkin , who faces charges of conspiracy to obstruct justice and lying to a grand jury , was to have been tried \
separately.
Despite being accused of conspiring to obstruct justice and perjury, Sorkin was supposed to stand trial on his own.
No
Gilroy police and FBI agents described Gehring as cooperative , but said Saturday that he had revealed nothing about \
what had happened to the children .
Although Gilroy police and FBI agents reported that Gehring was cooperative , he hadn't disclosed any information \
about the children's whereabouts or what had happened to them as of Saturday .
No
Whereas "e" the electric charge of the particle and A is the magnetic vector potential of the electromagnetic field.
The electric charge of the particle is denoted by "e", and the magnetic vector potential of the electromagnetic field \
is denoted by 'A'.
Yes
The Jidanul River is a tributary of the Jiul de Vest River in Romania.
The Jidanul River is a mere insignificant stream that flows into the grand Jiul de Vest River in Romania.
No
"""
SHOTS_FR = """\
Le maire a reçu hier les ouvriers de l'usine.
Hier, les ouvriers de l'usine, ces agitateurs, ont été reçus par le maire.
Non
Le pont, construit en 1932 par deux ingénieurs suisses, sera fermé jusqu'en mars.
Jusqu'en mars, on ne pourra pas emprunter le pont que deux ingénieurs suisses ont construit en 1932.
Oui
La Loire se jette dans l'océan Atlantique près de Saint-Nazaire.
La Loire prend sa source près de Saint-Nazaire et se jette dans l'océan Atlantique.
Non
Selon son avocat, l'accusé n'a pas quitté la ville depuis lundi.
L'accusé, affirme son avocat, a quitté la ville lundi.
Non
Peu de gens savent que ce tableau a été peint par sa sœur.
Que sa sœur soit l'auteur de ce tableau, peu de gens le savent.
Oui
Claire a prêté sa voiture à Paul pour le week-end.
Paul a prêté sa voiture à Claire pour le week-end.
Non
"""


def _of_language(same, exactly_same, ready, one_word, summarize, pair, shots, mark="") -> dict:
    """The four templates in a language; `mark` ends their names."""
    lines, examples = iter(shots.splitlines()), []
    for source, hypothesis, answer in zip(lines, lines, lines, strict=True):
        examples += [pair.format(source=source, hypothesis=hypothesis), answer]
    templates = {
        "direct": _turns(f"{same} {one_word}", ready, pair),
        "indirect": _turns(same, ready, pair, "{explanation}", summarize),
        "exact": _turns(exactly_same, ready, pair, "{explanation}", summarize),
        "fs_direct": _turns(f"{same} {one_word}", ready, *examples, pair),
    }
    return {name + mark: messages for name, messages in templates.items()}


FRENCH = _of_language(
    same="Tu vas recevoir deux phrases A et B. Ces deux phrases veulent-elles dire la même chose ?",
    exactly_same="Tu vas recevoir deux phrases A et B. Ces deux phrases veulent-elles dire exactement la même chose ?",
    ready="Donne-moi les phrases à évaluer.",
    one_word="Réponds par un seul mot, « oui » ou « non ».",
    summarize="Résume ta réponse en un seul mot, « oui » ou « non ».",
    pair="A : « {source} » ; B : « {hypothesis} »",
    shots=SHOTS_FR,
    mark="_fr",
)
OUI_OR_NON = (("oui", "Oui"), ("non", "Non"))
ENGLISH = _of_language(
    same="You will receive two sentences A and B. Do these two sentences mean the same thing?",
    exactly_same="You will receive two sentences A and B. Do these two sentences mean exactly the same thing?",
    ready="Please provide the sentences for me to evaluate.",
    one_word=ONE_WORD,
    summarize='Summarize your answer with only one word "yes" or "no".',
    pair='A: "{source}"; B: "{hypothesis}"',
    shots=SHOTS,
)
TEMPLATES = {
    **ENGLISH,
    **FRENCH,
}

REWRITE = (
    "You have to transform a sentence A into a paraphrase B. The purpose of A to B transformation is to maintain the "
    "original meaning of the sentence A in B."
)
OFFENSIVE = "You can use offensive and disrespectful statements."
UNDERSTOOD = "I've understood the instructions perfectly."
CAT = (
    'A: "The little cat refreshes himself with water every morning."',
    'B: "Every morning, the little cat refreshes himself by drinking water."',
)
VULGAR = ('A: "Fuck both of you."', 'B: "Go fuck yourselves."')
SENTENCE = 'A: "{source}"'

GENERATORS = {
    "naive": _turns(REWRITE, UNDERSTOOD, *CAT, SENTENCE),
    "naive_system": [{"role": "system", "content": REWRITE}, *_turns(*CAT, SENTENCE)],
    "vulgar": _turns(f"{REWRITE} {OFFENSIVE}", UNDERSTOOD, *VULGAR, SENTENCE),
}
QUOTED = re.compile(r'B\s*:\s*"(.*)"[^"]*')


class Template(NamedTuple):
    """A prompt: its name, its chat messages or plain text, and the answers that it asks for."""

    name: str
    messages: list | str
    answers: tuple = YES_OR_NO

    def __repr__(self):
        text = json.dumps(self.messages).encode()
        return f"{self.name}@{hashlib.sha256(text).hexdigest()[:8]}"


def resolve(template) -> Template:
    """A template by name, or the user's own messages, checked.

    A name of `TEMPLATES`; or a list of {"role", "content"} with {source} and {hypothesis} in it, where with
    {explanation} alone in an assistant's turn, the model is first asked for that turn; or, for a model without a chat
    template, a string with {source} and {hypothesis}, after which the answer follows. ValueError for an unknown name,
    malformed messages, a missing or unknown field.
    """
    plain = isinstance(template, str) and bool(FIELD.search(template))
    if isinstance(template, str) and not plain:
        if template not in TEMPLATES:
            raise input_error("", short_repr(template), f"one of {', '.join(TEMPLATES)} or messages")
        return Template(template, TEMPLATES[template], OUI_OR_NON if template in FRENCH else YES_OR_NO)
    fields = FIELD.findall(check_text(template, "a string")) if plain else fields_of(template)
    if unknown := [name for name in fields if name not in FIELDS]:
        raise input_error("", f"the field {{{unknown[0]}}}", f"one of {', '.join(FIELDS)}")
    if missing := [name for name in FIELDS[:2] if name not in fields]:
        raise input_error("", f"no {{{missing[0]}}} in the messages", f"{{{missing[0]}}} in one of them")
    if "explanation" in fields and (plain or not asked_before(list(template))):
        expected = "{explanation} once, alone in a turn of the assistant after a question"
        raise input_error("", "{explanation} first or among other text", expected)
    if plain:
        if template[-1] in " \t":
            found = f"{short_repr(template[-20:])} at the end"
            raise input_error("", found, "no space at the end, since it is a part of the answers' tokens")
        return Template("own", template, YES_OR_NO if template[-1].isspace() else AFTER_TEXT)
    if template[-1]["role"] != "user":
        found = f"a last message of the {template[-1]['role']}"
        raise input_error("", found, "a last message of the user, which the answers follow")
    return Template("own", list(template))


def conversation(messages: list | str, values: dict):
    """A template's messages with the fields filled in, in one pass: braces in a text stay text.

    Plain text becomes a tuple, text of the template and of the user by turns.
    """
    if isinstance(messages, str):
        pieces = FIELD.split(messages)
        return tuple(values[piece] if i % 2 else piece for i, piece in enumerate(pieces))
    return filled(messages, values)


def paraphrase_in(answer: str) -> str:
    """The sentence in a model's answer to a prompt of `GENERATORS`.

    That is its first line, without "B:" and quotation marks, and without what stands after them.
    """
    line = next(filter(None, map(str.strip, answer.splitlines())), "")
    quoted = QUOTED.fullmatch(line)
    text = quoted[1] if quoted else re.sub(r"^B\s*:\s*", "", line)
    if text.startswith('"') and text.find('"', 1) in (-1, len(text) - 1):  # the longest answer may lack the last one
        text = text.strip('"')
    return text.strip()


def asked_before(messages: list | str) -> list | None:
    """The messages before the turn that is the model's explanation; None if there is no such turn."""
    if isinstance(messages, str):
        return None
    turns = [i for i, m in enumerate(messages) if m == {"role": "assistant", "content": "{explanation}"}]
    mentioned = sum("{explanation}" in message["content"] for message in messages)
    return messages[: turns[0]] if turns and mentioned == 1 else None
