"""The sentences that say "this is not in the documents", and how to recognise one."""

from rag_variants.text.citations import strip_citations
from rag_variants.text.language import Language
from rag_variants.text.terms import normalize

DECLINING: dict[Language, str] = {
    "en": "I could not find this in the documents.",
    "pl": "Nie znalazłem tego w dokumentach.",
    "zh": "我在文档中没有找到这一信息。",
}


def says_declining(text: str) -> bool:
    """Whether a text is one of the agreed sentences that decline.

    Case, blanks, quotation marks, the last full stop and citations make no difference; a word more does.
    """
    return _level(text) in {_level(sentence) for sentence in DECLINING.values()}


def _level(text: str) -> str:
    return " ".join(normalize(strip_citations(text)).split()).strip(" .。!！\"'*„”“«»")
