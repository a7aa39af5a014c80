"""The sentences that say "this is not in the documents", and how to recognise one."""

from rag_variants.knowledge.language import Language

DECLINING: dict[Language, str] = {
    "en": "I could not find this in the documents.",
    "pl": "Nie znalazłem tego w dokumentach.",
    "zh": "我在文档中没有找到这一信息。",
}
