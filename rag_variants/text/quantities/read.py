"""The front door: what quantities a text holds, and which of its words are identifiers."""

from rag_variants.text.language import Language
from rag_variants.text.quantities.chinese import read_characters
from rag_variants.text.quantities.latin import read_words
from rag_variants.text.quantities.quantity import Quantity


def read_quantities(text: str, language: Language, signs: Language | None = None) -> tuple[Quantity, ...]:
    """The quantities of a text, in order, in base units; what is part of an identifier (`ERR-4021`) is none.

    Places count characters of `one_form(text)`, in Chinese of `normalize(text)`. `signs` is the language whose decimal
    sign and order of dates a text in Latin letters follows, where it is another than that of its words.
    """
    return read_characters(text) if language == "zh" else read_words(text, language, signs or language)[0]
