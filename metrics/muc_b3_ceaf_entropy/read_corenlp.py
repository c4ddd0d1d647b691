"""Stanford CoreNLP's coreference, as JSON and as XML: sentences of tokens, chains of mentions.

A mention has the number of its sentence, of its first word, of the one after its last, and of its head, all from 1.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from .common import input_error, is_integer, short_repr
from .documents import Document, Mention
from .read_spans import as_list, sentence_document, sentence_positions
from .read_text import whole_text

XML = re.compile(r"\s*<(?:\?xml|root|document)\b")
NUMBERS = {"sentNum": "sentence", "startIndex": "start", "endIndex": "end", "headIndex": "head"}  # in JSON, in XML


def is_corenlp(item: dict) -> bool:
    """Whether an object of JSON is CoreNLP's."""
    sentences = item.get("sentences")
    has_sentences = isinstance(sentences, list) and all(isinstance(sentence, dict) for sentence in sentences)
    return has_sentences and isinstance(item.get("corefs"), dict)


def corenlp_document(item: dict, name: str, path: str, line: int = 0) -> Iterator[Document]:
    """The one document of an object of JSON.

    Raises:
        ValueError: tokens without words, a mention without its numbers or outside its sentence; with the document.
    """
    document = sentence_document([sentence.get("tokens") for sentence in item["sentences"]], "word", name, path, line)
    for entity, chain in item["corefs"].items():
        for mention in as_list(chain):
            found = f"the mention {short_repr(mention)} in chain {entity}"
            numbers: list[Any] = [mention.get(each) for each in NUMBERS] if isinstance(mention, dict) else []
            if not numbers or not all(is_integer(number, 1) for number in numbers):
                raise input_error(document.where, found, f"numbers from 1 in {', '.join(NUMBERS)}")
            sentence, start, end, head = numbers
            positions = sentence_positions(document, found, sentence - 1, start - 1, end - 2)
            [head] = sentence_positions(document, found, sentence - 1, head - 1, head - 1)
            document.mentions.append(Mention(entity, positions, (head,) if head in positions else (), line))
    yield document


def corenlp_xml_documents(path: str) -> Iterator[Document]:
    """Documents of a file of XML.

    Raises:
        ValueError: no XML, XML with a document type (which may define entities that grow without end), no document of
            CoreNLP in it, or as `corenlp_document`.
    """
    documents = list(_tree(path).iter("document"))
    if not documents:
        raise input_error(path, "XML without a document", "<document> elements of CoreNLP")
    for document in documents:
        sentences = [list(sentence.iter("token")) for sentence in document.findall("sentences/sentence")]
        chains = enumerate(chain.findall("mention") for chain in document.findall("coreference/coreference"))
        item = {
            "sentences": [{"tokens": [{"word": token.findtext("word")} for token in tokens]} for tokens in sentences],
            "corefs": {str(number): list(map(_mention, mentions)) for number, mentions in chains},
        }
        yield from corenlp_document(item, (document.findtext("docId") or "").strip(), str(path))


def _mention(element: ElementTree.Element) -> dict:
    """A mention as JSON has it."""
    texts = {name: (element.findtext(tag) or "").strip() for name, tag in NUMBERS.items()}
    return {name: int(text) if text.isdecimal() and len(text) < 10 else text for name, text in texts.items()}


def _tree(path: str) -> ElementTree.Element:
    """The root of a file of XML that has no document type, in which entities could grow without end."""

    class Builder(ElementTree.TreeBuilder):
        def doctype(self, *_):
            raise input_error(path, "a document type (<!DOCTYPE)", "XML without a document type")

    try:
        return ElementTree.fromstring(whole_text(path), ElementTree.XMLParser(target=Builder()))
    except ElementTree.ParseError as error:
        raise input_error(path, f"no XML ({error})", "XML of CoreNLP") from None
