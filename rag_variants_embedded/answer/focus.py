"""What a question asks the kind or value of: the words right after its question word."""

import re

from rag_variants.text.language import Language
from rag_variants_embedded.answer.question_words import measure_terms, topic_terms

_AFTER = re.compile(
    r"\b(?:what|which|how many|how much|whose|who (?:is|was|are|were) the|where is the"
    r"|jak(?:i|a|ie|ą|iego|iej|im|ich|imi|iemu)|jacy|któr(?:y|a|e|ego|ej|ą|ym|ych|zy)|ile|ilu|co ile"
    r"|kto (?:jest|był|była))"
    r"\s+((?:[\w'’-]+\s*){1,5})",
    re.IGNORECASE,
)
_AROUND_CHINESE = re.compile(
    r"(?:什么|哪些|哪个|哪一个|哪种|多少|几)([\u4e00-\u9fff]{2,4})"
    r"|谁是(?:.*的)?([\u4e00-\u9fff]{2,4})"
    r"|([\u4e00-\u9fff]{2,4})(?:是|有|叫|为|要)*(?:什么|多少|谁|几|哪)"
)
_LONGEST = 3


def focus_terms(question: str, language: Language) -> frozenset[str]:
    """The terms of the thing asked for: `protection class` in "Which protection class does it have?"."""
    found: list[str] = []
    if language == "zh":
        for match in _AROUND_CHINESE.finditer(question):
            found += topic_terms(next(filter(None, match.groups()), ""), "zh")
    else:
        for match in _AFTER.finditer(question):
            for word in match.group(1).split():
                terms = topic_terms(word, language)
                if not terms or len(found) >= _LONGEST:
                    break
                found += terms
    return frozenset(found) - measure_terms(language)
